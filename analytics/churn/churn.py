"""What happened to a leaderboard between two days: who entered, left, was renamed, and how far the order held.

Rows compare ranks, never scores, so a board shifted or stretched as a whole has no churn. Nothing is computed across a
breakpoint. The ranks compared are those of the models' best settings, as in the table `rank`.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.churn.noise import Noise, expected_exchanges
from benchhealth.analytics.record.boards import STATE, Boards, rank_models
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.random_streams import stream_of
from benchhealth.analytics.statistics.rank_agreement import kendall_tau, rank_biased_overlap, turnover

TOPS = (5, 10, 20)
"""The depths at which the top of a board is watched."""

WHOLE_BOARD = 0
"""The value of `k` in the row about the whole board; 0 because a board's length may itself be 5, 10 or 20."""

BY_CHANCE = 0.05
"""The share of inferred renames that may be coincidences of equal scores before none of them is believed."""

OWN_DATES = ("submission", "evaluation")
"""Bases of dates that say when a result joined the board, so that the board of any past day can be rebuilt."""


@dataclass(frozen=True)
class Standing:
    """A leaderboard on one day. All lists run best first; a rank is shared by equals, an unknown error is NaN.

    `name` is the one under which the source prints the model, None where `names` has several; `printed` is what the
    best row says besides its name.
    """

    on: date
    models: list[str]
    ranks: list[int]
    merits: list[float]
    errors: list[float]
    rank: dict[str, int]
    name: dict[str, str | None]
    names: dict[str, frozenset[str]]
    printed: dict[str, tuple[float | None, ...]]

    def top(self, k: int) -> frozenset[str]:
        """Models of rank k or better, equals of the last included; all where k is the whole board."""
        return frozenset(self.models if k == WHOLE_BOARD else self.models[: bisect_right(self.ranks, k)])

    def names_of(self, model: str) -> frozenset[str]:
        """All names under which the source prints the model."""
        only = self.name[model]
        return self.names[model] if only is None else frozenset((only,))

    def same_as(self, later: "Standing") -> bool:
        """Whether the two boards list the same models under the same names with the same scores and errors."""
        return self.printed == later.printed and self.name == later.name and self.names == later.names


def churn(marked_frames: Frames, boards: Boards, churn_rng: np.random.Generator, board: pl.DataFrame) -> pl.DataFrame:
    """Table `churn`: consecutive days of each leaderboard compared at the top 5, 10, 20 and as a whole (k = 0).

    A board whose newest version dates most of its results itself (submission, evaluation) is compared between calendar
    year-ends, each rebuilt from that version by date, up to the year of the newest version and no further than the
    board is known (`known_until` in `board`). Any other board is compared between the
    last states of consecutive days on which it changed; a pair of equal states has no row.

    `entered` and `left` count models of one top that are not in the other (equals of the last rank are all in):
    `newcomers` and `departures` those of them that the other day does not list at all, which no noise can make,
    `renamed` those that are in both under another name; `turnover` is the share of the earlier top that left.
    `kendall_tau` is over models on both boards that are in either top, `rbo` over the two tops. `exchanged` counts the
    places of the top k that changed hands among the models that both days list, newcomers and departures taken out;
    `expected_turnover` is the share of k that noise of changes alone would exchange among them, `expected_spread` its
    standard deviation. Where `spans_breakpoint`, every number but k is
    null. A k greater than either board has no row.
    """
    dated = _year_ends(boards.rows.collect(), board)
    self_dated = dated.select("board_id").unique()
    by_version, ranked = (
        rows.select(columns).join(self_dated.lazy(), on="board_id", how="anti").collect()
        for rows, columns in ((boards.states, _NAMED_STATE), (boards.placed, _RANKED))
    )
    breaks = {
        key[0]: sorted(breakpoints["on_date"].to_list())
        for key, breakpoints in marked_frames.breakpoint.drop_nulls(["board_id", "on_date"]).group_by("board_id")
    }
    churn_rows = []
    for board_id, days, is_self_dated in chain(  # one board after the other: all of them as Python's objects are large
        ((board_id, days, False) for board_id, days in _standings(ranked, by_version)),
        ((board_id, days, True) for board_id, days in _standings(rank_models(dated), dated)),
    ):
        for before, after in pairwise(days):
            broken = any(before.on < day <= after.on for day in breaks.get(board_id, []))
            if is_self_dated or broken or not before.same_as(after):
                stream = stream_of(churn_rng, f"{board_id} {before.on} {after.on}")
                churn_rows += [{"board_id": board_id, **row} for row in compare(before, after, broken, stream)]
    return pl.DataFrame(churn_rows, schema=PUBLISHED["churn"], orient="row").sort("board_id", "from_on", "k")


