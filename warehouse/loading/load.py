"""Reads stored and curated facts, as known at an instant, into the frames that analytics works on."""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.frames import (
    AS_PUBLISHED,
    BENCHMARK,
    EMPTY_CELL,
    ITEM_RESULT,
    LISTED_NAME,
    MODEL_CLAIM,
    NO_SCORE,
    Frames,
    in_order,
)
from benchhealth.analytics.record.lineages.one_id import in_one_id
from benchhealth.analytics.record.model_facts.authorities import PRINT_LICENCE, house
from benchhealth.analytics.record.model_facts.reconcile import first_seen, reconcile
from benchhealth.analytics.record.names.display import display_names
from benchhealth.analytics.record.names.owners import owned
from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.words import grouped, in_words
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.warehouse.curated.facts import OTHERS, with_release
from benchhealth.warehouse.loading.results import named_results, placed_in_time, rows_of
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sql import as_known, quoted, select
from benchhealth.warehouse.status import source_table
from benchhealth.warehouse.store import reading

_NEWEST_OF_BOARD = """s.observed_at = (
        SELECT max(newer.observed_at) FROM snapshot newer
        WHERE newer.board_id = s.board_id AND newer.observed_at <= $as_of
    )"""
"""The condition that a snapshot is the newest of its board: what only earlier ones said, the board no longer says."""


def _facts_query(columns: str, facts: str, order: str, where: str = "true") -> str:
    """The SQL for the known rows of a table of facts (`f`), each joined with its snapshot (`s`).

    `columns`, `order` (what rows are sorted by) and `where` may name columns of both. `_filled_in` puts the values for
    `$as_of` and `$from_sources`.
    """
    return f"""
        SELECT {columns}
        FROM {facts} f JOIN snapshot s USING (snapshot_id)
        WHERE s.observed_at <= $as_of AND $from_sources AND {where}
        ORDER BY {order}
    """  # noqa: S608 - own words


_BY_BOARD = "s.source_id, s.board_id, s.snapshot_id, f.source_row"
_MODEL_FACTS = _facts_query(
    "f.model_id, s.source_id, nullif(f.name, '') AS name, nullif(f.organisation, '') AS organisation, f.released_on, "
    "f.open_weights, f.knowledge_cutoff AS cutoff_on, s.observed_at, s.url AS source_url",
    "model_fact",
    "s.observed_at, f.snapshot_id, f.source_row",
)
_BENCHMARK_FACTS = _facts_query("f.* EXCLUDE (snapshot_id)", "benchmark_fact", "s.observed_at, f.snapshot_id")
_REPORT_FACTS = _facts_query("f.* EXCLUDE (snapshot_id, source_row)", "report_fact", _BY_BOARD, _NEWEST_OF_BOARD)
_OWN_FACTS = _facts_query(
    "f.* EXCLUDE (snapshot_id), s.source_id, s.url",
    "own_fact",
    "s.observed_at, s.snapshot_id, f.benchmark_id, f.twin_of",
    _NEWEST_OF_BOARD,
)
_MENTIONS = _facts_query(
    "f.* EXCLUDE (snapshot_id, source_row), s.source_id", "mention_fact", _BY_BOARD, _NEWEST_OF_BOARD
)
_LISTED_NAMES = _facts_query(
    "f.* EXCLUDE (snapshot_id, source_row), s.source_id", "name_fact", _BY_BOARD, _NEWEST_OF_BOARD
)
_EMPTY_CELLS = _facts_query(
    "s.source_id, split_part(f.published, ' | ', 1) AS benchmark_id, "
    "split_part(f.published, ' | ', 2) AS published_name, f.source_row",
    "rejection",
    _BY_BOARD,
    f"f.reason = {quoted(NO_SCORE)} AND s.source_id IN ({', '.join(map(quoted, AS_PUBLISHED))}) AND {_NEWEST_OF_BOARD}",
)
_ITEM_RUNS = """
    SELECT i.* FROM item_run i JOIN snapshot s USING (snapshot_id) WHERE s.observed_at <= $as_of AND $from_sources
"""
_ITEMS = "SELECT s.* FROM item s WHERE $from_sources"
_LOOKS = "SELECT source_id, board_id, max(looked_at) AS looked_at FROM look s WHERE $from_sources GROUP BY ALL"
_PRICES = """
    WITH priced AS (
        SELECT p.* EXCLUDE (snapshot_id, source_row), s.source_id, s.board_id, CAST(s.observed_at AS DATE) AS seen_on,
            dense_rank() OVER (PARTITION BY s.board_id ORDER BY s.observed_at) AS version,
            row_number() OVER (
                PARTITION BY s.board_id, p.provider, p.published_name, p.terms, p.starts_on,
                    p.input, p.output, p.cache_read, p.cache_write
                ORDER BY s.observed_at
            ) AS place
        FROM price_fact p JOIN snapshot s USING (snapshot_id)
        WHERE s.observed_at <= $as_of AND $from_sources
    )
    SELECT provider, published_name, model_id, terms, starts_on, input, output, cache_read, cache_write,
        min(seen_on) AS first_on, max(seen_on) AS last_on, source_id
    FROM priced
    GROUP BY provider, published_name, model_id, terms, starts_on, input, output, cache_read, cache_write, source_id,
        board_id, version - place
    ORDER BY source_id, provider, published_name, terms, starts_on, first_on
"""
_SNAPSHOTS = "SELECT * FROM snapshot s WHERE observed_at <= $as_of AND $from_sources ORDER BY observed_at, snapshot_id"


