"""Methods about models that answer the same items and come in families: anchor, title, formula, function."""

from collections.abc import Callable, Mapping
from typing import Any

from benchhealth.analytics.churn.card import board_cards
from benchhealth.analytics.churn.census import order_census
from benchhealth.analytics.churn.coverage import CLUSTERED_COVERAGE, Coverage
from benchhealth.analytics.difference.two_scores import difference
from benchhealth.analytics.items.counts import none_by_guessing
from benchhealth.analytics.items.design_effects import design_effects
from benchhealth.analytics.items.discrimination import share_in_rasch_worlds
from benchhealth.analytics.items.patterns import patterns
from benchhealth.analytics.items.subsets import of_subsets
from benchhealth.analytics.items.wrong_keys import agreement
from benchhealth.analytics.measurers.order_rerun import order_reruns
from benchhealth.analytics.saturation.leader import CONTENDERS, SHARED_COVERAGE
from benchhealth.analytics.statistics.item_response.two_parameter import Items, fit_drawn
from benchhealth.analytics.statistics.units.clustered_mean import clustered_variances
from benchhealth.analytics.statistics.units.least_p import carried
from benchhealth.analytics.statistics.units.line import slope_spread
from benchhealth.analytics.statistics.units.paired import difference_variances
from benchhealth.analytics.statistics.units.rank_sets import joint_critical_value
from benchhealth.analytics.statistics.units.settling import items_to_settle, recount_margin
from benchhealth.analytics.statistics.units.ties import first_chances, tiers
from benchhealth.analytics.twins.gap import fading_p
from benchhealth.analytics.twins.uncertainty import twin_line
from benchhealth.dashboard.words.items.clusters import cluster_of, counted
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, listed, markdown

SHARED_ITEMS: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    (
        "paired",
        "Models that answered the same items",
        r"\mathrm{Var}(a-b) = \mathrm{Var}(a) + \mathrm{Var}(b) - 2\,\mathrm{Cov}(a,b)",
        difference_variances,
    ),
    ("clustered", "Items that come in clusters", None, clustered_variances),
    ("difference", "Whether two scores differ", None, difference),
    ("joint_ranks", "Ranks of all models at once", None, joint_critical_value),
    ("tiers", "Tiers of a board", None, tiers),
    ("board_cards", "Who is tied, and what would settle it", None, board_cards),
    ("order_census", "How much of the printed order exists", None, order_census),
    ("order_rerun", "Whether a second measurement gives the same order", None, order_reruns),
    ("first_chances", "Who would be first again", r"H = -\sum_i p_i \log_2 p_i", first_chances),
    ("items_to_settle", "Items that would settle it", r"n = z^2\,\sigma^2 / d^2", items_to_settle),
    ("recount_margin", "How much grading decides", r"\lceil d\,n \rceil", recount_margin),
    ("items_solved", "How many models solve each item", r"n\,(1-c)^m", none_by_guessing),
    ("two_parameters", "Difficulty and discrimination of items", r"c + (1-c)/(1+e^{-(a\theta+d)})", fit_drawn),
    (
        "items_information",
        "How sharply a test distinguishes neighbours",
        r"\sum_i P_i'^2/(P_i(1-P_i))",
        Items.information,
    ),
    ("wrong_keys", "Items whose key may be wrong", None, agreement),
    ("against_ability", "Items that run against ability", None, share_in_rasch_worlds),
    ("patterns", "Patterns of answers that fit badly", None, patterns),
    ("subsets", "Whether fewer items keep the order", None, of_subsets),
    ("design_effects", "What shared items do to errors", None, design_effects),
    ("slope_spread", "How steep items are", None, slope_spread),
    ("twin_line", "How sure a twin's slope is", None, twin_line),
    ("fading", "Whether gains fade on the twin", None, fading_p),
    ("carried", "What few independent units can show", r"p \ge 2^{-n}", carried),
)

OF_THE_LEADER = frozenset({"headroom", "headroom_of_ceiling", "human_margin"})
"""The indicators whose interval has the coverage that `leader_coverage` prints."""


OVER_CLUSTERS = frozenset({"clustered", "board_cards"})
"""The methods whose intervals have the coverage that `clustered_coverage` prints."""


def clustered_coverage() -> str:
    """What was simulated over clusters of items, as a table in markdown with a line for each shape of a board."""
    lines = [
        f"| {simulation.board} | {simulation.models:,} x {simulation.items:,} in "
        f"{simulation.clusters:,}{'*' if simulation.is_made_up else ''} | "
        f"{simulation.boards:,} | {_held(simulation, simulation.equal)} | {_held(simulation, simulation.apart)} | "
        f"{_held(simulation, simulation.first_two)} |"
        for simulation in CLUSTERED_COVERAGE
    ]
    made_up = listed([simulation.board for simulation in CLUSTERED_COVERAGE if simulation.is_made_up])
    return "\n".join(
        [
            "**Do they hold?** On simulated boards of the shapes of the ten largest real ones, answers missing: how "
            "often all sets of ranks hold at once over clusters of items, for equally good models and for models "
            "evenly apart, and the interval of the first two's difference, in the worse of both. 0.95 is promised; "
            "after ± one standard error.",
            "",
            "| Board | Models x items in clusters | Simulated | All sets, equal | All sets, apart | First two |",
            "| --- | --- | --- | --- | --- | --- |",
            *lines,
            "",
            f"\\* Clusters of {made_up} are made up: arenas publish ratings by kinds of prompts that overlap, and no "
            "votes; the forecasting board publishes two sets of questions, fewer than an interval takes.",
        ]
    )


def _held(simulation: Coverage, share: float) -> str:
    return f"{share:.3f} ± {simulation.standard_error(share):.3f}"


def effect_sentence(row: Mapping[str, Any]) -> str:
    """What shared items did on one test, a row of `design_effect` with the name of its benchmark, in markdown."""
    over_clusters = ""
    if row["clusters"] is not None:
        over_clusters = f" ({row['cluster_ratio']:.2f} over {counted(row['clusters'], cluster_of(row['source_id']))})"
    return (
        f"**{markdown(row['name'] or row['benchmark_id'])}**, {row['n_items']:,} items, "
        f"{count(row['n_runs'], 'run')}, {day_of(row['observed_on'])}: what two runs did correlates by "
        f"{row['correlation']:.2f}, differences have {row['variance_ratio']:.2f} of the variance of independent ones"
        f"{over_clusters}, variance of the items' slopes {row['slope_spread']:.2f}; {row['apart_paired']} of "
        f"{row['pairs']} "
        f"pairs apart item by item, {row['apart_unpaired']} as if independent."
    )


def leader_coverage() -> str:
    """What was simulated, by test and by the correlation of errors."""
    cases = [
        f"on {items:,} items of which they solve {share:.0%}, in "
        f"{listed([f'{held:.2f} of cases where errors correlate by {correlation:g}' for correlation, held in by])}"
        for (items, share), by in SHARED_COVERAGE.items()
    ]
    return (
        "Errors of models count as independent, and those of models that answer the same items are alike. Of "
        f"{CONTENDERS} equally good models the interval holds the leader's true score, {'; '.join(cases)}; 0.95 is "
        "promised (simulated)."
    )
