"""Leaderboards: who was first when, by skill or by noise, on one lineage of a board."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta

import polars as pl
import streamlit as st

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures import reign
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.leaderboards import board_tables, many_tasks, tied
from benchhealth.dashboard.pages.leaderboards.figures import tiers, turnover
from benchhealth.dashboard.published import reigns, standings
from benchhealth.dashboard.published.benchmarks import name_of
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.domains import groups
from benchhealth.dashboard.published.generation import Params, View, recently, required
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.widgets import block, empty, filters, folded, links, provenance, replay, tables, tiles
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.folded import collapsible
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.shared import REIGN
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.boards import first_place as words
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import code, count, markdown, short, words_within

BOARD, DAY, DEPTH, DOMAIN = "board", "day", "k", "domain"
DEPTHS = {"10": "Top 10", "5": "Top 5", "20": "Top 20"}
HISTORY = 10
"""Days of history from which on the page may open with a board."""

FRESH = timedelta(days=60)
EVENTS, CARDS = 4, 2


_CHURN = TABLES["churn"].by_name
COMPARISON_COLUMNS = (
    GridColumn(_CHURN["to_on"], pinned=True),
    *(GridColumn(_CHURN[name], format="%.2f") for name in ("kendall_tau", "rbo")),
    GridColumn(_CHURN["spans_breakpoint"], width=110),
)


def _of_board(
    chart: Callable[..., Chart | Nothing], *tables_of: Callable[[View, Params], object]
) -> Callable[[View, Params, Palette], Chart | Nothing]:
    """Returns the builder of this chart: for the board in the parameters, from its rows of each table."""

    def build(view: View, params: Params, palette: Palette) -> Chart | Nothing:
        board = reigns.board(view, required(params, BOARD))
        rows = [table(view, params) for table in tables_of]
        return chart(board, *rows, palette)

    return build


_SOURCES = provenance.of_board_in(BOARD)
_TIERS, _TURNOVER = _of_board(tiers.chart, reigns.board_on, ties.on_day), _of_board(turnover.chart, standings.steps)
_MOVEMENT = _of_board(turnover.movement, board_tables.movement)
ON_DAY = ChartSpec("board-day", _TIERS, (BOARD, DAY), method="tiers", sources=_SOURCES)
TURNOVER = ChartSpec("turnover", _TURNOVER, (BOARD, DEPTH), method="churn", sources=_SOURCES)
MOVEMENT = ChartSpec("movement", _MOVEMENT, (BOARD,), method="volatility", sources=_SOURCES)


def draw(view: View) -> None:
    """Draw the page."""
    heading = st.container()
    board_id = _chosen_board(view)
    if board_id is None:
        with heading:
            st.title("Who is first, by skill or by noise?", anchor=False)
        return
    board, params = reigns.board(view, board_id), {BOARD: board_id}
    leads = reigns.leads(view, params)
    with heading:
        st.title(tied.title(view, board), anchor=False)
    replay.once(view, ("ties of", board_id), lambda: tied.tiles_of(view, board))
    _one_day(view, board)
    block.show(view, REIGN, params)
    replay.once(view, ("skill or noise", board_id), lambda: _skill_or_noise(view, board, leads))
    left, right = st.columns(2, gap="medium")
    with left:
        _events(view, leads)
    with right:
        _breaks(view, board)
    tied.much_read(view)
    with collapsible("noise", "Exchanged places against noise, newcomers, and boards of many tasks", TURNOVER.name):
        _against_noise(view, board)
        many_tasks.show(view, board_id)


def _skill_or_noise(view: View, board: Board, leads: pl.DataFrame) -> None:
    st.header("Skill or noise?", anchor="skill-or-noise")
    answers = (
        Tile("noise", "Do places change by more than noise?", *_last_turnover(view, board)),
        Tile("lasts", "How long does first place last?", *_lasts(view, board)),
        Tile("breaks", "Where is it not compared?", *_not_compared(board, leads)),
    )
    tiles.show(answers, "tiles_noise")
    answer, evidence = words.skill_or_noise(board.days, leads)
    st.markdown(f"**{answer}** {markdown(evidence)} {_leader(view, board)}")
    row = board_tables.tied(view, {BOARD: board.board_id})
    if row is not None:
        st.markdown(markdown(words.ties(row, name_of(view, str(row["measured_on"])))))


def _leader(view: View, board: Board) -> str:
    firsts = reigns.firsts(view, board.board_id)
    if len(board.days) < 2 or firsts.is_empty():
        return f"{markdown(words_within(board.name, 40))}: one look, so no history."
    return f"{reign.title(firsts, board.days)}."


def _chosen_board(view: View) -> str | None:
    """The board that the address names; of one that does not exist the page says so, and none takes its place.

    A domain leaves only its own boards to choose from, and opens the first of them where the board is another's.
    """
    requested_id = st.query_params.get(BOARD)
    all_boards = standings.boards(view)
    if requested_id and requested_id not in set(all_boards["board_id"]):
        similar_names = suggestions.called_alike(
            requested_id, options_of(view), lambda board_id: links.address("leaderboards", board=board_id)
        )
        empty.nothing(
            f"This generation holds no leaderboard {code(requested_id)}.",
            f"A leaderboard is named by source and benchmark, such as `squad/squad-2.0`. "
            f"[Choose one of {all_boards.height:,}]({links.address('leaderboards')}).{similar_names}",
        )
        return None
    left, right = st.columns([3, 1], gap="small")
    with right:
        of_groups = groups(view)
        domain = filters.id_picker(DOMAIN, "Domain", of_groups, placeholder="All", with_id=False) if of_groups else None
    options = options_of(view, requested_id if domain is None else None, domain)
    if not options and domain is not None:
        empty.nothing(
            f"No leaderboard on {of_groups[domain].lower()}.",
            "No source of this generation ranks models on a curated benchmark of this domain. "
            f"[All leaderboards]({links.address('leaderboards')}).",
        )
        return None
    if not options:
        empty.nothing(
            "No leaderboard to follow.",
            "No source of this generation ranks models on a curated benchmark. "
            "Pull the sources with `benchhealth nightly`.",
        )
        return None
    with left:
        return filters.id_picker(BOARD, "Leaderboard", options)


@recently
def options_of(view: View, requested_id: str | None = None, domain: str | None = None) -> dict[str, str]:
    """The boards of curated benchmarks, by id with the name of the benchmark: the freshest that has a history first.

    `domain` is the id of a group of domains, whose boards alone are given.
    """
    benchmarks = view.table("benchmark").select("benchmark_id", "name", "domain_group", "curated")
    in_domain = pl.lit(value=True) if domain is None else pl.col("domain_group") == domain
    rows = (
        standings.boards(view)
        .join(benchmarks, on="benchmark_id", how="left", maintain_order="left")
        .filter("curated", is_whole(), in_domain)
    )
    fresh = (pl.col("last_observed_at") >= pl.col("last_observed_at").max() - FRESH) & (pl.col("days") >= HISTORY)
    ordered = rows.sort(fresh, "days", "board_id", descending=[True, True, False], nulls_last=True)
    named = _told_apart(view, dict(ordered.select("board_id", pl.coalesce("name", "board_id")).iter_rows()))
    return {**named, **({requested_id: requested_id} if requested_id and requested_id not in named else {})}


def _told_apart(view: View, names: Mapping[str, str]) -> dict[str, str]:
    """The names of boards by id, with the source where another has the same name."""
    titles = provenance.titles(view)
    times = Counter(names.values())
    sources = {board_id: board_id.split("/", 1)[0] for board_id in names}
    return {
        board_id: f"{name}, from {short(titles.get(sources[board_id], sources[board_id]))}" if times[name] > 1 else name
        for board_id, name in names.items()
    }


_UNKNOWN = ":gray[Not known]"


def _last_turnover(view: View, board: Board) -> tuple[str, str]:
    rows = turnover.comparable_steps(standings.steps(view, {BOARD: board.board_id, DEPTH: "10"}))
    if rows.is_empty():
        return _UNKNOWN, "no two looks at enough of the same models and no break between"
    last = rows.row(-1, named=True)
    basis = f"{count(rows.height, 'comparison')} until {day_of(rows['to_on'][-1])}"
    return (
        f"{last['moved']} against {last['by_noise']:.0f}",
        f"[places of the top ten that listed models exchanged, {turnover.against_noise(last)}](#turnover), "
        f"beside {count(last['came'], 'newcomer')}, in {basis}",
    )


def _lasts(view: View, board: Board) -> tuple[str, str]:
    first_place = board_tables.medians(board_tables.stays(view, {BOARD: board.board_id})).filter(pl.col("k") == 1)
    if first_place.is_empty():
        return _UNKNOWN, "fewer than five stays were seen to begin"
    row = first_place.row(0, named=True)
    population = f"of {count(row['watched'], 'stay')} seen to begin, until {day_of(board.days[-1])}"
    if row["median"] is None:
        return "Outlasts the watch", f"more than half {population}"
    high = "and more" if row["high"] is None else f"to {row['high']:.0f}"
    median = f"[median](<{board_tables.STAYS.address({BOARD: board.board_id})}>)"
    return count(round(row["median"]), "day"), f"{median}, 95%: {row['low'] or 0:.0f} {high}; {population}"


def _not_compared(board: Board, leads: pl.DataFrame) -> tuple[str, str]:
    broken = board.broke_on
    if not broken:
        return "Nowhere", "no break of scale, names, data or rules is known"
    n_across = leads.filter("spans_breakpoint").height
    changed = f"; {count(n_across, 'change of first place', 'changes of first place')} fall there" if n_across else ""
    return count(len(broken), "break"), f"[of scale, names, data or rules](#breaks), last {day_of(broken[-1])}{changed}"


@reruns.fragment("leaderboards")
def _one_day(view: View, board: Board) -> None:
    """The board on a day of the reader's choice, among the days on which it was read."""
    if len(board.days) > 1:
        looks = {str(on): day_of(on) for on in board.days}
        chosen = filters.slider(DAY, f"As it was read on one of {count(len(looks), 'day')}", looks)
    else:
        chosen = ""
    block.show(view, ON_DAY, {BOARD: board.board_id, DAY: chosen})