def load(home: Path, registry: Registry, as_of: datetime, from_sources: Collection[str] | None = None) -> Frames:
    """All facts of snapshots observed up to `as_of` (naive UTC, included), resolved with the registry.

    Looks made later are included: who saw the newest version of a file today knows that no other came before.
    With `from_sources`, facts of other sources are left out; the table of sources still names all of them.

    Curated facts about benchmarks and models override those of sources. Of a benchmark that is not curated the newest
    fact counts; which fact about a model counts is decided by `analytics.record.model_facts`. The order of rows does
    not depend on when they were written.

    Raises Locked if another process is writing, FileNotFoundError if there are no facts yet.
    """
    with reading(home) as connection:
        model_facts = select(connection, _filled_in(_MODEL_FACTS, as_of, from_sources))
        benchmark_facts = select(connection, _filled_in(_BENCHMARK_FACTS, as_of, from_sources))
        reports = select(connection, _filled_in(_REPORT_FACTS, as_of, from_sources))
        mentions = select(connection, _filled_in(_MENTIONS, as_of, from_sources))
        listed_names = select(connection, _filled_in(_LISTED_NAMES, as_of, from_sources))
        prices = select(connection, _filled_in(_PRICES, as_of, from_sources))
        snapshots = select(connection, _filled_in(_SNAPSHOTS, as_of, from_sources))
        results = named_results(connection, snapshots, registry)
        sources = source_table(connection, as_of)
        looks = select(connection, _filled_in(_LOOKS, as_of, from_sources))
        own_facts = select(connection, _filled_in(_OWN_FACTS, as_of, from_sources))
        empty_cells = select(connection, _filled_in(_EMPTY_CELLS, as_of, from_sources))
        runs = select(connection, _filled_in(_ITEM_RUNS, as_of, from_sources))
        items = select(connection, _filled_in(_ITEMS, as_of, from_sources))
    model_facts = in_words(model_facts, registry.word)
    benchmarks = _benchmarks(benchmark_facts, registry, own_facts)
    claims = _claims(model_facts, registry, rows_of(results), snapshots)
    reconciled = reconcile(claims, first_seen(rows_of(results)).collect(engine="streaming"))
    models = _with_display_names(reconciled.model, rows_of(results), model_facts, registry)
    results_in_time = placed_in_time(results, models, snapshots, benchmarks, registry)
    frames = Frames(
        benchmark=benchmarks,
        model=models,
        source=sources,
        snapshot=snapshots,
        result=results_in_time,
        breakpoint=registry.breakpoint.match_to_schema(PUBLISHED["breakpoint"], missing_columns="insert"),
        contamination_report=_contamination_reports(in_one_id(reports, registry.benchmark_alias), benchmarks, registry),
        twin_pair=pl.concat([registry.twin, _own_twins(own_facts, registry)]),
        successor=registry.successor,
        lineage=registry.lineage,
        measurer=registry.measurer,
        cutoff=reconciled.cutoff,
        model_claim=claims,
        listed_name=listed_names.select(LISTED_NAME.names()),
        empty_cell=in_one_id(empty_cells, registry.benchmark_alias).select(EMPTY_CELL.names()),
        look=looks,
        condition=registry.condition,
        mention=in_one_id(in_words(mentions, registry.word), registry.benchmark_alias).select(
            PUBLISHED["mention"].names()
        ),
        price=prices.select(PUBLISHED["price"].names()),
        family=registry.family,
        label_error=registry.label_error,
        incident=registry.incident,
        item_result=_item_results(runs, results_in_time),
        item=items.join(runs, on="list_id", how="semi").unique(["list_id", "place"]),
        design_effect=registry.design_effect,
        item_label=registry.item_label,
        printed_number=registry.printed_number,
        left_out=registry.left_out,
        paper_table=registry.paper_table,
    )
    return in_order(frames)


