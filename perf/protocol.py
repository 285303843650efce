"""One reader of a Streamlit page, without a browser: the websocket and the messages of the page's own script."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ButtonGroup_pb2 import ButtonGroup
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

MOST = 256 * 2**20
"""Bytes that a message may have."""


@dataclass(frozen=True)
class Answered:
    """One run of the page script: seconds until it had ended, bytes over the socket, bytes of its messages."""

    seconds: float
    wire: int
    plain: int


class FailedError(RuntimeError):
    """The page script ended with an error, or drew one."""


class _Counted(ClientConnection):
    """Counts the bytes that come over the socket, as they come: compressed where the server compresses."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


class Reader:
    """Opens a page and changes what is chosen on it, as a tab does: what it has seen it need not be sent again."""

    def __init__(self, address: str, page: str = "", connection: Mapping[str, Any] | None = None, **query: str) -> None:
        """`connection` holds more that `websockets.connect` takes, such as headers, TLS or the address to come from."""
        self._address = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._connection = dict(connection or {})
        self._page, self._query = page, query
        self._widgets: dict[str, tuple[ButtonGroup, str]] = {}
        self._states: dict[str, WidgetState] = {}
        self._seen: dict[str, int] = {}
        self._runs, self._oldest = 0, 2
        self._script = ""

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            self._address,
            subprotocols=["streamlit"],  # type: ignore[list-item]  # a NewType of str
            max_size=MOST,
            create_connection=_Counted,
            ping_interval=None,
            proxy=None,
            open_timeout=60,
            **self._connection,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._socket.close()

    async def visit(self, **query: str) -> Answered:
        """Run the page; with a query as if its address was changed."""
        self._query |= query
        return await self._run()

    async def pick(self, key: str, *places: int) -> Answered:
        """Choose these options, by their places, of the pills with this key."""
        group, fragment = self._widgets[key]
        state = WidgetState(id=group.id)
        state.string_array_value.data.extend(group.options[place % len(group.options)].content for place in places)
        self._states[group.id] = state
        return await self._run(fragment)

    async def _run(self, fragment: str = "") -> Answered:
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = urlencode(self._query)
        asked.page_script_hash, asked.page_name = self._script, "" if self._script else self._page
        asked.fragment_id = fragment
        asked.widget_states.CopyFrom(WidgetStates(widgets=self._states.values()))
        asked.cached_message_hashes.extend(self._seen)
        asked.context_info.color_scheme = "light"
        asked.context_info.timezone, asked.context_info.locale = "UTC", "en"
        began, before, plain = time.perf_counter(), self._socket.received, 0  # type: ignore[attr-defined]
        await self._socket.send(message.SerializeToString())
        while True:
            body = await self._socket.recv(decode=False)
            plain += len(body)
            if self._is_end(ForwardMsg.FromString(body)):
                break
        self._runs += 1
        self._seen = {name: run for name, run in self._seen.items() if self._runs - run < self._oldest}
        return Answered(time.perf_counter() - began, self._socket.received - before, plain)  # type: ignore[attr-defined]

    def _is_end(self, message: ForwardMsg) -> bool:
        """Whether the script has ended; what is needed later is noted."""
        kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self._seen[message.hash] = self._runs
        if kind == "ref_hash":
            self._seen[message.ref_hash] = self._runs
        elif kind == "new_session":
            self._oldest = message.new_session.config.max_cached_message_age or self._oldest
        elif kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = dict(parse_qsl(message.page_info_changed.query_string))
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._note(message.delta)
        if kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            raise FailedError("the page script could not be compiled")
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _note(self, delta: Delta) -> None:
        kind = delta.new_element.WhichOneof("type")
        if kind == "exception":
            raise FailedError(delta.new_element.exception.message)
        if kind == "button_group":
            group = delta.new_element.button_group
            self._widgets[group.id.rsplit("-", 1)[-1]] = (group, delta.fragment_id)
