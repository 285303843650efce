"""The charts of parts of the page: lives by cohort, what shortens them, and each sign of optimising."""

import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.churn.census import YEAR
from benchhealth.analytics.goodhart.advances import BY_ITEM, CLUSTERED
from benchhealth.analytics.measurers.order_rerun import FEWEST_FAMILIES
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.forest import PLAIN, Mark, forest
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import ceilings, goodhart_tables, life_tables
from benchhealth.dashboard.pages.field.figures import hazards, item_age, survival
from benchhealth.dashboard.published.answers import saturated_of
from benchhealth.dashboard.published.benchmarks import known_until, last_known
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import everywhere, of_column
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.domains import NAMES
from benchhealth.dashboard.words.domains import group_name as named_group
from benchhealth.dashboard.words.first.findings import advances_title, order_title
from benchhealth.dashboard.words.goodhart import attention, reports
from benchhealth.dashboard.words.measurers import reruns
from benchhealth.dashboard.words.numbers import fixed, signed
from benchhealth.dashboard.words.text import plotly, short, shorten

DRAWN_ROWS = 25
HEIGHT = 258
EXCESS = Mark("estimated", "excess")
NOISE = Mark("if all entries were equally good", "by_noise", None, None, "diamond-open", "ink3")
BY_JUDGES = Mark("against other judges", "judges", "judges_low", "judges_high")
BY_PEOPLE = Mark("against votes of people", "people", "people_low", "people_high", "diamond-open", "ink3")
_LEVEL_LOOKS = (("circle", "ink3"), ("diamond", "compressing"), ("square", "accent"), ("triangle-up", "ink"))
_VALUE_COLUMNS = {"": "value", "_low": "low", "_high": "high", "_reason": "reason"}
_SIDES = {"judges": "other judges", "people": "votes of people"}