def _events(view: View, leads: pl.DataFrame) -> None:
    if leads.is_empty():
        return
    st.header("When first place changed hands", anchor="events")
    times = "Once" if leads.height == 1 else f"{leads.height} times"
    folded.foldable("events", times, lambda: _lately(view, leads), lambda: _lines(leads))
    st.markdown(f":small[{links.csv('All as CSV', reigns.LEADS.address({BOARD: str(leads['board_id'][0])}))}]")


def _lines(leads: pl.DataFrame) -> None:
    lines = [
        f":small[{_sign(row)} **{day_of(row['on_date'])}** {markdown(words.event(row))}]"
        for row in leads.iter_rows(named=True)
    ]
    st.markdown("\n\n".join(lines))


def _lately(view: View, leads: pl.DataFrame) -> None:
    """The last changes of first place; earlier ones in a table that opens."""
    replay.once(view, ("last leads of", leads["board_id"][0]), lambda: _lines(leads.head(EVENTS)))
    if leads.height <= EVENTS:
        return
    events = [(row["on_date"], words.event(row)) for row in leads[EVENTS:].iter_rows(named=True)]
    earlier = pl.DataFrame(events, schema=["day", "what happened"], orient="row")
    folded.draw_folded(
        f"{earlier.height} earlier",
        "earlier_events",
        lambda: tables.grid(earlier, key="events", alt="Every earlier change of first place"),
    )


