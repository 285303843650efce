"""The sentences on one model: what a reader may quote, what the tests would have shown, and what is not known."""

import polars as pl

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.twins.expected import FEWEST_FOR_RESIDUALS
from benchhealth.dashboard.figures.twin import gap_interval, mean_gap_text
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.models import own_models
from benchhealth.dashboard.report.checked.found import CheckedModel
from benchhealth.dashboard.words.numbers import day_of, percent, probability
from benchhealth.dashboard.words.prose.twins import UNTESTED_SAID
from benchhealth.dashboard.words.text import capital, count, listed

MOST_NAMED = 12
"""Benchmarks that are named of those that could not be tested for one reason."""


def size(row: Row) -> str:
    """How far the score on the second lies from what is expected of it: `9.0 points lower`; of residuals in points."""
    off = float(row["residual"])
    unit = "points" if row["original_unit"] in ("percent", "fraction") else "units"
    return f"{abs(off):.1f} {unit} {'higher' if off > 0 else 'lower'}"


def _comparison_text(row: Row) -> str:
    """What the score on the second is held against: the original's own, or what others with it have."""
    return f"on {row['original']}" if row["test"] == "difference" else f"models with its score on {row['original']}"


def q_text(q: float | None) -> str:
    """A corrected p-value in a sentence: `q = 0.012`, `q below 0.001`."""
    chance = probability(q)
    return f"q {chance}" if chance.startswith("below") else f"q = {chance}"


def quotable_sentence(model: CheckedModel, row: Row) -> str:
    """The sentence on one twin of new items, for anybody to quote."""
    other = f"{row['other']}{row['in_setting']}"
    of_how_many = f"{count(row['n_models'] or 0, 'result')}, until {day_of(row['known_until'])}"
    if row["q_value"] is None:
        return (
            f"Whether {model.name} scores lower on {other} than {_comparison_text(row)} is unknown: "
            f"{_untested(row)} ({of_how_many})."
        )
    difference = f"On {other}, {model.name} scores {size(row)} than {_comparison_text(row)}"
    test = f"{q_text(row['q_value'])}, {of_how_many}"
    if row["flagged"]:
        return f"{difference} ({test}): more than chance and the spread of models explain."
    if row["power30"] is None:
        return f"{difference}, which chance explains ({test}); what leak would have shown here is unknown."
    return (
        f"{difference}, which chance explains ({test}); a leak of 30% of the items to one public model would have "
        f"shown in {percent(row['power30'])} of cases, of 10% in {percent(row['power10'])}."
    )


def largest(model: CheckedModel) -> tuple[str, ...]:
    """A sentence for each benchmark with several own results: the largest is tested, on how many items."""
    return tuple(
        f"Of {count(row['files'], 'result')} of yours on {row['benchmark']} the largest is tested: "
        f"{count(row['items'], 'item')}."
        for row in model.sizes
    )


def _untested(row: Row) -> str:
    if (row["n_models"] or 0) < FEWEST_FOR_RESIDUALS and row["test"] == "fit":
        return f"the line needs ten results on both sides, and there are {row['n_models'] or 0}"
    return UNTESTED_SAID[row["untested"] or "no_error"]


def anomalies(model: CheckedModel) -> tuple[str, ...]:
    """What benchmarks that it cannot have seen say, and of how many nothing could be said."""
    rows = model.rung("anomaly")
    exposed = model.rung("exposure").filter(level="moderate").height
    tested = rows.drop_nulls("q_value")
    beyond = rows.filter(pl.col("q_value").is_null() & pl.col("p_value").is_not_null()).height
    if not exposed:
        return (
            "Unknown which tests it may have seen: that takes its day of release or the end of its training data "
            "(columns released_on, trained_until) and results on benchmarks with known dates and labels.",
        )
    public = f"{count(exposed, 'benchmark')} that {'was' if exposed == 1 else 'were'} public when its training ended"
    sentences = [
        f"Of {public}, {tested.height or 'none'} could be held against what benchmarks that it cannot have seen "
        f"predict{_until(tested)}."
    ]
    high = tested.filter(pl.col("q_value") <= FLAGGED_AT).sort("q_value")
    for row in high.iter_rows(named=True):
        evidence = f"{q_text(row['q_value'])}, {count(row['n'], 'other model')}, until {day_of(row['until'])}"
        sentences.append(
            f"On {row['benchmark']}, {model.name} scores {row['value']:.1f} points higher than its scores on fresh "
            f"benchmarks predict ({evidence})."
        )
    if tested.height and not high.height:
        sentences.append(f"On none of these {tested.height} it scores higher than chance explains.")
    too_few = exposed - tested.height - beyond
    if beyond:
        sentences.append(
            f"{beyond} could not, as no other model measured there is as weak or as strong: an extrapolation."
        )
    if too_few:
        sentences.append(f"{too_few} could not, as too few models or too few fresh benchmarks connect them.")
    return tuple(sentences)


def untested_benchmarks(rows: pl.DataFrame) -> tuple[str, ...]:
    """The benchmarks that it may have seen and that could not be tested, by the reason."""
    without = rows.filter(pl.col("value").is_null()).group_by("reason").agg(pl.col("benchmark").sort())
    return tuple(
        f"{capital(reason)}: {listed(names[:MOST_NAMED])}"
        f"{f', and {len(names) - MOST_NAMED} more' if len(names) > MOST_NAMED else ''}."
        for reason, names in without.sort("reason").iter_rows()
    )


