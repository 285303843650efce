"""Names that are likely to be one model under two names: a ranked report for a curator, who alone may merge them.

Candidates come from the names (the same words in another order, the same but for a date or a word that often goes
without saying, one letter apart) and from scores (two names with equal scores on several benchmarks). What speaks
against a pair removes it: other sizes, versions or dates, base against instruct, and above all a file that lists both
on one benchmark with different scores, because whoever made that file took them for two models.
"""

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, with_missing

POINTS = {"order": 4.0, "core": 2.0, "letter": 1.0}
"""How far a likeness of the names speaks for a pair: an order to look at pairs in, no probability."""

SAME_MAKER, EQUAL_SCORES = 1.0, 4.0
"""What one maker adds, and what equal scores add: of these points the part of shared benchmarks with equal scores."""

TUNING_UNSTATED = 1.5
"""What is taken off where one name says that the model was tuned to instructions and the other does not say."""

ENOUGH_POINTS = 2.0
"""From this many points of evidence on, a pair of names is reported."""

EQUAL_AT_LEAST = 3
"""Equal scores on this many benchmarks make a pair likely whatever the names; on fewer they add their part of it."""

TIES = 4
"""A score that more models have on a benchmark says nothing about any two of them."""

LARGEST_GROUP = 12
"""More names than this with the same words are a family and no pair."""

LONG_ENOUGH = 10
"""Letters and digits from which on one letter is a slip rather than another name."""

_TUNED, _BASE = ("instruct", "instruction", "chat", "it"), ("base", "pt")
_MAKERS = (
    *("openai", "anthropic", "google", "meta", "microsoft", "mistral", "mistralai", "cohere", "c4ai", "amazon", "ibm"),
    *("nvidia", "databricks", "xai", "zhipuai", "moonshotai", "alibaba", "ai"),
)
_UNINFORMATIVE = ("hf", "preview", "latest", "exp", "experimental", "beta", "api", "online", "single", "model", "the")
_LEFT_OUT = [*_TUNED, *_BASE, *_MAKERS, *_UNINFORMATIVE]
_DATE = r"(?:^|[-_ (])(20\d\d-?[01]\d-?[0-3]\d|[01]\d-20\d\d|[01]\d-?[0-3]\d|2[2-9][01]\d|20[12]\d)(?:[-_ )]|$)"
_WORD = r"\d+(?:\.\d+)?[bmk]\b|\p{L}+|\d+|\+"
_PAIR = ["low", "high"]


def likely_aliases(frames: Frames) -> pl.DataFrame:
    """The published table `likely_alias`: pairs of models that may be one, the likeliest first.

    `model_id` is the one of the two with more results. `points` adds up what speaks for the pair (see the constants),
    `why` says it in words; `n_shared` benchmarks have scores of both, `n_equal` of them the same newest score.
    """
    rows = _coded(frames.result)
    names = _names(rows, frames.model)
    rows = rows.join(names.select("code", "at"), left_on=pl.col("model_id").to_physical(), right_on="code")
    scores = _newest(rows)
    pairs = _alike(names).join(_equal(scores), on=_PAIR, how="full", coalesce=True)
    pairs = pairs.with_columns(pl.col("n_equal").fill_null(0))
    pairs = pairs.filter(pl.col("likeness").is_not_null() | (pl.col("n_equal") >= EQUAL_AT_LEAST))
    pairs = _weighed(_compatible(pairs, names).join(_shared(pairs, scores), on=_PAIR, how="left"))
    pairs = pairs.filter(pl.col("points") >= ENOUGH_POINTS)
    return _report(pairs.join(_listed_as_two(pairs, rows), on=_PAIR, how="anti"), names)


def _coded(results: pl.LazyFrame) -> pl.DataFrame:
    """The results of models with ids as numbers: a dozen comparisons of all rows are cheap then."""
    rows = results.select("model_id", "snapshot_id", "benchmark_id", "source_id", "observed_at", "score", "kind")
    of_models = rows.filter((pl.col("kind") == "model") & pl.col("score").is_finite()).drop("kind").collect()
    coded = of_models.with_columns(
        pl.col("model_id", "snapshot_id", "benchmark_id", "source_id").cast(pl.Categorical())
    )
    return coded.with_columns(pl.col("snapshot_id", "benchmark_id").to_physical().cast(pl.UInt64))


