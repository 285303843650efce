"""A generation with rows of every kind of source in every table: open, share-alike, closed and imported.

Whatever a source says holds the word of its kind (a tree) and, where it is a score, the number of its kind; ours about
its benchmarks holds neither. So one look for words and numbers shows what has left.
"""

import dataclasses
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from benchhealth.analytics.record.sharing import LICENCE_OF_IMPORTS
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sharing.rules import RULES
from benchhealth.warehouse.sql import SOURCE
from benchhealth.warehouse.store import Store
from tests.support.facts import (
    Row,
    batch,
    benchmark,
    by_item,
    mention,
    model,
    price,
    publish,
    registry,
    rejection,
    report,
    result,
)
from tests.support.home_cache import copy_of_cached_home, is_empty_home

KINDS = ("open", "alike", "shut", "import")
WORDS = {"open": "alder", "alike": "birch", "shut": "cedar", "import": "dogwood"}
NUMBERS = {"open": 0.4111, "alike": 0.4222, "shut": 0.4333, "import": 0.4444}
LICENCES = {"open": "MIT", "alike": "CC-BY-SA-4.0", "shut": "CC-BY-NC-4.0", "import": LICENCE_OF_IMPORTS}
AS_OF = date(2025, 1, 3)
NOW = datetime(2025, 1, 3, 4)

COPIES = (
    "rank",
    "task_score",
    "frontier",
    "condition_frontier",
    "corroboration",
    "life_event",
    "reporter_frontier",
    "weights_frontier",
    "baseline",
    "forecast",
    "forecast_record",
    "forecast_backcast",
    "twin_residual",
    "twin_robustness",
    "item_age",
    "position",
    "differing_number",
)
"""Derived tables whose numbers are scores of their sources."""

_CARD = dict.fromkeys(("ties_reason", "settle_reason", "recount_reason"))
"""A card on which nothing is unknown."""

POOLED = tuple(name for name in DERIVED if RULES[name].leaves == "true")
"""Derived tables about everything at once."""


def build(home: Path) -> Path:
    """Publish the generation in `home` and return its file."""
    return copy_of_cached_home(_build, home) if is_empty_home(home) else _build(home)


def _build(home: Path) -> Path:
    with Store.open(home) as store:
        store.write_sources(_sources())
        for kind in KINDS:
            store.write(_batch(kind))
            command = "import" if kind == "import" else "nightly"
            store.ledger.start_run(f"run-{kind}", command, NOW + timedelta(minutes=KINDS.index(kind)))
            store.ledger.end_run(
                f"run-{kind}", NOW + timedelta(hours=1), "failed", f"ValueError: {named(kind)}, {url(kind)}"
            )
    return build_again(home)


def build_again(home: Path) -> Path:
    """Publish one more generation of the same facts."""
    facts = curated()
    frames = load(home, facts, NOW)
    return publish(home, facts, frames, {name: _derived(name) for name in DERIVED}, NOW)


def told_of(kind: str, text: str) -> list[str]:
    """What of a kind's own is in the text: its word, its number in either unit, its addresses."""
    secrets = [WORDS[kind], str(NUMBERS[kind]), str(NUMBERS[kind] * 100)[:5]]
    secrets += ["import-exam", "import-twin", "file:"] if kind == "import" else [url(kind)]
    lower = text.lower()
    return [secret for secret in secrets if secret in lower]


def named(kind: str) -> str:
    """A model as the source of that kind prints it."""
    return f"{WORDS[kind].title()} 7B"


def url(kind: str) -> str:
    place = "file:///home/dogwood/" if kind == "import" else f"https://example.org/{WORDS[kind]}/"
    return f"{place}board.csv"


def _sources() -> pl.DataFrame:
    rows = [
        (kind, kind.title(), f"https://{kind}.example", LICENCES[kind], kind == "open", "daily", "board")
        for kind in KINDS
    ]
    return pl.DataFrame(rows, schema=SOURCE, orient="row")


