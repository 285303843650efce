"""A month on one page by address, `/digest.html?month=2026-07`: it prints, is sent, and is an entry of the feed."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened.months import MONTH, Span, SpanChanges, changes_in, known_day, span_of
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.tree import Part, Report, Section
from benchhealth.dashboard.serving.responses import endpoint
from benchhealth.dashboard.words.happened import months as words
from benchhealth.dashboard.words.numbers import day_of

ADDRESS = "/digest.html"


def routes() -> list[Route]:
    """The route of the digest; without a month that of the last one until which all is known."""
    return [Route(ADDRESS, _digest)]


@endpoint
def _digest(view: View, request: Request) -> Response:
    shared = view.shared()
    span = span_of(request.query_params.get(MONTH, ""), known_day(shared))
    chosen = span if request.query_params.get(MONTH) else Span(span.last, span.last)
    return Response(page(digest_of(shared, chosen, changes_in(view, chosen))), media_type="text/html; charset=utf-8")


def digest_of(view: View, span: Span, all_changes: SpanChanges) -> Report:
    """The digest of what may be passed on of `all_changes` of these months: a title, at most five lines, the day."""
    of_span = changes_in(view, span)
    *lines, until = words.digest(of_span, all_changes)
    title = words.digest_title(span, of_span)
    sections = tuple(Section(line.heading, paragraphs=(line.text,)) for line in lines)
    data_to = f"Digest of {words.month_range(span)}; data to {until.text}"
    return Report(
        title=f"benchhealth: {title}",
        generation=view.name,
        as_of=assessed_on(view) or span.last,
        rules_version=", ".join(sorted(view.table("verdict")["rules_version"].drop_nulls().unique())),
        parts=(Part("digest", title, None, data_to, sections, ()),),
        made_of=(
            f"Of curated benchmarks, and of what may be passed on. Generation {view.name}, assessed as of "
            f"{day_of(assessed_on(view))}"
        ),
    )