def _sign(row: Row) -> str:
    signs = {True: ":blue[◆]", False: ":gray[◇]", None: ":gray[·]"}
    return ":orange[⊥]" if row["spans_breakpoint"] else signs[row["beyond_noise"]]


def _breaks(view: View, board: Board) -> None:
    """A card for each of the last breaks, numbered as in the chart; the others in a table."""
    if board.breaks.is_empty():
        return
    number = {on: index for index, on in enumerate(board.broke_on, start=1)}
    rows = board.breaks.sort("on_date", descending=True)
    reasons = "" if rows.height == len(number) else f", for {count(rows.height, 'reason')}"
    st.header(f"Not compared across {count(len(number), 'day')}{reasons}", anchor="breaks")
    folded.foldable(
        "breaks",
        count(rows.height, "reason"),
        lambda: _last_breaks(view, board, rows, number),
        lambda: _cards(rows, number),
    )


def _last_breaks(view: View, board: Board, rows: pl.DataFrame, number: Mapping[date, int]) -> None:
    replay.once(view, ("last breaks of", board.board_id), lambda: _cards(rows.head(CARDS), number))
    if rows.height <= CARDS:
        return
    earlier = rows[CARDS:].select("on_date", "kind", "note")
    folded.draw_folded(
        count(earlier.height, "earlier reason"),
        "earlier_breaks",
        lambda: tables.grid(earlier, key="breaks", alt="Every earlier break", wrapped=True),
    )


def _cards(rows: pl.DataFrame, number: Mapping[date, int]) -> None:
    for row in rows.iter_rows(named=True):
        where = links.outside("Where it was found", row["source_url"])
        with st.container(border=True):
            note = markdown(row["note"] or "no note")
            st.markdown(
                f":small[**{number[row['on_date']]}. Not compared across {day_of(row['on_date'])}** "
                f"({markdown(row['kind'] or 'unknown kind')}): {note}.{f' {where}' if where else ''}]"
            )


def _against_noise(view: View, leaderboard: Board) -> None:
    """Exchanged places against noise, and newcomers; movement and every comparison on demand."""
    board = {BOARD: leaderboard.board_id}
    requested = st.query_params.get(DEPTH, "")
    depth = requested if requested in DEPTHS else next(iter(DEPTHS))
    block.show(view, TURNOVER, {**board, DEPTH: depth})
    filters.segments(DEPTH, "Places counted", DEPTHS)

    def closer() -> None:
        block.show(view, MOVEMENT, board, level=3)
        _comparisons(view, {**board, DEPTH: depth})

    folded.draw_folded("Where ranks move, and every comparison", "more_churn", closer)


def _comparisons(view: View, params: Params) -> None:
    steps = standings.steps(view, params)
    if steps.is_empty():
        return
    st.subheader("Every comparison", anchor="comparisons")
    tables.show(
        view,
        steps.drop("board_id", "k").sort("from_on", descending=True),
        standings.STEPS,
        params,
        alt="Each comparison of two days with who entered, left or was renamed",
        columns=COMPARISON_COLUMNS,
        declared_in=("churn",),
    )


PAGE = PageSpec(
    url_path="leaderboards",
    title="Leaderboards",
    draw=draw,
    tables=(
        standings.TOP,
        standings.STEPS,
        standings.BREAKS,
        reigns.LEADS,
        reigns.STANDING,
        ties.CARDS,
        ties.MUCH_READ,
        board_tables.STAYS,
        board_tables.MOVEMENT,
        board_tables.MANY_TASKS,
        board_tables.SUBSETS,
    ),
    charts=(REIGN, ON_DAY, TURNOVER, MOVEMENT, many_tasks.LEFT_OUT),
)
