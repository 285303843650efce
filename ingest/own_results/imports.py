"""Anybody's own results: a file or a folder is read whole, or refused whole with the row and the reason.

Three forms: a CSV table (`own_table`), records of Every Eval Ever (`eee`), results of the lm-evaluation-harness
(`lm_eval`). Each file becomes one snapshot of the source `import` under its own address, and a changed file a newer
snapshot under the same; bytes that are in force already change nothing.
"""

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.audit.board import MOST_MODELS
from benchhealth.analytics.record.tables import NO_MODEL
from benchhealth.ingest.formats.bodies import read_json, slug
from benchhealth.ingest.formats.eee import Evaluation, as_record, parse_record
from benchhealth.ingest.formats.lm_eval import is_lm_eval, parse_lm_eval
from benchhealth.ingest.names.identity import Aliases, hidden_in, printable, with_normalised
from benchhealth.ingest.network import raw
from benchhealth.ingest.network.payload import Payload
from benchhealth.ingest.own_results.claims import RecordedBenchmarks, contradictions
from benchhealth.ingest.own_results.csv_results import parse_table
from benchhealth.ingest.rows import BenchmarkFact, OwnClaim, Parsed, PayloadError, RawRow
from benchhealth.ingest.run.progress import shown_on
from benchhealth.ingest.run.resolve import resolve
from benchhealth.ingest.run.source_state import snapshot_id
from benchhealth.warehouse.batch import OWN_FACT, Batch
from benchhealth.warehouse.loading.load import benchmark_table
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sql import SOURCE
from benchhealth.warehouse.store import Store, fact_table, rows_of

KEY = "import"
BY_HAND = "by hand"
"""The cadence of imports: nobody looks for a newer version."""
SOURCE_ROW = pl.DataFrame(
    {
        "source_id": [KEY],
        "title": ["Imported by hand"],
        "homepage": [""],
        "licence": ["your own"],
        "redistributable": [False],
        "cadence": [BY_HAND],
        "kind": ["paper"],
    },
    schema=SOURCE,
)
"""What the table `source` says of imported results: they are never passed on, and no night looks for them."""

FORMS = (".csv", ".json")
"""The endings of the files that are read from a folder."""
_TABLES = (".csv", ".tsv", ".txt")
MOST_BYTES = 32 * 2**20
PROBLEMS_SHOWN = 20
_AT_A_TIME = 256
"""Files whose rows are held one by one: a frame of a few rows costs hundreds of times what the rows do."""


_ID = re.compile(r"(?=.{1,200}$)[a-z0-9][a-z0-9._+-]*(?:/[a-z0-9][a-z0-9._+-]*)*")

Named = Callable[[str], str]


class ImportRefused(ValueError):  # noqa: N818  it says what happened
    """The files cannot be imported as they are; nothing of them was stored. The message names rows and reasons."""


