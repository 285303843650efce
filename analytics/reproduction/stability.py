"""Claims about multi-task boards: their diversity, and how far their order depends on weights and on who takes part.

The numbers are those that the package benchbench 1.0.1 computes on the tables that it brings along, each taken whole,
as its authors define it. They print those of the boards ordered by mean score with two digits (examples/cardinal.ipynb
of its repository), which these round to.
"""

from collections.abc import Mapping

from benchhealth.analytics.reproduction.claim import Compute, of_stability

BY_MEAN = {
    "glue": "benchbench/glue",
    "superglue": "benchbench/superglue",
    "openllm": "benchbench/openllm-v1",
    "mmlu": "benchbench/mmlu",
    "bbh": "benchbench/bbh",
    "mteb": "benchbench/benchbench-mteb",
    "vtab": "benchbench/benchbench-vtab",
}
BY_WIN_RATE = {
    "helm": "benchbench/benchbench-helm-accuracy",
    "helm-calibration": "benchbench/benchbench-helm-calibration",
}
"""Boards by the name that a claim begins with."""

COMPUTED: Mapping[str, Compute] = {
    **{f"{name}-diversity": of_stability(board, "diversity") for name, board in (BY_MEAN | BY_WIN_RATE).items()},
    **{f"{name}-sensitivity": of_stability(board, "cardinal_sensitivity") for name, board in BY_MEAN.items()},
    **{f"{name}-weak-models": of_stability(board, "ordinal_sensitivity") for name, board in BY_WIN_RATE.items()},
}