def _item_results(runs: pl.DataFrame, results: pl.LazyFrame) -> pl.DataFrame:
    """The results that are known item by item, with the ids of today; `stands` marks the newest of each `key`."""
    address = ["snapshot_id", "source_row"]
    key = ["benchmark_id", "model_id", "setting", "reporter"]
    of_runs = results.join(runs.lazy().select(address), on=address, how="semi").collect(engine="streaming")
    newest = (
        of_runs.filter("stands", kind="model")
        .sort("observed_at", *address)
        .unique(["source_id", *key], keep="last", maintain_order=True)
        .select(*address, *key, newest=pl.lit(value=True))
    )
    return (
        of_runs.rename({"n_items": "stated"})
        .join(runs, on=address)
        .join(newest, on=[*address, *key], how="left")
        .with_columns(n_items=pl.coalesce("stated", "n_named"), stands=pl.col("newest").fill_null(value=False))
        .select(ITEM_RESULT.names())
    )


def load_apart(home: Path, registry: Registry, as_of: datetime) -> tuple[Frames, Frames | None]:
    """The frames of public sources, and those of imported results (None where nothing was imported).

    Each is loaded without any fact of the other. Raises as `load` does.
    """
    with reading(home) as connection:
        sources = source_table(connection, as_of)
    observed = sources.filter(pl.col("last_observed_at").is_not_null())
    imported = with_terms(observed, Terms.IMPORTED)
    if not imported:
        return load(home, registry, as_of), None
    public = set(sources["source_id"]) - set(imported)
    return load(home, registry, as_of, public), load(home, registry, as_of, imported)


def seen_sources(home: Path, as_of: datetime) -> set[str]:
    """The public sources of which something was observed up to `as_of`. Raises as `load` does."""
    with reading(home) as connection:
        observed = source_table(connection, as_of).filter(pl.col("last_observed_at").is_not_null())
    return set(observed["source_id"]) - set(with_terms(observed, Terms.IMPORTED))


def benchmark_table(home: Path, registry: Registry, as_of: datetime) -> pl.DataFrame:
    """The benchmarks as known at `as_of`, without loading any results; schema `BENCHMARK`. Raises as `load` does."""
    with reading(home) as connection:
        facts = select(connection, _filled_in(_BENCHMARK_FACTS, as_of, None))
        return _benchmarks(facts, registry, select(connection, _filled_in(_OWN_FACTS, as_of, None)))


def _filled_in(sql: str, as_of: datetime, from_sources: Collection[str] | None) -> str:
    """The SQL with the instant for `$as_of`, and the condition on `s` that selects the sources for `$from_sources`."""
    quoted_sources = ", ".join("'" + source.replace("'", "''") + "'" for source in from_sources or ())
    condition = "true" if from_sources is None else f"s.source_id IN ({quoted_sources})" if from_sources else "false"
    return as_known(sql, as_of).replace("$from_sources", condition)


