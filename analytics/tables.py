"""The tables of a published generation and the facts behind them: the one definition of every schema.

Instants are naive UTC. Scores named `score` are fractions of the metric's unit where it is bounded (percent / 100)
and plain numbers where it is not (ratings); `score_published` is the number in the unit the source prints.
On the linear scale of a twin `gap`, `intercept` and all scores, residuals and errors of `twin_residual` are in points
(hundredths of the unit), so that `expected` is `intercept + slope * original` as printed.
"""

from collections.abc import Mapping

import polars as pl

TEXT = pl.String()
NUMBER = pl.Float64()
COUNT = pl.Int64()
FLAG = pl.Boolean()
DAY = pl.Date()
INSTANT = pl.Datetime("us")
TEXTS = pl.List(pl.String())


def _schema(**columns: pl.DataType) -> pl.Schema:
    return pl.Schema(columns)


PUBLISHED: Mapping[str, pl.Schema] = {
    "benchmark": _schema(
        benchmark_id=TEXT,
        name=TEXT,
        domain=TEXT,
        modality=TEXT,
        metric=TEXT,
        higher_is_better=FLAG,
        unit=TEXT,
        floor=NUMBER,
        ceiling=NUMBER,
        ceiling_basis=TEXT,
        human=NUMBER,
        n_items=COUNT,
        released_on=DAY,
        labels=TEXT,
        refresh=TEXT,
        paper_url=TEXT,
        curated=FLAG,
    ),
    "model": _schema(model_id=TEXT, name=TEXT, organisation=TEXT, released_on=DAY, open_weights=FLAG),
    "alias": _schema(source_id=TEXT, published_name=TEXT, model_id=TEXT, setting=TEXT),
    "source": _schema(
        source_id=TEXT,
        title=TEXT,
        homepage=TEXT,
        licence=TEXT,
        redistributable=FLAG,
        cadence=TEXT,
        last_observed_at=INSTANT,
        last_fetched_at=INSTANT,
        status=TEXT,
    ),
    "snapshot": _schema(
        snapshot_id=TEXT,
        source_id=TEXT,
        board_id=TEXT,
        observed_at=INSTANT,
        fetched_at=INSTANT,
        url=TEXT,
        ref=TEXT,
        sha256=TEXT,
        rows_in=COUNT,
        rows_kept=COUNT,
        rows_rejected=COUNT,
    ),
    "result": _schema(
        snapshot_id=TEXT,
        benchmark_id=TEXT,
        model_id=TEXT,
        setting=TEXT,
        reporter=TEXT,
        score=NUMBER,
        score_published=NUMBER,
        std_error=NUMBER,
        n_items=COUNT,
        dated_on=DAY,
        date_basis=TEXT,
        source_row=TEXT,
    ),
    "rejection": _schema(snapshot_id=TEXT, source_row=TEXT, reason=TEXT, published=TEXT),
    "breakpoint": _schema(board_id=TEXT, on_date=DAY, kind=TEXT, note=TEXT, source_url=TEXT),
    "contamination_report": _schema(
        benchmark_id=TEXT,
        subject=TEXT,
        subject_kind=TEXT,
        split=TEXT,
        share=NUMBER,
        method=TEXT,
        reference_url=TEXT,
    ),
    "frontier": _schema(benchmark_id=TEXT, dated_on=DAY, score=NUMBER, model_id=TEXT, carried=FLAG),
    "rank": _schema(
        board_id=TEXT,
        observed_at=INSTANT,
        model_id=TEXT,
        rank=COUNT,
        rank_low=COUNT,
        rank_high=COUNT,
        score=NUMBER,
    ),
    "churn": _schema(
        board_id=TEXT,
        from_on=DAY,
        to_on=DAY,
        k=COUNT,
        entered=COUNT,
        left=COUNT,
        renamed=COUNT,
        turnover=NUMBER,
        kendall_tau=NUMBER,
        rbo=NUMBER,
        expected_turnover=NUMBER,
        spans_breakpoint=FLAG,
    ),
    "twin": _schema(
        twin_id=TEXT,
        original_id=TEXT,
        other_id=TEXT,
        kind=TEXT,
        scale=TEXT,
        n_models=COUNT,
        gap=NUMBER,
        slope=NUMBER,
        slope_low=NUMBER,
        slope_high=NUMBER,
        intercept=NUMBER,
        r2=NUMBER,
        kendall_tau=NUMBER,
        kendall_tau_top=NUMBER,
    ),
    "twin_residual": _schema(
        twin_id=TEXT,
        model_id=TEXT,
        original=NUMBER,
        other=NUMBER,
        expected=NUMBER,
        residual=NUMBER,
        std_error=NUMBER,
        p_value=NUMBER,
        q_value=NUMBER,
        flagged=FLAG,
    ),
    "twin_gap": _schema(
        twin_id=TEXT,
        source_id=TEXT,
        other_source_id=TEXT,
        test=TEXT,
        note=TEXT,
        source_url=TEXT,
        gap=NUMBER,
        gap_error=NUMBER,
        scale=TEXT,
        slope=NUMBER,
        slope_low=NUMBER,
        slope_high=NUMBER,
        noise=NUMBER,
        fading_p=NUMBER,
        per_year=NUMBER,
        per_year_low=NUMBER,
        per_year_high=NUMBER,
        cause=TEXT,
        sentence=TEXT,
        detectable=NUMBER,
        power10=NUMBER,
        power30=NUMBER,
        power_sentence=TEXT,
    ),
    "twin_group": _schema(
        twin_id=TEXT,
        grouping=TEXT,
        group=TEXT,
        n_models=COUNT,
        mean_residual=NUMBER,
        shrunk=NUMBER,
        low=NUMBER,
        high=NUMBER,
    ),
    "twin_age": _schema(twin_id=TEXT, clock=TEXT, at=COUNT, n_models=COUNT, gap=NUMBER, low=NUMBER, high=NUMBER),
    "twin_robustness": _schema(
        twin_id=TEXT,
        model_id=TEXT,
        setting=TEXT,
        original=NUMBER,
        other=NUMBER,
        expected=NUMBER,
        robustness=NUMBER,
    ),
    "transfer": _schema(original_id=TEXT, other_id=TEXT, n_models=COUNT, kendall_tau=NUMBER, low=NUMBER, high=NUMBER),
    "stability": _schema(
        board_id=TEXT,
        n_models=COUNT,
        n_tasks=COUNT,
        diversity=NUMBER,
        ordinal_sensitivity=NUMBER,
        cardinal_sensitivity=NUMBER,
        flips=COUNT,
    ),
    "capability": _schema(model_id=TEXT, score=NUMBER, low=NUMBER, high=NUMBER, n_benchmarks=COUNT),
    "difficulty": _schema(benchmark_id=TEXT, difficulty=NUMBER, slope=NUMBER),
    "forecast": _schema(
        benchmark_id=TEXT,
        made_on=DAY,
        target_on=DAY,
        method=TEXT,
        median=NUMBER,
        low80=NUMBER,
        high80=NUMBER,
    ),
    "forecast_skill": _schema(
        method=TEXT,
        horizon_months=COUNT,
        n=COUNT,
        mae=NUMBER,
        skill_vs_persistence=NUMBER,
        skill_vs_drift=NUMBER,
        coverage80=NUMBER,
    ),
    "survival": _schema(cohort=TEXT, months=NUMBER, share=NUMBER, low=NUMBER, high=NUMBER, at_risk=COUNT, events=COUNT),
    "indicator": _schema(
        benchmark_id=TEXT,
        indicator=TEXT,
        value=NUMBER,
        low=NUMBER,
        high=NUMBER,
        n=COUNT,
        status=TEXT,
        reason=TEXT,
        as_of=DAY,
    ),
    "verdict": _schema(benchmark_id=TEXT, stage=TEXT, flags=TEXTS, reasons=TEXTS, rules_version=TEXT, as_of=DAY),
    "reproduction": _schema(
        claim_id=TEXT,
        claim=TEXT,
        published=NUMBER,
        computed=NUMBER,
        tolerance=NUMBER,
        holds=FLAG,
        source_url=TEXT,
    ),
    "reproduction_detail": _schema(claim_id=TEXT, area=TEXT, statement=TEXT, unit=TEXT, why=TEXT),
    "goodhart": _schema(
        measure=TEXT,
        subject_kind=TEXT,
        subject=TEXT,
        year=COUNT,
        on_date=DAY,
        value=NUMBER,
        low=NUMBER,
        high=NUMBER,
        n=COUNT,
        status=TEXT,
        reason=TEXT,
    ),
    "contamination_risk": _schema(
        benchmark_id=TEXT,
        model_id=TEXT,
        rung=TEXT,
        level=TEXT,
        value=NUMBER,
        low=NUMBER,
        high=NUMBER,
        p_value=NUMBER,
        q_value=NUMBER,
        detectable=NUMBER,
        n=COUNT,
        status=TEXT,
        reason=TEXT,
        source_url=TEXT,
    ),
    "contamination_calibration": _schema(
        rung=TEXT,
        truth=TEXT,
        leak=NUMBER,
        n=COUNT,
        flagged=NUMBER,
        low=NUMBER,
        high=NUMBER,
    ),
    "run": _schema(run_id=TEXT, started_at=INSTANT, ended_at=INSTANT, command=TEXT, status=TEXT, detail=TEXT),
}
"""Every table of a published generation: name to schema. Outsiders rely on names, order and types."""

DERIVED = (
    "frontier",
    "rank",
    "churn",
    "twin",
    "twin_residual",
    "twin_gap",
    "twin_group",
    "twin_age",
    "twin_robustness",
    "transfer",
    "stability",
    "capability",
    "difficulty",
    "forecast",
    "forecast_skill",
    "survival",
    "goodhart",
    "contamination_risk",
    "contamination_calibration",
    "indicator",
    "verdict",
    "reproduction",
    "reproduction_detail",
)
"""The published tables that `analytics.assess` computes; all others are facts that the warehouse holds."""

STAGES = ("unknown", "emerging", "discriminating", "compressing", "saturated")
FLAGS = ("dormant", "contaminated", "gap", "unstable", "self_reported", "stale")
STATUSES = ("ok", "insufficient", "not_applicable")
DATE_BASES = ("evaluation", "submission", "model_release", "paper", "snapshot")
NO_MODEL = "not a model: "
"""How the setting of a published result begins that is a baseline (human, random, cheating) and is never ranked."""
REPORTERS = ("self", "third_party")


def empty(table: str) -> pl.DataFrame:
    """The published table of that name with no rows."""
    return pl.DataFrame(schema=PUBLISHED[table])
