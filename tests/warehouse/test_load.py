from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from benchhealth.analytics.record.frames import SCHEMAS, Frames
from benchhealth.analytics.record.lineages.one_id import BENCHMARK_ALIAS
from benchhealth.analytics.record.words import WORD
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.curated.facts import HUMAN_LINE, RELEASED
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sharing.fact_sources import fact_sources
from benchhealth.warehouse.store import Store
from tests.support.facts import (
    FETCHED,
    NOON,
    batch,
    benchmark,
    mention,
    model,
    price,
    registry,
    rejection,
    report,
    result,
    sources,
)
from tests.support.soaking import examples

LATER = datetime(2024, 7, 1, 12)
CURATED = {
    "benchmark_id": "squad-2.0",
    "name": "SQuAD 2.0",
    "metric": "exact match",
    "unit": "percent",
    "higher_is_better": True,
    "human": 0.86831,
}


def loaded(home: Path, *batches: Batch, curated: Registry | None = None, as_of: datetime = LATER) -> Frames:
    with Store.open(home) as store:
        store.write_sources(sources(*{one.source_id for one in batches}))
        for one in batches:
            store.write(one)
    return load(home, curated or registry([CURATED]), as_of)


def only(frame: pl.DataFrame, **values: object) -> dict[str, object]:
    return frame.filter(**values).row(0, named=True)  # type: ignore[arg-type]


def test_only_what_was_observed_by_then(tmp_path: Path) -> None:
    old = batch([result(score=0.5)], ref="old", observed_at=NOON, models=[model("alpha", organisation="Lab")])
    new = batch(
        [result(score=0.6), result(model_id="beta")],
        ref="new",
        observed_at=LATER,
        models=[model("alpha", organisation="Other Lab")],
        benchmarks=[benchmark("squad-extra", "Extra")],
    )
    then = loaded(tmp_path, old, new, as_of=NOON)
    assert then.result.collect()["score"].to_list() == [0.5]
    assert then.snapshot["ref"].to_list() == ["old"]
    assert then.model.select("model_id", "organisation").rows() == [("alpha", "Lab")]
    assert then.benchmark["benchmark_id"].to_list() == ["squad-2.0"]
    assert then.source["last_observed_at"].to_list() == [NOON]
    now = load(tmp_path, registry([CURATED]), LATER)
    assert now.result.collect()["score"].to_list() == [0.5, 0.6, 0.5]
    assert now.benchmark.select("benchmark_id", "curated").rows() == [("squad-2.0", True), ("squad-extra", False)]
    assert only(now.model, model_id="alpha")["organisation"] == "Other Lab"


def test_a_benchmark_under_two_ids_is_one_and_its_boards_keep_their_addresses(tmp_path: Path) -> None:
    aliases = pl.DataFrame(
        [("list-squad", "squad-2.0", "the list's id", "https://example.org")], schema=BENCHMARK_ALIAS, orient="row"
    )
    own_batch = batch([result("squad-2.0")], source_id="squad", path="own.csv")
    other = batch(
        [result("list-squad"), result("list-squad/f1")],
        source_id="list",
        path="list.csv",
        benchmarks=[benchmark("list-squad", "Squad, listed"), benchmark("list-squad/f1", "Its F1")],
        reports=[report("list-squad", "A corpus")],
    )
    curated = replace(registry([CURATED]), benchmark_alias=aliases)
    frames = loaded(tmp_path, own_batch, other, curated=curated)
    assert frames.result.collect().select("benchmark_id", "board_id").sort("board_id").rows() == [
        ("squad-2.0", "list/list-squad"),
        ("squad-2.0/f1", "list/list-squad/f1"),
        ("squad-2.0", "squad/squad-2.0"),
    ]
    assert frames.benchmark.select("benchmark_id", "name").rows() == [
        ("squad-2.0", "SQuAD 2.0"),
        ("squad-2.0/f1", "Its F1"),
    ]
    assert frames.contamination_report["benchmark_id"].to_list() == ["squad-2.0"]
    sources_of = fact_sources(tmp_path, curated, frames).filter(entity="benchmark", attribute="benchmark_id")
    assert sources_of.filter(id="squad-2.0")["source_id"].to_list() == [None, "list", "squad"]
    assert sources_of.filter(id="squad-2.0/f1")["source_id"].to_list() == ["list"]