def _until(rows: pl.DataFrame) -> str:
    last = rows["until"].max()
    return f", until {day_of(last)}" if last is not None else ""  # type: ignore[arg-type]


def power(model: CheckedModel) -> tuple[str, ...]:
    """Sentences on how large a leak the tests would have shown, by simulation."""
    sentences = []
    for row in model.twins:
        if row["fresh"] and row["power_sentence"] and row["q_value"] is not None:
            sentences.append(f"{row['original']} against {row['other']}: {row['power_sentence']}")
    rates = model.view.table("contamination_calibration").filter(rung="anomaly", truth="unseen benchmark").sort("leak")
    none, some = (rates.filter(leak=leak) for leak in (0.0, 0.3))
    if none.height and some.height:
        sentences.append(
            "Against fresh benchmarks: on "
            f"{none['n'].item():,} results on benchmarks that models cannot have seen, p is at most 0.05 in "
            f"{percent(none['flagged'].item())}; with a leak of 30% of the items put in, in "
            f"{percent(some['flagged'].item())}, before many tests are allowed for."
        )
    return tuple(sentences) or ("No test was made, so no leak would have shown.",)


def of_the_field(model: CheckedModel) -> str:
    """The number of pairs of public models that the anomaly test covers."""
    risk = model.view.table("contamination_risk").filter(~pl.col("model_id").is_in(list(own_models(model.view))))
    exposed = risk.filter(rung="exposure", level="moderate").height
    rows = risk.filter(pl.col("rung") == "anomaly").drop_nulls("p_value")
    tested = rows["q_value"].count()
    if not exposed:
        return ""
    return (
        f"Of {exposed:,} pairs of a public model and a benchmark that it may have seen, until "
        f"{day_of(last_known(model.view))}, {tested:,} were tested against fresh benchmarks; {rows.height - tested:,} "
        f"were extrapolations, and {max(exposed - rows.height, 0):,} had too few models, dates or fresh benchmarks."
    )


def of_the_benchmarks(model: CheckedModel) -> tuple[str, ...]:
    """What is known of each benchmark that has a twin of new items: whether items were seen, whether a second agrees.

    These are the answers that hold for the benchmark, with any model.
    """
    firsts = dict.fromkeys((row["original_id"], row["original"]) for row in model.twins if row["fresh"])
    return tuple(
        f"{name}: {answers[key].alt}"
        for benchmark_id, name in firsts
        for answers in [words_of(model.view, benchmark_id)]
        for key in ("seen", "second")
        if key in answers
    )


def limits(model: CheckedModel) -> tuple[str, ...]:
    """Sentences on what the check of this model cannot show."""
    sentences = [
        "A higher score than predicted is no proof that items were seen: tuning to a format, prompts, or luck of the "
        "sample look the same. A score as predicted is no proof that none were.",
        "What most models have in common, a leak to everybody, shows in no test here.",
        "A result beyond the range of the other models is not counted as an anomaly: on benchmarks that models cannot "
        "have seen such extrapolations are wrong at 5% in an eighth of the cases (12 of 95). Of models that only two "
        "fresh benchmarks place the test is as often right as of others (4 of 89 beside 62 of 1,424), so these are "
        "tested; one would leave nothing that could disagree.",
    ]
    if of_field := of_the_field(model):
        sentences.append(of_field)
    if model.own:
        sentences.append(
            "Your runs have prompts and settings of their own. Both sides of a twin should be run alike; the public "
            "models were run by others."
        )
    else:
        sentences.append("All of this rests on public results; results of yours of the same model are in none of it.")
    for row in model.twins:
        if row["fresh"] and row["test"] == "difference" and row["gap"] is not None:
            sentences.append(
                f"{row['other']} is taken to be as hard as {row['original']}; over "
                f"{count(row['n_models'], 'public result')} until {day_of(row['known_until'])} scores on it are "
                f"{mean_gap_text(row)}{gap_interval(row)} on average."
            )
    connected = {row[side] for row in model.twins if row["fresh"] for side in ("original_id", "other_id")}
    if bare := set(model.benchmarks) - connected:
        sentences.append(
            f"No twin of new items connects {count(len(bare), 'other benchmark')} that it has results on: unknown, "
            "which is not clean."
        )
    return tuple(sentences)


def missing_results(model: CheckedModel) -> tuple[str, ...]:
    """Sentences that name the results which would let another twin be tested; at most eight twins."""
    sentences = []
    for row in model.uncompared_twins[:8]:
        if row["both"]:
            sentences.append(
                f"{row['original']} and {row['other']}: there are results on both, but not of one source, setting and "
                "condition."
            )
        else:
            has, lacks = (row["original"], row["other"]) if row["has_first"] else (row["other"], row["original"])
            sentences.append(f"{has}: a result on {lacks} ({row['kind']}) would connect it.")
    if len(model.uncompared_twins) > 8:
        sentences.append(f"And {len(model.uncompared_twins) - 8} more.")
    return tuple(sentences)
