"""LMArena's Agent Arena since 2026-06 and its WebDev board of spring 2026, scraped into `data/DATE/{agent,code}.json`.

`last_updated` is the board's day (`Mar 18, 2026`, or null), the folder that of the scrape. A score is printed with half
its 95% interval. Agent Arena's score is the net improvement in points, since 2026-07-20 under `signals`, beside five
more. Earlier scrapes of it are refused: they read no score at all, or one without its sign (16 and 8 for what are -15
and -14 two weeks later), once without its decimal point too (14.10 as 1410). The other files of the repository hold a
varying number of rows and are not read.
"""

import re
from calendar import month_abbr
from collections import Counter
from collections.abc import Iterator, Mapping

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Entry, as_text, object_at, pointer, read_json, slug
from benchhealth.ingest.formats.numbers import error_of_half
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

BENCHMARKS = {"agent": arena.AGENT, "code": arena.WEBDEV}
"""What a file says it is the leaderboard of, and the benchmark."""

SCORE = "score"
WHOLE = "net_improvement"
SIGNALS = ("confirmed_success", "praise_vs_complaint", "steerability", "bash_recovery", "tool_hallucination")
"""What Agent Arena prints beside the net improvement, all in points and higher for the better model."""

_DAY = re.compile(rf"({'|'.join(month_abbr[1:])}) (\d{{1,2}}), (\d{{4}})")


def parse(body: bytes, path: str) -> Parsed:
    """Read one scrape: a row for every model, for Agent Arena one more for each signal that is printed."""
    meta, entries = arena.read_entries(read_json(body), "models", "model_count")
    leaderboard, updated_on = as_text(meta.get("leaderboard")), _day(as_text(meta.get("last_updated")))
    expected = path.rsplit("/", 1)[-1].removesuffix(".json")
    if leaderboard != expected or leaderboard not in BENCHMARKS:
        raise PayloadError(f"the leaderboard is {leaderboard[:50]!r}, not {expected!r}")
    if leaderboard == "agent" and not any(isinstance(entry.get("signals"), dict) for entry in entries):
        raise PayloadError("no signals: without them the scores have lost their signs")
    listed = Counter(as_text(entry.get("model")) for entry in entries)
    rows = [row for index, entry in enumerate(entries) for row in _rows(index, entry, leaderboard, updated_on, listed)]
    models = [
        arena.entry_fact(pointer("models", index), entry, "model", "vendor") for index, entry in enumerate(entries)
    ]
    return Parsed(rows=rows, models=models, benchmarks=_facts(rows))


SOURCE = Source(
    key="lmarena-agent",
    title="LMArena's Agent Arena, and its WebDev board of spring 2026",
    homepage="https://github.com/aabao325/arena-ai-leaderboards",
    licence="MIT",
    redistributable=True,
    kind="crawl",
    cadence="every few days",
    files=tuple(
        GithubTree(
            f"lmarena-agent/{benchmark}",
            "aabao325/arena-ai-leaderboards",
            "main",
            rf"data/\d{{4}}-\d{{2}}-\d{{2}}/{name}\.json",
        )
        for name, benchmark in BENCHMARKS.items()
    ),
    parse=parse,
)


def _day(printed: str) -> str:
    """`Mar 18, 2026` as 2026-03-18; nothing where the board's day was not read, and anything else as it is."""
    match = _DAY.fullmatch(printed)
    return f"{match[3]}-{list(month_abbr).index(match[1]):02d}-{int(match[2]):02d}" if match else printed


def _number(entry: Entry, signal: str) -> tuple[str, str]:
    """What is printed and half its interval: of Agent Arena a signal, of other boards the score."""
    if signal == SCORE:
        return as_text(entry.get("score")), as_text(entry.get("ci"))
    printed = object_at(entry, "signals", signal)
    return as_text(printed.get("value")), as_text(printed.get("ci"))


def _rows(index: int, entry: Entry, leaderboard: str, updated_on: str, listed: Mapping[str, int]) -> Iterator[RawRow]:
    printed, board = as_text(entry.get("model")), BENCHMARKS[leaderboard]
    model, setting = arena.name_and_setting(printed)
    for signal in (WHOLE, *SIGNALS) if leaderboard == "agent" else (SCORE,):
        score, half = _number(entry, signal)
        yield RawRow(
            row=pointer("models", index) if signal == SCORE else pointer("models", index, "signals", signal),
            benchmark=f"{board}/{slug(signal)}" if signal in SIGNALS else board,
            model=model,
            score=score,
            unit="rating" if signal == SCORE else "points",
            std_error=error_of_half(half),
            n_items=as_text(entry.get("votes")),
            dated_on=updated_on,
            date_basis="evaluation" if updated_on else "",
            setting=setting,
            reject=f"{listed[printed]} rows of the same model" if listed[printed] > 1 else "",
        )


def _facts(rows: list[RawRow]) -> list[BenchmarkFact]:
    """The signals of Agent Arena; the boards themselves are in the registry."""
    signals = dict.fromkeys(row.benchmark for row in rows if "/" in row.benchmark)
    return [
        BenchmarkFact(
            benchmark=signal,
            name=f"Agent Arena: {signal.rpartition('/')[2].replace('-', ' ')}",
            metric="points",
            unit="points",
            domain="agentic",
            modality="text",
        )
        for signal in signals
    ]