def test_no_result_is_older_than_a_curated_release_of_what_has_no_day_of_its_own(tmp_path: Path) -> None:
    days = pl.DataFrame(
        [("new-*", date(2025, 7, 7), "its paper", "https://example.org")], schema=RELEASED, orient="row"
    )
    curated = replace(registry([CURATED]), released=days)
    old_model = model("alpha", released_on=date(2024, 1, 1))
    rows = [result(name, model_id="alpha") for name in ("new-exam", "newer/part", "squad-2.0")]
    facts = [benchmark("new-exam", "Exam"), benchmark("newer/part", "Part")]
    frames = loaded(tmp_path, batch(rows, models=[old_model], benchmarks=facts), curated=curated)
    assert dict(frames.result.collect().select("benchmark_id", "date_basis").iter_rows()) == {
        **{"new-exam": "snapshot", "newer/part": "model_release", "squad-2.0": "model_release"}
    }
    assert only(frames.benchmark, benchmark_id="new-exam")["released_on"] == date(2025, 7, 7)
    assert only(frames.benchmark, benchmark_id="squad-2.0")["released_on"] != date(2025, 7, 7)


def test_words_of_closed_lists_are_put_in_place_of_what_sources_spell(tmp_path: Path) -> None:
    claimed = batch(
        [result()],
        models=[model("alpha", organisation="google-deepmind"), model("beta", organisation="Alder Labs")],
        benchmarks=[benchmark("exam", "Exam", domain="coding", modality="smell")],
    )
    words = [
        ("organisation", "Google", "Google", None),
        ("organisation", "Google DeepMind", "Google", "its own"),
        ("domain", "code", "code", None),
        ("domain", "coding", "code", None),
    ]
    curated = replace(registry([CURATED]), word=pl.DataFrame(words, schema=WORD, orient="row"))
    now = loaded(tmp_path, claimed, curated=curated)
    assert only(now.model, model_id="alpha")["organisation"] == "Google"
    assert only(now.model, model_id="beta")["organisation"] == "Alder Labs"
    exam = only(now.benchmark, benchmark_id="exam")
    assert (exam["domain"], exam["modality"]) == ("code", "smell")
    said_by = fact_sources(tmp_path, curated, now).filter(attribute="organisation")
    assert said_by.select("id", "source_id").rows() == [("alpha", "squad"), ("beta", "squad")]


def test_a_price_is_a_stretch_of_the_versions_that_say_it(tmp_path: Path) -> None:
    """A price that comes back begins another stretch, an offer that is taken back ends one, two providers are two."""
    about = {"source_id": "prices", "board_id": "prices/list"}
    days = [NOON + timedelta(days=day) for day in range(4)]
    host = price(3.0, provider="host")
    prices_by_day = [[price(2.0), host], [price(2.0)], [price(1.0), host], [price(2.0), host]]
    versions = [
        batch(prices=prices, ref=str(place), observed_at=observed_at, **about)
        for place, (observed_at, prices) in enumerate(zip(days, prices_by_day, strict=True))
    ]
    price_rows = loaded(tmp_path, *versions, as_of=days[-1]).price
    assert price_rows.schema == SCHEMAS["price"]
    stretches = [
        (provider, amount, (first - NOON.date()).days, (last - NOON.date()).days)
        for provider, amount, first, last in price_rows.select("provider", "input", "first_on", "last_on").rows()
    ]
    assert sorted(stretches, key=lambda one: (one[0], one[2])) == [
        *(("alpha", 2.0, 0, 1), ("alpha", 1.0, 2, 2), ("alpha", 2.0, 3, 3)),
        *(("host", 3.0, 0, 0), ("host", 3.0, 2, 3)),
    ]
    assert load(tmp_path, registry(), days[0]).price.height == 2


