"""`/metrics`: what a Prometheus scrapes, as OpenMetrics text. The numbers come from the generation that is served and
from the small files that runs leave; the facts stay closed, because a night may have them to itself."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime

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
from benchhealth.dashboard.serving.operating import home
from benchhealth.dashboard.serving.operating.health import NOT_KEPT, PROGRAM
from benchhealth.dashboard.serving.operating.reruns import REGISTRY
from benchhealth.warehouse.read import NoGeneration
from benchhealth.warehouse.watch.reasons import KINDS
from benchhealth.warehouse.watch.running import Running
from benchhealth.warehouse.watch.stands import Stands

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
        state = home.home_state()
        build = InfoMetricFamily("benchhealth_build", "The program that serves.")
        build.add_metric([], {"version": PROGRAM})
        yield build
        yield from _of_process()
        yield from _of_generation(state.now)
        yield from _of_run(state.at_work)
        unreached = state.trouble.seconds if state.trouble else 0
        meaning = "How long the address that generations come from has not been reached; 0 where it is, or none is set."
        yield _gauge("benchhealth_generations_unreached_seconds", meaning, unreached)
        if state.stands is not None:
            yield from _of_stands(state.stands)
            if state.now is not None:
                yield _hand_needed_metric([reason.kind for reason in state.alarms])


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
        ages = ((key, (now - _start_of_day(until)).total_seconds()) for key, until in dated)
        yield _by_source("benchhealth_source_look_age_seconds", meaning, ages)
    for column, meaning in (("kept", "Rows of the source that are results."), ("rejected", "Rows that are none.")):
        name = f"benchhealth_source_rows_{column}"
        yield _by_source(name, meaning, rows.select("source_id", column).iter_rows())


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
        name, meaning = (
            "benchhealth_run_progress_ratio",
            "How much of the phase is done, by its sources or steps: 0 to 1.",
        )
        progress = GaugeMetricFamily(name, meaning, labels=("phase",))
        progress.add_metric([at_work.phase], at_work.share)
        yield progress


def _of_stands(stands: Stands) -> Iterator[Metric]:
    name = "benchhealth_source_answered_timestamp_seconds"
    meaning = "When the upstream of the source last answered this home."
    answered = ((source.source_id, _seconds(source.reached_at)) for source in stands.sources if source.reached_at)
    yield _by_source(name, meaning, answered)
    meaning = "Files whose newest version is kept out of service, the last good one standing: held, or failed."
    kept_out = GaugeMetricFamily("benchhealth_files_kept_out", meaning, labels=("state",))
    for state in ("held", "failed"):
        kept_out.add_metric([state], sum(file.state == state for file in stands.kept_out))
    yield kept_out
    name = "benchhealth_phase_last_success_timestamp_seconds"
    ended = GaugeMetricFamily(name, "When the phase of a run last went well.", labels=("phase",))
    took = GaugeMetricFamily("benchhealth_phase_duration_seconds", "How long it took then.", labels=("phase",))
    for phase in stands.last_good:
        ended.add_metric([phase.name], _seconds(phase.started_at) + phase.seconds)
        took.add_metric([phase.name], phase.seconds)
    yield ended
    yield took


def _hand_needed_metric(kinds: Sequence[str]) -> Metric:
    meaning = "Reasons for which a hand is needed, as `benchhealth status` gives them."
    needed = GaugeMetricFamily("benchhealth_hand_needed", meaning, labels=("reason",))
    for kind in KINDS:
        needed.add_metric([kind], kinds.count(kind))
    return needed


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)


def _by_source(name: str, meaning: str, values: Iterable[tuple[str, float]]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=("source",))
    for source, value in values:
        family.add_metric([source], value)
    return family


def _start_of_day(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001  naive UTC, as everywhere


def _seconds(instant: datetime) -> float:
    return instant.replace(tzinfo=UTC).timestamp()


REGISTRY.register(Home())
ProcessCollector(registry=REGISTRY)
