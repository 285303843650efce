"""The sections of a benchmark's sheet, in their order: what is known, how far it reaches, what is not known."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from analytics.indicators import INDICATORS
from dashboard.figures import turnover
from dashboard.figures.base import score_text
from dashboard.published import standings
from dashboard.published.generation import View
from dashboard.published.known import last_known
from dashboard.published.results import boards
from dashboard.published.twin_pairs import twins
from dashboard.words.known import known, known_at_latest
from dashboard.words.sentences import churn_said, twin_said
from dashboard.words.text import count, day, listed, one_line, shorten
from pipeline.report.leaders import BOARDS, NAME_LIMIT, top_five
from pipeline.report.tree import Cell, Link, Section, Table

Facts = Mapping[str, Any]
Indicators = Mapping[str, Mapping[str, Any]]

CHURN_K = 10
TEXT_LIMIT = 150
ADDRESS_LIMIT = 64
TWINS, REPORTS, SOURCES, FORECASTS, REASONS = 6, 5, 6, 4, 14
"""The most lines of each kind that fit; what is left out is counted."""

_TITLES = {indicator.key: indicator.title for indicator in INDICATORS}


def sections(view: View, facts: Facts, every: pl.DataFrame) -> tuple[Section, ...]:
    """All sections of a benchmark; `every` holds its results as `dashboard.published.results.results` gives them."""
    known = indicator_rows(view, facts["benchmark_id"])
    return (
        top_five(view, facts),
        _room(known),
        _twins(view, facts),
        _reports(view, facts),
        _churn(view, facts),
        _forecast(view, facts),
        _unknown(known),
        _sources(view, every),
    )


def indicator_rows(view: View, benchmark_id: str) -> Indicators:
    """The indicators of a benchmark by their key."""
    rows = view.table("indicator").filter(pl.col("benchmark_id") == benchmark_id)
    return {row["indicator"]: row for row in rows.iter_rows(named=True)}


def headroom_said(known: Indicators) -> str:
    """The room left with its interval as a share, or why there is none: `4.4% [4.1%, 4.7%]`."""
    row = known.get("headroom")
    if row is None:
        return "unknown"
    if row["status"] != "ok":
        return f"{'unknown' if row['status'] == 'insufficient' else 'does not apply'}: {row['reason']}"
    return _share(row)


def _share(row: Mapping[str, Any]) -> str:
    between = "" if row["low"] is None else f" [{row['low']:.1%}, {row['high']:.1%}]"
    return f"{row['value']:.1%}{between}"


def _room(known: Indicators) -> Section:
    """How much of the scale is left, with interval and what it is counted from."""
    lines = []
    headroom, of_ceiling, shrunk = (known.get(key) for key in ("headroom", "headroom_of_ceiling", "headroom_shrunk"))
    if headroom and headroom["status"] == "ok":
        lines.append(f"{_share(headroom)} of the way from chance to the ceiling is left ({headroom['reason']}).")
        if shrunk and shrunk["status"] == "ok":
            lines.append(f"The best of many noisy scores overstates; with that taken back, {_share(shrunk)} is left.")
    elif of_ceiling and of_ceiling["status"] == "ok":
        reason = headroom["reason"] if headroom else "not computed"
        lines.append(
            f"Not known against chance: {reason}. {_share(of_ceiling)} is left to the ceiling ({of_ceiling['reason']})."
        )
    else:
        lines.append(f"Not known: {headroom['reason'] if headroom else 'not computed'}.")
    margin = known.get("human_margin")
    if margin and margin["status"] == "ok":
        side = "above" if margin["value"] >= 0 else "below"
        lines.append(f"The best score is {side} the human baseline ({margin['reason']}).")
    until = f" This is{known_until.removeprefix(';')}." if (known_until := _known(headroom)) else ""
    return Section("Room left", paragraphs=(f"{' '.join(lines)}{until}",))


def _known(row: Mapping[str, Any] | None) -> str:
    return known(row["known_until"]) if row and row["known_until"] else ""


def _twins(view: View, facts: Facts) -> Section:
    """Second measurements of the same thing, with gap and slope."""
    benchmark_id = facts["benchmark_id"]
    found = twins(view, {}).filter((pl.col("original_id") == benchmark_id) | (pl.col("other_id") == benchmark_id))
    if found.is_empty():
        return Section("Twins", paragraphs=("No second measurement of the same thing is on record.",))
    points = []
    for row in found.head(TWINS).iter_rows(named=True):
        pair = f"{shorten(row['original'], NAME_LIMIT)} and {shorten(row['other'], NAME_LIMIT)}"
        tested = (
            f" Off the expectation beyond error: {row['flagged']:,} of {row['tested']:,} (Benjamini-Hochberg, 5%)."
            if row["tested"]
            else ""
        )
        points.append(f"{pair} {twin_said(row)}{tested}")
    return Section("Twins", points=_rest(points, found.height, "twin"))


def _reports(view: View, facts: Facts) -> Section:
    """Documented contamination: for whom, which share, by what method, said where."""
    labels = facts["labels"]
    visible = f"Test labels are {labels}. " if labels else "Whether test labels are public is unknown. "
    found = (
        view.table("contamination_report")
        .filter(pl.col("benchmark_id") == facts["benchmark_id"])
        .sort("share", "subject", descending=[True, False], nulls_last=True)
    )
    title = "Documented contamination"
    if found.is_empty():
        return Section(
            title, paragraphs=(f"{visible}No documented report is on record, which is no proof of absence.",)
        )
    rows: list[tuple[Cell, ...]] = [
        (
            f"{shorten(row['subject'], NAME_LIMIT)} ({row['subject_kind']})",
            row["split"] or "unknown",
            "not stated" if row["share"] is None else f"{row['share']:.1%}",
            shorten(row["method"] or "not stated", TEXT_LIMIT),
            _address(row["reference_url"]),
        )
        for row in found.head(REPORTS).iter_rows(named=True)
    ]
    left = f" {count(found.height - REPORTS, 'further report')} on the dashboard." if found.height > REPORTS else ""
    return Section(
        title,
        paragraphs=(f"{visible}A report says what was found where; none found is no proof of absence.{left}",),
        table=Table(("subject", "split", "share", "method", "source"), tuple(rows), (20, 8, 10, 36, 26), right=(2,)),
    )


def _churn(view: View, facts: Facts) -> Section:
    """What changed at the top of each leaderboard, beside what noise alone would change."""
    found = boards(view, facts["benchmark_id"])
    points = []
    for board_id in found[:BOARDS]:
        steps = standings.steps(view, {"board": board_id, "k": str(CHURN_K)})
        if steps.height:
            last = steps.row(-1, named=True)
            points.append(
                f"{board_id}: {turnover.finding(steps, CHURN_K)}. "
                f"Last, {day(last['from_on'])} to {day(last['to_on'])}: {churn_said(last)}"
            )
    if not points:
        said = "No leaderboard of it was seen at two instants, so nothing can be said about churn."
        return Section("Churn at the top", paragraphs=(said,))
    return Section("Churn at the top", points=_rest(points, max(len(found), len(points)), "leaderboard"))


def _forecast(view: View, facts: Facts) -> Section:
    """What is expected, where a method has shown skill; else why nothing is."""
    rows = view.table("forecast").filter(pl.col("benchmark_id") == facts["benchmark_id"])
    if rows.is_empty():
        return Section("Forecast", paragraphs=(f"None is published: {_no_forecast(view)}",))
    newest = rows.filter(pl.col("made_on") == pl.col("made_on").max()).sort("target_on", "method")
    unit = facts["unit"]
    points = [
        f"{day(row['target_on'])}: {score_text(row['median'], unit)} "
        f"[{score_text(row['low80'], unit)}, {score_text(row['high80'], unit)}], 80% interval, "
        f"by {row['method']}{_skill(view, row)}."
        for row in newest.head(FORECASTS).iter_rows(named=True)
    ]
    return Section("Forecast", points=tuple(points))


def _no_forecast(view: View) -> str:
    skill = view.table("forecast_skill").drop_nulls("skill_vs_persistence")
    if skill.is_empty():
        return "no method has been tested on past data in this generation, and an untested forecast is not given."
    best = skill.sort("skill_vs_persistence").row(-1, named=True)
    return (
        "a forecast is given only where the method beat a flat line on past data and there is enough history. Best on "
        f"past data: {best['method']} at {best['horizon_months']} months, with a skill of "
        f"{best['skill_vs_persistence']:.2f} against the flat line over {count(best['n'], 'forecast')}"
        f"{known_at_latest(last_known(view))}."
    )


def _skill(view: View, row: Facts) -> str:
    """How the method did on past data at the horizon nearest to this forecast's."""
    tested = view.table("forecast_skill").filter(pl.col("method") == row["method"])
    if tested.is_empty():
        return ""
    months = (row["target_on"] - row["made_on"]).days / 30.44
    nearest = tested.sort((pl.col("horizon_months") - months).abs()).row(0, named=True)
    skill, coverage = nearest["skill_vs_persistence"], nearest["coverage80"]
    parts = [
        f"skill {skill:.2f} against a flat line" if skill is not None else "",
        f"its intervals held {coverage:.0%} of the time" if coverage is not None else "",
    ]
    said = listed([part for part in parts if part])
    over = count(nearest["n"], "forecast")
    return f" (on past data at {nearest['horizon_months']} months, {over}: {said})" if said else ""