def test_mentions_are_those_of_the_newest_file_because_documents_are_read_again(tmp_path: Path) -> None:
    """A card that was misread loses a mention in the next version of the file, and what it was misread as goes."""
    about = {"source_id": "cards", "board_id": "cards/list"}
    old = batch(
        mentions=[mention("squad-1.1"), mention()], benchmarks=[benchmark("squad-1.1", "1.1")], ref="1", **about
    )
    new = batch(mentions=[mention(organisation="alpha lab")], ref="2", observed_at=LATER, **about)
    words = replace(
        registry([CURATED]),
        word=pl.DataFrame([{"kind": "organisation", "spelling": "alpha-lab", "word": "Alpha"}], schema=WORD),
    )
    then = loaded(tmp_path, old, new, curated=words, as_of=NOON)
    assert then.mention["benchmark_id"].to_list() == ["squad-1.1", "squad-2.0"]
    now = load(tmp_path, words, LATER).mention
    assert now.schema == SCHEMAS["mention"]
    assert now.select("benchmark_id", "organisation", "source_id").rows() == [("squad-2.0", "Alpha", "cards")]


def test_reports_of_the_newest_files_join_the_curated_ones_which_stand(tmp_path: Path) -> None:
    paper = "https://example.org/paper"
    written = {**report(subject="alpha", share=0.25), "note": "checked"}
    del written["source_row"]
    old = batch(reports=[report(subject="Withdrawn", share=0.5)], source_id="audits", board_id="audits/list", ref="1")
    new = batch(
        reports=[report(subject="Alpha", share=0.75), report(subject="Beta"), report("unheard-of", subject="Beta")],
        source_id="audits",
        board_id="audits/list",
        ref="2",
        observed_at=LATER,
    )
    then = loaded(tmp_path, old, new, curated=registry([CURATED], reports=[written]), as_of=NOON)
    assert set(then.contamination_report["subject"]) == {"alpha", "Withdrawn"}
    now = load(tmp_path, registry([CURATED], reports=[written]), LATER).contamination_report
    assert now.select("benchmark_id", "subject", "share", "reference_url").rows() == [
        ("squad-2.0", "Beta", None, paper),
        ("squad-2.0", "alpha", 0.25, paper),
    ]


def test_a_result_names_its_board_and_source(tmp_path: Path) -> None:
    frames = loaded(tmp_path, batch([result("squad-2.0/f1", kind="human")], board_id="squad-2.0"))
    row = frames.result.collect().row(0, named=True)
    assert row["board_id"] == "squad/squad-2.0/f1"
    assert (row["source_id"], row["kind"], row["published_name"], row["observed_at"]) == (
        "squad",
        "human",
        "Alpha",
        NOON,
    )


def test_a_date_comes_from_the_source_or_the_release_or_the_snapshot(tmp_path: Path) -> None:
    given_day, released, unborn = date(2024, 2, 3), date(2024, 1, 5), date(2024, 6, 2)
    rows = [
        result(model_id="dated", dated_on=given_day, date_basis="submission"),
        result(model_id="released"),
        result(model_id="slipped", dated_on=date(2023, 1, 5), date_basis="submission"),
        result(model_id="early", dated_on=date(2023, 12, 5), date_basis="submission"),
        result(model_id="curated"),
        result(model_id="unborn"),
        result(model_id="unknown"),
    ]
    models = [model(name, released_on=released) for name in ("dated", "released", "slipped", "early")]
    curated = [
        {"model_id": "curated", "name": "Curated", "released_on": date(2023, 3, 4)},
        {"model_id": "unborn", "name": "Unborn", "released_on": unborn},
    ]
    frames = loaded(tmp_path, batch(rows, models=models), curated=registry([CURATED], models=curated))
    dates = {
        row["model_id"]: (row["dated_on"], row["date_basis"]) for row in frames.result.collect().iter_rows(named=True)
    }
    assert dates == {
        "dated": (given_day, "submission"),
        "released": (released, "model_release"),
        "slipped": (released, "model_release"),
        "early": (date(2023, 12, 5), "submission"),
        "curated": (date(2023, 3, 4), "model_release"),
        "unborn": (None, "snapshot"),
        "unknown": (None, "snapshot"),
    }


def test_what_first_appears_in_a_later_snapshot_is_dated_by_it(tmp_path: Path) -> None:
    old = batch([result(model_id="old")], ref="1")
    new = batch([result(model_id="old"), result(model_id="new")], ref="2", observed_at=LATER)
    price_rows = loaded(tmp_path, old, new).result.collect().select("model_id", "dated_on", "date_basis")
    assert price_rows.unique().sort("model_id").rows() == [
        ("new", LATER.date(), "snapshot"),
        ("old", None, "snapshot"),
    ]


