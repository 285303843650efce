"""What is read beside the sources' files, mutated: archives, Parquet, listings, bundles, own results, the registry.

Each reader ends in what it promises or in its own typed error. Parsers: `tests/ingest/sources/test_mutations.py`.
"""

import gzip
import io
import json
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.network import archive, zipped
from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import GithubApi, tree_paths
from benchhealth.ingest.network.payload import FetchError, Payload
from benchhealth.ingest.own_results.imports import ImportRefused, read_path
from benchhealth.ingest.run.web import walk
from benchhealth.warehouse.bundle import BundleError, read_bundles
from benchhealth.warehouse.registry import RegistryError, read_registry
from benchhealth.warehouse.store import Store
from tests.ingest.formats.test_lm_eval import RESULTS
from tests.ingest.sources.payload_rows import PAYLOADS, ROOT
from tests.ingest.sources.test_mutations import PER_PARSER, SECONDS
from tests.support.mutations import mutated
from tests.support.soaking import Soak, some
from tests.support.work_limits import at_most, used
from tests.warehouse.test_registry import write

SOME = 8
AT = datetime(2026, 11, 21, 12)
URL = "https://example.org/x"
TABLE = b"model,score\nalder,1\nbirch,2\n"
OWN = b"benchmark_id,model,score,unit\nmmlu,Alder 7B,71.5,percent\nimport-ours,Alder 7B,0.25,fraction\n"
AT_ONCE = 40
"""Files of one's own that are read by one import: beginning one costs more than reading forty."""

Read = Callable[[Sequence[bytes], Path], None]
"""Reads some bodies, in a folder where it may write. Raises what the reader promises to raise."""


@dataclass(frozen=True)
class Reader:
    """A reader, the whole bodies that it reads, what it may raise, and how many bodies it is given at once."""

    bodies: Sequence[bytes]
    read: Read
    refusal: type[Exception] | None = None
    at_once: int = 1
    many: int = PER_PARSER


def zip_of_tables() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in ("a.csv", "b.csv", "folder/c.csv", "notes.txt"):
            packed.writestr(name, TABLE)
    return out.getvalue()


def tar_of_tables(*, packed: bool) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name in ("repo-1/a/x.csv", "repo-1/a/y.csv", "repo-1/b/x.csv"):
            info = tarfile.TarInfo(name)
            info.size = len(TABLE)
            tar.addfile(info, io.BytesIO(TABLE))
    return gzip.compress(out.getvalue(), mtime=0) if packed else out.getvalue()


def editions() -> bytes:
    out = io.BytesIO()
    rows = {"model": ["a", "b", "c"], "rating": [1.5, None, 3.0], "day": ["2025-05-02", "2025-05-01", "2025-05-02"]}
    pl.DataFrame(rows).write_parquet(out)
    return out.getvalue()


def sound_record(name: str) -> bytes:
    """A record of which every row can be imported: the payloads of the source have others after the first two."""
    record = json.loads((PAYLOADS / "eee" / name).read_text())
    record["evaluation_results"] = record["evaluation_results"][:2]
    return json.dumps(record).encode()


def payload(body: bytes) -> Payload:
    return Payload(URL, "", AT, "", "application/json", body)


class Answering(Fetcher):
    """Answers everything with one body."""

    def __init__(self, body: bytes) -> None:
        super().__init__(None, lambda: AT)
        self._body = body

    def get(self, *_: object, **__: object) -> Payload:
        return payload(self._body)


def read_zip(bodies: Sequence[bytes], _folder: Path) -> None:
    list(zipped.members(URL, bodies[0], r".*\.csv", unpacked_bytes=2**20, member_bytes=2**16))


def read_tar(bodies: Sequence[bytes], _folder: Path) -> None:
    files = archive.members(URL, io.BytesIO(bodies[0]), r".*\.csv", unpacked_bytes=2**22, member_bytes=2**16)
    list(archive.folders(URL, files, r"\w+", folder_bytes=2**18))


def read_tar_unpacked(bodies: Sequence[bytes], folder: Path) -> None:
    """The mutation is under the packing: a changed byte of a packed file is seen by its checksum."""
    read_tar([gzip.compress(bodies[0], 1, mtime=0)], folder)


def read_editions(bodies: Sequence[bytes], _folder: Path) -> None:
    versions = list(walk.editions(bodies[0], "day"))
    assert [edition.body for edition in versions] == [bodies[0]] or all(edition.day for edition in versions)


def read_tree(bodies: Sequence[bytes], _folder: Path) -> None:
    assert all(isinstance(path, str) for path in tree_paths(payload(bodies[0])))


def read_commits(bodies: Sequence[bytes], _folder: Path) -> None:
    with closing(Answering(bodies[0])) as fetcher:
        for commit in [one for page in GithubApi(fetcher).pages("a/b", "main", "x") for one in page]:
            assert set(commit.sha) <= set("0123456789abcdef")
            assert commit.committed_at.tzinfo is None


def read_bundle(bodies: Sequence[bytes], folder: Path) -> None:
    (folder / "x.parquet").write_bytes(bodies[0])
    read_bundles(folder / "x.parquet")


