"""The published tables about single items: one row or several for each test whose results are known item by item."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.items import measures
from benchhealth.analytics.items.information import Curve, curve, fitted_items
from benchhealth.analytics.items.panel import OK, Panel, panels
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.item_response.two_parameter import Items
from benchhealth.analytics.statistics.random_streams import stream_of

Row = dict[str, Any]

TOO_FEW_MODELS, OPTIONS_NOT_KNOWN, NOT_CHECKED, NO_CANDIDATE = (
    "too_few_models",
    "options_not_known",
    "not_checked",
    "no_candidate",
)
"""The codes that say why a number about a test by item is null."""


class ItemTables(NamedTuple):
    """The published tables about items of tests, each with its schema."""

    item_test: pl.DataFrame
    item_solved: pl.DataFrame
    item_subject: pl.DataFrame
    item_information: pl.DataFrame
    item_model: pl.DataFrame
    item_candidate: pl.DataFrame


def item_tables(
    items: ItemResults, frames: Frames, benchmark_facts: pl.DataFrame, items_rng: np.random.Generator
) -> ItemTables:
    """The tables of all tests; a row of `item_test` also has the floor of the benchmark and the day of the newest file.

    An item that a run holds no answer to counts as wrong, with two exceptions: the two best models are compared on the
    items that both answered, and a model's pattern of answers is judged on the items that it answered.
    """
    floors = dict(benchmark_facts.select("benchmark_id", "floor").iter_rows())
    looks = dict(frames.snapshot.select("snapshot_id", pl.col("observed_at").dt.date()).iter_rows())
    rows: dict[str, list[Row]] = {name: [] for name in ItemTables._fields}
    for panel in panels(items.tests(), frames.item_label):
        known_until = max((looks[snapshot_id] for snapshot_id in panel.snapshots if snapshot_id in looks), default=None)
        key = {"benchmark_id": panel.benchmark_id, "source_id": panel.source_id, "condition": panel.condition}
        stream = stream_of(items_rng, " ".join(map(str, key.values())))
        for name, of_test in rows_of(panel, floors.get(panel.benchmark_id), stream):
            also = {"known_until": known_until} if name == "item_test" else {}
            rows[name].append({**key, **also, **of_test})
    return ItemTables(**{name: pl.DataFrame(rows[name], schema=PUBLISHED[name], orient="row") for name in rows})


def rows_of(panel: Panel, floor: float | None, rng: np.random.Generator) -> Iterator[tuple[str, Row]]:
    """The rows of one panel, each with the name of its table."""
    items, agreed = fitted_items(panel, floor or 0.0), measures.agreement(panel)
    shape, fits = curve(panel, items), measures.patterns(panel, items, rng)
    row = _test_row(panel, floor) | _chance(panel, floor, rng) | _patterns(fits) | _subsets(panel, rng)
    yield "item_test", row | _wrong_keys(panel, agreed) | _top(shape)
    yield from (("item_solved", item_row) for item_row in _solved(panel))
    yield from (("item_subject", item_row) for item_row in _subjects(panel))
    yield from (("item_information", item_row) for item_row in _points(shape))
    yield from (("item_model", item_row) for item_row in _models(panel, items, fits))
    if agreed is not None:
        yield from (("item_candidate", item_row) for item_row in _candidates(panel, agreed))


def _test_row(panel: Panel, floor: float | None) -> Row:
    n_models, n_items = panel.outcomes.shape
    numbers, best_two = measures.by_number(panel), measures.first_two(panel)
    missing = (~panel.answered).sum(axis=1)
    most = int(np.argmax(missing))
    return {
        "n_models": n_models,
        "n_items": n_items,
        "answers": int(panel.answered.sum()),
        "missing": int(missing.sum()),
        "missing_model": panel.models[most] if missing[most] else None,
        "missing_most": int(missing[most]),
        "unread": None if panel.chosen is None else int(((panel.chosen == 0) & panel.answered).sum()),
        "floor": floor,
        "by_none": int(numbers[0]),
        "by_all": int(numbers[-1]),
        "by_median": float(np.median(panel.solved.sum(axis=0))),
        "none_by_guessing": None if floor is None else measures.none_by_guessing(n_models, n_items, floor),
        "first": panel.models[0],
        "second": panel.models[1],
        "best": float(panel.scores[0]),
        "shared_items": best_two.shared,
        "first_alone": best_two.first_alone,
        "second_alone": best_two.second_alone,
        "n_clusters": len(panel.clusters) if panel.known_cluster is not None else None,
    }


def _chance(panel: Panel, floor: float | None, rng: np.random.Generator) -> Row:
    """The share of items that weaker models solve more often, and the share by chance, with guessing and without."""
    return {
        "against": float(measures.against_ability(panel.solved).mean()),
        "against_guessing": measures.share_in_rasch_worlds(panel.outcomes, floor, rng) if floor else None,
        "against_chance": measures.share_in_rasch_worlds(panel.outcomes, 0.0, rng),
    }


def _patterns(fits: measures.Patterns) -> Row:
    return {"odd_patterns": int(fits.odd.sum()), "planted": fits.odd.size, "planted_odd": fits.planted_odd}


def _subsets(panel: Panel, rng: np.random.Generator) -> Row:
    drawn = measures.of_subsets(panel.outcomes, rng)
    if drawn is None:
        return {}
    return {
        "draws": measures.DRAWS,
        "subset_items": drawn.items,
        "same_order": drawn.same_order,
        "subset_tau": drawn.tau,
        "subset_tau_low": drawn.low,
        "subset_tau_high": drawn.high,
    }


def _wrong_keys(panel: Panel, agreed: measures.Agreement | None) -> Row:
    """How many items may have a wrong answer key (candidates), and how that agrees with people who checked them."""
    if agreed is None:
        reason = TOO_FEW_MODELS if len(panel.models) < measures.AGREEING else OPTIONS_NOT_KNOWN
        return {"candidates_reason": reason, "precision_reason": reason}
    row: Row = {"candidates": int(agreed.candidate.sum())}
    label = np.array(panel.labels, dtype=np.object_)
    checked, wrong, fault = label != "", label == measures.WRONG_KEY, (label != "") & (label != OK)
    cluster = panel.known_cluster
    of_checked = None if cluster is None else cluster[checked]
    checked_keys = measures.held_against(agreed.candidate[checked], wrong[checked], of_checked)
    if checked_keys is None:
        return row | {"precision_reason": NO_CANDIDATE if checked.any() else NOT_CHECKED}
    any_fault = measures.held_against(agreed.candidate[checked], fault[checked], of_checked)
    by_order = measures.held_against(measures.against_ability(panel.solved)[checked], wrong[checked], of_checked)
    precision, recall = (
        {name: value[0], f"{name}_low": value[1], f"{name}_high": value[2]}
        for name, value in (("precision", checked_keys.precision), ("recall", checked_keys.recall))
    )
    return {
        **row,
        "labelled": int(checked.sum()),
        "labelled_wrong": int(wrong.sum()),
        **precision,
        **recall,
        "flawed": None if any_fault is None else any_fault.precision[0],
        "against_precision": None if by_order is None else by_order.precision[0],
    }


def _top(shape: Curve) -> Row:
    if shape.top is None:
        return {"peak_score": shape.peak_score, "status": "insufficient", "top_reason": TOO_FEW_MODELS}
    share, low, high = shape.top
    top = {"top_share": share, "top_share_low": low, "top_share_high": high}
    return {"peak_score": shape.peak_score, "status": "ok", **top}


def _solved(panel: Panel) -> Iterator[Row]:
    for name, members in (("", np.ones(len(panel.items), dtype=np.bool_)), *_members(panel)):
        times = np.bincount(panel.solved[:, members].sum(axis=0), minlength=len(panel.models) + 1)
        for solved_by, items in enumerate(times.tolist()):
            yield {"cluster": name, "solved_by": solved_by, "items": items}


def _subjects(panel: Panel) -> Iterator[Row]:
    for name, members in _members(panel):
        yield {
            "cluster": name,
            "n_items": int(members.sum()),
            "mean": float(panel.outcomes[:, members].mean()),
            "by_none": int((~panel.solved[:, members].any(axis=0)).sum()),
        }


def _members(panel: Panel) -> Sequence[tuple[str, Any]]:
    """Each cluster's name with a mask of its items; empty unless every item has a cluster and there are two or more."""
    cluster = panel.known_cluster
    return () if cluster is None else [(name, cluster == index) for index, name in enumerate(panel.clusters)]


def _points(shape: Curve) -> Iterator[Row]:
    for index, strength in enumerate(shape.strengths.tolist()):
        yield {
            "strength": strength,
            "score": float(shape.scores[index]),
            "information": float(shape.information[index]),
            "low": None if shape.low is None else float(shape.low[index]),
            "high": None if shape.high is None else float(shape.high[index]),
        }


def _models(panel: Panel, items: Items, fits: measures.Patterns) -> Iterator[Row]:
    for index, model_id in enumerate(panel.models):
        yield {
            "model_id": model_id,
            "score": float(panel.scores[index]),
            "strength": float(items.strengths[index]),
            "missing": int((~panel.answered[index]).sum()),
            "pattern_fit": float(fits.fit[index]),
            "odd": bool(fits.odd[index]),
        }


def _candidates(panel: Panel, agreed: measures.Agreement) -> Iterator[Row]:
    solved_by = panel.solved.sum(axis=0)
    for index in np.flatnonzero(agreed.candidate).tolist():
        yield {
            "item": panel.items[index],
            "agreeing": measures.AGREEING,
            "choosing": int(agreed.models[index]),
            "solved_by": int(solved_by[index]),
            "label": panel.labels[index],
        }
