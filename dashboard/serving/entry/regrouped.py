"""Addresses of earlier editions that name one of some forty domains lead to the group that it is in now."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.domains import in_groups
from benchhealth.warehouse.read import NoGeneration

DOMAIN = "domain"
PATHS = frozenset(
    {"", "report", "report.html", "report.pdf", "decide", "decision.html", "decision.pdf", "feed.xml", "feed.json"}
)
"""What takes a domain; the first page takes several, with commas between."""


class Regrouped(BaseRoute):
    """Stands before the routes of these pages, and answers where a word of the address has another id today."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the address names a domain by a word that stands for a group of another name."""
        if scope["type"] != "http" or f"{DOMAIN}=".encode() not in scope["query_string"]:
            return Match.NONE, {}
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", ""))).strip("/")
        if path not in PATHS:
            return Match.NONE, {}
        query_text = scope["query_string"].decode("latin-1")
        query = _in_groups(query_text, most=1 if path else None)
        if query is None:
            return Match.NONE, {}
        return Match.FULL, {"leads_to": f"./{path}?{query}"}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect to the same page with today's name of the domain."""
        await RedirectResponse(scope["leads_to"])(scope, receive, send)


def _in_groups(query: str, most: int | None) -> str | None:
    """The query with the ids of groups in place of domains, `most` of them; None where it says them already."""
    pairs = parse_qsl(query, keep_blank_values=True)
    try:
        view = generation.current()
    except NoGeneration:
        return None
    led = [
        (name, ",".join(in_groups(view, text.split(","))[:most]) if name == DOMAIN else text) for name, text in pairs
    ]
    return None if led == pairs else urlencode(led, safe=",")
