"""Claims about multi-task boards: their diversity, and how far their order hangs on weights and on who takes part.

The numbers are those that the package benchbench 1.0.1 computes on the tables that it brings along.
"""

from analytics.reproduction.claim import Claim, Publication, of_stability

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
)
HELM = "benchbench/benchbench-helm-accuracy"

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
        for name, title, board, value, _ in (*_BOARDS, ("helm", "HELM", HELM, 0.267025, 0.0))
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
    Claim(
        "helm-weak-models",
        "Adding weaker models, which nobody would choose, moves the order of HELM's best fifth by 0.321",
        0.320513,
        WITHIN,
        PACKAGE,
        of_stability(HELM, "ordinal_sensitivity"),
        unit=_DISTANCE,
        place=PLACE,
        within=SAME_TABLE,
    ),
)