def read_own(suffix: str) -> Read:
    registry = read_registry(ROOT / "data" / "registry")

    def read(bodies: Sequence[bytes], folder: Path) -> None:
        imports = folder / "own"
        shutil.rmtree(imports, ignore_errors=True)
        imports.mkdir()
        for number, body in enumerate(bodies):
            (imports / f"{number}{suffix}").write_bytes(body)
        reading = read_path(imports, registry, home=folder, observed_at=AT)
        assert reading.tables["result"]["score"].is_finite().all()
        assert reading.tables["result"].height > 0

    return read


def read_curated(name: str) -> Read:
    def read(bodies: Sequence[bytes], folder: Path) -> None:
        write(folder)
        (folder / f"{name}.csv").write_bytes(bodies[0])
        read_registry(folder)

    return read


def curated(name: str, folder: Path) -> bytes:
    return (write(folder) / f"{name}.csv").read_bytes()


COMMITS = [{"sha": "a" * 40, "commit": {"committer": {"date": "2024-05-06T07:08:09Z"}}}] * 2
TREE = {"truncated": False, "tree": [{"path": "a/b.csv", "type": "blob"}, {"path": "a", "type": "tree"}]}
CURATED = ("benchmark", "twin", "breakpoint", "alias", "contamination_report", "model")
RECORDS = [sound_record(name) for name in ("v02.json", "v03.json")]


def reader(name: str, folder: Path) -> Reader:
    kind, _, of = name.partition(" ")
    if kind == "registry":
        return Reader([curated(of, folder)], read_curated(of), RegistryError, many=PER_PARSER // len(CURATED))
    if kind == "bundle":
        return Reader([(ROOT / "data" / "snapshot" / "gsm1k.parquet").read_bytes()], read_bundle, BundleError)
    if kind in ("own", "alone"):
        bodies_of = {"table": [OWN], "record": RECORDS, "harness": [json.dumps(RESULTS).encode()]}[of]
        read = read_own(".csv" if of == "table" else ".json")
        alone = kind == "alone"
        return Reader(
            bodies_of, read, ImportRefused, 1 if alone else AT_ONCE, PER_PARSER // AT_ONCE if alone else PER_PARSER
        )
    return NETWORK[kind]


NETWORK: Mapping[str, Reader] = {
    "zip": Reader([zip_of_tables()], read_zip, FetchError),
    "tar": Reader([tar_of_tables(packed=True)], read_tar, FetchError),
    "members": Reader([tar_of_tables(packed=False)], read_tar_unpacked, FetchError),
    "editions": Reader([editions()], read_editions),
    "tree": Reader([json.dumps(TREE).encode()], read_tree, FetchError),
    "commits": Reader([json.dumps(COMMITS).encode()], read_commits, FetchError),
}
OWN_FORMS = ("table", "record", "harness")
NAMES = (
    *(*NETWORK, "bundle"),
    *(f"{how} {form}" for how in ("own", "alone") for form in OWN_FORMS),
    *(f"registry {name}" for name in CURATED),
)


def fuzz(reader: Reader, seed: str, many: int, folder: Path) -> tuple[int, float]:
    """How many bodies were read (or groups of them), and the processor time in seconds that the slowest took."""
    read, slowest = 0, 0.0
    for first in range(0, many, reader.at_once):
        chance = random.Random(f"{seed} {first}")
        bodies = [mutated(chance.choice(reader.bodies), chance) for _ in range(reader.at_once)]
        began = used()
        try:
            with at_most(SECONDS):
                reader.read(bodies, folder)
            read += 1
        except BaseException as error:
            if reader.refusal is None or not isinstance(error, reader.refusal):
                error.add_note(f"seed {seed!r}, number {first}: {[body[:2000] for body in bodies][:3]!r}")
                raise
        slowest = max(slowest, used() - began)
    return read, slowest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is a home without facts too."""
    with Store.open(tmp_path):
        pass
    return tmp_path


@pytest.mark.parametrize("name", some(NAMES, plain=[name for name in NAMES if not name.startswith("alone ")]))
def test_mutated_inputs_are_read_or_refused(name: str, folder: Path) -> None:
    fuzz(reader(name, folder), "suite", SOME, folder)


def test_a_bundle_with_the_bit_that_ended_a_process_is_read_or_refused(folder: Path) -> None:
    """As long as the file is the one in which the soak of seed 422604449 found it, at number 3461."""
    asked = "422604449 tests/test_mutated_inputs.py::test_ten_thousand_mutated_inputs_are_read_or_refused[bundle] 3461"
    given, chance = reader("bundle", folder), random.Random(asked)
    with suppress(BundleError):
        given.read([mutated(chance.choice(given.bodies), chance)], folder)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_mutated_inputs_are_read_or_refused(name: str, folder: Path, soak: Soak) -> None:
    given = reader(name, folder)
    read, slowest = fuzz(given, soak.seed, given.many, folder)
    soak.say(
        f"{given.many} bodies, {given.at_once} at once: {read} of {-(-given.many // given.at_once)} times read, "
        f"else refused, slowest {slowest * 1e3:.0f} ms"
    )
