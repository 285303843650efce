"""Ports for what a test starts by its command: they are drawn here and opened a moment later."""

import random
import socket
from contextlib import suppress

OWN_PORTS = range(20_000, 32_000)
"""Linux gives outgoing connections ports from 32768 on, other systems from 49152 on: those may be taken meanwhile."""


def free_ports(count: int) -> list[int]:
    """So many ports on which nobody listens."""
    free: list[int] = []
    for port in random.SystemRandom().sample(OWN_PORTS, len(OWN_PORTS)):
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("", port))
            free.append(port)
        if len(free) == count:
            return free
    raise RuntimeError(f"fewer than {count} ports are free")


def free_port() -> int:
    """A port on which nobody listens."""
    return free_ports(1)[0]