def compare(
    before: Standing, after: Standing, spans_breakpoint: bool, rng: np.random.Generator
) -> Iterator[dict[str, object]]:
    """One row of `churn`, without its board, for each k that both boards reach and for the whole board."""
    kept_names = renames(before, after)
    depths = [k for k in TOPS if k <= min(len(before.rank), len(after.rank))]
    models = [kept_names.get(model, model) for model in after.models]
    later = replace(after, models=models, rank=dict(zip(models, after.ranks, strict=True)))
    listed = [model for model in before.models if model in later.rank]
    ranks = [np.array([standing.rank[model] for model in listed], dtype=np.int64) for standing in (before, later)]
    noise = {} if spans_breakpoint else _noise(before, later, listed, depths, rng)
    other_name = {model for model, _ in before.name.items() - after.name.items()} | before.names.keys()
    renamed_models = set(kept_names.values()) | {
        model for model in other_name & after.rank.keys() if before.names_of(model).isdisjoint(after.names_of(model))
    }
    for k in (*depths, WHOLE_BOARD):
        row: dict[str, object] = {"from_on": before.on, "to_on": after.on, "k": k, "spans_breakpoint": spans_breakpoint}
        if not spans_breakpoint:
            first = before.top(k)
            second = later.top(k)
            common = sorted((first | second) & before.rank.keys() & later.rank.keys())
            expected = Noise(0.0, 0.0) if k == WHOLE_BOARD else noise[k]
            row |= {
                "entered": len(second - first),
                "left": len(first - second),
                "newcomers": len((second - first) - before.rank.keys()),
                "departures": len((first - second) - later.rank.keys()),
                "exchanged": 0 if k == WHOLE_BOARD else _n_exchanged(ranks, k),
                "renamed": len(first & second & renamed_models),
                "turnover": turnover(first, second),
                "kendall_tau": kendall_tau(*([-day.rank[model] for model in common] for day in (before, later))),
                "rbo": rank_biased_overlap(
                    {model: before.rank[model] for model in first},
                    {model: later.rank[model] for model in second},
                    depth=k or None,
                ),
                "expected_turnover": None if expected is None else expected.expected,
                "expected_spread": None if expected is None else expected.spread,
            }
        yield row


def _n_exchanged(ranks: Sequence[NDArray[np.int64]], k: int) -> int:
    """How many of the first k of the models on both days gave their place to another of these models.

    `ranks` are those of these models on either day. First are the models with fewer than k better ones. Where
    equals of the last part, those that fall behind gave theirs to nobody.
    """
    first, second = (of_day <= np.sort(of_day)[:k].max(initial=0) for of_day in ranks)
    return int(min(np.count_nonzero(first & ~second), np.count_nonzero(second & ~first)))


def _noise(
    before: Standing, later: Standing, listed: Sequence[str], depths: Sequence[int], rng: np.random.Generator
) -> dict[int, Noise | None]:
    """What noise alone exchanges among the models that both days list under one id."""
    merits, errors = [], []
    for standing in (before, later):
        index_of = {model: number for number, model in enumerate(standing.models)}
        merits.append([standing.merits[index_of[model]] for model in listed])
        errors.append([standing.errors[index_of[model]] for model in listed])
    return expected_exchanges(merits[0], merits[1], (errors[0], errors[1]), depths, rng)


def renames(before: Standing, after: Standing) -> dict[str, str]:
    """Models of `after` that are models of `before` under another id: new id to old id.

    A model that vanished and one that appeared are the same where both rows print the same score, error and number of
    items, and no other row of either board prints the same. Long boards repeat scores by chance: the matches are
    believed only where chance, at the rate at which different models of these boards print the same, would account for
    no more than the share BY_CHANCE of them. A model of one id under another name needs no guess and is not listed
    here.
    """
    vanished = _unique_by_print(before, before.rank.keys() - after.rank.keys())
    appeared = _unique_by_print(after, after.rank.keys() - before.rank.keys())
    renamed = {appeared[printed]: vanished[printed] for printed in vanished.keys() & appeared.keys()}
    if not renamed:
        return renamed
    by_chance = len(vanished) * len(appeared) * max(_repeats(before), _repeats(after))
    return renamed if by_chance <= BY_CHANCE * len(renamed) else {}


