from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.bundle import (
    TABLES,
    BundleError,
    NotRedistributable,
    dump,
    pack,
    read_bundles,
    restore,
    unpack,
)
from benchhealth.warehouse.sql import FACTS
from benchhealth.warehouse.store import Store, fact_table, snapshot_row
from tests.support.facts import (
    NOON,
    batch,
    benchmark,
    by_item,
    facts,
    listed_name,
    mention,
    model,
    price,
    rejection,
    report,
    result,
    sources,
)

PARTS = {
    "result": "results",
    "rejection": "rejections",
    "model_fact": "models",
    "benchmark_fact": "benchmarks",
    "report_fact": "reports",
    "mention_fact": "mentions",
    "name_fact": "names",
    "item_run": "items",
    "price_fact": "prices",
}
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def batches(draw: st.DrawFn) -> list[Batch]:
    """A few snapshots of one source with any text and number that a source may publish."""
    snapshots = []
    for number in range(draw(st.integers(0, 3))):
        names = draw(st.lists(TEXTS, max_size=4, unique=True))
        rows = [
            result(
                model_id=name,
                score=draw(SCORES),
                setting=draw(TEXTS),
                std_error=draw(st.none() | SCORES),
                n_items=draw(st.none() | st.integers(0, 2**60)),
                source_row=draw(TEXTS),
                **draw(st.sampled_from([{}, {"dated_on": date(2020, 2, 29), "date_basis": "paper"}])),
            )
            for name in names
        ]
        snapshots.append(
            batch(
                rows,
                ref=str(number),
                observed_at=NOON + timedelta(days=number, microseconds=number),
                rejections=[rejection(draw(TEXTS), draw(TEXTS), draw(TEXTS))],
                models=[model(draw(TEXTS), open_weights=draw(st.none() | st.booleans()))],
                benchmarks=[benchmark(draw(TEXTS), draw(TEXTS), floor=draw(st.none() | SCORES))],
                reports=[report(draw(TEXTS), draw(TEXTS), share=draw(st.none() | SCORES))],
                names=[listed_name(draw(TEXTS), draw(TEXTS))],
                items=[by_item(draw(TEXTS), draw(st.dictionaries(TEXTS, st.floats(0, 1), max_size=3)))],
                mentions=[mention(draw(TEXTS), draw(TEXTS), model=draw(TEXTS))],
            )
        )
    return snapshots


def looks(*looked_at: datetime, source_id: str = "squad") -> pl.DataFrame:
    """Looks at the board of the batches."""
    rows = [(source_id, "squad-2.0", each) for each in looked_at]
    return pl.DataFrame(rows, schema=FACTS["look"], orient="row")


LOOKED = (NOON + timedelta(days=40), NOON + timedelta(days=41, microseconds=7))


def stored(home: Path, batch_list: list[Batch]) -> Path:
    with Store.open(home) as store:
        store.write_sources(sources("squad"))
        store.write_looks(looks(LOOKED[1]))
        for one in batch_list:
            store.write(one)
    return home


def tables_of(batch_list: list[Batch]) -> dict[str, pl.DataFrame]:
    """What a store holds after these batches."""
    named = [pl.lit(one.snapshot_id).alias("snapshot_id") for one in batch_list]
    parts = {
        name: [getattr(one, field).select(label, pl.all()) for one, label in zip(batch_list, named, strict=True)]
        for name, field in PARTS.items()
    }
    parts["snapshot"] = [snapshot_row(one) for one in batch_list]
    filled = {name: pl.concat([FACTS[name].to_frame(), *frames]) for name, frames in parts.items()}
    lists = pl.concat([FACTS["item"].to_frame(), *(one.lists for one in batch_list)]).unique()
    return {"source": sources("squad"), "look": looks(LOOKED[1]), "item": lists, **filled}


@pytest.mark.soak
@settings(max_examples=25, deadline=None)
@given(found=batches())
def test_packing_keeps_every_cell(found: list[Batch], tmp_path_factory: pytest.TempPathFactory) -> None:
    tables = tables_of(found)
    file = tmp_path_factory.mktemp("packed") / "packed.parquet"
    pack(tables).write_parquet(file, compression="zstd")
    for name, frame in unpack(file).items():
        assert frame.schema == FACTS[name]
        assert sorted(frame.rows(), key=repr) == sorted(tables[name].rows(), key=repr)


