"""A small generation that goes the whole way: facts stored, loaded, assessed and published; every number is invented.

It holds benchmarks in different states of health, names that try to be markup, a board followed through snapshots,
parts of a benchmark, a twin and a benchmark without any result.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from itertools import cycle
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.frames import Frames
from benchhealth.dashboard.words.prose.tables import with_prose
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store
from tests.support.facts import Row, batch, benchmark, mention, model, publish, registry, rejection, result, sources
from tests.support.home_cache import copy_of_cached_home, is_empty_home

AS_OF = date(2025, 1, 3)
NOW = datetime(2025, 1, 3, 4)
LINK = "https://example.org/paper"
HOSTILE = "<b>Best</b> *model* $x^2$ [here](javascript:alert(1)) :smile: a--b `code`"
_ASSESSED: dict[str, pl.DataFrame] = {}
FORMULA = '=HYPERLINK("https://example.org";"win")'


def build(home: Path, more: Mapping[str, pl.DataFrame] | None = None) -> Path:
    """Publish the small generation in `home`, with these rows added to derived tables, and return its file."""
    if is_empty_home(home) and not more:
        return copy_of_cached_home(_build, home)
    return _build(home, more)


def _build(home: Path, more: Mapping[str, pl.DataFrame] | None = None) -> Path:
    curated = _registry()
    with Store.open(home) as store:
        store.write_sources(sources("exams", "arena"))
        store.ledger.start_run("run-1", "nightly", NOW)
        for made in (*_exams(), *_arena()):
            store.write(made)
        store.ledger.end_run("run-1", NOW + timedelta(minutes=2), "ok", "all sources")
    facts = load(home, curated, NOW)
    derived = _assessed(facts)
    derived.update({name: pl.concat([derived[name], rows]) for name, rows in (more or {}).items()})
    return publish(home, curated, facts, derived, NOW)


def _assessed(facts: Frames) -> dict[str, pl.DataFrame]:
    """The derived tables of these facts, which are always the same: computed once in a process."""
    if not _ASSESSED:
        _ASSESSED.update(with_prose(assess(facts, AS_OF, np.random.default_rng(0)).tables))
    return dict(_ASSESSED)


def _registry() -> Registry:
    return registry(
        [
            _curated(
                "exam",
                "Exam",
                released_on=date(2018, 6, 1),
                human=0.868,
                human_people=500,
                human_items=50_000,
                ceiling=0.98,
                n_items=8000,
            ),
            _curated("exam/f1", "Exam, F1", floor=None, ceiling=None, n_items=None),
            _curated("exam-fresh", "Exam, fresh sample", released_on=date(2020, 6, 1), n_items=2000),
            _curated("hard-exam", "Hard exam", released_on=date(2024, 1, 1), n_items=400, domain="science"),
            _curated("silent-exam", "Exam nobody reports", released_on=date(2023, 1, 1), n_items=100),
            _curated("arena", "Arena", unit="rating", floor=None, ceiling=None, domain="chat"),
        ],
        aliases=[
            {
                "source_id": "exams",
                "published_name": "Model 3 (old name)",
                "model_id": "model-3",
                "setting": "",
                "reason": "renamed",
                "source_url": LINK,
            }
        ],
        breakpoints=[
            {
                "board_id": "arena/arena",
                "on_date": date(2024, 11, 1),
                "kind": "rescaled",
                "note": "the whole board moved by a constant",
                "source_url": LINK,
            }
        ],
        twins=[
            {
                "twin_id": "exam-to-fresh",
                "original_id": "exam",
                "other_id": "exam-fresh",
                "kind": "fresh sample",
                "test": "fit",
                "source_id": "exams",
                "note": "a new sample by the same procedure",
                "source_url": LINK,
            }
        ],
        reports=[
            {
                "benchmark_id": "exam",
                "subject": "A corpus",
                "subject_kind": "corpus",
                "split": "test",
                "share": 0.12,
                "method": "string match",
                "reference_url": LINK,
            }
        ],
    )


def _curated(benchmark_id: str, name: str, **more: object) -> Row:
    return {
        **benchmark(benchmark_id, name),
        "domain": "reading",
        "modality": "text",
        "floor": 0.25,
        "ceiling": 1.0,
        "ceiling_basis": "metric maximum; label errors unknown",
        "labels": "public",
        "refresh": "static",
        "paper_url": LINK,
        **more,
    }


def _exams() -> Iterable[object]:
    exam = [
        result(
            "exam",
            f"model-{number}",
            0.60 + 0.33 * (1 - 0.86**number),
            dated_on=date(2018, 7, 1) + timedelta(days=45 * number),
            date_basis="submission",
            published_name=f"Model {number}",
            n_items=8000,
        )
        for number in range(1, 31)
    ]
    parts = [{**row, "benchmark_id": "exam/f1", "score": row["score"] + 0.02} for row in exam]
    named = [
        result("hard-exam", "hostile", 0.41, published_name=HOSTILE, n_items=400),
        result(
            "hard-exam",
            "formula",
            0.38,
            published_name=FORMULA,
            n_items=400,
            setting="+5 shots",
            source_row=f"line 3, {LINK}/of-its-own",
        ),
        *(
            result("hard-exam", f"model-{number}", 0.25 + 0.005 * number, published_name=f"Model {number}", n_items=400)
            for number in range(1, 31)
        ),
    ]
    dated = [
        {**row, "dated_on": date(2024, 2, 1) + timedelta(days=9 * place), "date_basis": "evaluation"}
        for place, row in enumerate(sorted(named, key=lambda row: float(row["score"])))
    ]
    fresh = [
        {**row, "benchmark_id": "exam-fresh", "score": row["score"] * 1.1 - 0.15 + scatter, "n_items": 2000}
        for row, scatter in zip(exam, cycle((0.004, -0.006, 0.0, 0.008, -0.003, 0.002, -0.005)), strict=False)
    ]
    yield batch(
        [*exam, *parts, *fresh],
        source_id="exams",
        board_id="exam",
        path="exam.json",
        observed_at=datetime(2024, 12, 20),
        rejections=[rejection()],
        mentions=[
            mention("exam", "alpha card"),
            mention("hard-exam", "alpha report", mentioned_on=date(2024, 11, 1)),
            mention("exam", "beta card", organisation="Beta Lab", mentioned_on=date(2024, 9, 1)),
        ],
    )
    yield batch(
        dated,
        source_id="exams",
        board_id="hard-exam",
        path="hard.json",
        observed_at=datetime(2024, 12, 28),
        models=[model("hostile", name=HOSTILE), model("formula", name=FORMULA)],
        benchmarks=[benchmark("strange", HOSTILE, domain="<script>")],
    )


def _arena() -> Iterable[object]:
    """Six snapshots of a rating board: models enter, one leaves, and the scale moves once."""
    for month in range(7, 13):
        shift = 40 if month >= 11 else 0
        listed = [
            result(
                "arena",
                f"chat-{number}",
                1000.0 + 12 * number + shift + (number * 7 + month * 13) % 9,
                published_name=f"Chat {number}",
                score_published=1000.0 + 12 * number + shift,
                std_error=5.0,
            )
            for number in range(1 + month % 3, 10 + 2 * month)
        ]
        yield batch(
            listed,
            source_id="arena",
            board_id="arena",
            path="arena.csv",
            ref=f"month{month}",
            observed_at=datetime(2024, month, 15),
        )
