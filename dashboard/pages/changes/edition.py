"""What is new in the last generation against the one before it."""

from collections.abc import Sequence
from datetime import datetime

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.happened import changes as published
from benchhealth.dashboard.published.happened.changes import changes
from benchhealth.dashboard.widgets import changed, empty, filters, links, tables, tiles
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.happened.changes import subject, what_changed
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import FLAG_WORDS
from benchhealth.dashboard.words.text import count, count_clause, listed, markdown

LINES = 7
"""How many lines of a kind are shown before anything is opened."""


def tile(anchor: str, number: str, text: str, colour: str, *, leads: bool) -> Tile:
    """A count and what is counted; `leads` to the section of that anchor where there is one."""
    return Tile(anchor, "", f":{colour}[{number}]" if colour else number, f"[{text}](#{anchor})" if leads else text)


def section(title: str, anchor: str, rows: pl.DataFrame, note: str = "", lines: int = LINES) -> None:
    """The changes of one kind: `lines` of them, the others in a table that opens. The note is markdown."""
    if rows.is_empty() and not note:
        return
    with st.container(key=f"group_{anchor}", border=True, gap="small"):
        st.header(title, anchor=anchor)
        if rows.height:
            st.markdown("\n\n".join(changed.change_line(row) for row in rows.head(lines).iter_rows(named=True)))
        if note:
            st.markdown(f":small[:gray[{note}]]")
        more(anchor, rows[lines:], f"{rows.height - lines:,} more")


def more(anchor: str, rows: pl.DataFrame, label: str) -> None:
    """Draw further changes as a table in a box that the reader opens."""
    if rows.is_empty():
        return
    box = st.expander(label, key=f"more_{anchor}", on_change="rerun")
    if not box.open:
        return
    days = "on_day" in rows.columns
    with box:
        lines = [
            (subject(row), what_changed(row), row["on_day"] if days else None) for row in rows.iter_rows(named=True)
        ]
        tables.grid(
            pl.DataFrame(lines, schema={"of": pl.String, "what changed": pl.String, "day": pl.Date}, orient="row"),
            key=f"rest_{anchor}",
            alt="The other changes of this kind",
        )


KIND = "kind"
KINDS = {
    "stage": ("Stage", (published.MOVED_STAGE, published.NEW)),
    "best": ("Best scores", published.RECORDS),
    "first": ("First places", (published.LEADER,)),
    "flag": ("Flags", (published.FLAG,)),
    "scale": ("Scale and rules", published.SCALE),
    "incident": ("Incidents", (published.INCIDENT,)),
    "source": ("Sources", (published.HELD, *published.SOURCES)),
}


def changes_to_show(view: View, uncurated: bool) -> pl.DataFrame:
    """The changes of the last generation, of curated benchmarks unless others are asked for."""
    rows = changes(view).filter("is_newest")
    return rows if uncurated else rows.filter(pl.col("curated") | pl.col("benchmark_id").is_null())


def records(rows: pl.DataFrame) -> pl.DataFrame:
    """The changes that are new best scores."""
    return _of_kinds(rows, *published.RECORDS)


def show(view: View, uncurated: bool) -> bool:
    """Draw the changes of the last generation; returns whether the chart of best scores belongs below."""
    rows = changes_to_show(view, uncurated)
    st.markdown(f":gray[{_generations_compared(view, rows)}]")
    if rows.is_empty():
        on_record = count(changes(view).height, "change")
        empty.nothing("Nothing to list.", f"{on_record} on record; switch on “Uncurated too” to see them.")
        return False
    _tiles(rows)
    kinds = filters.pills(KIND, "Kind", {key: name for key, (name, _) in KINDS.items()})
    kinds_shown = [kind for key in kinds for kind in KINDS[key][1]]
    _feed_links(_of_kinds(rows, *kinds_shown) if kinds_shown else rows)
    left_out = changes(view).height - rows.height
    if left_out:
        st.markdown(f":small[{count(left_out, 'change')} of earlier generations or of benchmarks that nobody curated.]")
    return not kinds or "best" in kinds


def title(rows: pl.DataFrame) -> str:
    """How many stages moved, and how many best scores are beyond error."""
    if rows.is_empty():
        return "No curated benchmark changed in the last generation"
    stages_moved, best = _of_kinds(rows, published.MOVED_STAGE).height, records(rows)
    stages = f"{count(stages_moved, 'benchmark')} moved" if stages_moved else "No stage moved"
    if best.is_empty():
        return f"{stages}; no new best score"
    return f"{stages}; {count_clause(int(best['beyond_noise'].sum()), best.height, 'new best score', 'beyond error')}"