def test_everything_stored_comes_back(tmp_path: Path) -> None:
    texts = ["", "plain", "\x00", "a\"b;\n'c", "ﬁ \u202e ß 模型 🤖", "N/A", "NULL", "=1+1"]
    rows = [
        result(model_id=text, setting=text, score=score, std_error=score, n_items=2**62, source_row=text)
        for text, score in zip(texts, [0.0, -0.0, 5e-324, 0.1, 1 / 3, 1e308, -1.5, 1013.01], strict=True)
    ]
    dated = result(model_id="dated", dated_on=date(2020, 2, 29), date_basis="paper")
    models = [model(text, organisation=text, open_weights=False, released_on=date(1999, 12, 31)) for text in texts]
    batch_list = [
        batch(rows, ref="1", observed_at=datetime(2024, 2, 29, 23, 59, 59, 999999)),
        batch([dated], ref="2", rejections=[rejection(text, text, text) for text in texts], models=models),
        batch(ref="3", benchmarks=[benchmark("squad-extra", "Extra", floor=-0.5, n_items=3)], reports=[report()]),
        batch(ref="4", mentions=[mention()], names=[listed_name()]),
        batch(ref="6", prices=[price(cache_read=0.1), price(provider="host", terms="above 128,000 tokens")]),
        batch(ref="5", items=[by_item(text, {text: 0.5, "other": 1 / 3}) for text in texts]),
    ]
    home, copy = stored(tmp_path / "home", batch_list), tmp_path / "copy"
    bundle = dump(home, "squad", tmp_path)
    with Store.open(copy) as store:
        assert restore(store, read_bundles(bundle)) == len(batch_list)
    expected = {name: sorted(frame.rows(), key=repr) for name, frame in tables_of(batch_list).items()}
    assert facts(home, TABLES) == expected
    assert facts(copy, TABLES) == expected
    assert dump(copy, "squad", copy).read_bytes() == bundle.read_bytes()


def test_only_the_source_asked_for_is_dumped_and_only_what_is_new_restored(tmp_path: Path) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    stored(home, [batch([result()], ref="1", rejections=[rejection()])])
    with Store.open(home) as store:
        store.write_sources(sources("timm"))
        store.write(batch([result("imagenet")], source_id="timm"))
    first = dump(home, "squad", tmp_path / "first")
    stored(home, [batch([result(score=0.75)], ref="2", observed_at=datetime(2024, 8, 1))])
    second = dump(home, "squad", tmp_path / "second")
    with Store.open(copy) as store:
        assert [restore(store, read_bundles(path)) for path in (first, first, second, second)] == [1, 0, 1, 0]
    assert set(fact_table(copy, "snapshot")["ref"]) == {"1", "2"}
    tables_read = facts(copy, TABLES)
    assert [row[0] for row in tables_read["source"]] == ["squad"]
    assert len(tables_read["snapshot"]) == len(tables_read["result"]) == 2
    assert len(tables_read["rejection"]) == 1


@pytest.mark.parametrize(
    "later",
    [
        ["listed", "key"],
        ["document", "document_kind", "model", "mentioned_on", "listed", "key"],
        ["subject", "subject_kind", "split", "share", "method", "reference_url", "document", "document_kind", "model"],
    ],
)
def test_a_bundle_from_before_there_were_reports_looks_and_mentions_is_read(tmp_path: Path, later: list[str]) -> None:
    bundle = dump(stored(tmp_path / "home", [batch([result()])]), "squad", tmp_path)
    first = pl.read_parquet(bundle).filter(pl.col("table") != "look").drop("looked_at")
    of_source = pl.when(pl.col("table") == "source").then(None).otherwise("kind")
    first.drop(later).with_columns(kind=of_source).write_parquet(bundle)
    with Store.open(tmp_path / "copy") as store:
        assert restore(store, read_bundles(bundle)) == 1
    held, copied = facts(tmp_path / "home", TABLES), facts(tmp_path / "copy", TABLES)
    assert {**held, "source": [], "look": []} == {**copied, "source": [], "look": []}
    assert copied["look"] == []
    assert [row[-1] for row in copied["source"]] == ["paper"]