class File(NamedTuple):
    """A file as it was read: its path and the SHA-256 of its bytes."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class Reading:
    """What can be imported as it is: files, and their rows by table of the facts.

    `unchanged` counts the files that were passed over because their very bytes are in force.
    """

    files: tuple[File, ...]
    tables: dict[str, pl.DataFrame]
    observed_at: datetime
    unchanged: int

    def __str__(self) -> str:
        results = self.tables["result"].height
        return f"{results} results from {len(self.files)} files; {self.unchanged} files were there before"


def read_path(path: Path, registry: Registry, *, home: Path, observed_at: datetime) -> Reading:
    """Read a file, or every .csv and .json file below a folder, as of `observed_at`; nothing is written.

    Raises ImportRefused where any row of any file is not a result.
    """
    files = _files(path)
    import_ = _Import(registry, home, observed_at)
    with shown_on(sys.stderr) as progress:
        progress.begin("reading")
        progress.expect(len(files))
        for file in files:
            import_.read(file)
            progress.advance(_printable_name(file))
        progress.end(f"{len(files)} files")
    return import_.reading()


def store_reading(reading: Reading, store: Store, home: Path) -> None:
    """Keep the bytes, then store all results in one transaction. Raises ImportRefused where a file has changed."""
    for file in reading.files:
        payload = _payload(file.path, reading.observed_at)
        if payload.sha256 != file.sha256:
            raise ImportRefused(f"nothing was imported: {_printable_name(file.path)} changed while it was read")
        raw.save(home, payload)
    store.write_sources(SOURCE_ROW)
    store.append_all(reading.tables)


class _Import:
    """The reading of one import: what is there before it, and what it found so far."""

    def __init__(self, registry: Registry, home: Path, observed_at: datetime) -> None:
        benchmarks = benchmark_table(home, registry, observed_at)
        curated = registry.benchmark.select("benchmark_id", "name")
        self._units: dict[str, str] = dict(benchmarks.select("benchmark_id", "unit").iter_rows())
        self._higher: dict[str, bool | None] = dict(benchmarks.select("benchmark_id", "higher_is_better").iter_rows())
        self._names: dict[str, str] = {
            row["name"].casefold(): row["benchmark_id"] for row in curated.iter_rows(named=True)
        }
        self._names |= {slug(benchmark_id): benchmark_id for benchmark_id in curated["benchmark_id"]}
        self._labels: dict[str, str | None] = dict(benchmarks.select("benchmark_id", "labels").iter_rows())
        self._claims: list[tuple[Path, OwnClaim]] = []
        self._aliases: Aliases = with_normalised(registry.aliases())
        versions = fact_table(home, "snapshot").filter(pl.col("source_id") == KEY).sort("observed_at")
        self._versions = Counter(versions.select("url", "sha256").iter_rows())
        in_force = versions.unique("url", keep="last")
        self._in_force = set(in_force["sha256"])
        self._stored = fact_table(home, "own_fact").join(in_force.select("snapshot_id", "url"), on="snapshot_id")
        self._observed_at = observed_at
        self._files: list[File] = []
        self._batches: list[Batch] = []
        self._stacked: list[dict[str, pl.DataFrame]] = []
        self._problems: list[str] = []
        self._unchanged = 0

    def read(self, file: Path) -> None:
        """Take in one file, or note what is wrong with it."""
        try:
            payload = _payload(file, self._observed_at)
            if payload.sha256 in self._in_force:
                self._unchanged += 1
                return
            parsed = _parse_file(file, payload.body, self._registry_benchmark, self._units)
            batch = self._batch(payload, parsed)
        except PayloadError as error:
            self._problems.append(f"{_printable_name(file)}: {error}")
            return
        wrong = [
            f"{_printable_name(file)}: {row['source_row']}: {row['reason']} ({row['published']})"
            for row in batch.rejections.iter_rows(named=True)
            if not row["reason"].startswith("excluded: ")
        ]
        if batch.results.is_empty() and not wrong:
            wrong = [f"{_printable_name(file)}: no result in it"]
        self._problems += wrong
        self._claims += [(file, claim) for claim in parsed.claims]
        self._in_force.add(payload.sha256)
        self._files.append(File(file, payload.sha256))
        self._batches.append(batch)
        if len(self._batches) == _AT_A_TIME:
            self._stack()

    def reading(self) -> Reading:
        """All that the files hold. Raises ImportRefused if anything was wrong."""
        self._problems += self._denied()
        if self._problems:
            more = [f"and {len(self._problems) - PROBLEMS_SHOWN} more"] if len(self._problems) > PROBLEMS_SHOWN else []
            raise ImportRefused("\n  ".join(["nothing was imported:", *self._problems[:PROBLEMS_SHOWN], *more]))
        self._stack()
        tables = {name: pl.concat([frames[name] for frames in self._stacked]) for name in self._stacked[0]}
        models = tables["result"]["model_id"].n_unique()
        if models > MOST_MODELS:
            raise ImportRefused(f"nothing was imported: {models:,} models are more than are read ({MOST_MODELS:,})")
        return Reading(tuple(self._files), tables, self._observed_at, self._unchanged)

    def _denied(self) -> list[str]:
        """The problems of the claims, once all files are read: the original of a twin may come in a later one."""
        urls = [file.path.resolve().as_uri() for file in self._files]
        other_claims = self._stored.filter(~pl.col("url").is_in(urls)).select(OWN_FACT.names())
        stored = [OwnClaim("", *(cell or "" for cell in row)) for row in other_claims.iter_rows()]
        benchmarks = RecordedBenchmarks(self._units, self._higher, self._labels)
        return [
            f"{_printable_name(file)}: {claim.row}: {wrong}"
            for (file, claim), wrong in zip(
                self._claims, contradictions([claim for _, claim in self._claims], stored, benchmarks), strict=True
            )
            if wrong
        ]

    def _stack(self) -> None:
        self._stacked.append(rows_of(self._batches))
        self._batches = []

    def _registry_benchmark(self, word: str) -> str:
        """The benchmark of the registry with exactly this name; empty if there is none."""
        return self._names.get(word.casefold(), "") or self._names.get(slug(word), "")

    def _batch(self, payload: Payload, parsed: Parsed) -> Batch:
        """The file as a snapshot, its benchmarks remembered for the files that follow."""
        resolved = resolve(
            self._checked(parsed),
            source_id=KEY,
            benchmarks=self._units,
            aliases=self._aliases,
            observed_on=self._observed_at.date(),
        )
        for fact in resolved.benchmarks.iter_rows(named=True):
            self._units[fact["benchmark_id"]] = fact["unit"]
            self._higher[fact["benchmark_id"]] = fact["higher_is_better"]
        # A file that is put back to what it said before is a version of its own, so that it is the newest again.
        before = self._versions[payload.url, payload.sha256]
        ref = f"{payload.ref}-{before + 1}" if before else payload.ref
        return Batch(
            snapshot_id=snapshot_id(KEY, payload.url, ref),
            source_id=KEY,
            board_id=f"{KEY}/{payload.url}",
            observed_at=self._observed_at,
            fetched_at=self._observed_at,
            url=payload.url,
            ref=ref,
            sha256=payload.sha256,
            **vars(resolved),
            own_facts=_claim_rows(parsed.claims),
        )

    def _checked(self, parsed: Parsed) -> Parsed:
        """The rows; rejected are those that reverse the direction of a benchmark or use a reserved name."""
        wrong = {fact.benchmark: _unseen(fact) or self._turned(fact) for fact in parsed.benchmarks}
        rows = [
            row._replace(reject=row.reject or wrong.get(row.benchmark, "") or self._misnamed(row))
            for row in parsed.rows
        ]
        return replace(parsed, rows=rows)

    def _misnamed(self, row: RawRow) -> str:
        if row.benchmark not in self._units and not _ID.fullmatch(row.benchmark):
            return f"not a benchmark_id: {row.benchmark!r}"
        # The place of a result of the harness is the name of its task, its metric and its filter.
        for where, text in (("setting", row.setting), ("unit", row.unit), ("result's place", row.row)):
            if hidden := hidden_in(text):
                return f"a character in the {where} that is not to be seen: {hidden}"
        return f"a setting that begins {NO_MODEL!r}" if row.setting.startswith(NO_MODEL) else ""

    def _turned(self, fact: BenchmarkFact) -> str:
        if self._higher.get(fact.benchmark) in (None, fact.higher_is_better):
            return ""
        return f"of {fact.benchmark} {'lower' if fact.higher_is_better else 'higher'} scores are better, not these"


def _unseen(fact: BenchmarkFact) -> str:
    hidden = hidden_in(fact.name) or hidden_in(fact.metric)
    return f"a character in the name of the evaluation or its metric that is not to be seen: {hidden}" if hidden else ""


def _claim_rows(claims: Sequence[OwnClaim]) -> pl.DataFrame:
    """The claims as rows of OWN_FACT: of labels and of twins."""
    rows = {OwnClaim("", claim.benchmark, labels=claim.labels) for claim in claims if claim.labels}
    rows |= {claim._replace(row="", labels="") for claim in claims if claim.twin_of}
    facts = [tuple(cell or None for cell in claim[1:]) for claim in sorted(rows)]
    return pl.DataFrame(facts, schema=OWN_FACT, orient="row")


def _printable_name(file: Path) -> str:
    """The name of a file for a terminal, which obeys escapes in it."""
    return printable(str(file))


def _files(path: Path) -> list[Path]:
    """The file, or those below the folder, in order; links to folders are not followed. Raises ImportRefused."""
    if not path.exists():
        raise ImportRefused(f"{_printable_name(path)}: no such file or folder")
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in FORMS and not file.is_dir())
    if not files:
        raise ImportRefused(f"{_printable_name(path)}: no .csv and no .json file in it")
    return files


def _payload(file: Path, observed_at: datetime) -> Payload:
    """The bytes of a file. Raises PayloadError where they cannot be had."""
    try:
        if not file.is_file():
            raise PayloadError("not a file that can be read")
        if file.stat().st_size > MOST_BYTES:
            raise PayloadError(f"larger than {MOST_BYTES // 2**20} MB: split it")
        body = file.read_bytes()
    except OSError as error:
        raise PayloadError(f"cannot be read: {error.strerror}") from error
    sha256 = hashlib.sha256(body).hexdigest()
    return Payload(file.resolve().as_uri(), sha256[:12], observed_at, sha256, "application/octet-stream", body)


def _parse_file(file: Path, body: bytes, naming: Named, benchmark_ids: Container[str]) -> Parsed:
    if file.suffix.lower() in _TABLES:
        return parse_table(body, benchmark_ids)
    if file.suffix.lower() != ".json":
        raise PayloadError("neither .csv nor .json: a spreadsheet saves it as CSV UTF-8")
    document = read_json(body)
    if is_lm_eval(document):
        return parse_lm_eval(document, lambda task: naming(task) or f"{KEY}-{slug(task)}")
    return parse_record(as_record(document), partial(_evaluation, naming))


def _evaluation(naming: Named, evaluation: Evaluation) -> str:
    """The registry's benchmark where the record uses its very name, else one of this source's own.

    Raises PayloadError where the name of the collection has what nobody sees.
    """
    if hidden := hidden_in(evaluation.collection):
        raise PayloadError(f"a character in evaluation_id that is not to be seen: {hidden}")
    own_id = "-".join([KEY, *filter(None, [slug(evaluation.collection), slug(evaluation.name)])])
    return naming(evaluation.name) or own_id