def _of_kinds(rows: pl.DataFrame, *kinds: str) -> pl.DataFrame:
    return rows.filter(pl.col("kind").is_in(kinds))


def _generations_compared(view: View, rows: pl.DataFrame) -> str:
    """Which two generations are compared, and which data the newer one has."""
    if changes(view).is_empty():
        return f"Assessed as of {day_of(assessed_on(view))}. No earlier generation on record says anything else."
    newest = changes(view).filter("is_newest").row(0, named=True)
    added = _of_kinds(rows, "results")
    results = int(added["n"].sum() or 0)
    added_text = f"It added {count(results, 'result')} of {count(added.height, 'source')}." if results else ""
    before = instant(newest["against"])
    against_text = "" if before is None else f", against the generation made on {before:%-d %b %Y at %H:%M}"
    return f"Assessed as of {day_of(newest['made_on'])}{against_text}. {added_text}"


def instant(name: str) -> datetime | None:
    """The instant at which a generation was made, read from its name; None for a name of another form."""
    try:
        return datetime.strptime(name.split("-")[1], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007 - naive UTC, as everywhere
    except (IndexError, ValueError):
        return None


def _tiles(rows: pl.DataFrame) -> None:
    best, flags = _of_kinds(rows, *published.RECORDS), _of_kinds(rows, published.FLAG)
    n_beyond, n_within = (best.filter(pl.col("beyond_noise") == is_beyond).height for is_beyond in (True, False))
    unknown = best.height - n_beyond - n_within
    new_flags = flags.drop_nulls("after")
    held_back = _of_kinds(rows, published.HELD).height
    errors = f"{n_beyond} beyond error, {n_within} within" + (f", {unknown} unknown" if unknown else "")
    counted = (
        ("", _of_kinds(rows, published.MOVED_STAGE).height, "changed stage", "stage"),
        ("blue", best.height, f"new best scores: {errors}", "best-scores"),
        ("red", new_flags.height, f"newly flagged; {count(flags.height - new_flags.height, 'flag')} went", "flags"),
        ("orange", held_back, "sources held back; the last good copy serves", "sources"),
    )
    tiles.show(
        [
            tile(anchor, f"{number}", words, colour if number else "", leads=number > 0)
            for colour, number, words, anchor in counted
        ]
    )


def _feed_links(rows: pl.DataFrame) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        section("Stage", "stage", _of_kinds(rows, published.MOVED_STAGE))
        section("New here", "new", _of_kinds(rows, published.NEW))
        _flags(_of_kinds(rows, published.FLAG))
    with right:
        section("Held back, and why", "held", _of_kinds(rows, published.HELD))
        section("Scale, names and rules", "scale", _of_kinds(rows, *published.SCALE))
        section(
            "First places",
            "first-places",
            _of_kinds(rows, published.LEADER).sort(
                "beyond_noise", descending=True, nulls_last=True, maintain_order=True
            ),
        )
        section("Sources", "sources", _of_kinds(rows, *published.SOURCES))


def _flags(rows: pl.DataFrame) -> None:
    """Flags that came and went, the benchmarks of each in one line."""
    if rows.is_empty():
        return
    lines = []
    for column, words in (("after", "newly flagged"), ("before", "no longer flagged")):
        for (flag,), flagged in rows.drop_nulls(column).group_by(column, maintain_order=True):
            names = flagged.unique("benchmark_id", maintain_order=True)
            lines.append(f":small[⚑ {names.height} {words} *{FLAG_WORDS[str(flag)]}*: {_linked_names(names)}]")
    with st.container(key="group_flags", border=True, gap="small"):
        st.header("Flags", anchor="flags")
        st.markdown("\n\n".join(lines))


MOST_NAMED = 12
"""How many benchmarks a line of flags names."""


def _linked_names(rows: pl.DataFrame) -> str:
    named: Sequence[str] = [
        f"[{markdown(name)}]({links.address('benchmark', benchmark=key)})"
        for name, key in rows.head(MOST_NAMED).select("label", "benchmark_id").iter_rows()
    ]
    n_more = rows.height - len(named)
    return listed([*named, *([f"{n_more} more"] if n_more > 0 else [])])