def _names(rows: pl.DataFrame, models: pl.DataFrame) -> pl.DataFrame:
    """Each model with results, numbered `at`, and the parts of its name: `words`, `letters`, `dates`, and `core`, the
    words without dates and without those left out."""
    bare = pl.col("model_id").str.replace(r"^[\w.-]+/", "")
    words = bare.str.extract_all(_WORD)
    core = bare.str.replace_all(_DATE, "-").str.extract_all(_WORD)
    dates = bare.str.extract_all(_DATE).list.eval(pl.element().str.replace_all(r"\D", "")).list.sort().list.join(" ")
    by_source = rows.group_by("model_id", "source_id").agg(n=pl.len())
    counted = by_source.group_by("model_id").agg(
        pl.col("n").sum().cast(pl.Int64), sources=pl.col("source_id").cast(pl.String).sort()
    )
    named = counted.with_columns(pl.col("model_id").cast(pl.String), code=pl.col("model_id").to_physical())
    with_makers = named.join(models.select("model_id", "organisation"), on="model_id", how="left").sort("model_id")
    return with_makers.select(
        "model_id",
        "code",
        "n",
        "sources",
        at=pl.int_range(pl.len(), dtype=pl.UInt32),
        maker=pl.col("organisation").str.to_lowercase(),
        stated=words,
        words=words.list.sort().list.join(" "),
        core=core.list.eval(pl.element().filter(~pl.element().is_in(_LEFT_OUT))).list.sort().list.join(" "),
        letters=bare.str.replace_all(r"[^\p{L}\d+]", ""),
        dates=dates,
        tuned=words.list.set_intersection(list(_TUNED)).list.len() > 0,
        base=words.list.set_intersection(list(_BASE)).list.len() > 0,
    )


def _newest(rows: pl.DataFrame) -> pl.DataFrame:
    """The newest scores of each model on each benchmark, by every source, each once: `at`, `benchmark_id`, `score`."""
    newest = pl.col("observed_at").max().over("at", "benchmark_id", "source_id")
    return rows.filter(pl.col("observed_at") == newest).select("at", "benchmark_id", "score").unique()


def _alike(names: pl.DataFrame) -> pl.DataFrame:
    """Pairs of like names with the strongest `likeness`."""
    likenesses = [
        _pairs(names, key).with_columns(likeness=pl.lit(likeness))
        for key, likeness in (("words", "order"), ("letters", "order"), ("core", "core"))
    ]
    return (
        pl.concat([*likenesses, _slips(names).with_columns(likeness=pl.lit("letter"))])
        .group_by(_PAIR)
        .agg(pl.col("likeness").sort_by(pl.col("likeness").replace_strict(POINTS)).last())
    )


def _pairs(names: pl.DataFrame, key: str) -> pl.DataFrame:
    crowd = pl.len().over(key)
    grouped = names.filter((pl.col(key) != "") & (crowd > 1) & (crowd <= LARGEST_GROUP)).select("at", key)
    pairs = grouped.join(grouped, on=key, suffix="_other").filter(pl.col("at") < pl.col("at_other"))
    return pairs.select(low="at", high="at_other")


def _slips(names: pl.DataFrame) -> pl.DataFrame:
    """Pairs of long names with the same digits that are equal once one letter is left out of either or of one."""
    length = pl.col("letters").str.len_chars()
    spelt = names.filter(length >= LONG_ENOUGH).select(
        "at", "letters", digits=pl.col("letters").str.replace_all(r"\D", "")
    )
    cut = (
        spelt.with_columns(place=pl.int_ranges(0, pl.col("letters").str.len_chars()))
        .explode("place")
        .with_columns(
            left=pl.col("letters").str.slice(0, pl.col("place")) + pl.col("letters").str.slice(pl.col("place") + 1)
        )
        .select("at", "digits", "left")
    )
    variants = pl.concat([cut, spelt.select("at", "digits", left="letters")]).unique()
    shared = variants.filter(pl.len().over("left", "digits").is_between(2, LARGEST_GROUP))
    pairs = shared.join(shared, on=["left", "digits"], suffix="_other").filter(pl.col("at") < pl.col("at_other"))
    return pairs.select(low="at", high="at_other").unique()


