"""Claims about multi-task boards: their diversity, and how far their order hangs on weights and on who takes part.

The numbers are those that the package benchbench 1.0.1 computes on the tables that it brings along, each taken whole,
as its authors define it. They print those of the boards ordered by mean score with two digits (examples/cardinal.ipynb
of its repository), which these round to.
"""

from benchhealth.analytics.reproduction.claim import Claim, Publication, of_stability

PACKAGE = Publication(
    "Zhang and Hardt 2024, Inherent trade-offs between diversity and stability in multi-task benchmarks",
    2024,
    "https://arxiv.org/abs/2405.01719",
    "the tables of the authors' package benchbench 1.0.1, and what it computes on them",
)
PLACE = "package benchbench 1.0.1, run on the table it brings along"
SAME_TABLE = "the same table and the same definition, so equal but for rounding"
WITHIN = 1e-4
_DISTANCE = "(1 - tau) / 2"

_BOARDS = (
    ("glue", "GLUE", "benchbench/glue", 0.158506, 0.121123),
    ("superglue", "SuperGLUE", "benchbench/superglue", 0.133923, 0.111111),
    ("openllm", "the Open LLM Leaderboard", "benchbench/openllm-v1", 0.816122, 0.462375),
    ("mmlu", "MMLU", "benchbench/mmlu", 0.532984, 0.342881),
    ("bbh", "BIG-Bench Hard", "benchbench/bbh", 0.322887, 0.245283),
    ("mteb", "MTEB", "benchbench/benchbench-mteb", 0.082712, 0.181311),
    ("vtab", "VTAB", "benchbench/benchbench-vtab", 0.189747, 0.066667),
)
HELM = "benchbench/benchbench-helm-accuracy"
CALIBRATION = "benchbench/benchbench-helm-calibration"

CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            f"{name}-diversity",
            f"The tasks of {title} order models with a diversity of {value:.3f}, as 1 - Kendall's W",
            value,
            WITHIN,
            PACKAGE,
            of_stability(board, "diversity"),
            unit="1 - W",
            place=PLACE,
            within=SAME_TABLE,
        )
        for name, title, board, value, _ in (
            *_BOARDS,
            ("helm", "HELM", HELM, 0.267025, 0.0),
            ("helm-calibration", "HELM's calibration", CALIBRATION, 0.760147, 0.0),
        )
    ),
    *(
        Claim(
            f"{name}-sensitivity",
            f"Other weights of the tasks move the order of {title} by {value:.3f}",
            value,
            WITHIN,
            PACKAGE,
            of_stability(board, "cardinal_sensitivity"),
            unit=_DISTANCE,
            place=PLACE,
            within=SAME_TABLE,
        )
        for name, title, board, _, value in _BOARDS
    ),
    *(
        Claim(
            f"{name}-weak-models",
            f"Adding weaker models, which nobody would choose, moves the order of {title} best fifth by {value:.3f}",
            value,
            WITHIN,
            PACKAGE,
            of_stability(board, "ordinal_sensitivity"),
            unit=_DISTANCE,
            place=PLACE,
            within=SAME_TABLE,
        )
        for name, title, board, value in (
            ("helm", "HELM's", HELM, 0.320513),
            ("helm-calibration", "HELM's calibration board's", CALIBRATION, 0.589744),
        )
    ),
)
