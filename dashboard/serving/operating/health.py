"""What operators ask: `/healthz` (the process lives), `/readyz` (a generation is served) and `/metrics` of one home.

The numbers that a Prometheus scrapes as OpenMetrics text come from the generation that is served and from the small
files that runs leave; the facts stay closed, because a night may have them to itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, time
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import polars as pl
from prometheus_client import ProcessCollector
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from streamlit import runtime
from streamlit.runtime.stats import GaugeStat

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.serving.operating.reruns import REGISTRY
from benchhealth.warehouse.objects.generations import Follower, Trouble
from benchhealth.warehouse.read import NoGeneration, OlderGeneration
from benchhealth.warehouse.watch import home_state, running
from benchhealth.warehouse.watch.home import alarms
from benchhealth.warehouse.watch.home_state import HomeState
from benchhealth.warehouse.watch.reasons import KINDS, Reason
from benchhealth.warehouse.watch.running import Running

Clock = Callable[[], datetime]
"""The present instant, naive UTC; who composes the program hands it in."""


class Seen(NamedTuple):
    """What the small files of the home say at an instant; without a clock there is none, and nothing has an age.

    `trouble` is why new generations cannot be seen at the address that is followed, `alarms` why a hand is needed; none
    where no run was ever at work here, or without a clock.
    """

    now: datetime | None
    home_state: HomeState | None
    at_work: Running | None
    trouble: Trouble | None = None
    alarms: tuple[Reason, ...] = ()


class _Watched:
    home: Path | None = None
    clock: Clock | None = None
    follower: Follower | None = None


def use(home: Path, clock: Clock | None, follower: Follower | None = None) -> None:
    """Watch this home from now on, and what keeps it in step with an address, if anything does."""
    _Watched.home, _Watched.clock, _Watched.follower = home, clock, follower


def seen_now() -> Seen:
    """How the home stands now: what the last run left of it, and the run at work. Opens no database."""
    now = _Watched.clock() if _Watched.clock else None
    if _Watched.home is None:
        return Seen(now, None, None)
    trouble = _Watched.follower.trouble() if _Watched.follower else None
    left = home_state.state_left(_Watched.home)
    needing = alarms(_Watched.home, left, now, trying=False) if left and now else ()
    return Seen(now, left, running.at_work(_Watched.home), trouble, needing)


NOT_KEPT = {"Cache-Control": "no-store"}
FORWARDED = "x-forwarded-for"
"""The header in which the proxy always names its client: a request with it came through the proxy."""

PROGRAM = version("benchhealth")


async def healthz(_request: Request) -> Response:
    """200 as long as the process answers at all: its loop turns. It asks for nothing else, not even for a thread."""
    return _answer({"status": "alive", "version": PROGRAM})


def readyz(request: Request) -> Response:
    """200 with the generation where one can be read, 503 with the reason otherwise; faults stand in both.

    A fault beside a generation (a failed night, a source that is overdue) takes no reader anything: it stays 200.
    Whoever asks through the proxy gets the kinds of faults alone: texts name paths, hosts and processes.
    """
    is_public = FORWARDED in request.headers
    state = seen_now()
    faults: list[dict[str, Any]] = [
        {"kind": alarm.kind, "about": alarm.about, "since": alarm.since, "text": alarm.text()} for alarm in state.alarms
    ]
    if state.trouble:
        faults.insert(0, _unfollowed(state.trouble))
    at_work = asdict(state.at_work) | {"text": state.at_work.text()} if state.at_work else None
    try:
        view = generation.current()
        assessed = view.table("verdict")["as_of"].max()
    except NoGeneration as missing:
        reason = {"kind": "no-generation", "about": "published", "text": str(missing)}
        return _answer(_public_state(is_public, status="not ready", faults=[reason, *faults], running=at_work), 503)
    published = view.published
    if why := generation.unread():
        faults.insert(0, {"kind": "other-generation", "about": view.name, "text": f"{view.name} is served: {why}"})
    if isinstance(published, OlderGeneration):
        text = f"{view.name} is of an earlier edition of the program; `benchhealth init` publishes one of this"
        faults.insert(0, {"kind": "older-generation", "about": view.name, "text": text})
    served = {
        "name": view.name,
        "number": published.number,
        "published_at": published.published_at,
        "age_seconds": round((state.now - published.published_at).total_seconds()) if state.now else None,
        "as_of": assessed,
    }
    return _answer(_public_state(is_public, status="ready", generation=served, faults=faults, running=at_work))


def _public_state(is_public: bool, /, **state: Any) -> Mapping[str, Any]:  # noqa: ANN401  any JSON
    if not is_public:
        return state
    at_work = state["running"]
    return state | {
        "faults": [{"kind": kind} for kind in sorted({fault["kind"] for fault in state["faults"]})],
        "running": at_work and {name: at_work[name] for name in ("command", "started_at", "phase")},
    }


def _unfollowed(trouble: Trouble) -> dict[str, Any]:
    text = f"new generations are not seen for {trouble.seconds:.0f} s: {trouble.why}"
    return {"kind": "generations-unreached", "about": trouble.address, "text": text}


def _answer(state: Mapping[str, Any], status: int = 200) -> Response:
    body = orjson.dumps(state, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC)
    return Response(body, status, media_type="application/json", headers=NOT_KEPT)


_SESSIONS = "active_sessions"
"""The name under which Streamlit itself measures the number of sessions."""


def metrics(_request: Request) -> Response:
    """Every number in the text format of OpenMetrics."""
    text: bytes = generate_latest(REGISTRY)  # type: ignore[no-untyped-call]  # as the package has it
    return Response(text, media_type=CONTENT_TYPE_LATEST, headers=NOT_KEPT)


class Home(Collector):
    """Collects the state of the home anew for each request to `/metrics`."""

    def collect(self) -> Iterator[Metric]:
        """The metric families with their values."""
        state = seen_now()
        build = InfoMetricFamily("benchhealth_build", "The program that serves.")
        build.add_metric([], {"version": PROGRAM})
        yield build
        yield from _of_process()
        yield from _of_generation(state.now)
        yield from _of_run(state.at_work)
        unreached = state.trouble.seconds if state.trouble else 0
        meaning = "How long the address that generations come from has not been reached; 0 where it is, or none is set."
        yield _gauge("benchhealth_generations_unreached_seconds", meaning, unreached)
        if state.home_state is not None:
            yield from _of_home_state(state.home_state)
            if state.now is not None:
                meaning = "Reasons for which a hand is needed, as `benchhealth status` gives them."
                kinds = [reason.kind for reason in state.alarms]
                yield _gauges(
                    "benchhealth_hand_needed", meaning, "reason", ((kind, kinds.count(kind)) for kind in KINDS)
                )


def _of_process() -> Iterator[Metric]:
    if runtime.exists():
        sessions = runtime.get_instance().stats_mgr.get_stats([_SESSIONS]).get(_SESSIONS, ())
        yield _gauge(
            "benchhealth_readers",
            "Sessions that are open now.",
            sum(gauge.value for gauge in sessions if isinstance(gauge, GaugeStat)),
        )


def _of_generation(now: datetime | None) -> Iterator[Metric]:
    readable = "Whether a generation is served (1) or none can be read (0)."
    try:
        view = generation.current()
    except NoGeneration:
        yield _gauge("benchhealth_generation_readable", readable, 0)
        return
    published = view.published
    yield _gauge("benchhealth_generation_readable", readable, 1)
    in_service = "Whether that is the generation in service (1) or another, as it cannot be read (0)."
    yield _gauge("benchhealth_generation_in_service", in_service, int(generation.unread() is None))
    yield _gauge("benchhealth_generation_number", "The number of the generation that is served.", published.number)
    meaning = "When the generation that is served was published."
    yield _gauge("benchhealth_generation_published_timestamp_seconds", meaning, _seconds(published.published_at))
    if now is not None:
        age = (now - published.published_at).total_seconds()
        yield _gauge("benchhealth_generation_age_seconds", "Age of the generation that is served.", age)
    yield from _of_sources(view, now)


def _of_sources(view: View, now: datetime | None) -> Iterator[Metric]:
    rows = _sources(view)
    if now is not None:
        meaning = "Time since the source was last seen at its upstream, as the generation has it: since that day began."
        dated = rows.drop_nulls("known_until").select("source_id", "known_until").iter_rows()
        ages = ((key, (now - datetime.combine(until, time())).total_seconds()) for key, until in dated)
        yield _gauges("benchhealth_source_look_age_seconds", meaning, "source", ages)
    for column, meaning in (("kept", "Rows of the source that are results."), ("rejected", "Rows that are none.")):
        name = f"benchhealth_source_rows_{column}"
        yield _gauges(name, meaning, "source", rows.select("source_id", column).iter_rows())


@always
def _sources(view: View) -> pl.DataFrame:
    return view.published.query(
        """
        SELECT source_id, any_value(known_until) AS known_until,
            coalesce(sum(rows_kept), 0)::BIGINT AS kept, coalesce(sum(rows_rejected), 0)::BIGINT AS rejected
        FROM source LEFT JOIN snapshot USING (source_id) GROUP BY source_id ORDER BY source_id
        """
    )


def _of_run(at_work: Running | None) -> Iterator[Metric]:
    meaning = "Whether a run is at work."
    yield _gauge("benchhealth_run_at_work", meaning, int(at_work is not None))
    if at_work is not None:
        name = "benchhealth_run_started_timestamp_seconds"
        started = GaugeMetricFamily(name, "When it began, by command and phase.", labels=("command", "phase"))
        started.add_metric([at_work.command, at_work.phase or "between"], _seconds(at_work.started_at))
        yield started
    if at_work is not None and at_work.share is not None:
        meaning = "How much of the phase is done, by its sources or steps: 0 to 1."
        yield _gauges("benchhealth_run_progress_ratio", meaning, "phase", [(at_work.phase, at_work.share)])


def _of_home_state(home_state: HomeState) -> Iterator[Metric]:
    name = "benchhealth_source_answered_timestamp_seconds"
    meaning = "When the upstream of the source last answered this home."
    answered = ((source.source_id, _seconds(source.reached_at)) for source in home_state.sources if source.reached_at)
    yield _gauges(name, meaning, "source", answered)
    meaning = "Files whose newest version is kept out of service, the last good one standing: held, or failed."
    states = [file.state for file in home_state.kept_out]
    counts = ((state, states.count(state)) for state in ("held", "failed"))
    yield _gauges("benchhealth_files_kept_out", meaning, "state", counts)
    name, meaning = "benchhealth_phase_last_success_timestamp_seconds", "When the phase of a run last went well."
    good = home_state.last_good
    ended = ((phase.name, _seconds(phase.started_at) + phase.seconds) for phase in good)
    yield _gauges(name, meaning, "phase", ended)
    took = ((phase.name, phase.seconds) for phase in good)
    yield _gauges("benchhealth_phase_duration_seconds", "How long it took then.", "phase", took)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)


def _gauges(name: str, meaning: str, label: str, values: Iterable[tuple[str, float]]) -> Metric:
    """One gauge for each value of the label."""
    family = GaugeMetricFamily(name, meaning, labels=(label,))
    for labelled, value in values:
        family.add_metric([labelled], value)
    return family


def _seconds(instant: datetime) -> float:
    return instant.replace(tzinfo=UTC).timestamp()


REGISTRY.register(Home())
ProcessCollector(registry=REGISTRY)
