"""One search over benchmarks, models, leaderboards, sources and stories, by parts of names, ids and makers."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

import polars as pl

from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.domains import CALLED
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.published.models import models
from benchhealth.dashboard.words.domains import domain
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stages import stage_words
from benchhealth.dashboard.words.stories.story_list import PAGE, STORIES, STORY, found_as
from benchhealth.dashboard.words.terms.glossary import TERMS
from benchhealth.dashboard.words.text import count, one_line

KINDS: Mapping[str, str] = {
    "term": "Terms",
    "benchmark": "Benchmarks",
    "model": "Models",
    "board": "Leaderboards",
    "source": "Sources",
    "story": "Stories",
}
"""What can be found; kinds whose best match is alike are listed in this order."""

RESULTS_OF_KIND = 6
"""How many results of each kind are listed at first."""

LONGEST_QUERY = 100
"""A query is cut after this many characters."""

CURATED, MAKER = 1e8, 1e6
"""More than any benchmark has models: curated ones are listed before all others, those that makers report first."""

_SUBTITLE = re.compile(r"[:,]|\s\(")
"""Where the title of a source goes on to say what is in it."""

_ALSO = ("domain", "domain_group", "construct", "family")
"""What a benchmark is found by, beside its name and its id."""

_WORD = re.compile(r"[^a-z0-9]+")
_ASKING = frozenset(
    _WORD.split(
        "a an and are by can did do does for has have how i in instead is it its of on or replace saturated should "
        "since so still the to was what when where which who why with"
    )
)
"""Words of a question that name nothing, as far as nothing is found with them."""


@dataclass(frozen=True)
class FoundGroup:
    """What of one kind was found: the first rows (name, detail, address), how many there are, and how well one fits.

    `fit` is 3 for a name that is the question itself, 2 for one that begins with it, 1 where words of it do, else 0.
    """

    kind: str
    total: int
    rows: tuple[tuple[str, str, str], ...]
    fit: int

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values of JSON."""
        keys = ("name", "detail", "address")
        rows = [dict(zip(keys, row, strict=True)) for row in self.rows]
        return {"kind": self.kind, "title": KINDS[self.kind], "total": self.total, "rows": rows}


def search(view: View, query: str, per_kind: int = RESULTS_OF_KIND) -> list[FoundGroup]:
    """What matches every word of the query, best first, and the kind first whose name fits best.

    Words are parted by anything that is no letter or figure, so that `gpt 4o`, `gpt-4o` and `GPT4o` find the same.
    Where nothing has all of them, those that a question is asked with count no more: `is MMLU saturated` finds MMLU.
    """
    words = question_words(query)
    if not words and query.strip():
        words = [one_line(query[:LONGEST_QUERY].lower())]
    rows = index(view)  # made with the first question, even an empty one, which the box asks as it opens
    if not words:
        return []
    matching = _with_words(rows, words)
    if matching.is_empty() and (telling := [word for word in words if word not in _ASKING]):
        words, matching = telling, _with_words(rows, telling)
    rows = matching
    joined, squeezed = " ".join(words), "".join(words)
    begins = pl.col("folded").str.starts_with(joined) | pl.col("squeezed").str.starts_with(squeezed)
    each_begins = pl.all_horizontal((" " + pl.col("folded")).str.contains(f" {word}", literal=True) for word in words)
    fit = (
        pl.when((pl.col("folded") == joined) | (pl.col("squeezed") == squeezed) | (pl.col("id") == joined))
        .then(3)
        .when(begins)
        .then(2)
        .when(each_begins)
        .then(1)
        .otherwise(0)
    )
    # A curated benchmark is rather meant than an uncurated one, though of that very name.
    is_uncurated = (pl.col("kind") == "benchmark") & (pl.col("weight") < CURATED)
    rank = pl.when(is_uncurated).then(fit - 4).otherwise(fit)
    ranked = rows.with_columns(fit=fit, place=rank).sort(
        "place", "weight", "name", "id", descending=[True, True, False, False]
    )
    groups = []
    for (kind,), of_kind in ranked.group_by("kind", maintain_order=True):
        best_rows = tuple(of_kind.head(per_kind).select("name", "detail", "address").iter_rows())
        groups.append(FoundGroup(str(kind), of_kind.height, best_rows, int(of_kind["fit"].max())))  # type: ignore[arg-type]
    return sorted(groups, key=lambda group: (-group.fit, list(KINDS).index(group.kind)))


