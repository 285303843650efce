"""The command that answers agents: over the home's newest generation, another home, or a dashboard at an address."""

from importlib.util import find_spec

from benchhealth.api.embedded import Embedded
from benchhealth.api.questions import Facts
from benchhealth.dashboard.guard.hosts import Hosts
from benchhealth.dashboard.guard.login import Login
from benchhealth.dashboard.published import generation
from benchhealth.pipeline.answering.opening import home_of, open_facts
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.remote import follow
from benchhealth.pipeline.settings import Settings

PAGES = "http://127.0.0.1:8501/"
"""Where `benchhealth serve` has the pages if nothing else is said."""


def run(settings: Settings, where: str | None, address: str | None, port: int | None, host: str) -> None:
    """Answer until the process is stopped: over HTTP at a port, else over standard input and output.

    Raises UsageError where the extra `mcp` is not installed, and as `open_facts` does.
    """
    if find_spec("mcp") is None:
        raise UsageError("tools for agents need the extra `mcp`: pip install 'benchhealth[mcp]'")
    from benchhealth.api.agents import server  # noqa: PLC0415 - not installed with every benchhealth

    facts = _facts(settings, where, address)
    if port is None:
        server.speak(facts)
        return
    login = Login.read(settings.login) if settings.login else None
    server.serve(facts, port, host, Hosts.of(settings.hosts, host), login)


def _facts(settings: Settings, where: str | None, address: str | None) -> Facts:
    if where is not None:
        return open_facts(where, address=address or PAGES)
    follow(settings)
    generation.use(home_of(None))
    return Embedded(generation.current, f"{(address or PAGES).rstrip('/')}/")
