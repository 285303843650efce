"""The published tables about twins: see `analytics.twins`.

On the linear scale of a twin `gap`, `intercept` and all scores, residuals and errors of `twin_residual` are in points
(hundredths of the unit). `expected` lies on the line through the models that are not off it, not on that of `twin`.
"""

from benchhealth.analytics.record.tables import shared
from benchhealth.analytics.record.tables.declared import (
    Column,
    Own,
    Sharing,
    Table,
    count,
    flag,
    number,
    numbers,
    percent,
    place,
    points,
    probability,
    sentence,
    text,
)
from benchhealth.analytics.record.tables.shared import interval

_ORIGINAL_ID, _OTHER_ID = text("original_id", "The original benchmark."), text("other_id", "The other benchmark.")
_ORIGINAL, _OTHER = points("original", "Its score on the original."), points("other", "Its score on the twin.")
_SLOPE = (number("slope", "What a point on the original brings on the twin."), *interval(number, "slope"))


def _of_twin(name: str, row: str, columns: tuple[Column, ...], key: tuple[str, ...], sharing: Sharing) -> Table:
    """A table about declared twins; one step makes all of them."""
    return Table(name, row, columns, key, sharing, Own.TWIN, f"twins.{name}")


TWIN_TABLES = (
    _of_twin(
        "twin",
        "a declared pair of measurements, on one scale",
        (
            shared.TWIN_ID,
            _ORIGINAL_ID,
            _OTHER_ID,
            text("kind", "How the other was made: fresh sample, harder variant, rerun and so on."),
            text("scale", "`linear`, `probit` or `logit`."),
            shared.N_MODELS,
            points("gap", "Mean of original less other; on the linear scale in points."),
            *interval(points, "gap"),
            *_SLOPE,
            number("intercept", "Where the line meets 0 of the original."),
            number("r2", "The share of the variance that the line explains, 0 to 1.", label="r²"),
            number("kendall_tau", "Agreement of the two orders, -1 to 1.", label="Kendall's tau"),
            number("kendall_tau_top", "The same among the best by the original.", label="tau at the top"),
        ),
        ("twin_id", "scale"),
        Sharing.ABOUT_TWIN,
    ),
    _of_twin(
        "twin_residual",
        "a model, in one setting, on a twin",
        (
            *shared.columns("twin_id model_id"),
            _ORIGINAL,
            _OTHER,
            points("expected", "The score on the twin that is expected of it."),
            points("residual", "Score on the twin less what is expected; below 0 is lower."),
            points("std_error", "Standard error of the residual.", label="standard error"),
            *shared.columns("p_value q_value"),
            flag("flagged", "Whether it scores lower on the twin than is expected of it, at q of .05."),
            shared.SETTING,
            number("slope", "What a point more on the original brings on the twin, where it lies."),
            points(
                "excess",
                "What its score on the original has over what the twin lets expect, at most its way above chance.",
            ),
            text("scale", "The scale on which the line is straight, `logit` or `linear`; empty where none fits."),
            text("untested", "Why it is not tested; empty where it is."),
        ),
        ("twin_id", "model_id", "setting"),
        Sharing.SCORES_OF_TWIN,
    ),
    _of_twin(
        "twin_gap",
        "a declared pair: what its gap can be called",
        (
            shared.TWIN_ID,
            text("source_id", "The source of the original, or of both; empty is any."),
            text("other_source_id", "The source of the other side, where it has its own."),
            text("test", "What is expected of a model: `difference` or `fit`."),
            *shared.columns("note source_url"),
            points("gap", "Mean of original less other."),
            points("gap_error", "Standard error of the mean gap: the draw of items and that of models."),
            text("gap_basis", "How the draw of items is known: `items`, `bound` (at most), `families` or `unknown`."),
            text("scale", "The scale of the slope."),
            *_SLOPE,
            percent("noise", "The share of the original's spread that is error."),
            probability("fading_p", "One-sided p-value that gains on the original fade on the twin."),
            points("per_year", "Drift of the gap by the models' release, a year."),
            *interval(points, "per_year"),
            text("cause", "What the gap can be called."),
            sentence("sentence", "The same in a sentence."),
            points("detectable", "The shortfall that is flagged with probability .8."),
            probability("power10", "Chance that one model that knows 10% of the items is flagged."),
            probability("power30", "Chance that one model that knows 30% of the items is flagged."),
            sentence("power_sentence", "What the twin can show, in a sentence."),
            count("families", "Families of models that the interval rests on."),
            text("slope_basis", "How what the draw of items does to all models at once is known."),
            number("design_effect", "By how much that multiplies the variance that models show."),
            shared.CASE,
            text("kind", "The kind of the twin, as the case names it."),
            shared.NUMBERS,
            numbers("power_numbers", "The numbers of the sentence about power."),
            text("untested", "Why nobody is tested; empty where somebody is."),
            text("test_scale", "The scale on which models are tested; empty where a line fits on none."),
        ),
        ("twin_id",),
        Sharing.ABOUT_TWIN,
    ),
    _of_twin(
        "twin_power",
        "a simulated leak on a twin",
        (
            shared.TWIN_ID,
            percent("share", "The share of items that leaked."),
            count("leaked", "How many models were made to leak."),
            count("models", "Of how many."),
            probability("power", "The share of the leaks that was flagged."),
            percent("false", "The share of the flags that was false."),
            count("runs", "Simulations."),
        ),
        ("twin_id", "share", "leaked"),
        Sharing.ABOUT_TWIN,
    ),
    _of_twin(
        "twin_group",
        "a group of models on a twin",
        (
            shared.TWIN_ID,
            text("grouping", "What models are grouped by: organisation, weights or family."),
            text("group", "The group."),
            shared.N_MODELS,
            points("mean_residual", "Mean residual of its models."),
            points("shrunk", "The same, drawn towards all groups by its uncertainty."),
            *interval(points),
        ),
        ("twin_id", "grouping", "group"),
        Sharing.OF_TWIN,
    ),
    _of_twin(
        "twin_age",
        "models of an age on a twin",
        (
            shared.TWIN_ID,
            text("clock", "What age is counted by."),
            place("at", "The year, or the years since the original."),
            shared.N_MODELS,
            points("gap", "Mean of original less other among them."),
            *interval(points),
        ),
        ("twin_id", "clock", "at"),
        Sharing.ABOUT_TWIN,
    ),
    _of_twin(
        "twin_robustness",
        "a model, in one setting, on a twin under another distribution",
        (
            *shared.columns("twin_id model_id setting"),
            _ORIGINAL,
            _OTHER,
            points("expected", "The score on the twin that the line on the probit scale gives."),
            points("robustness", "Score on the twin less what is expected."),
        ),
        ("twin_id", "model_id", "setting"),
        Sharing.SCORES_OF_TWIN,
    ),
    Table(
        "transfer",
        "two benchmarks: whether one orders models as the other",
        (
            _ORIGINAL_ID,
            _OTHER_ID,
            shared.N_MODELS,
            number("kendall_tau", "Agreement of the two orders, -1 to 1; of a twin its own.", label="Kendall's tau"),
            *interval(number),
        ),
        ("original_id", "other_id"),
        Sharing.ITS_OWN,
    ),
)
"""Tables of twins, and of other pairs of benchmarks."""