def test_models_coalesce(tmp_path: Path) -> None:
    first = batch(
        [result(model_id="alpha", published_name="ALPHA"), result(model_id="beta", published_name="Beta-old")],
        ref="1",
        models=[model("alpha", name="Alpha One", organisation="Lab", released_on=date(2023, 5, 5), open_weights=True)],
    )
    second = batch(
        [result(model_id="beta", published_name="Beta-new")],
        ref="2",
        observed_at=LATER,
        models=[model("alpha", organisation="", released_on=date(2023, 4, 4)), model("gamma", open_weights=False)],
    )
    curated = [{"model_id": "alpha", "name": "The Alpha", "source_url": "https://example.org"}]
    frames = loaded(tmp_path, first, second, curated=registry([CURATED], models=curated))
    claims = frames.model_claim.select("model_id", "source_id", "released_on", "observed_at")
    assert claims.sort(claims.columns, nulls_last=False).rows() == [
        ("alpha", None, None, None),
        ("alpha", "squad", date(2023, 4, 4), LATER),
        ("gamma", "squad", None, LATER),
    ]
    assert frames.model.rows() == [
        ("alpha", "ALPHA", "Lab", date(2023, 4, 4), True, "day"),
        ("beta", "beta", None, None, None, None),
        ("gamma", "gamma", None, None, False, None),
    ]


@pytest.mark.parametrize(("source_id", "stands"), [("lmarena-daily", None), ("squad", False)])
def test_a_licence_that_is_no_longer_proprietary_says_no_more_that_weights_are_closed(
    tmp_path: Path, source_id: str, stands: bool | None
) -> None:
    looks = [
        batch(
            [result(model_id="alpha")], ref=ref, source_id=source_id, models=[model("alpha", open_weights=closed)], **at
        )
        for ref, closed, at in (("1", False, {}), ("2", None, {"observed_at": LATER}))
    ]
    assert loaded(tmp_path, *looks).model["open_weights"].to_list() == [stands]


def test_benchmarks_are_curated_or_the_newest_word(tmp_path: Path) -> None:
    frames = loaded(
        tmp_path,
        batch(ref="1", benchmarks=[benchmark("squad-2.0", "Not this"), benchmark("squad-extra", "Old", floor=0.25)]),
        batch(ref="2", benchmarks=[benchmark("squad-extra", "New", n_items=7)], observed_at=LATER),
    )
    assert frames.benchmark.select("benchmark_id", "name", "floor", "n_items", "human", "curated").rows() == [
        ("squad-2.0", "SQuAD 2.0", None, None, 0.86831, True),
        ("squad-extra", "New", None, 7, None, False),
    ]


def test_label_errors_bound_what_only_sources_know_and_never_a_curated_benchmark(tmp_path: Path) -> None:
    check = {"covers": "sample", "n_checked": 100, "share_flawed": 0.57, "share_unreachable": 0.37}
    fewer = {**check, "n_checked": 50, "share_unreachable": 0.1}
    faults = {**check, "n_checked": 400, "share_unreachable": None}
    registry_of = registry(
        [CURATED],
        label_errors=[
            {**check, "benchmark_id": "squad-2.0"},
            *({**one, "benchmark_id": "squad-2.0/virology"} for one in (fewer, check, faults)),
            {**faults, "benchmark_id": "squad-2.0/astronomy"},
        ],
    )
    parts = [benchmark(f"squad-2.0/{name}", name) for name in ("virology", "astronomy")]
    price_rows = loaded(tmp_path, batch([result()], benchmarks=parts), curated=registry_of).benchmark
    about = {row[0]: row[1:] for row in price_rows.select("benchmark_id", "ceiling", "ceiling_basis").iter_rows()}
    assert about == {
        "squad-2.0": (None, None),
        "squad-2.0/virology": (0.63, "label errors: 37.0% of 100 questions checked"),
        "squad-2.0/astronomy": (None, None),
    }


