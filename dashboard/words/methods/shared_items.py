"""What was found of the methods about models that answer the same items: coverage by simulation, effects on errors."""

from collections.abc import Mapping
from typing import Any

from benchhealth.analytics.churn.coverage import CLUSTERED_COVERAGE, Coverage
from benchhealth.analytics.saturation.leader import CONTENDERS, SHARED_COVERAGE
from benchhealth.dashboard.words.items.clusters import cluster_count, cluster_of
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, listed, markdown

OF_THE_LEADER = frozenset({"headroom", "headroom_of_ceiling", "human_margin"})
"""The indicators whose interval has the coverage that `leader_coverage` prints."""


OVER_CLUSTERS = frozenset({"clustered", "board_cards"})
"""The methods whose intervals have the coverage that `clustered_coverage` prints."""


def clustered_coverage() -> str:
    """What was simulated over clusters of items, as a table in markdown with a line for each shape of a board."""
    lines = [
        f"| {simulation.board} | {simulation.models:,} x {simulation.items:,} in "
        f"{simulation.clusters:,}{'*' if simulation.is_made_up else ''} | "
        f"{simulation.boards:,} | {_share(simulation, simulation.equal)} | {_share(simulation, simulation.apart)} | "
        f"{_share(simulation, simulation.first_two)} |"
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


def _share(simulation: Coverage, share: float) -> str:
    return f"{share:.3f} ± {simulation.standard_error(share):.3f}"


def effect_sentence(row: Mapping[str, Any]) -> str:
    """What shared items did on one test, a row of `design_effect` with the name of its benchmark, in markdown."""
    over_clusters = ""
    if row["clusters"] is not None:
        over_clusters = (
            f" ({row['cluster_ratio']:.2f} over {cluster_count(row['clusters'], cluster_of(row['source_id']))})"
        )
    return (
        f"**{markdown(row['name'] or row['benchmark_id'])}**, {row['n_items']:,} items, "
        f"{count(row['n_runs'], 'run')}, {day_of(row['observed_on'])}: what two runs did correlates by "
        f"{row['correlation']:.2f}, differences have {row['variance_ratio']:.2f} of the variance of independent ones"
        f"{over_clusters}, variance of the items' slopes {row['slope_spread']:.2f}; {row['apart_paired']} of "
        f"{row['pairs']} "
        f"pairs apart item by item, {row['apart_unpaired']} as if independent."
    )


def leader_coverage() -> str:
    """The simulated coverage of the leader's interval, by test and by the correlation of errors."""
    cases = [
        f"on {items:,} items of which they solve {share:.0%}, in "
        f"{listed([f'{level:.2f} of cases where errors correlate by {correlation:g}' for correlation, level in pairs])}"
        for (items, share), pairs in SHARED_COVERAGE.items()
    ]
    return (
        "Errors of models count as independent, and those of models that answer the same items are alike. Of "
        f"{CONTENDERS} equally good models the interval holds the leader's true score, {'; '.join(cases)}; 0.95 is "
        "promised (simulated)."
    )