def curated() -> Registry:
    """What people decided: a benchmark that all sources know, and a breakpoint of each board."""
    notes = [
        {
            "board_id": f"{kind}/{kind}-exam",
            "on_date": AS_OF,
            "kind": "data",
            "note": named(kind),
            "source_url": url(kind),
        }
        for kind in KINDS
    ]
    return registry(
        [{**benchmark("common-exam", "Common exam"), "floor": 0.0, "ceiling": 1.0, "released_on": date(2024, 1, 1)}],
        breakpoints=notes,
    )


def oak(kind: str) -> str:
    """What a source calls the model that all know; only one spells its id."""
    return "Oak 7B" if kind == "import" else f"Oak {WORDS[kind]}"


def _batch(kind: str) -> Batch:
    """One file: a model and a benchmark that only this source knows, a model and a benchmark that all know."""
    model_id = f"{WORDS[kind]}-7b"
    number = NUMBERS[kind]
    print_ = {"published_name": named(kind), "setting": f"{WORDS[kind]} shots", "dated_on": date(2024, 6, 1)}
    print_ |= {"date_basis": "evaluation", "score_published": number}
    made = batch(
        [
            result(f"{kind}-exam", model_id, number, **print_),
            result(f"{kind}-exam-2", model_id, number, **print_),
            result(f"{kind}-exam", "oak-7b", number, **{**print_, "published_name": oak(kind)}),
            *([] if kind == "import" else [result("common-exam", model_id, number, **print_)]),
        ],
        source_id=kind,
        board_id=f"{kind}-exam",
        path=f"{WORDS[kind]}.csv",
        observed_at=datetime(2024, 12, 1 + KINDS.index(kind)),
        rejections=[rejection(published=f"{named(kind)},-", reason=f"no score of {named(kind)}")],
        models=[
            model(model_id, name=named(kind), organisation=f"{WORDS[kind]}lab", open_weights=True),
            model("oak-7b", name=oak(kind), organisation=f"{WORDS[kind]}lab"),
        ],
        benchmarks=[
            {**benchmark(f"{kind}-exam", f"{WORDS[kind]} exam"), "released_on": date(2024, 1, 1)},
            benchmark(f"{kind}-exam-2", f"{WORDS[kind]} exam 2"),
        ],
        reports=[
            report(f"{kind}-exam", named(kind), share=number, method=f"{WORDS[kind]} match", reference_url=url(kind))
        ],
        mentions=[
            mention(
                f"{kind}-exam",
                f"{WORDS[kind]} card",
                model=named(kind),
                organisation=f"{WORDS[kind]}lab",
                url=f"{url(kind)}/card",
            )
        ],
        items=[by_item(f"row of {model_id}", {f"{WORDS[kind]} riddle": number})],
        prices=[price(number, f"{WORDS[kind]} host", named(kind), model_id=model_id)],
    )
    return dataclasses.replace(made, url=url(kind))


def _derived(name: str) -> pl.DataFrame:
    if name in POOLED:
        rows = [_filled_row(name, "open", {})]
        if name == "reproduction":
            rows = [{**rows[0], "claim_id": claim, "claim": claim} for claim in ("others", "swe-bench-claude-2")]
    else:
        rows = [_filled_row(name, kind, about) for kind in KINDS for about in _subjects(name, kind)]
    return pl.DataFrame(rows, schema=PUBLISHED[name])