def test_sources_show_how_the_last_fetching_ended(tmp_path: Path) -> None:
    def entry(source: str, path: str, state: str, begun_at: datetime = LATER) -> LedgerEntry:
        return LedgerEntry(source, f"https://example.org/{path}", path, "", "", "", state, "", begun_at)

    with Store.open(tmp_path) as store:
        store.write_sources(sources("bundled", "fine", "mended", "broken", "waiting", "untouched", "begun"))
        store.write(batch(source_id="bundled"))
        for one in (
            entry("fine", "a", "written", NOON),
            entry("fine", "a", "unchanged"),
            entry("mended", "a", "failed", FETCHED),
            entry("mended", "a", "fetched"),
            entry("mended", "a", "written", FETCHED),
            entry("broken", "a", "fetched"),
            entry("broken", "a", "written", FETCHED),
            entry("broken", "b", "failed", FETCHED),
            entry("waiting", "a", "fetched"),
            entry("waiting", "a", "held"),
            entry("begun", "a", "started"),
        ):
            store.ledger.record(one)
    table = load(tmp_path, registry(), LATER).source
    assert dict(table.select("source_id", "status").rows()) == {
        "bundled": "ok",
        "fine": "ok",
        "mended": "ok",
        "broken": "failed",
        "waiting": "held",
        "untouched": "never",
        "begun": "never",
    }
    assert dict(table.select("source_id", "last_fetched_at").rows()) == {
        "bundled": FETCHED,
        "fine": LATER,
        "mended": LATER,
        "broken": LATER,
        "waiting": LATER,
        "untouched": None,
        "begun": None,
    }


def test_an_empty_store_loads_as_empty_frames(tmp_path: Path) -> None:
    frames = loaded(tmp_path, curated=registry())
    for name, schema in SCHEMAS.items():
        held = getattr(frames, name).lazy().collect()
        assert held.schema == schema
        assert held.is_empty()


@pytest.mark.about_the_file
def test_no_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path, registry(), NOON)


BATCHES = [
    batch(
        [result(model_id=f"m{number}", score=number / 10), result(model_id="alpha", published_name=f"Alpha {number}")],
        ref=str(number),
        observed_at=NOON,
        rejections=[rejection()],
        models=[model("alpha", organisation=f"Lab {number}")],
        benchmarks=[benchmark("squad-extra", f"Extra {number}")],
    )
    for number in range(4)
]


@examples(2, 24)
@given(order=st.permutations(range(len(BATCHES))))
def test_the_order_of_writing_does_not_show(tmp_path_factory: pytest.TempPathFactory, order: list[int]) -> None:
    straight = loaded(tmp_path_factory.mktemp("straight"), *BATCHES)
    shuffled = loaded(tmp_path_factory.mktemp("shuffled"), *(BATCHES[number] for number in order))
    for name in SCHEMAS:
        assert_frame_equal(getattr(straight, name), getattr(shuffled, name))


def test_a_human_line_of_other_tasks_is_apart_and_a_ceiling_says_how_it_is_known(tmp_path: Path) -> None:
    scale = {"name": "Name", "metric": "accuracy", "unit": "percent", "higher_is_better": True, "ceiling_basis": "?"}
    check = {"covers": "whole", "share_flawed": 0.08, "method": "read", "source_url": "https://example.org"}
    curated = [
        {**scale, "benchmark_id": "arc-agi-1", "ceiling": 1.0, "human": 0.642},
        {**scale, "benchmark_id": "mmlu", "ceiling": 0.9351},
        {**scale, "benchmark_id": "gsm8k", "ceiling": 1.0},
        {**scale, "benchmark_id": "hle", "ceiling": 1.0},
    ]
    checks = [{**check, "benchmark_id": "gsm8k"}, {**check, "benchmark_id": "hle", "covers": "part", "part": "biology"}]
    elsewhere = pl.DataFrame([{"benchmark_id": "arc-agi-1", "tasks": "others"}], schema=HUMAN_LINE)
    registry_of = replace(registry(curated, label_errors=checks), human_line=elsewhere)
    price_rows = loaded(tmp_path, batch([result("arc-agi-1")]), curated=registry_of).benchmark
    assert price_rows.select("benchmark_id", "ceiling_kind", "human", "human_elsewhere").rows() == [
        ("arc-agi-1", "assumed", None, 0.642),
        ("gsm8k", "not_bounding", None, None),
        ("hle", "of_a_part", None, None),
        ("mmlu", "audited", None, None),
    ]