def _repeats(standing: Standing) -> float:
    """The share of pairs of models that print the same."""
    n = len(standing.printed)
    pairs = n * (n - 1) / 2
    return sum(same * (same - 1) / 2 for same in Counter(standing.printed.values()).values()) / pairs if pairs else 0.0


def _unique_by_print(standing: Standing, models: Set[str]) -> dict[tuple[float | None, ...], str]:
    times = Counter(standing.printed.values() if models else ())
    return {standing.printed[model]: model for model in models if times[standing.printed[model]] == 1}


_NAMED_STATE = (*STATE, "model_id", "published_name")
_RANKED = (*_NAMED_STATE, "rank", "merit", "score_published", "std_error", "reported_items", "error")


def _standings(ranked: pl.DataFrame, rows: pl.DataFrame) -> Iterator[tuple[str, list[Standing]]]:
    """Each board with its days in order: the last state of each day."""
    key = [*STATE, "model_id"]
    several = rows.filter(rows.select(key).is_duplicated()).group_by(key).agg(names=pl.col("published_name").unique())
    several = several.filter(pl.col("names").list.len() > 1)
    day = pl.col("observed_at").dt.date()
    last = (
        ranked.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id", day))
        .join(several, on=key, how="left")
        .select(
            *key,
            "rank",
            "merit",
            "score_published",
            "std_error",
            "reported_items",
            "names",
            on=day,
            name=pl.when(pl.col("names").is_null()).then("published_name"),
            error=pl.col("error").fill_null(float("nan")),
        )
        .sort(*STATE, "rank", "model_id")
    )
    sizes = last.group_by("board_id", "on", maintain_order=True).len()
    ends = sizes.group_by("board_id", maintain_order=True).agg(pl.col("len").cum_sum())["len"].to_list()
    for ((board_id,), board), of_days in zip(last.group_by("board_id", maintain_order=True), ends, strict=True):
        column, days = board.to_dict(as_series=False), pairwise([0, *of_days])
        yield (
            str(board_id),
            [_standing_models({name: rows[begin:end] for name, rows in column.items()}) for begin, end in days],
        )


def _standing_models(state: dict[str, list[Any]]) -> Standing:
    models, ranks = state["model_id"], state["rank"]
    printed = zip(state["score_published"], state["std_error"], state["reported_items"], strict=True)
    return Standing(
        on=state["on"][0],
        models=models,
        ranks=ranks,
        merits=state["merit"],
        errors=state["error"],
        rank=dict(zip(models, ranks, strict=True)),
        name=dict(zip(models, state["name"], strict=True)),
        names={model: frozenset(names) for model, names in zip(models, state["names"], strict=True) if names},
        printed=dict(zip(models, printed, strict=True)),
    )


def _year_ends(rows: pl.DataFrame, known_until: pl.DataFrame) -> pl.DataFrame:
    """For each board that dates its results itself: its newest rows, once for each year-end at which they stood."""
    current = rows.with_columns(own=pl.col("date_basis").is_in(OWN_DATES))
    dated = current.filter(pl.col("own").mean().over("board_id") > 0.5).filter("own")
    ends = (
        dated.group_by("board_id")
        .agg(first=pl.col("dated_on").min().dt.year(), last=pl.col("observed_at").max().dt.year())
        .join(known_until.group_by("board_id").agg(pl.col("known_until").max()), on="board_id")
        .with_columns(year=pl.int_ranges("first", pl.col("last") + 1))
        .explode("year")
        .with_columns(end=pl.date("year", 12, 31))
        .filter(pl.col("end") <= pl.col("known_until"))
        .select("board_id", "end")
    )
    return (
        dated.join(ends, on="board_id")
        .filter(pl.col("dated_on") <= pl.col("end"))
        .with_columns(observed_at=pl.col("end").cast(pl.Datetime("us")))
        .select(rows.columns)
    )
