"""Marks along a line that may not touch: each as near the line as those before it allow, always in the same way."""

from collections.abc import Sequence
from math import sqrt

HAIR = 1e-9


def swarm(along: Sequence[float], gap: float) -> list[float]:
    """How far each mark lies off the line, up positive, so that no two are nearer than `gap`; both in pixels.

    Marks are set from the left, equals in their order. One is tried on the line, and where it would touch each mark
    that is near; the nearest to the line that is free is taken, the upper of two.
    """
    placed: list[tuple[float, float]] = []
    offsets = [0.0] * len(along)
    for index in sorted(range(len(along)), key=lambda one: (along[one], one)):
        x = along[index]
        near = [(other, off) for other, off in placed if x - other < gap]
        tried = [0.0]
        for other, off in near:
            step = sqrt(max(0.0, gap**2 - (x - other) ** 2))
            tried += [off + step, off - step]
        free = [
            off for off in tried
            if all((x - other) ** 2 + (off - beside) ** 2 >= gap**2 - HAIR for other, beside in near)
        ]  # fmt: skip
        offsets[index] = min(free, key=lambda off: (round(abs(off), 6), -off))
        placed.append((x, offsets[index]))
    return offsets