def _equal(scores: pl.DataFrame) -> pl.DataFrame:
    """Pairs with equal newest scores on `n_equal` benchmarks, where few others have them too."""
    rare = scores.filter(pl.len().over("benchmark_id", "score").is_between(2, TIES))
    pairs = rare.join(rare, on=["benchmark_id", "score"], suffix="_other").filter(pl.col("at") < pl.col("at_other"))
    return pairs.group_by(low="at", high="at_other").agg(n_equal=pl.col("benchmark_id").n_unique().cast(pl.Int64))


def _compatible(pairs: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    """The pairs whose names do not contradict each other, with what is known of both (`_low` and `_high`)."""
    described = _with_both(pairs, names.select("at", "dates", "maker", "tuned", "base"))
    two_dates = (
        (pl.col("dates_low") != pl.col("dates_high")) & (pl.col("dates_low") != "") & (pl.col("dates_high") != "")
    )
    two_kinds = (pl.col("tuned_low") & pl.col("base_high")) | (pl.col("base_low") & pl.col("tuned_high"))
    return described.filter(~two_dates & ~two_kinds)


def _with_both(pairs: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """The pairs with the columns of `about` of both names (`_low` and `_high`)."""
    for side in _PAIR:
        pairs = pairs.join(about.rename(lambda name: f"{name}_{side}"), left_on=side, right_on=f"at_{side}")  # noqa: B023
    return pairs


def _shared(pairs: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """For each pair, on how many benchmarks both have scores."""
    measured = scores.select("at", "benchmark_id").unique()
    of_low = pairs.select(_PAIR).join(measured, left_on="low", right_on="at")
    joined = of_low.join(measured, left_on=["high", "benchmark_id"], right_on=["at", "benchmark_id"], how="semi")
    return joined.group_by(_PAIR).agg(n_shared=pl.len().cast(pl.Int64))


def _weighed(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs with `one_maker`, `n_shared` and the `points` that all evidence adds up to."""
    equal = pl.col("n_equal") / pl.max_horizontal("n_shared", pl.lit(EQUAL_AT_LEAST))
    undecided = pl.col("tuned_low") != pl.col("tuned_high")
    return pairs.with_columns(
        pl.col("n_shared").fill_null(0),
        one_maker=(pl.col("maker_low") == pl.col("maker_high")).fill_null(False),
    ).with_columns(
        points=pl.col("likeness").replace_strict(POINTS, default=0.0, return_dtype=pl.Float64)
        + SAME_MAKER * pl.col("one_maker")
        + EQUAL_SCORES * equal
        - TUNING_UNSTATED * undecided
    )


def _listed_as_two(pairs: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The pairs that some file lists side by side on one benchmark without an equal score."""
    cells = rows.select("at", "score", cell=pl.col("snapshot_id") * 2**32 + pl.col("benchmark_id"))
    cells = cells.join(pairs.select(at=pl.concat_list(_PAIR)).explode("at").unique(), on="at", how="semi")
    of_low = pairs.select(_PAIR).join(cells, left_on="low", right_on="at")
    joined = of_low.join(cells, left_on=["high", "cell"], right_on=["at", "cell"], suffix="_other")
    cells_of_both = joined.group_by(*_PAIR, "cell").agg(equal=(pl.col("score") == pl.col("score_other")).any())
    return cells_of_both.filter(~pl.col("equal")).select(_PAIR).unique()


def _report(pairs: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    described = _with_both(pairs, names.select("at", "model_id", "sources", "n", "stated"))
    first = pl.col("n_low") >= pl.col("n_high")

    def one(name: str) -> pl.Expr:
        return pl.when(first).then(f"{name}_low").otherwise(f"{name}_high")

    def other(name: str) -> pl.Expr:
        return pl.when(first).then(f"{name}_high").otherwise(f"{name}_low")

    table = described.with_columns(
        model_id=one("model_id"),
        other_id=other("model_id"),
        case=pl.lit("alike_") + pl.col("likeness").fill_null("scores"),
        numbers=pl.concat_list(pl.col("one_maker").cast(pl.Float64)),
        names=pl.col("stated_low").list.set_symmetric_difference("stated_high").list.sort(),
        sources=one("sources"),
        other_sources=other("sources"),
        n_results=one("n"),
        n_other_results=other("n"),
    )
    order = ["points", "n_other_results", "model_id", "other_id"]
    return with_missing(table.sort(order, descending=[True, True, False, False]), PUBLISHED["likely_alias"])
