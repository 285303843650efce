"""Claims about multi-task boards: their diversity, and how far their order hangs on weights and on who takes part.

The numbers are those that the package benchbench 1.0.1 computes on the tables that it brings along.
"""

from analytics.reproduction.claim import Claim, of_stability

PACKAGE = "https://github.com/socialfoundations/benchbench"
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
    ),
)
