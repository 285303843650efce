"""Four fixed questions about a benchmark in four tiles, each with its answer and the way to its evidence."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.twins.indicators import SAME_THING
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.twin import gap_said
from benchhealth.dashboard.pages.benchmark.facts import Facts, known
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import best_on, frontier
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.widgets import tiles as widget
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.numbers import UNKNOWN, month_of, of, percent, points, room_interval, score_beside
from benchhealth.dashboard.words.text import count, markdown, short

LIMITS = Thresholds()
_COLOURS = {"saturated": "red", "compressing": "orange", "discriminating": "blue"}
RERUN = "independent rerun"


def tiles(view: View, facts: Facts, verdict: Facts, indicators: Mapping[str, Facts]) -> None:
    """Draw them."""
    widget.show(view.recent(("tiles of", facts["benchmark_id"]), lambda: _tiles(view, facts, verdict, indicators)))


def _tiles(view: View, facts: Facts, verdict: Facts, indicators: Mapping[str, Facts]) -> list[Tile]:
    steps = frontier(view, {"benchmark": facts["benchmark_id"]})
    answers = (
        (
            "How much room is left?",
            "",
            "curve",
            _room(facts, verdict, indicators, steps),
        ),
        ("Can the top be told apart?", "Top models", "top", _resolution(indicators, verdict)),
        ("Does a second measurement agree?", "Twins", "twins", _twin(view, facts, indicators)),
        ("Have models seen the answers?", "Contamination", "contamination", _seen(view, facts, indicators)),
    )
    drawn = []
    for question, tab, anchor, (answer, evidence) in answers:
        params = {"benchmark": facts["benchmark_id"]} | ({"tab": tab} if tab else {})
        if anchor == "twins" and (twin_id := _twin_id(view, facts, indicators)):
            params["twin"] = twin_id
        to = f"{links.address('benchmark', **params)}#{anchor}"
        drawn.append(Tile(anchor, question, answer, f"{evidence} [evidence]({to})"))
    return drawn


def _best(facts: Facts, verdict: Facts, indicators: Mapping[str, Facts], steps: pl.DataFrame | None) -> str:
    """The best score with the day that it is of, out of how many models, and until when that is known."""
    best, models = known(indicators, "frontier"), known(indicators, "n_models")
    if not best:
        return ""
    on = None if steps is None else best_on(steps)
    day = f" ({month_of(on)})" if on else ""
    until = f"known until {month_of(verdict['known_until'])}"
    of_models = f" of {count(int(models['value']), 'model')} with a result, {until}" if models else ""
    return f"best {score_beside(best['value'], facts['unit'], facts.get('ceiling'))}{day}{of_models}"


def _room(
    facts: Facts, verdict: Facts, indicators: Mapping[str, Facts], steps: pl.DataFrame | None = None
) -> tuple[str, str]:
    said = _best(facts, verdict, indicators, steps)
    if not is_bounded(facts["unit"]):
        return ":gray[No ceiling]", f"{said}." if said else "Such a scale has none."
    room, least = known(indicators, "headroom"), known(indicators, "headroom_of_ceiling")
    if room:
        colour, interval = _COLOURS.get(verdict["stage"]), room_interval(room["low"], room["high"])
        value = f"{percent(room['value'])} left" if room["value"] > 0 else "None"
        parts = (f"{interval} with error" if interval else "error not known", said)
        return (f":{colour}[{value}]" if colour else value), f"{'; '.join(part for part in parts if part)}."
    if least:
        return f"At least {percent(max(0.0, least['value']))} left", f"chance is not known; {said}."
    return _unknown(indicators, "headroom")


def _resolution(indicators: Mapping[str, Facts], verdict: Facts | None = None) -> tuple[str, str]:
    row = known(indicators, "resolution_top5")
    if not row:
        return _unknown(indicators, "resolution_top5")
    pairs = int(row["n"] or 10)
    apart, room = row["value"] > LIMITS.crowded_pairs, known(indicators, "headroom")
    used_up = bool(room and room["value"] < LIMITS.exhausted_headroom and verdict and verdict["stage"] == "saturated")
    but = ", though hardly any room is left above them" if apart and used_up else ""
    paired = known(indicators, "resolution_top5_paired")
    by_item = f"; item by item {round(paired['value'] * paired['n'])} of {paired['n']}" if paired else ""
    return of(round(row["value"] * pairs), pairs), f"pairs of the top five differ beyond error{by_item}{but}."


def _twin(view: View, facts: Facts, indicators: Mapping[str, Facts]) -> tuple[str, str]:
    row = _second(indicators)
    if not row:
        return _itself_second(view, facts) or _unknown(indicators, "twin_gap")
    gap = row["value"] / 100
    if row["low"] is not None and row["low"] <= 0 <= row["high"]:
        answer = "It agrees"
    else:
        answer = f"{points(gap)} {'lower' if gap > 0 else 'higher'}"
    ends = "" if row["low"] is None else f"{_interval(row)} points, 95% ".replace("-", "\u2212")
    over = f"over {count(int(row['n'] or 0), 'model')} on both, items held fixed"
    return answer, f"{ends}{over}{_until(view, _twin_id(view, facts, indicators))}{_other(view, row)}."


def _until(view: View, twin_id: str | None) -> str:
    """Until when both sides of the twin are known."""
    known_until = twin_pairs.twins(view, {}).filter(pl.col("twin_id") == twin_id)["known_until"].drop_nulls()
    return f", until {month_of(known_until[0])}" if len(known_until) else ""


def _itself_second(view: View, facts: Facts) -> tuple[str, str] | None:
    """What a benchmark says of the one that it measures again, as GSM1k does GSM8K; nothing where it is no twin."""
    of = (pl.col("other_id") == facts["benchmark_id"]) & (pl.col("original_id") != facts["benchmark_id"])
    rows = twin_pairs.twins(view, {}).filter(of & (pl.col("n_models") > 0) & pl.col("kind").is_in(SAME_THING))
    if rows.is_empty():
        return None
    row = rows.sort("n_models", "twin_id", descending=[True, False]).row(0, named=True)
    gap = gap_said(row) if row["gap"] is not None else "not compared"
    to = links.address("trust", twin=row["twin_id"])
    over = f"over {count(row['n_models'], 'model')}, known until {month_of(row['known_until'])}"
    return "It is one", f"of [{markdown(short(row['original']))}]({to}): scores are {gap} here {over}."


def _interval(row: Facts) -> str:
    """The ends in the direction that the answer is said in."""
    low, high = (row["low"], row["high"]) if row["value"] >= 0 else (-row["high"], -row["low"])
    return f"{low:.1f} to {high:.1f}"


def _second(indicators: Mapping[str, Facts]) -> Facts | None:
    """The gap to a twin; a rerun of makers' numbers where there is none, or where the twin differs by design."""
    twin, rerun = known(indicators, "twin_gap"), known(indicators, "maker_premium")
    by_design = twin is not None and twin["kind"] is not None and twin["kind"] not in SAME_THING
    return rerun if rerun and (twin is None or by_design) else twin