def _unknown(known: Indicators) -> Section:
    """Indicators without a value, by the reason for it."""
    grouped: dict[str, list[str]] = {}
    not_applicable: list[str] = []
    for key, title in _TITLES.items():
        row = known.get(key)
        if row is None or row["status"] == "insufficient":
            grouped.setdefault(row["reason"] if row else "not computed", []).append(title)
        elif row["status"] == "not_applicable":
            not_applicable.append(title)
    without = sum(len(titles) for titles in grouped.values())
    points = [f"{_named(titles)}: {one_line(reason)}." for reason, titles in grouped.items()]
    if not_applicable:
        points.append(f"Do not apply here: {_lower(_named(not_applicable))}.")
    had = f"{len(_TITLES) - without - len(not_applicable)} of {count(len(_TITLES), 'indicator')} have a value."
    return Section("What we do not know", paragraphs=(had,), points=_rest(points, len(points), "reason", REASONS))


def _named(titles: list[str]) -> str:
    """Titles as one phrase: the first keeps its capital."""
    return listed([title if at == 0 else _lower(title) for at, title in enumerate(titles)])


def _lower(title: str) -> str:
    return title[:1].lower() + title[1:]


def _sources(view: View, every: pl.DataFrame) -> Section:
    """Who published the results, under which licence, and when we looked."""
    if every.is_empty():
        return Section("Sources", paragraphs=("No source that we follow reports it.",))
    newest = (
        every.sort("last_observed_at")
        .group_by("source_id", maintain_order=True)
        .agg(
            pl.col("url").last(),
            results=pl.len(),
            first=pl.col("first_observed_at").min(),
            last=pl.col("last_observed_at").max(),
        )
    )
    titled = newest.join(
        view.table("source").select("source_id", "title", "licence", "homepage", "known_until"),
        on="source_id",
        how="left",
    ).sort("last", "source_id", descending=[True, False])
    rows: list[tuple[Cell, ...]] = [
        (
            _link(shorten(row["title"] or row["source_id"], NAME_LIMIT), row["homepage"]),
            shorten(row["licence"] or "unknown", TEXT_LIMIT),
            f"{row['results']:,}",
            day(row["first"])
            if day(row["first"]) == day(row["last"])
            else f"{day(row['first'])} to {day(row['last'])}",
            day(row["known_until"]),
            _address(row["url"]),
        )
        for row in titled.head(SOURCES).iter_rows(named=True)
    ]
    left = (f"{count(titled.height - SOURCES, 'further source')} on the dashboard.",) if titled.height > SOURCES else ()
    head = ("source", "licence", "results", "said between", "known until", "newest file")
    return Section("Sources", paragraphs=left, table=Table(head, tuple(rows), (23, 17, 9, 13, 12, 26), right=(2,)))


def _link(text: str, url: str | None) -> Cell:
    return Link(text, url) if (url or "").startswith(("https://", "http://")) and url else text


def _address(url: str | None) -> Cell:
    """The address as it can be typed from paper, its middle cut out where it is long; the link leads to all of it."""
    return _link(shorten((url or "unknown").removeprefix("https://"), ADDRESS_LIMIT), url)


def _rest(points: list[str], total: int, noun: str, limit: int | None = None) -> tuple[str, ...]:
    """The points, cut to `limit`, with a count of those left out of `total`."""
    shown = points if limit is None else points[:limit]
    left = total - len(shown)
    return (*shown, f"{count(left, f'further {noun}')} on the dashboard.") if left else tuple(shown)