def _own_twins(own_facts: pl.DataFrame, registry: Registry) -> pl.DataFrame:
    """The twins that were declared with imported results, as rows of `twin_pair`, but for pairs that are curated.

    Their `test` is `fit`: a model is expected on the line through the models, not at the same score on both sides, as
    nobody here can tell whether both sides were drawn alike.
    """
    sides = ["original_id", "other_id"]
    declared = own_facts.drop_nulls("twin_of").select(
        twin_id=pl.format("import-{}-to-{}", "twin_of", "benchmark_id"),
        original_id="twin_of",
        other_id="benchmark_id",
        kind="twin_kind",
        source_id=pl.lit(None, dtype=pl.String),
        other_source_id="source_id",
        observed_on=pl.lit(None, dtype=pl.Date),
        test=pl.lit("fit"),
        note=pl.lit("declared with results of your own"),
        source_url="url",
    )
    return declared.unique("twin_id", keep="last", maintain_order=True).join(
        registry.twin, on=sides, how="anti", maintain_order="left"
    )


def _benchmarks(facts: pl.DataFrame, registry: Registry, own_facts: pl.DataFrame) -> pl.DataFrame:
    """The curated benchmarks, then the newest fact about each of the others with its measured ceiling, by id.

    `own_facts` say who has the labels of an imported benchmark.
    """
    schema = BENCHMARK
    labels = own_facts.drop_nulls("labels").unique("benchmark_id", keep="last").select("benchmark_id", "labels")
    uncurated = (
        in_one_id(facts, registry.benchmark_alias)
        .unique("benchmark_id", keep="last", maintain_order=True)
        .join(registry.benchmark, on="benchmark_id", how="anti")
        .with_columns(curated=pl.lit(value=False))
        .join(labels, on="benchmark_id", how="left", maintain_order="left")
        .pipe(_with_measured_ceiling, registry.label_error)
    )
    curated = registry.benchmark.with_columns(curated=pl.lit(value=True)).pipe(_with_human_line, registry.human_line)
    all_benchmarks = pl.concat([curated, uncurated], how="diagonal").pipe(_with_ceiling_kind, registry.label_error)
    named = in_words(with_release(all_benchmarks, registry.released), registry.word).pipe(grouped, registry.domain)
    return named.select(schema.names()).sort("benchmark_id")


