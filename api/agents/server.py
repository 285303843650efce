"""The tools by the Model Context Protocol: over standard input and output, or HTTP behind the dashboard's guard."""

import asyncio
import json
import logging
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import uvicorn
from mcp import types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware

from benchhealth.api.agents.tools import TOOLS, reply_of_tool
from benchhealth.api.errors import BenchhealthError
from benchhealth.api.questions import Facts
from benchhealth.dashboard.guard.hosts import Hosts, SameOrigin
from benchhealth.dashboard.guard.login import Login
from benchhealth.dashboard.serving.server import guards
from benchhealth.dashboard.words.terms.citing import QUOTING

LOGGER = logging.getLogger(__name__)
PATH = "/mcp"
FAILED = "failed"
LARGEST_REQUEST = 64 * 1024
"""Bytes: a question is a name and some words."""

ABOUT = (
    "Whether AI benchmarks still measure anything: one answer to each of ten questions about every benchmark. Every "
    "reply has the day until which it is known, the conditions, a citation, and the page that shows it. "
)


def server(facts: Facts) -> "Server[Any]":
    """The server of the tools over these facts. Errors of tools are results: `error` with a `code` and a `message`."""

    async def tools(_context: ServerRequestContext[Any], _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool_of(name) for name in TOOLS])

    async def call(_context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            reply = await run_in_threadpool(reply_of_tool, facts, params.name, params.arguments or {})
        except BenchhealthError as error:
            return _result({"error": {"code": error.code, "message": str(error)}}, failed=True)
        except Exception:
            LOGGER.exception("a tool failed: %s", params.name)
            return _result(
                {"error": {"code": FAILED, "message": "the question failed here: its log says why"}}, failed=True
            )
        return _result(reply)

    return Server(
        "benchhealth",
        version=version("benchhealth"),
        instructions=ABOUT + " ".join(QUOTING),
        on_list_tools=tools,
        on_call_tool=call,
    )


def speak(facts: Facts) -> None:
    """Answer over standard input and output until the other side closes them."""

    async def run() -> None:
        served = server(facts)
        async with stdio_server() as (stdin, stdout):
            await served.run(stdin, stdout, served.create_initialization_options())

    asyncio.run(run())


def application(facts: Facts, hosts: Hosts, login: Login | None = None) -> Starlette:
    """The ASGI application that answers at `/mcp`, each request by itself, for those who may see the dashboard."""
    inner = server(facts).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST_REQUEST,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard does
    )
    guarded = Starlette(
        middleware=[*guards(hosts, login), Middleware(SameOrigin)], lifespan=inner.router.lifespan_context
    )
    guarded.mount("/", inner)
    return guarded


def serve(facts: Facts, port: int, host: str, hosts: Hosts, login: Login | None = None) -> None:
    """Answer over HTTP until the process is stopped."""
    uvicorn.run(application(facts, hosts, login), host=host, port=port, log_level="warning", ws="none")


def _tool_of(name: str) -> types.Tool:
    tool = TOOLS[name]
    hints = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return types.Tool(name=name, description=tool.gives, input_schema=dict(tool.schema), annotations=hints)


def _result(body: Mapping[str, Any], *, failed: bool = False) -> types.CallToolResult:
    text = json.dumps(body, ensure_ascii=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=dict(body), is_error=failed
    )