def _twin_id(view: View, facts: Facts, indicators: Mapping[str, Facts]) -> str | None:
    """The twin that the answer is about."""
    row = _second(indicators)
    if row is None or row["other_id"] is None or row["kind"] == RERUN:
        either = (pl.col("original_id") == facts["benchmark_id"]) & (pl.col("kind") == RERUN)
        reruns = twin_pairs.twins(view, {}).filter(either)["twin_id"]
        return str(reruns[0]) if row and len(reruns) else None
    pair = {facts["benchmark_id"], row["other_id"]}
    between = pl.col("original_id").is_in(pair) & pl.col("other_id").is_in(pair)
    of_kind = twin_pairs.twins(view, {}).filter(between & (pl.col("kind") == row["kind"]))["twin_id"]
    return str(of_kind[0]) if len(of_kind) else None


def _other(view: View, row: Facts) -> str:
    """Which twin it is, and of which kind: an independent rerun, a harder variant ..."""
    other, kind = row["other_id"], row["kind"]
    if other is None or kind == RERUN:
        return "; independent runs against makers' numbers"
    named = view.table("benchmark").filter(pl.col("benchmark_id") == other)["name"].drop_nulls()
    return f"; {markdown(f'{short(named[0]) if len(named) else other} ({kind})')}"


def _seen(view: View, facts: Facts, indicators: Mapping[str, Facts]) -> tuple[str, str]:
    documented, anomaly = known(indicators, "contamination_max_share"), known(indicators, "anomaly_share")
    if documented:
        reports = int((known(indicators, "contamination_reports") or documented)["value"] or 1)
        until = month_of(documented.get("known_until"))
        shares = int(documented["n"] or reports)
        among = "" if shares == reports else f", the largest of {count(shares, 'share')} that they measured"
        largest = (
            f"up to {percent(documented['value'])} of the items by {count(reports, 'report')}{among}, until {until}."
        )
        return f"{count(reports, 'report')} say{'s' * (reports == 1)} so", largest
    exposed = _exposed(view, facts["benchmark_id"])
    could = f"; {count(exposed, 'model')} could have" if exposed else ""
    if anomaly:
        tested = int(anomaly["n"] or 0)
        found = round(anomaly["value"] * tested)
        return ("No trace" if found == 0 else f"{found} stand out"), f"{found} of {tested} models stand out{could}."
    labels = {"public": "; its answers are public", "private": "; its answers are private"}
    return f":gray[{UNKNOWN}]", f"no report, no test{labels.get(facts['labels'] or '', '')}{could}."


def _exposed(view: View, benchmark_id: str) -> int:
    """How many models could have seen the items."""
    could = (pl.col("rung") == "exposure") & (pl.col("level") == "moderate") & pl.col("model_id").is_not_null()
    return view.table("contamination_risk").filter((pl.col("benchmark_id") == benchmark_id) & could).height


def _unknown(indicators: Mapping[str, Facts], name: str) -> tuple[str, str]:
    row = indicators.get(name)
    why = (row["reason"] or row["status"].replace("_", " ")) if row else "not computed for it"
    return f":gray[{UNKNOWN}]", f"{markdown(why[:1].upper() + why[1:])}."