def _with_human_line(benchmarks: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """The curated benchmarks; if people answered other tasks, their score is in `human_elsewhere`, not in `human`."""
    elsewhere = pl.col("benchmark_id").is_in(lines.filter(tasks=OTHERS)["benchmark_id"].implode())
    return benchmarks.with_columns(
        human=pl.when(~elsewhere).then("human"), human_elsewhere=pl.when(elsewhere).then("human")
    )


def _with_ceiling_kind(benchmarks: pl.DataFrame, checks: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks with `ceiling_kind`, how the ceiling is known, and `ceiling_checked`, on how many questions.

    `audited`: it leaves out counted label errors. `of_a_part`: only a part was audited. `not_bounding`: faults of the
    whole or a sample were counted, which do not say what score they bound. `assumed`: nothing was counted. Null: there
    is no ceiling, or the unit has no bounds.
    """
    bounding = pl.col("share_unreachable").is_not_null()
    counted = checks.group_by("benchmark_id").agg(
        in_part=(pl.col("covers") == "part").all(),
        bounded_by=bounding.any(),
        checked=pl.col("n_checked").filter(bounding).max(),
    )
    best = pl.when("higher_is_better").then(1.0).otherwise(0.0)
    kind = (
        pl.when(pl.col("ceiling").is_null() | ~pl.col("unit").is_in(BOUNDED_UNITS).fill_null(value=False))
        .then(None)
        .when((pl.col("ceiling") != best) | pl.col("bounded_by"))
        .then(pl.lit("audited"))
        .when(pl.col("in_part"))
        .then(pl.lit("of_a_part"))
        .when(pl.col("in_part").is_not_null())
        .then(pl.lit("not_bounding"))
        .otherwise(pl.lit("assumed"))
    )
    return benchmarks.join(counted, on="benchmark_id", how="left", maintain_order="left").with_columns(
        ceiling_kind=kind, ceiling_checked=pl.when(kind == "audited").then("checked")
    )


def _with_measured_ceiling(facts: pl.DataFrame, checks: pl.DataFrame) -> pl.DataFrame:
    """The facts of sources, which state no ceiling, with the ceiling that counted label errors leave.

    Counted are the questions on which no right answer scores, found on the whole test or a sample of it; of several
    checks the one of the most questions. A curated benchmark states its ceiling and its basis itself.
    """
    unreachable = pl.col("share_unreachable")
    basis = pl.format("label errors: {}% of {} questions checked", (unreachable * 100).round(2), "n_checked")
    ceilings = (
        checks.filter(unreachable.is_not_null())
        .sort("n_checked", "source_url", descending=[True, False])
        .unique("benchmark_id", keep="first", maintain_order=True)
        .select("benchmark_id", measured=1 - unreachable, basis=basis)
    )
    is_share_to_raise = pl.col("unit").is_in(BOUNDED_UNITS) & pl.col("higher_is_better")
    return (
        facts.join(ceilings, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(
            ceiling=pl.when(is_share_to_raise).then("measured"), ceiling_basis=pl.when(is_share_to_raise).then("basis")
        )
        .drop("measured", "basis")
    )


def _contamination_reports(reported: pl.DataFrame, benchmarks: pl.DataFrame, registry: Registry) -> pl.DataFrame:
    """The curated reports, then those of each source's newest files about benchmarks that are known here.

    A report that a curator has taken from the same paper stands as the curator wrote it.
    """
    schema = PUBLISHED["contamination_report"]
    curated = registry.contamination_report.select(schema.names())
    same_report = [
        pl.col("benchmark_id"),
        pl.col("subject").str.to_lowercase(),
        pl.col("split"),
        pl.col("reference_url"),
    ]
    uncurated = (
        reported.select(schema.names())
        .unique(maintain_order=True)
        .join(benchmarks, on="benchmark_id", how="semi", maintain_order="left")
        .join(curated, on=same_report, how="anti", nulls_equal=True, maintain_order="left")
    )
    return pl.concat([curated, uncurated])


def _claims(facts: pl.DataFrame, registry: Registry, results: pl.LazyFrame, snapshots: pl.DataFrame) -> pl.DataFrame:
    """What each source said last about each attribute of each model, and what curators say; `facts` are oldest first.

    Where nobody says who made a model, its published names may tell (`names.owners`).
    """
    attributes = ("name", "organisation", "released_on", "open_weights", "cutoff_on")
    newest = facts.group_by("model_id", "source_id").agg(
        pl.col(attributes).drop_nulls().last(),
        pl.col("observed_at", "source_url").last(),
        still_says=pl.col("open_weights").last(),
    )
    print_licence = [source_id for source_id in facts["source_id"].unique() if house(source_id) in PRINT_LICENCE]
    weights = pl.when(pl.col("source_id").is_in(print_licence)).then("still_says").otherwise("open_weights")
    newest = newest.with_columns(open_weights=weights).drop("still_says")
    claims = pl.concat([registry.model, newest], how="diagonal").match_to_schema(MODEL_CLAIM, missing_columns="insert")
    versions = snapshots.select("snapshot_id", "source_id", "observed_at", source_url="url")
    printed_names = results.select("model_id", "published_name", "snapshot_id").unique().collect(engine="streaming")
    named_after = owned(printed_names.join(versions, on="snapshot_id"), claims, registry.word, registry.maker)
    key = ["model_id", "source_id"]
    claims_of_all = pl.concat([claims, named_after]).group_by(key, maintain_order=True)
    return claims_of_all.agg(pl.exclude(key).drop_nulls().first()).select(claims.columns)


def _with_display_names(
    models: pl.DataFrame, results: pl.LazyFrame, facts: pl.DataFrame, registry: Registry
) -> pl.DataFrame:
    """The models, each with one name to show, chosen among all names under which anybody prints it."""
    printed_names = results.select("model_id", name="published_name").unique().collect(engine="streaming")
    spellings = pl.concat([printed_names, facts.select("model_id", "name"), registry.model.select("model_id", "name")])
    names = display_names(models["model_id"], spellings, registry.model_name)
    return models.drop("name").join(names, on="model_id", how="left", maintain_order="left").select(models.columns)
