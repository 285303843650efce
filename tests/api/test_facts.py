"""The Python API says what addresses and pages say, and nothing that may not leave."""

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

import benchhealth as bh
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.replies.reply import LONGEST_VALUE, Reply
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.warehouse.read import open_current
from tests.api.conftest import serve
from tests.support.examples import examples_of, failures
from tests.support.mixed_generation import told_of

HOMES = (pytest.param("small_home", marks=pytest.mark.soak), "mixed_home")


@pytest.fixture(params=HOMES)
def both(request: pytest.FixtureRequest, address: str) -> Iterator[tuple[bh.Facts, bh.Facts]]:
    """The same home as facts of this process, and of a dashboard at an address."""
    home: Path = request.getfixturevalue(request.param)
    serve(home)
    yield bh.open(home, address=address), bh.open(address)


def test_every_answer_is_the_same_here_and_by_address(both: tuple[bh.Facts, bh.Facts]) -> None:
    here, there = both
    assert here.generation == there.generation
    asked = 0
    for benchmark_id in here.benchmarks(curated=False)["benchmark_id"]:
        assert here.benchmark(benchmark_id) == there.benchmark(benchmark_id)
        assert here.corroboration(benchmark_id) == there.corroboration(benchmark_id)
        for question in TITLES:
            mine, theirs = here.answer(benchmark_id, question), there.answer(benchmark_id, question)
            assert mine == theirs
            assert mine.generation == here.generation and mine.citation.endswith(mine.page)
            asked += 1
    assert asked >= 4 * len(TITLES)


def test_every_answer_is_that_of_the_page(small_home: Path) -> None:
    """Nothing of this home is withheld, so what leaves is what its pages show."""
    facts, view = bh.open(small_home), View(open_current(small_home))
    n_replies = 0
    for benchmark_id in facts.benchmarks(curated=False)["benchmark_id"]:
        for question, words in words_of(view, benchmark_id).items():
            reply = facts.answer(benchmark_id, question)
            assert reply.text == f"{words.question} {words.tile}. {words.paragraph}"
            assert (reply.data["reply"], reply.data["line"], reply.data["alt"]) == (words.reply, words.line, words.alt)
            n_replies += 1
    assert n_replies >= 50


def test_models_and_differences_are_the_same(both: tuple[bh.Facts, bh.Facts]) -> None:
    here, there = both
    models = here.table("position").drop_nulls("model_id")["model_id"].unique().sort().to_list()
    assert models
    for model in models[:6]:
        assert here.model(model) == there.model(model)
        assert here.check(model) == there.check(model)
    for first, second in pairwise(models[:3]):
        assert here.compare(first, second) == there.compare(first, second)
    benchmark = here.table("benchmark").filter(pl.col("unit").is_in(BOUNDED_UNITS))["benchmark_id"].sort()[0]
    asked = (benchmark, 71.2, 72.4)
    assert here.difference(*asked, n=400, shots="5") == there.difference(*asked, n=400, shots="5")
    assert here.search("exam", 50) == there.search("exam", 50)


@pytest.mark.parametrize(
    "names", [list(PUBLISHED)[::6], pytest.param(list(PUBLISHED), marks=pytest.mark.soak)], ids=["some", "all"]
)
def test_every_table_is_the_same_whole_and_by_value(both: tuple[bh.Facts, bh.Facts], names: list[str]) -> None:
    here, there = both
    for name in names:
        full_table = here.table(name)
        assert full_table.schema == PUBLISHED[name], name
        assert full_table.equals(there.table(name)), name
        if "benchmark_id" in full_table.columns and full_table["benchmark_id"].drop_nulls().len():
            one = full_table["benchmark_id"].drop_nulls()[0]
            assert here.table(name, benchmark=one).equals(full_table.filter(pl.col("benchmark_id") == one)), name
            assert there.table(name, benchmark=[one]).equals(here.table(name, benchmark=[one])), name


def test_charts_figures_and_citations_are_the_same(both: tuple[bh.Facts, bh.Facts]) -> None:
    here, there = both
    benchmark = here.table("frontier")["benchmark_id"].value_counts(sort=True)["benchmark_id"][0]
    figure = here.chart("frontier", benchmark=benchmark)
    assert figure.to_json() == there.chart("frontier", benchmark=benchmark).to_json()
    assert figure.layout.title.text and figure.layout.meta["alt"]
    cited = here.cite(chart="frontier", benchmark=benchmark)
    assert cited.startswith(f"benchhealth: {figure.layout.title.text}")
    assert cited == there.cite(chart="frontier", benchmark=benchmark)
    assert here.cite(benchmark) == there.cite(benchmark) == here.answer(benchmark, "stage").citation


def test_sql_is_the_same_and_keeps_what_columns_are(both: tuple[bh.Facts, bh.Facts]) -> None:
    here, there = both
    sql = "SELECT benchmark_id, as_of, p, flags FROM verdict ORDER BY benchmark_id"
    rows = here.sql(sql)
    assert rows.equals(there.sql(sql))
    assert rows.schema["as_of"] == pl.Date and rows.schema["p"] == pl.Float64