def _subjects(name: str, kind: str) -> list[dict[str, Any]]:
    """What the rows of a derived table about a kind are about, where its columns do not say it."""
    model_id = f"{WORDS[kind]}-7b"
    value = {"value": NUMBERS[kind]}
    of_report = {**value, "rung": "report", "source_url": url(kind)}
    exposed = {"model_id": None, "rung": "exposure", "source_url": None}
    goodhart = {
        "benchmark": f"{kind}-exam",
        "judge": f"{kind}-exam",
        "pair": f"{kind}-twin",
        "organisation": f"{WORDS[kind]}lab",
        "leaderboard and organisation": f"{kind}-exam: {WORDS[kind]}lab",
    }
    scored = {"value": NUMBERS[kind], "value_before": NUMBERS[kind], "low": NUMBERS[kind], "high": NUMBERS[kind]}
    common = {"benchmark_id": "common-exam"}
    # Named after the open source, led by that of the kind.
    one_board = {"board_id": f"open/{kind}-board", "address": f"{kind}/{kind}-exam"}
    items = {"condition": f"{WORDS[kind]} shots", "cluster": ""}
    subjects: dict[str, list[dict[str, Any]]] = {
        "lineage": [{**one_board, "leads": True}],
        "frontier": [
            {"carried": False, "dated_on": date(2024, 6, 1)},
            {},
            {**common, "dated_on": AS_OF + timedelta(KINDS.index(kind))},
        ],
        # One that is behind somebody else's model, and somebody else's that is behind it.
        "position": [
            {"rival_then": model_id, "rival_now": model_id},
            *([{**_BEHIND, "rival_then": model_id, "rival_now": model_id}] if kind == "shut" else []),
        ],
        "model_position": [{"clock": "then"}],
        "rank": [
            {"rank": 1, "rank_low": 1},
            {"rank": 1, "rank_low": 1, "observed_at": NOW - timedelta(days=30)},
            {"board_id": one_board["board_id"]},
            *({"rank": 1, "rank_low": 1, "observed_at": NOW - timedelta(days=back)} for back in (1, 2)),
        ],
        "board_card": [
            {**_CARD, "first": model_id, "second": model_id},
            {**_CARD, "board_id": one_board["board_id"], "first": model_id, "second": model_id},
        ],
        "indicator": [
            {**value, "indicator": "frontier"},
            {"indicator": "headroom"},
            {**value, "indicator": "contamination_max_share"},
        ],
        "contamination_risk": [of_report, {**of_report, "model_id": None}, exposed, {**value, "rung": "twin"}],
        "goodhart": [{"subject_kind": of, "subject": subject} for of, subject in goodhart.items()],
        "answer": [
            {
                **_YES,
                "question": "room",
                "case": "open",
                "second": NUMBERS[kind],
                "second_unit": "fraction",
                "handed_in": NUMBERS[kind],
            },
            {
                **_YES,
                "question": "seen",
                "case": "documented",
                "kind": "report",
                **value,
                "said_by": named(kind),
                "evidence": [url(kind)],
            },
            {
                **_YES,
                "question": "reporters",
                "case": "shown",
                "said_by": f"{WORDS[kind]}lab",
                "evidence": [f"mention/{WORDS[kind]} card"],
            },
        ],
        "likely_alias": [{"model_id": model_id, "other_id": model_id, "why": named(kind)}],
        "twin_group": [{"group": WORDS[kind]}],
        "fact_conflict": [
            {"entity": "model", "id": model_id, "attribute": "organisation", "value": f"{WORDS[kind]}lab"},
            {"entity": "benchmark", "id": f"{kind}-exam", "attribute": "name", "value": f"{WORDS[kind]} exam"},
            # Words of an open source, each of which lost against another's: the other's stays.
            {
                "entity": "model",
                "id": "oak-7b",
                "attribute": "organisation",
                "value": f"alderlab {KINDS.index(kind)}",
                "source_id": "open",
                "chosen": f"{WORDS[kind]}lab",
                "reason": "independent sources agree",
            },
        ],
        "lead": [{"before": model_id}],
        "corroboration": [{"kind": "step", "class": "measured"}],
        **{name: [items] for name in ("item_solved", "item_subject", "item_information", "item_model")},
        "item_test": [{**items, **dict.fromkeys(("first", "second", "missing_model"), model_id)}],
        "item_candidate": [{**items, "item": f"{WORDS[kind]} riddle"}],
        "incident": [
            {"home": "contamination_report", "kind": "contamination", "source_url": url(kind)},
            {"home": "breakpoint", "kind": "break", "subject": "data"},
        ],
        "task_score": [
            {
                "entry": model_id,
                "task": f"{kind}-exam/a",
                "merit": NUMBERS[kind],
                "ranked": True,
                "times": 1,
                "has_mean": True,
            }
        ],
        "weights_lag": [{"level": NUMBERS[kind]}],
        "verdict_history": [
            {
                **dict.fromkeys(("best", "best_end"), NUMBERS[kind]),
                **dict.fromkeys(("best_model", "best_model_end"), model_id),
                "basis": "by date",
                "until_on": None,
                "how": "crossed",
                "case": "measures",
            }
        ],
        "alternative": [{"reason": None, "failed": "no_room", "why": None, "loses": ["no_human"]}],
        "reservation": [{"reservations": ["crowded"]}],
        "decision": [
            {
                **{"role": "publish", "domain_group": "language", "reservations": ["one_construct"], "failed": None},
                **{"construct": "reading", "answer_kind": "label", "likeness": "construct", "room_bound": None},
                **{name: None for name in PUBLISHED["decision"] if name.startswith("rule_")},
            }
        ],
        "verdict_revision": [{"basis": "known then", "fate": "taken_back", "cause": "late", "stage": "saturated"}],
        "item_result": [{"source_row": f"row of {kind}"}],
        "life": [{"case": "watched", "fate": "saturated"}],
        "first_place": [{"first": model_id, "challenger": model_id, "left_out": [model_id]}],
        "change": [
            {
                "kind": "best",
                "before": model_id,
                "after": model_id,
                **scored,
                "text": f"{named(kind)} holds the best score",
            },
            {"kind": "leader", "before": model_id, "after": model_id, "text": f"{named(kind)} is first"},
            {"kind": "condition", "before": "no tools", **scored, "text": "is judged otherwise"},
            {"kind": "correction", "model_id": None, "text": "7 rows replaced"},
            {
                "kind": "stage",
                "model_id": None,
                "before": "emerging",
                "after": "saturated",
                "text": f"after {named(kind)}",
            },
        ],
        "dated_change": [
            {
                "kind": "best",
                "before": model_id,
                "after": model_id,
                **scored,
                "text": f"{named(kind)}, measured by others",
            },
            {"kind": "leader", "before": model_id, "after": model_id, "text": f"{named(kind)} is first"},
            {"kind": "silent", "model_id": None, "after": "nothing_new", "text": "nothing new since then"},
            {
                "kind": "stage",
                "model_id": None,
                "before": "emerging",
                "after": "saturated",
                "text": f"of {named(kind)}",
            },
        ],
    }
    return subjects.get(name, [{}])


