"""A decision as a feed, Atom and JSON Feed 1.1: an entry for the answer as it stands, then what happened to its choice.

The id of the first entry is made of the choice, its stages and what speaks against it: where one of them changes, in
whatever generation, a reader sees a new entry, and none while all stay.
"""

from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

import orjson
import polars as pl

from benchhealth.dashboard.published.deciding.question import Question, answer_to, decision_words
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened.changes import changes_by_day
from benchhealth.dashboard.serving.feeds import atom
from benchhealth.dashboard.words.desk import citation
from benchhealth.dashboard.words.happened import changes as words
from benchhealth.dashboard.words.text import one_line

ENTRIES = 50
"""The number of changes of the chosen benchmarks that follow, the newest first."""

JSON = "application/feed+json; charset=utf-8"
_IDENTITY = ("on_day", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after")


@dataclass(frozen=True)
class Entry:
    """An entry of either form: an identity that stays, a title, a text, an address, and the day."""

    identity: str
    title: str
    text: str
    address: str
    on: date


@dataclass(frozen=True)
class Feed:
    """The feed of a question: its page, its own address without the form, and its entries."""

    title: str
    page: str
    query: str
    entries: tuple[Entry, ...]


def feed_of(view: View, question: Question, base: str) -> Feed:
    """The feed of a question; `base` is the absolute address of the dashboard, ending in a slash."""
    decision, answer = answer_to(view, question), decision_words(view, question)
    page = f"{base}{question.address('decide')}"
    state = "|".join(f"{row['benchmark_id']} {row['stage']} {','.join(row['reservations'])}" for row in decision.chosen)
    on = decision.as_of or date(1970, 1, 1)
    entry = Entry(
        atom.urn("decision", page.removeprefix(base), state),
        answer.title,
        f"{answer.subtitle} {citation.summary(answer.cards, answer.needed)}",
        page,
        on,
    )
    happened = changes_by_day(view).filter(
        pl.col("benchmark_id").is_in(decision.ids), ~pl.col("late").fill_null(value=False)
    )
    rows = happened.sort("on_day", descending=True, maintain_order=True).head(ENTRIES)
    return Feed(
        f"benchhealth: {answer.title}",
        page,
        page.partition("?")[2],
        (entry, *(_happened(row, base) for row in rows.iter_rows(named=True))),
    )


def as_atom(feed: Feed, base: str) -> bytes:
    """The feed of a decision as the bytes of an Atom document (RFC 4287)."""
    root = atom.feed_element(
        feed.title, atom.urn("decision", feed.query), citation.SUBTITLE, max(entry.on for entry in feed.entries)
    )
    atom.add(root, "link", rel="self", type="application/atom+xml", href=f"{base}feed.xml?{feed.query}")
    atom.add(root, "link", rel="alternate", type="text/html", href=feed.page)
    for feed_entry in feed.entries:
        entry = atom.add_entry(root, feed_entry.title, feed_entry.identity, feed_entry.on, feed_entry.address)
        atom.add(entry, "summary", feed_entry.text, type="text")
    return atom.feed_xml(root)


def as_json(feed: Feed, base: str) -> bytes:
    """The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""
    return orjson.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": feed.title,
            "description": citation.SUBTITLE,
            "home_page_url": feed.page,
            "feed_url": f"{base}feed.json?{feed.query}",
            "items": [
                {
                    "id": entry.identity,
                    "title": one_line(entry.title),
                    "content_text": one_line(entry.text),
                    "url": entry.address,
                    "date_published": atom.instant(entry.on),
                }
                for entry in feed.entries
            ],
        }
    )


def _happened(row: dict[str, object], base: str) -> Entry:
    text = f"{words.subject(row)}: {words.what_changed(row)}"
    return Entry(
        atom.urn("dated", *(str(row[column]) for column in _IDENTITY)),
        text,
        f"{text}.",
        f"{base}benchmark?benchmark={quote(str(row['benchmark_id']), safe='')}",
        row["on_day"] if isinstance(row["on_day"], date) else date(1970, 1, 1),
    )