HOSTILE = (
    "DROP TABLE verdict",
    "INSERT INTO verdict SELECT * FROM verdict",
    "SELECT 1; DELETE FROM result",
    "ATTACH 'x.duckdb'",
    "COPY verdict TO '/tmp/x.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM whole.result",
    "SELECT getenv('HOME')",
    "PRAGMA database_list",
    "",
)


def test_sql_that_reads_or_writes_anything_else_is_refused(both: tuple[bh.Facts, bh.Facts]) -> None:
    for facts in both:
        for sql in HOSTILE:
            with pytest.raises(bh.RefusedError):
                facts.sql(sql)


ABSENT: tuple[Callable[[bh.Facts], object], ...] = (
    lambda facts: facts.answer("no-such-exam"),
    lambda facts: facts.answer("../../etc/passwd"),
    lambda facts: facts.answer(facts.benchmarks(curated=False)["benchmark_id"][0], "no-such-question"),
    lambda facts: facts.model("nobody"),
    lambda facts: facts.compare("nobody", "nobody-else"),
    lambda facts: facts.difference("no-such-exam", 1, 2),
    lambda facts: facts.search("x" * (LONGEST_VALUE + 1)),
    lambda facts: facts.table("../passwd"),
    lambda facts: facts.table("verdict", nothing=1),
    lambda facts: facts.table("frontier", benchmark="exm"),
    lambda facts: facts.table("result", model=["nobody"]),
    lambda facts: facts.table("snapshot", source="nowhere"),
    lambda facts: facts.chart("../curve"),
    lambda facts: facts.chart("curve", nothing="1"),
    lambda facts: facts.cite(),
    lambda facts: facts.ask("meta"),
)


def test_what_there_is_not_is_an_error_of_one_kind_with_a_sentence(both: tuple[bh.Facts, bh.Facts]) -> None:
    for facts in both:
        for ask in ABSENT:
            with pytest.raises(bh.InvalidError, match=r"\w"):
                ask(facts)


def test_nothing_leaves_by_the_api_that_may_not(mixed_home: Path) -> None:
    facts = bh.open(mixed_home)
    texts = [facts.table(name).write_json() for name in PUBLISHED]
    for benchmark_id in facts.benchmarks(curated=False)["benchmark_id"]:
        texts += [str(facts.benchmark(benchmark_id).as_dict()), str(facts.corroboration(benchmark_id).as_dict())]
        texts += [str(facts.answer(benchmark_id, question).as_dict()) for question in TITLES]
    assert len(texts) > 50
    assert [word for text in texts for kind in ("alike", "shut", "import") for word in told_of(kind, text)] == []


def test_a_reply_is_read_as_it_was_written(small_home: Path) -> None:
    for reply in (bh.open(small_home).answer("exam"), bh.open(small_home).search("nothing of the kind")):
        assert Reply.of(reply.as_dict()) == reply


def test_every_question_says_what_it_reads() -> None:
    for spec in REPLIES.values():
        assert spec.gives.endswith(".") and set(spec.required) <= set(spec.params)


PUBLIC = ("api.questions", "api.in_memory", "api.errors", "dashboard.replies.reply", "pipeline.answering.opening")


@pytest.mark.parametrize("module", PUBLIC)
def test_examples_run(module: str, small_home: Path) -> None:
    shown = SimpleNamespace(**{name: getattr(bh, name) for name in bh.__all__})
    shown.open = cache(bh.open)  # most examples begin with it, over the same home
    examples = examples_of(import_module(f"benchhealth.{module}"), HOME=small_home, bh=shown)
    assert examples
    assert failures(examples) == {}


WITHOUT = {"check"}
"""Takes a minute: the notebook `your-results` runs it."""


def test_every_function_of_the_api_has_an_example() -> None:
    """Each error but the first is a case of it."""
    named = {name: getattr(bh, name) for name in bh.__all__ if not name.endswith("Error")}
    methods = {f"Facts.{name}": one for name, one in vars(bh.Facts).items() if callable(one) and name[0] != "_"}
    shown = {name for name, one in {**named, **methods}.items() if ">>> " in (one.__doc__ or "")}
    assert (set(named) | set(methods)) - shown == WITHOUT
    assert len(methods) >= 14 and ">>> " in (bh.BenchhealthError.__doc__ or "")


def test_what_is_promised_is_there_and_nothing_is_imported_before_it_is_asked_for() -> None:
    assert [name for name in bh.__all__ if not hasattr(bh, name)] == []
    with pytest.raises(AttributeError):
        _ = bh.nothing  # type: ignore[attr-defined]
    code = "import sys, benchhealth; print(sorted({'polars', 'streamlit', 'duckdb', 'plotly'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_folder_without_a_generation_is_not_ready(tmp_path: Path) -> None:
    with pytest.raises(bh.NotReadyError, match="nothing is published"):
        bh.open(tmp_path)


@pytest.mark.parametrize("address", ["http://", "https://user:secret@host/", "http://host:99999/", "http://a b/"])
def test_what_is_no_address_is_said_to_be_none(address: str) -> None:
    with pytest.raises(bh.UnreachableError, match="no address"):
        bh.open(address)


def test_a_dashboard_that_does_not_answer_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(bh.UnreachableError):
            bh.open(f"http://127.0.0.1:{taken.getsockname()[1]}").answer("exam")
