"""The published tables about twins: see `analytics.twins`.

On the linear scale of a twin `gap`, `intercept` and all scores, residuals and errors of `twin_residual` are in points
(hundredths of the unit). `expected` lies on the line through the models that are not off it, not on that of `twin`.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, FLAG, NUMBER, NUMBERS, TEXT, schema

TWIN_TABLES: Mapping[str, pl.Schema] = {
    "twin": schema(
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
    "twin_residual": schema(
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
    "twin_gap": schema(
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
        families=COUNT,
        slope_basis=TEXT,
        design_effect=NUMBER,
        case=TEXT,
        kind=TEXT,
        numbers=NUMBERS,
        power_numbers=NUMBERS,
    ),
    "twin_power": schema(
        twin_id=TEXT,
        share=NUMBER,
        leaked=COUNT,
        models=COUNT,
        power=NUMBER,
        false=NUMBER,
        runs=COUNT,
    ),
    "twin_group": schema(
        twin_id=TEXT,
        grouping=TEXT,
        group=TEXT,
        n_models=COUNT,
        mean_residual=NUMBER,
        shrunk=NUMBER,
        low=NUMBER,
        high=NUMBER,
    ),
    "twin_age": schema(twin_id=TEXT, clock=TEXT, at=COUNT, n_models=COUNT, gap=NUMBER, low=NUMBER, high=NUMBER),
    "twin_robustness": schema(
        twin_id=TEXT,
        model_id=TEXT,
        setting=TEXT,
        original=NUMBER,
        other=NUMBER,
        expected=NUMBER,
        robustness=NUMBER,
    ),
    "transfer": schema(original_id=TEXT, other_id=TEXT, n_models=COUNT, kendall_tau=NUMBER, low=NUMBER, high=NUMBER),
}
"""Name to schema, as in `DERIVED_TABLES`."""
