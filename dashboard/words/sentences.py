"""What is said about a benchmark in plain words: pages escape it for markdown, printed reports for their own format."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchhealth.dashboard.words.domains import domain
from benchhealth.dashboard.words.numbers import day_of, score_finely
from benchhealth.dashboard.words.prose.cases import row_sentence
from benchhealth.dashboard.words.prose.judged.ceilings import ceiling
from benchhealth.dashboard.words.text import count, day

Facts = Mapping[str, Any]


def benchmark_facts(facts: Facts) -> list[tuple[str, str]]:
    """What the benchmark is, in pairs of label and text; the unknown is left out, the ceiling's basis is not."""
    unit = facts["unit"]
    pairs = [
        ("metric", facts["metric"]),
        ("items", facts["n_items"] and f"{facts['n_items']:,}"),
        ("released", facts["released_on"] and day(facts["released_on"])),
        ("chance", None if facts["floor"] is None else score_finely(facts["floor"], unit)),
        ("ceiling", _ceiling_text(facts)),
        ("human", _elsewhere(facts) if facts["human"] is None else score_finely(facts["human"], unit)),
        ("labels", facts["labels"]),
        ("refresh", facts["refresh"]),
        ("domain", domain(facts["domain_group"])),
    ]
    return [(label, text) for label, text in pairs if text]


def what_days_are(until: date | None, *, others_later: bool) -> str:
    """What the days of sources and that of a benchmark are, where a source was read later."""
    if until is None or not others_later:
        return ""
    return (
        "A source is read as a whole: its day is that of its last file, of whatever benchmark. Of this benchmark, in "
        f"the condition that counts, the last file is of {day_of(until)}."
    )


def growth_sentence(rows: Mapping[str, Facts], unit: str | None) -> str:
    """How the best score grew and what was tried since its last advance; `rows` are indicators by name."""
    growth, since, tries = (rows.get(key) for key in ("growth", "months_since_advance", "tries_since_advance"))
    clauses = []
    if growth is not None:
        is_computed, described = growth["status"] == "ok", row_sentence(growth, unit)
        past = "; this is the shape of the past and no forecast"
        clauses.append(f"Growth: {described}{past}." if is_computed else f"Growth unknown: {described}.")
    if since is not None and tries is not None and since["status"] == "ok":
        ago = count(round(since["value"]), "month")
        known = f"Last advance beyond error {ago} before the day until which this is known"
        tried = (
            f"; since then {count(round(tries['value']), 'model')} tried ({count(tries['n'], 'result')})."
            if tries["status"] == "ok"
            else f". How many tried since is not counted: {row_sentence(tries, unit)}."
        )
        on = f", {day_of(tries['known_until'])}" if tries["known_until"] else ""
        clauses.append(f"{known}{on}{tried}")
    elif tries is not None:
        clauses.append(f"Last advance beyond error unknown: {row_sentence(tries, unit)}.")
    return " ".join(clauses)


def basis(facts: Facts) -> str:
    """Where the facts of a benchmark are from, and how sure its curator is of them."""
    if not facts["curated"]:
        return "facts as a source states them; no curator has checked them"
    sure = facts["confidence"]
    return f"facts curated, with a source for each; the curator's confidence in them is {sure or 'not stated'}"


def _ceiling_text(facts: Facts) -> str | None:
    if facts["ceiling"] is None:
        return None
    return ceiling(score_finely(facts["ceiling"], facts["unit"]), facts["ceiling_kind"], facts["ceiling_basis"])


def _elsewhere(facts: Facts) -> str | None:
    if facts["human_elsewhere"] is None:
        return None
    return (
        f"{score_finely(facts['human_elsewhere'], facts['unit'])} on other tasks than models answer: held against none"
    )