def _with_words(rows: pl.DataFrame, words: Sequence[str]) -> pl.DataFrame:
    for word in words:
        rows = rows.filter(pl.col("text").str.contains(word, literal=True))
    return rows


def question_words(query: str) -> list[str]:
    """The words of a question, in small letters."""
    return _WORD.sub(" ", query[:LONGEST_QUERY].lower()).split()


@always
def index(view: View) -> pl.DataFrame:
    """Everything that can be found, one row each.

    Columns: kind, id, name, detail, address, folded and squeezed (the name in small letters, with blanks and without),
    text (all that is looked in) and weight (the higher, the sooner it is listed).
    """
    rows = _told_apart(_entries(view))
    folded = pl.col("name").str.to_lowercase().str.replace_all(_WORD.pattern, " ").str.strip_chars()
    name_text = pl.concat_str("name", "id", "also", separator=" ").str.to_lowercase()
    words = name_text.str.replace_all(_WORD.pattern, " ")
    return rows.with_columns(
        folded=folded,
        squeezed=folded.str.replace_all(" ", "", literal=True),
        text=pl.concat_str(name_text, words, words.str.replace_all(" ", "", literal=True), separator=" "),
    ).drop("also")


def _told_apart(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows; what has the name of another of its kind says its id too, unless it is curated or of another source."""
    source = pl.when(pl.col("kind") == "board").then(pl.col("detail").str.split(" \u00b7 ").list.first()).fill_null("")
    curated = (pl.col("kind") == "benchmark") & (pl.col("weight") >= CURATED)
    is_namesake = (pl.len().over("kind", pl.col("name").str.to_lowercase(), source) > 1) & ~curated
    with_id = pl.concat_str(pl.col("detail").replace("", None), "id", separator=" \u00b7 ", ignore_nulls=True)
    return rows.with_columns(detail=pl.when(is_namesake).then(with_id).otherwise("detail"))


_quoted = partial(quote, safe="")


class _Entry(NamedTuple):
    """A row of the index as its kind gives it."""

    id: str
    name: str | None
    detail: str
    address: str
    also: str
    weight: float | None


def _terms(_view: View) -> Iterator[_Entry]:
    """The glossary: a row for each term, and one for each other word that leads to it."""
    for term in TERMS:
        for name in (term.name, *term.also):
            detail = term.meaning if name == term.name else f"{term.name}: {term.meaning}"
            yield _Entry(name, name, detail, term.address, "", 0.0)


def _benchmarks(view: View) -> Iterator[_Entry]:
    families = view.table("life").select("benchmark_id", "family").unique("benchmark_id")
    rows = benchmarks(view).join(families, on="benchmark_id", how="left", maintain_order="left")
    is_part = pl.col("benchmark_id").str.contains("/", literal=True)
    for row in rows.filter(~is_part | pl.col("curated")).iter_rows(named=True):
        group, curated, models_on_it = row["domain_group"], row["curated"], row["models"]
        stage = stage_words(row["stage"], row["between"]).lower() if curated else "uncurated"
        known = (*(row[name] for name in _ALSO), CALLED.get(group))
        yield _Entry(
            row["benchmark_id"],
            row["name"],
            " · ".join(filter(None, (group and domain(group), stage, count(models_on_it, "model")))),
            f"benchmark?benchmark={_quoted(row['benchmark_id'])}",
            " ".join(words for words in known if words is not None),
            (CURATED if curated else 0) + (row["makers"] or 0) * MAKER + models_on_it,
        )


def _models(view: View) -> Iterator[_Entry]:
    columns = ("model_id", "name", "organisation", "released_on", "benchmarks")
    for model_id, name, maker, released, n in models(view).select(columns).iter_rows():
        detail = " · ".join(
            filter(None, (maker, released and month_of(released), (n and count(n, "curated benchmark")) or ""))
        )
        yield _Entry(model_id, name, detail, f"models?model={_quoted(model_id)}", maker or "", n)


def _boards(view: View) -> Iterator[_Entry]:
    names = dict(benchmarks(view).select("benchmark_id", "name").iter_rows())
    titles = dict(view.table("source").select("source_id", "title").iter_rows())
    for board_id, benchmark_id, days in standings.boards(view).select("board_id", "benchmark_id", "days").iter_rows():
        source_id = board_id.split("/")[0]
        source = titles.get(source_id) or source_id
        detail = f"{_SUBTITLE.split(source)[0]} · seen on {count(days, 'day')}"
        address = f"leaderboards?board={_quoted(board_id)}"
        yield _Entry(board_id, names.get(benchmark_id) or benchmark_id, detail, address, source, days)


def _sources(view: View) -> Iterator[_Entry]:
    columns = ("source_id", "title", "known_until", "homepage")
    for source_id, title, until, homepage in view.table("source").select(columns).iter_rows():
        detail = f"data to {month_of(until)}" if until else "never fetched here"
        address = f"data?table=source&find={_quoted(source_id)}"
        yield _Entry(source_id, title, detail, address, homepage or "", until is not None)


def _stories(view: View) -> Iterator[_Entry]:
    """The stories about benchmarks of the generation; what they say is on their pages."""
    there = set(view.table("benchmark")["benchmark_id"])
    for key, story in STORIES.items():
        if story.benchmark_id in there:
            yield _Entry(key, found_as(story), story.asks, f"{PAGE}?{STORY}={_quoted(key)}", story.benchmark_id, 1.0)


_ENTRIES: Mapping[str, Callable[[View], Iterator[_Entry]]] = {
    "term": _terms,
    "benchmark": _benchmarks,
    "model": _models,
    "board": _boards,
    "source": _sources,
    "story": _stories,
}


def _entries(view: View) -> pl.DataFrame:
    """Everything that can be found, a row each: kind, id, name, detail, address, also, weight."""
    rows = [
        (
            kind,
            entry.id,
            one_line(entry.name or entry.id),
            one_line(entry.detail),
            entry.address,
            entry.also,
            None if entry.weight is None else float(entry.weight),
        )
        for kind, entries in _ENTRIES.items()
        for entry in entries(view)
    ]
    texts = dict.fromkeys(("kind", "id", "name", "detail", "address", "also"), pl.String())
    return pl.DataFrame(rows, schema={**texts, "weight": pl.Float64()}, orient="row")


SHORTEST_WORD, LONGEST_WORD = 3, 30
"""Letters of a word that is looked for among names."""

SHORT_WORD, MOST_OFFERED = 4, 3
"""Up to this many letters one slip is allowed, and two in longer words; this many questions are offered."""

_NEAR_SQL = """
    SELECT word FROM (SELECT unnest($words) AS word) WHERE damerau_levenshtein(word, $asked) <= $slips
    ORDER BY damerau_levenshtein(word, $asked), list_position($words, word) LIMIT $most
"""


def meant(view: View, query: str, groups: list[FoundGroup]) -> list[str]:
    """At most MOST_OFFERED questions in which words that begin nothing known are others, a slip or two away.

    A slip is a letter too many, too few, another one, or two that changed places (Damerau 1964). Empty where a name
    that was `found` begins with the question, or with its words, and where no word is near. Each finds something.
    """
    words = question_words(query)
    if not words or any(group.fit for group in groups):
        return []
    corrections = {word: _near_words(view, word) for word in words}
    if not any(corrections.values()) or not all(corrections[word] or _begins(view, word) for word in words):
        return []
    offered = [
        " ".join(corrections[word][: nth + 1][-1] if corrections[word] else word for word in words)
        for nth in range(max(map(len, corrections.values())))
    ]
    return [question for question in dict.fromkeys(offered) if search(view, question, 1)]


def _begins(view: View, word: str) -> bool:
    """Whether a word of any name, id, maker or domain begins with it."""
    return bool(index(view)["text"].str.contains(f" {word}", literal=True).any())


def _near_words(view: View, word: str) -> list[str]:
    """Words of names near this one, the nearest first; none for one that begins a word which is known."""
    if not SHORTEST_WORD <= len(word) <= LONGEST_WORD or _begins(view, word):
        return []
    slips = 1 if len(word) <= SHORT_WORD else 2
    names = vocabulary(view)
    of_like_length = names.filter((names.str.len_bytes().cast(pl.Int64) - len(word)).abs() <= slips)
    parameters = {"words": of_like_length.to_list(), "asked": word, "slips": slips, "most": MOST_OFFERED}
    return view.published.query(_NEAR_SQL, parameters)["word"].to_list() if len(of_like_length) else []


@always
def vocabulary(view: View) -> pl.Series:
    """The words of all names, and names written as one word: those of what most is known about first."""
    rows = index(view)
    words = rows.select("weight", word=pl.col("folded").str.split(" ")).explode("word")
    all_words = pl.concat([words, rows.select("weight", word="squeezed")])
    of_length = pl.col("word").str.len_bytes().is_between(SHORTEST_WORD, LONGEST_WORD)
    best = all_words.filter(of_length).group_by("word").agg(pl.col("weight").max())
    return best.sort("weight", "word", descending=[True, False])["word"]