def test_the_newest_look_at_each_board_goes_along_and_never_back(tmp_path: Path) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    with Store.open(home) as store:
        store.write_sources(sources("squad", "timm"))
        store.write_looks(looks(*LOOKED))
        store.write_looks(looks(LOOKED[0]))
        store.write_looks(looks(LOOKED[1], source_id="timm"))
    bundle = dump(home, "squad", tmp_path)
    with Store.open(copy) as store:
        restore(store, read_bundles(bundle))
        store.write_looks(looks(LOOKED[1] + timedelta(days=1)))
        restore(store, read_bundles(bundle))
    assert facts(home, ["look"])["look"] == [("squad", "squad-2.0", LOOKED[1]), ("timm", "squad-2.0", LOOKED[1])]
    assert [row[2] for row in facts(copy, ["look"])["look"]] == [LOOKED[1], LOOKED[1] + timedelta(days=1)]


def test_looks_at_another_source_are_refused(tmp_path: Path) -> None:
    bundle = dump(stored(tmp_path / "home", [batch([result()])]), "squad", tmp_path)
    bundle_rows = pl.read_parquet(bundle)
    of_look = pl.col("table") == "look"
    bundle_rows.with_columns(source_id=pl.when(of_look).then(pl.lit("timm")).otherwise("source_id")).write_parquet(
        bundle
    )
    with pytest.raises(BundleError, match="another source"):
        read_bundles(bundle)


def test_a_stored_source_keeps_its_row(tmp_path: Path) -> None:
    bundle = dump(stored(tmp_path / "home", []), "squad", tmp_path)
    renamed = sources("squad").with_columns(title=pl.lit("Newer title"))
    with Store.open(tmp_path / "copy") as store:
        store.write_sources(renamed)
        restore(store, read_bundles(bundle))
    assert facts(tmp_path / "copy", ["source"])["source"] == renamed.rows()


def test_a_source_whose_licence_forbids_it_is_not_dumped(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write_sources(sources("closed", redistributable=False))
    with pytest.raises(NotRedistributable, match="closed: its licence is 'none'"):
        dump(tmp_path, "closed", tmp_path / "out")
    with pytest.raises(KeyError):
        dump(tmp_path, "nobody", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda whole: whole.drop("score"), "expected"),
        (lambda whole: whole.filter(pl.col("table") != "rejection"), "rows that they count"),
        (lambda whole: whole.filter(pl.col("table") != "snapshot"), "a snapshot that is not there"),
        (lambda whole: whole.filter(pl.col("table") != "source"), "one source"),
        (lambda whole: whole.with_columns(source_id=pl.lit("a") + pl.col("table")), "one source"),
        (lambda whole: pl.concat([whole, whole.filter(table="snapshot")]), "a snapshot twice"),
        (lambda whole: pl.concat([whole, whole.head(1).with_columns(table=pl.lit("mood"))]), "rows of"),
        (lambda whole: whole.with_columns(reporter=pl.lit("a friend")), "reporter"),
    ],
)
def test_a_spoilt_bundle_changes_nothing(tmp_path: Path, spoil: object, why: str) -> None:
    home = stored(tmp_path / "home", [batch([result()], rejections=[rejection()])])
    bundle = dump(home, "squad", tmp_path)
    spoil(pl.read_parquet(bundle)).write_parquet(bundle)  # type: ignore[operator]
    with Store.open(tmp_path / "copy") as store:
        with pytest.raises(BundleError, match=why):
            restore(store, read_bundles(bundle))
        assert store.snapshot_ids() == set()
        assert "squad" not in store.source_ids()


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "squad.parquet").write_bytes(b"hello")
    with Store.open(tmp_path) as store, pytest.raises(BundleError, match=r"squad\.parquet"):
        restore(store, read_bundles(tmp_path / "squad.parquet"))


def test_a_bundle_at_which_the_way_from_arrow_panics_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def panic(*_: object, **__: object) -> pl.DataFrame:
        raise pl.exceptions.PanicException("called `Option::unwrap()` on a `None` value")

    bundle = dump(stored(tmp_path / "home", [batch([result()])]), "squad", tmp_path)
    monkeypatch.setattr(pl, "from_arrow", panic)
    with pytest.raises(BundleError, match=r"unwrap"):
        read_bundles(bundle)


def test_a_bundle_is_not_read_by_polars_which_some_damaged_bytes_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One wrong bit of one bundle made it ask for 2^61 bytes, and that ends the process."""

    def end(*_: object, **__: object) -> pl.LazyFrame:
        raise AssertionError("read by Polars")

    bundle = dump(stored(tmp_path / "home", [batch([result()])]), "squad", tmp_path)
    for name in ("scan_parquet", "read_parquet"):
        monkeypatch.setattr(pl, name, end)
    assert read_bundles(bundle)["result"].height == 1
