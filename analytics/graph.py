"""The derived tables as a graph: each is one entry with its function, whose parameters name its inputs.

`analytics.described` prints it. What can run at the same time follows from the inputs alone.
"""

from collections.abc import Mapping
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics import steps
from benchhealth.analytics.aging.events import life_events
from benchhealth.analytics.aging.hazards import hazards
from benchhealth.analytics.aging.item_age import item_age
from benchhealth.analytics.aging.lives import life_table, lives
from benchhealth.analytics.aging.map_months import map_months
from benchhealth.analytics.aging.stock import life_years, stage_stock, standstill_curve, standstills
from benchhealth.analytics.aging.survival import survival
from benchhealth.analytics.answers.cases import AssessedTables
from benchhealth.analytics.answers.desk.table import decisions
from benchhealth.analytics.answers.instead import alternative_table, reservation_table, standing_of
from benchhealth.analytics.answers.table import answer_table
from benchhealth.analytics.capability.cells import cells
from benchhealth.analytics.capability.table import first_seen_of, stitch
from benchhealth.analytics.change.changes import change_table
from benchhealth.analytics.change.dated import dated_changes
from benchhealth.analytics.change.previous import Previous
from benchhealth.analytics.churn.board_card import board_cards
from benchhealth.analytics.churn.census import order_census
from benchhealth.analytics.churn.churn import churn
from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.churn.rank import lead_changes, ranks, tied_first
from benchhealth.analytics.contamination.declared_leakage import declared_leakage
from benchhealth.analytics.contamination.table import ladder, rung_inputs
from benchhealth.analytics.corroboration.field import claim_checks
from benchhealth.analytics.corroboration.running_bests import by_others, reporter_frontiers
from benchhealth.analytics.corroboration.standing_results import standing_results
from benchhealth.analytics.corroboration.table import corroboration
from benchhealth.analytics.forecast.held import forecast_held
from benchhealth.analytics.forecast.record import forecast_backcast, forecast_record
from benchhealth.analytics.forecast.series import known_results
from benchhealth.analytics.forecast.table import forecasts
from benchhealth.analytics.goodhart.table import goodhart
from benchhealth.analytics.indicators import estimate_free_rows, with_estimated
from benchhealth.analytics.items.design_effects import design_effects
from benchhealth.analytics.items.table import item_tables
from benchhealth.analytics.measurers.blind_spots import blind_spots
from benchhealth.analytics.measurers.differing_numbers import differing_numbers
from benchhealth.analytics.measurers.numbers import standing_numbers
from benchhealth.analytics.measurers.order_rerun import order_reruns
from benchhealth.analytics.measurers.parties import measuring_parties
from benchhealth.analytics.models.position import positions
from benchhealth.analytics.models.summary import summaries
from benchhealth.analytics.multi_task.boards import multi_task_boards
from benchhealth.analytics.multi_task.stability import diversities, first_places, stability_of, task_scores
from benchhealth.analytics.record.baselines import baselines, with_baselines
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.breakpoints import broken, propose, with_proposals
from benchhealth.analytics.record.by_item.clusters import item_clusters
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.conditions.histories import curves, histories
from benchhealth.analytics.record.conditions.references import references
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier
from benchhealth.analytics.record.happened.incidents import incidents
from benchhealth.analytics.record.likely_aliases import likely_aliases
from benchhealth.analytics.record.lineages.handovers import breakpoints
from benchhealth.analytics.record.lineages.undecided import looks_until, stopped, undecided
from benchhealth.analytics.record.looks import known_benchmarks, known_sources, looks
from benchhealth.analytics.record.model_facts.reconcile import conflicts
from benchhealth.analytics.record.names.claimed_aliases import claimed_aliases
from benchhealth.analytics.record.origins.copies import copies
from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.renewal.table import static_dynamic
from benchhealth.analytics.reproduction import details, left_out
from benchhealth.analytics.saturation.attention import attention
from benchhealth.analytics.saturation.known_top import published_tops
from benchhealth.analytics.saturation.weights import weights_frontier, weights_lag, weights_steps
from benchhealth.analytics.schedule import Entry, Field
from benchhealth.analytics.twins.pairs import transfers
from benchhealth.analytics.twins.tables import reruns, twin_tables
from benchhealth.analytics.verdict.ceilings import condition_headroom, judged_raw, raw_evidence
from benchhealth.analytics.verdict.history import history_by_date
from benchhealth.analytics.verdict.known_then.ledger import verdict_history, verdicts_then
from benchhealth.analytics.verdict.known_then.revisions import revision_counts, revisions
from benchhealth.analytics.verdict.known_then.stated import stated_verdicts
from benchhealth.analytics.verdict.probability.calibration import stage_calibration
from benchhealth.analytics.verdict.probability.table import stage_probabilities, with_probability
from benchhealth.analytics.verdict.replay import replay
from benchhealth.analytics.verdict.since import with_since
from benchhealth.analytics.verdict.threshold_stability import stabilities
from benchhealth.analytics.verdict.verdict import judge, reasons, rule_outcomes, sides_before