_YES = {"reply": "yes", "why_unknown": None, "bound": None, "unit": "share", "missed": None, "missed_unit": None}
"""What answers have in common that are yes."""

_BEHIND = {
    "benchmark_id": "common-exam",
    "model_id": "alder-7b",
    **dict.fromkeys(("score", "error", "other_score", "other_error"), NUMBERS["open"]),
}
"""An open model's place behind one that may not be named."""


def _filled_row(name: str, kind: str, about: Mapping[str, Any]) -> Row:
    """A row with a value in every column: by its name, by what it is about, or by its type."""
    takes_number = name in COPIES or kind == "import"
    by_type: dict[pl.DataType, Any] = {
        pl.Float64(): NUMBERS[kind] if takes_number else 0.5,
        pl.Int64(): 7,
        pl.Boolean(): False,
        pl.Date(): AS_OF,
        pl.Datetime("us"): NOW,
        pl.String(): kind,
        pl.List(pl.String()): [kind],
        pl.List(pl.Float64()): [0.5],
    }
    by_name = {
        "model_id": f"{WORDS[kind]}-7b",
        "benchmark_id": f"{kind}-exam",
        "board_id": f"{kind}/{kind}-exam",
        "twin_id": f"{kind}-twin",
        "original_id": f"{kind}-exam",
        "other_id": f"{kind}-exam-2",
        "source_id": kind,
        "other_source_id": None,
        "sources": list(KINDS),
        "other_sources": list(KINDS),
        "carried": True,
        "source_url": "https://example.org/paper",
        "setting": WORDS[kind],
        "organisation": f"{WORDS[kind]}lab",
        "condition": "as reported",
        "reason": f"such as {named(kind)} at {url(kind)}",
        "reasons": ["headroom 0.5 is above 0.25", f"documented for {named(kind)}"],
        "stage": "emerging",
        "between": [],
        "rung": "twin",
        "level": "low",
        "scale": "linear",
        "clock": "year",
        "reporter": "others",
        "who": "independent",
        "grouping": "family",
        "truth": "formula",
        "order_by": "mean score",
        "area": "images",
        "flags": [],
        "status": "ok",
    }
    chosen = {**by_name, **about}
    return {column: chosen.get(column, by_type[kind_]) for column, kind_ in PUBLISHED[name].items()}