def _lives(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    grouping, counted, until = params.get("by") or OVERALL, saturated_of(view), last_known(view)
    rows, overall = (life_tables.curves(view, {"by": division}) for division in (grouping, OVERALL))
    if grouping == OVERALL:
        return survival.lives(overall, counted, until, palette)
    of_release = grouping == life_tables.RELEASED
    title = survival.cohort_title(view.table("hazard")) if of_release else f"How long benchmarks last, by {grouping}"
    return survival.cohorts(rows, overall.filter(pl.col("cohort") == OVERALL), title, counted, until, palette)


def _cohorts(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    if life_tables.RELEASED not in life_tables.divisions(view):
        return Nothing("No cohorts can be compared yet.", "It takes five benchmarks released in the years of each.")
    return _lives(view, {"by": life_tables.RELEASED}, palette)


def _fates(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return survival.fates(view.table("survival"), saturated_of(view), last_known(view), palette)


def _hazards(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return hazards.chart(view.table("hazard"), last_known(view), palette)


def _items(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = life_tables.item_ages(view, params)
    if rows.is_empty():
        return item_age.chart(rows, None, [], None, None, palette)
    dated, model = str(rows["benchmark_id"][0]), params.get("model") or OVERALL
    named = None if model == OVERALL else model
    ends = life_tables.training_ends(view, dated, model)
    test = None if named is None else life_tables.break_test(view, dated, named)
    return item_age.chart(rows, named, ends, test, known_until(view, [dated]), palette)


def _advances(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    grouping = params.get("by") or goodhart.ADVANCES[0]
    rows, until = goodhart.advances(view, {"by": grouping}), last_known(view)
    if rows.is_empty():
        return Nothing("No share of advances can be given.", "It takes five steps whose scores both have an error.")
    overall = goodhart.row(view, "small_advances")
    by_item = goodhart.row(view, BY_ITEM), goodhart.row(view, CLUSTERED)
    drawn, title, advances_note = rows.head(DRAWN_ROWS), reports.advances_title(overall), ""
    if grouping == "year":
        drawn, last = rows, rows.row(-1, named=True)
        title, advances_note = advances_title(last), f", {last['n']:,} advances in {last['year']}"
        figure = over_years(
            [(Mark("within error", role="ink3"), rows.head(-1)), (Mark("within error"), rows.tail(1))], palette,
            form=".0%", span=(0, 1.04), noun="advances", joined=False, labelled=False, height=HEIGHT,
        )  # fmt: skip
    else:
        figure = forest(drawn, [PLAIN], _shares(drawn), palette, axis="", span=(-0.02, 1.02), form=".0%")
    return Chart(
        title=title,
        subtitle=(
            f"{reports.advances(overall, rows, grouping, until, by_item)}. Share within error by "
            f"{grouping}{advances_note}, with 95% intervals"
            f"{attention.same_sources(goodhart.row(view, 'sources_compared'), rows) if grouping == 'year' else ''}."
        ),
        figure=figure,
        rows=drawn,
        alt=f"The share of advances within their error, by {grouping}, with 95% intervals.",
        known_until=until,
    )


def _shares(rows: pl.DataFrame) -> list[str]:
    return [
        f"<b>{plotly(row['name'])}</b>, {row['n']:,} advances<br>{row['value']:.0%} ({row['low']:.0%} to "
        f"{row['high']:.0%})"
        for row in rows.iter_rows(named=True)
    ]


def _reports(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    grouping = params.get("reports") or next(iter(goodhart.PREMIUMS))
    rows, until = goodhart.premiums(view, {"reports": grouping}), last_known(view)
    if rows.is_empty():
        return Nothing("No two reports can be compared.", "It takes three models with both kinds of score.")
    overall = goodhart.row(view, "self_report_premium")
    noun = "models" if grouping == "benchmark" else "results"
    drawn = rows.head(DRAWN_ROWS)
    if grouping == "benchmark" and overall is not None and overall["value"] is not None:
        pooled = {"name": "all pooled", **{name: overall[name] for name in ("value", "low", "high", "n")}}
        drawn = pl.concat([drawn, pl.DataFrame([pooled])], how="diagonal_relaxed")
    hovers = [
        f"<b>{plotly(row['name'])}</b>, {row['n']:,} {noun}<br>{signed(row['value'])} points ({fixed(row['low'])} to "
        f"{fixed(row['high'])})"
        for row in drawn.iter_rows(named=True)
    ]
    made = (
        "as each benchmark's page has it"
        if grouping == "benchmark"
        else "less what is usual for the benchmarks they report, drawn towards the common mean"
    )
    labelled = drawn.with_columns(texts(drawn["name"], short), strong=(pl.col("low") > 0) | (pl.col("high") < 0))
    return Chart(
        title=reports.premium_title(overall, rows, grouping),
        subtitle=(
            f"{reports.premium(overall, rows, grouping, until)}. The maker's score less that of others by "
            f"{grouping}, {made}, with 95% intervals. Blue: clear of zero. "
            f"{reports.PREMIUM_ERROR}."
        ),
        figure=forest(labelled, [PLAIN], hovers, palette, axis="Self-reported less third-party, points", reference=0.0),
        rows=drawn,
        sources=provenance.of_benchmarks(view, rows["subject"].to_list()) if grouping == "benchmark" else (),
        alt=f"Self-reported less third-party score in points by {grouping}, with 95% intervals.",
        known_until=until,
    )


def _selection(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    named = goodhart_tables.boards(view)
    board = params.get("board") or next(iter(named), "")
    if not named:
        return Nothing(
            "No leaderboard shows it.", "It takes five organisations with five entries each, and errors of the scores."
        )
    rows, until = goodhart_tables.selection(view, {"board": board}), known_until(view, [board])
    bounded = view.table("benchmark").filter(pl.col("benchmark_id") == board)["unit"].is_in(BOUNDED_UNITS).all()
    unit = "points" if bounded else "units of the scale"
    drawn = rows.head(DRAWN_ROWS)
    hovers = [
        f"<b>{plotly(row['name'])}</b>: best of {row['n']} entries<br>if all were equal {row['by_noise']:.1f}, "
        + (f"estimated {row['excess']:.1f}" if row["excess"] is not None else plotly(str(row["reason"]), 90))
        for row in drawn.iter_rows(named=True)
    ]
    return Chart(
        title=f"{shorten(short(named[board]), 34)}: what the best of several entries overstates",
        subtitle=(
            f"{reports.selection(named[board], rows, unit, until)}. Filled: estimated, with 95% interval; open: if all "
            "entries were equally good. In brackets the number of entries."
        ),
        figure=forest(
            drawn.with_columns(name=pl.format("{} ({})", "name", "n")), (EXCESS, NOISE), hovers, palette,
            axis=f"Overstated by, {unit}", reference=0.0,
        ),
        rows=drawn,
        alt="For each organisation by how much its best entry is estimated to overstate, and by how much it would by "
        "chance alone.",
        sources=provenance.of_benchmarks(view, [board]),
        known_until=until,
    )  # fmt: skip


def _judges(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = goodhart_tables.judges(view, params)
    compared = rows.filter(pl.col("value").is_not_null())
    if compared.is_empty():
        return Nothing("No judge can be compared.", "It takes four models that others judged too, some of its family.")
    until, drawn = known_until(view, compared["subject"].unique()), _side_by_side(compared)
    hovers = [
        f"<b>{plotly(row['name'])}</b><br>" + "<br>".join(_factor(row, side, label) for side, label in _SIDES.items())
        for row in drawn.iter_rows(named=True)
    ]
    sure = compared.filter(pl.col("low") > 1).height
    return Chart(
        title=f"A judge prefers its own family beyond error in {sure} of {compared.height} comparisons",
        subtitle=(
            f"{reports.judges(rows, until)}. Factor of the odds for models of its own family, 1 is none, with 95% "
            "intervals. Filled: against other judges; open: against votes of people."
        ),
        figure=forest(
            drawn, (BY_JUDGES, BY_PEOPLE), hovers, palette, axis="Odds for its own family, factor (logarithmic)",
            reference=1.0, logarithmic=True,
        ),
        rows=drawn,
        alt="A row for each judge and what it is held against: the factor of the odds for models of its own family.",
        known_until=until,
    )  # fmt: skip


def _side_by_side(compared: pl.DataFrame) -> pl.DataFrame:
    """One row for each judge, with its factor against other judges and against people; either may be unknown."""
    halves = [
        compared.filter(pl.col("against") == against).select(
            "subject", **{f"{side}{end}": pl.col(name) for end, name in _VALUE_COLUMNS.items()}
        )
        for side, against in _SIDES.items()
    ]
    names = compared.select("subject", name=pl.col("name").str.replace(r": win rate$", "")).unique(maintain_order=True)
    joined = names.join(halves[0], on="subject", how="left").join(halves[1], on="subject", how="left")
    return joined.sort("judges", "people", "subject", descending=[True, True, False], nulls_last=True)


def _factor(row: dict[str, object], side: str, against: str) -> str:
    if row[side] is None:
        return f"against {against}: unknown"
    ends = f"{row[side]:.2f} ({row[f'{side}_low']:.2f} to {row[f'{side}_high']:.2f})"
    return f"{ends}: {plotly(str(row[f'{side}_reason']), 90)}"


def _cost(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    named = goodhart_tables.benchmarks_with_costs(view)
    chosen = params.get("cost") or next(iter(named), "")
    if not named:
        return Nothing("No run has a cost on record.", "It takes a source that publishes costs with scores.")
    rows, until = goodhart_tables.cheapest(view, {"cost": chosen}), known_until(view, [chosen])
    lines = [
        (Mark(f"at least {level}%", "value", None, None, *look), rows.filter(pl.col("level") == level))
        for level, look in zip(rows["level"].unique().sort(), _LEVEL_LOOKS, strict=False)
    ]
    return Chart(
        title=f"The cheapest run on {shorten(short(named[chosen]), 40)}, by year",
        subtitle=(
            f"{attention.cost(named[chosen], goodhart.row(view, 'cost_factor_of_ten_points', chosen), rows, until)}. "
            "Dollars (log scale) of the cheapest run with at least a score; of a lowest price no interval is given. "
            f"All years are over the same sources: {rows['sources'][0]}."
        ),
        figure=over_years(lines, palette, form="$,.3~g", logarithmic=True, noun="runs as good"),
        rows=rows,
        alt="The cheapest run with at least 25%, 50% and 75% by year, in dollars on a logarithmic scale.",
        sources=provenance.of_benchmarks(view, [f"{chosen}/cost"]),
        known_until=until,
    )


def _order(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    rows = view.table("order_census").drop_nulls("share")
    years = rows.filter(pl.col("grouping") == YEAR)
    if years.is_empty():
        return Nothing("No share can be given.", "It takes five boards of curated benchmarks with known errors.")
    last = years.row(-1, named=True)
    hovers = [
        f"<b>{plotly(named_group(row['group']))}</b><br>{plotly(attention.order_row(row), 200)}"
        for row in rows.iter_rows(named=True)
    ]
    drawn = rows.with_columns(name=pl.format("{} ({} boards)", pl.col("group").replace(NAMES), "known"), value="share")
    return Chart(
        title=order_title(last),
        subtitle=attention.order(last),
        figure=forest(
            drawn, [PLAIN], hovers, palette, axis="Boards whose first place is more than error", span=(-0.02, 1.02),
            form=".0%",
        ),
        rows=rows,
        alt="The share of boards with one model tied for first, by year and by domain, with 95% intervals.",
        known_until=last["seen_until"].date(),
    )  # fmt: skip


def _reruns(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    rows = view.table("order_rerun")
    all_rows = list(rows.iter_rows(named=True))
    if not any(row["apart"] and row["share"] is not None for row in all_rows):
        return Nothing(
            "No share can be given.",
            f"It takes pairs of models that two measured, on {FEWEST_FAMILIES} families of benchmarks or more.",
        )
    drawn = rows.with_columns(
        name=pl.Series([reruns.name(row) for row in all_rows]),
        value=pl.coalesce("share", pl.col("same") / pl.col("pairs")),
        strong=pl.col("share").is_not_null(),
    )
    hovers = [f"<b>{plotly(reruns.name(row))}</b><br>{plotly(reruns.of_row(row), 240)}" for row in all_rows]
    return Chart(
        title=reruns.title(next(row for row in all_rows if row["apart"] and row["share"] is not None)),
        subtitle=reruns.subtitle(all_rows),
        figure=forest(
            drawn, [PLAIN], hovers, palette, axis="Pairs that a second measurement puts in the same order",
            reference=0.5, span=(0.4, 1.01), form=".0%",
        ),
        rows=rows,
        alt="The share of pairs of models that a second measurement puts in the same order, of pairs that differ "
        "beyond error in the first and of those that do not, by whose numbers they are. At a half it would be as good "
        "as a coin.",
        known_until=max(row["seen_until"] for row in all_rows).date(),
    )  # fmt: skip


COHORTS = ChartSpec("cohorts", _cohorts, method="survival", sources=everywhere)
LIVES = ChartSpec("survival", _lives, ("by",), method="survival", sources=everywhere)
FATES = ChartSpec("fates", _fates, method="aalen_johansen", sources=everywhere)
HAZARDS = ChartSpec("hazards", _hazards, method="hazard", sources=everywhere)
ITEMS = ChartSpec("item-age", _items, ("dated", "model"), method="item_age", sources=of_column("benchmark_id"))
CEILINGS = ChartSpec("ceilings", ceilings.chart, method="ceilings", sources=of_column("benchmark_id"))
ADVANCES = ChartSpec("advances", _advances, ("by",), method="small_advances", sources=everywhere)
REPORTS = ChartSpec("self-reports", _reports, ("reports",), method="premium", sources=everywhere)
SELECTION = ChartSpec("best-of-several", _selection, ("board",), method="best_of_several")
JUDGES = ChartSpec("own-family", _judges, method="own_family", sources=of_column("subject"))
COST = ChartSpec("cheapest", _cost, ("cost",), method="cost_of_a_point")
ORDER = ChartSpec("order-census", _order, method="order_census", sources=everywhere)
RERUNS = ChartSpec("order-rerun", _reruns, method="order_rerun", sources=everywhere)
CHARTS = (
    ORDER,
    RERUNS,
    LIVES,
    COHORTS,
    FATES,
    HAZARDS,
    ITEMS,
    CEILINGS,
    ADVANCES,
    REPORTS,
    SELECTION,
    JUDGES,
    COST,
)