_DRAWS = (
    "churn",
    "capability",
    "forecast",
    "goodhart",
    "leakage",
    "twin",
    "stability",
    "renewal",
    "probability",
    "calibration",
    "items",
)

GIVEN: Mapping[str, type] = {
    "frames": Frames,
    "as_of": date,
    "previous": Previous,
    "issued": pl.DataFrame,
    "verdicts_issued": pl.DataFrame,
    "forecasts_backcast": pl.DataFrame,
    **{f"{what}_rng": np.random.Generator for what in _DRAWS},
}
"""What an assessment starts from: the facts, the day, what the generation before said, the forecasts and the verdicts
that were issued, and a random generator for each entry that draws numbers."""


def _fields(entry_name: str, *names: str) -> tuple[Entry, ...]:
    """Steps that one function computes together, each under its own name."""
    return tuple(Entry(name, Field(entry_name, name)) for name in names)


def _tables_of(entry_name: str) -> tuple[Entry, ...]:
    """The published tables that are declared as a field of this entry."""
    declared = ((name, *table.made_by.partition(".")) for name, table in TABLES.items())
    return tuple(
        Entry(name, Field(entry_name, field)) for name, entry, _, field in declared if field and entry == entry_name
    )


ENTRIES: tuple[Entry, ...] = (
    # `schedule.run` begins what the longest chain of others waits for; of equal ones what stands first here
    Entry("design_effect", design_effects),
    Entry("twins", twin_tables),
    # the record: what is listed, what was, and where a board's measurement changed
    *_fields("frames", "model", "model_claim", "result", "snapshot", "contamination_report", "mention", "kept_out"),
    Entry("fact_conflict", conflicts),
    Entry("known_facts", benchmark_facts),
    Entry("baseline", baselines),
    Entry("benchmark_facts", with_baselines),
    Entry("reference", references),
    Entry("copy", copies),
    Entry("every_history", histories),
    Entry("boards", boards),
    *_tables_of("boards"),
    Entry("decided", breakpoints),
    Entry("curated_breakpoint", broken),
    Entry("proposals", propose),
    Entry("breakpoint", with_proposals),
    Entry("incident", incidents),
    Entry("undecided", undecided),
    Entry("histories", stopped),
    *_fields("histories", "edits", "mixed", "history", "reported", "ratings", "competitors"),
    Entry("leaderboard", steps.current_leaderboard),
    Entry("every_look", looks),
    Entry("looks", looks_until),
    *_tables_of("looks"),
    Entry("known_until", Field("looks", "benchmark")),
    Entry("benchmark", known_benchmarks),
    Entry("source", known_sources),
    Entry("frontier_steps", frontier),
    Entry("frontier", steps.published_frontier),
    Entry("condition_frontier", curves),
    Entry("standing", standing_results),
    Entry("corroboration", corroboration),
    Entry("reporter_frontier", reporter_frontiers),
    Entry("claim_check", claim_checks),
    Entry("by_others", by_others),
    Entry("weights_steps", weights_steps),
    Entry("weights_frontier", weights_frontier),
    Entry("weights_lag", weights_lag),
    Entry("published_top", published_tops),
    Entry("items", item_results),
    Entry("item_clusters", item_clusters),
    Entry("item_tables", item_tables),
    *_tables_of("item_tables"),
    Entry("likely_alias", likely_aliases),
    Entry("claimed_alias", claimed_aliases),
    # churn
    Entry("rank", ranks),
    Entry("tied_first", tied_first),
    Entry("marked_frames", steps.with_breakpoints),
    Entry("churn", churn),
    Entry("lead", lead_changes),
    Entry("dwell", dwell),
    Entry("volatility", volatility),
    # twins
    *_tables_of("twins"),
    Entry("rerun", reruns),
    Entry("transfer", transfers),
    # boards of many tasks
    Entry("multi_task_boards", multi_task_boards),
    Entry("stability", stability_of),
    Entry("first_place", first_places),
    Entry("task_score", task_scores),
    Entry("diversity", diversities),
    Entry("board_card", board_cards),
    Entry("order_census", order_census),
    # capability
    Entry("cells", cells),
    Entry("first_seen", first_seen_of),
    Entry("stitched", stitch),
    *_tables_of("stitched"),
    # models
    Entry("position", positions),
    Entry("model_position", summaries),
    # who measures
    Entry("standing_numbers", standing_numbers),
    Entry("measuring_party", measuring_parties),
    Entry("blind_spot", blind_spots),
    Entry("order_rerun", order_reruns),
    Entry("differing_number", differing_numbers),
    # forecast
    Entry("dated", known_results),
    Entry("forecasts", forecasts),
    *_tables_of("forecasts"),
    Entry("judge", Field("forecasts", "judge")),
    Entry("forecast_record", forecast_record),
    Entry("forecast_backcast", forecast_backcast),
    Entry("forecast_held", forecast_held),
    # what indicators read
    Entry("evidence", steps.evidence_of),
    Entry("broken_frames", steps.with_curated_breakpoints),
    Entry("goodhart", goodhart),
    Entry("rung_inputs", rung_inputs),
    Entry("ladder", ladder),
    *_tables_of("ladder"),
    Entry("declared_leakage", declared_leakage),
    Entry("item_age", item_age),
    # indicators and verdicts
    Entry("attention", attention),
    Entry("observed_indicator", estimate_free_rows),
    Entry("full_evidence", steps.with_estimates),
    Entry("indicator", with_estimated),
    Entry("thresholds", steps.default_thresholds),
    Entry("replayed", replay),
    Entry("sides_before", sides_before),
    Entry("ruled", rule_outcomes),
    Entry("bare_verdict", judge),
    Entry("stage_probability", stage_probabilities),
    Entry("judged", with_probability),
    Entry("stage_calibration", stage_calibration),
    Entry("verdict_reason", reasons),
    Entry("verdict_stability", stabilities),
    Entry("history_by_date", history_by_date),
    Entry("stated", stated_verdicts),
    Entry("verdicts_then", verdicts_then),
    Entry("verdict_history", verdict_history),
    Entry("verdict_revision", revisions),
    Entry("verdict_revision_count", revision_counts),
    Entry("verdict", with_since),
    # aging
    Entry("map_month", map_months),
    Entry("lives", lives),
    Entry("life", life_table),
    Entry("life_event", life_events),
    Entry("stage_stock", stage_stock),
    Entry("life_year", life_years),
    Entry("standstill", standstills),
    Entry("standstill_curve", standstill_curve),
    Entry("survival", survival),
    Entry("hazard", hazards),
    Entry("static_dynamic", static_dynamic),
    Entry("assessed", AssessedTables),
    Entry("benchmark_standing", standing_of),
    Entry("alternative", alternative_table),
    Entry("reservation", reservation_table),
    Entry("answer", answer_table),
    Entry("decision", decisions),
    Entry("raw_evidence", raw_evidence),
    Entry("raw", judged_raw),
    Entry("condition_headroom", condition_headroom),
    # reproduction
    Entry("reproduction", steps.reproduced_claims),
    Entry("reproduction_detail", details),
    Entry("left_out", left_out),
    # what changed: by day, and against the generation before
    Entry("dated_change", dated_changes),
    Entry("change", change_table),
)
"""Every step from the facts to the derived tables; a name that is no published table is computed on the way."""
