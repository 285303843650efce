"""How far claims run ahead: the share of makers' records that others confirmed, by year, domain or maker."""

import polars as pl

from benchhealth.analytics.corroboration.field import CONFIRMED_SHARE, OTHER, TESTED_SHARE
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, one_of
from benchhealth.dashboard.widgets.provenance import everywhere
from benchhealth.dashboard.words.domains import NAMES, group_name
from benchhealth.dashboard.words.numbers import percent, percent_interval
from benchhealth.dashboard.words.prose.corroboration import field_claims_sentence, field_title
from benchhealth.dashboard.words.text import known_at_latest, plotly

BY = {"year": "By year", "domain": "By domain", "maker": "By maker"}
CONFIRMED = Mark("confirmed by others")
TESTED = Mark("measured by others, whatever came of it", "tested", None, None, "diamond-open", "ink3")


def checks(view: View, params: Params) -> pl.DataFrame:
    """The rows of a grouping (default: all of them): `claim_check`."""
    rows = view.table("claim_check")
    return rows.filter(subject_kind=one_of(params, "claims", tuple(BY))) if params.get("claims") else rows


CHECKS = PublishedTable("claim-check", checks)


def _chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    grouping, until = params.get("claims") or next(iter(BY)), last_known(view)
    all_checks = checks(view, {})
    overall = {row["measure"]: row for row in all_checks.filter(pl.col("subject_kind") == "all").iter_rows(named=True)}
    if not overall or overall[CONFIRMED_SHARE]["value"] is None:
        return Nothing("No share can be given.", "It takes records of curated benchmarks that makers report.")
    rows = checks(view, {"claims": grouping})
    tested = rows.filter(pl.col("measure") == TESTED_SHARE).select("subject", tested="value")
    drawn = (
        rows.filter(pl.col("measure") == CONFIRMED_SHARE)
        .join(tested, on="subject", how="left", maintain_order="left")
        .with_columns(last=pl.col("subject") == OTHER, name=pl.format("{} ({})", pl.col("subject").replace(NAMES), "n"))
        .sort("last", "subject")
        .drop("last")
    )
    hovers = [
        f"<b>{plotly(group_name(row['subject']))}</b>, {row['n']:,} records<br>confirmed {percent(row['value'])} "
        f"({percent_interval(row['low'], row['high'])}), measured by others {percent(row['tested'])}"
        for row in drawn.iter_rows(named=True)
    ]
    return Chart(
        title=field_title(overall),
        subtitle=(
            f"Steps of the best score of curated benchmarks{known_at_latest(until)}: {field_claims_sentence(overall)}. "
            "Filled: share confirmed, with 95% intervals; open: share that others measured at all. In brackets the "
            "number of records; those with fewer than ten are together. That nobody measured says nothing of a score."
        ),
        figure=forest(drawn, (CONFIRMED, TESTED), hovers, palette, axis="", span=(-0.02, 1.02), form=".0%"),
        rows=drawn,
        alt=f"The share of makers' records that others confirmed, by {grouping}, with 95% intervals.",
        known_until=until,
    )


CLAIMS = ChartSpec("claims", _chart, ("claims",), method="corroboration", sources=everywhere)
