"""The repository that a problem of SWE-bench's kind was taken from, by the problem's name: `owner__repository-123`."""

import re
from collections.abc import Sequence

_PROBLEM = re.compile(r"([^/\s]+?)__([^/\s]+)-\d+", re.ASCII)


def repositories(problems: Sequence[str]) -> tuple[str, ...]:
    """`owner/repository` of each problem; empty where a name is of another form."""
    matches = [_PROBLEM.fullmatch(problem) for problem in problems]
    named = tuple(f"{match[1]}/{match[2]}" for match in matches if match)
    return named if len(named) == len(problems) else ()
