"""The curated facts of data/registry, read strictly: a cell that cannot be trusted stops the reading."""

from dataclasses import dataclass, fields
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.breakpoints import NO_BREAK
from benchhealth.analytics.record.conditions.recognise import EVERY_BENCHMARK
from benchhealth.analytics.record.frames import FAMILY, LABEL_ERROR, TWIN_PAIR
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, by_type
from benchhealth.analytics.record.words import KINDS, WORD, spelt
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.warehouse.curated.checked import CuratedFile, RegistryError, Rule, file_field, one_of, read
from benchhealth.warehouse.curated.facts import (
    CONDITION_FILE,
    DESIGN_EFFECT_FILE,
    DOMAIN_FILE,
    HUMAN_LINE_FILE,
    INCIDENT_FILE,
    ITEM_LABEL_FILE,
    LEFT_OUT_FILE,
    PAPER_TABLE_FILE,
    PRINTED_NUMBER_FILE,
    RELEASED_FILE,
    has_group,
)
from benchhealth.warehouse.curated.names import (
    ALIAS,
    ALIAS_FILE,
    BENCHMARK_ALIAS_FILE,
    LINEAGE_FILE,
    MAKER_FILE,
    MEASURER_FILE,
    MODEL_NAME_FILE,
    REFUSED_FILE,
    RENAMED_FILE,
    read_upstream,
    with_renamed,
)

__all__ = ["ALIAS", "Registry", "RegistryError", "read_registry"]

BENCHMARK = by_type(
    (TEXT, "benchmark_id name domain construct answer_kind modality metric unit"),
    (FLAG, "higher_is_better"),
    (DAY, "released_on"),
    (TEXT, "released_precision released_source"),
    (COUNT, "n_items"),
    (TEXT, "n_items_source"),
    (NUMBER, "floor"),
    (TEXT, "floor_source"),
    (NUMBER, "ceiling"),
    (TEXT, "ceiling_basis ceiling_source"),
    (NUMBER, "human"),
    (TEXT, "human_note"),
    (COUNT, "human_people human_items"),
    (TEXT, "human_source labels labels_source refresh refresh_source paper_url confidence note"),
)
BREAKPOINT = pl.Schema({"board_id": TEXT, "on_date": DAY, "kind": TEXT, "note": TEXT, "source_url": TEXT})
CONTAMINATION_REPORT = pl.Schema({**PUBLISHED["contamination_report"], "note": TEXT})
MODEL = pl.Schema(
    {**{name: kind for name, kind in PUBLISHED["model"].items() if name != "released_precision"}, "source_url": TEXT}
)
LABELS = ("public", "hidden", "private", "mixed", "live")

TWIN_KINDS = (
    "fresh sample",
    "harder variant",
    "debiased metric",
    "live split",
    "independent rerun",
    "equal preparation",
)


_BOUNDED = pl.col("unit").is_in(BOUNDED_UNITS)
_ROOM = (
    pl.when("higher_is_better").then(pl.col("ceiling") - pl.col("floor")).otherwise(pl.col("floor") - pl.col("ceiling"))
)
_SLUG = r"^[a-z0-9][a-z0-9._+-]*(/[a-z0-9][a-z0-9._+-]*){0,2}$"

_BENCHMARK_FILE = CuratedFile(
    "benchmark.csv",
    BENCHMARK,
    key=("benchmark_id",),
    required=("benchmark_id", "name", "metric", "unit", "higher_is_better"),
    rules=(
        Rule("benchmark_id", ~pl.col("benchmark_id").str.contains(_SLUG), "is not an id"),
        one_of("released_precision", "day", "month", "year"),
        one_of("labels", *LABELS),
        *(Rule(column, pl.col(column) == 0, "is not a size") for column in ("n_items", "human_people", "human_items")),
        *(
            Rule(column, pl.col(column).is_not_null() & pl.col("human").is_null(), "stands beside no human line")
            for column in ("human_people", "human_items")
        ),
        *(
            Rule(column, _BOUNDED & ~pl.col(column).is_between(0, 1), "is not a fraction of a bounded unit")
            for column in ("floor", "ceiling", "human")
        ),
        Rule("ceiling", _ROOM <= 0, "leaves no room beyond the floor"),
    ),
    sourced=(
        ("construct", "answer_kind"),
        ("released_on", "released_source"),
        ("released_on", "released_precision"),
        ("n_items", "n_items_source"),
        ("floor", "floor_source"),
        ("ceiling", "ceiling_source"),
        ("ceiling", "ceiling_basis"),
        ("human", "human_source"),
        ("labels", "labels_source"),
        ("refresh", "refresh_source"),
    ),
    to_the_month=("released_on",),
    indispensable=True,
)
_PAIR = pl.struct("original_id", "other_id", "source_id", "other_source_id", "observed_on")
_IS_TWICE = ~_PAIR.is_first_distinct() & pl.col("twin_id").is_first_distinct()
_TWIN_FILE = CuratedFile(
    "twin.csv",
    TWIN_PAIR,
    key=("twin_id",),
    required=("twin_id", "original_id", "other_id", "kind", "test", "source_url"),
    rules=(
        one_of("kind", *TWIN_KINDS),
        one_of("test", "difference", "fit"),
        Rule("twin_id", _IS_TWICE, "is the pair of an earlier line once more, of the same sources and day"),
    ),
    indispensable=True,
)
_BREAKPOINT_FILE = CuratedFile(
    "breakpoint.csv",
    BREAKPOINT,
    key=("board_id", "on_date", "kind"),
    required=("board_id", "on_date", "kind", "source_url"),
    rules=(
        one_of("kind", "scale", "names", "data", "rules", "reset", NO_BREAK),
        # A board may be of a benchmark that only its source declares, so here its form is all that can be checked.
        Rule("board_id", ~pl.col("board_id").str.contains("/"), "is not <source_id>/<benchmark_id>"),
    ),
    indispensable=True,
)
_REPORT_FILE = CuratedFile(
    "contamination_report.csv",
    CONTAMINATION_REPORT,
    key=("benchmark_id", "subject", "subject_kind", "split", "share", "method", "reference_url"),
    required=("benchmark_id", "subject", "subject_kind", "method", "reference_url"),
    rules=(Rule("share", ~pl.col("share").is_between(0, 1), "is not a share between 0 and 1"),),
    indispensable=True,
)
_MODEL_FILE = CuratedFile("model.csv", MODEL, key=("model_id",), required=("model_id", "source_url"))
_OF_A_PART = pl.col("covers") == "part"
_LABEL_ERROR_FILE = CuratedFile(
    "label_error.csv",
    LABEL_ERROR,
    key=("benchmark_id", "covers", "part", "source_url"),
    required=("benchmark_id", "covers", "share_flawed", "method", "source_url"),
    rules=(
        one_of("covers", "whole", "sample", "part"),
        *(
            Rule(column, ~pl.col(column).is_between(0, 1), "is not a share between 0 and 1")
            for column in ("share_flawed", "share_unreachable")
        ),
        Rule("share_unreachable", pl.col("share_unreachable") > pl.col("share_flawed"), "exceeds all that is flawed"),
        Rule("share_unreachable", _OF_A_PART & pl.col("share_unreachable").is_not_null(), "of a part bounds no score"),
        Rule("n_checked", pl.col("share_unreachable").is_not_null() & pl.col("n_checked").is_null(), "is missing"),
        Rule("part", pl.col("part").is_not_null() != _OF_A_PART, "is given where, and only where, a part is covered"),
    ),
)
_SUCCESSOR_FILE = CuratedFile(
    "successor.csv",
    PUBLISHED["successor"],
    key=("benchmark_id", "successor_id"),
    required=("benchmark_id", "successor_id", "why", "source_url"),
    rules=(Rule("successor_id", pl.col("successor_id") == pl.col("benchmark_id"), "is the benchmark itself"),),
)

_FAMILY_FILE = CuratedFile("family.csv", FAMILY, key=("benchmark_id",), required=tuple(FAMILY))

_SPELT = spelt(pl.col("spelling"))
_WORD_FILE = CuratedFile(
    "word.csv",
    WORD,
    key=("kind", "spelling"),
    required=("kind", "spelling"),
    rules=(
        one_of("kind", *KINDS),
        Rule("spelling", _SPELT.is_duplicated().over("kind"), "is the same word as another of its kind"),
        Rule("word", ~spelt(pl.col("word")).is_in(_SPELT.implode()), "has no row of its own"),
    ),
)


@dataclass(frozen=True)
class Registry:
    """The curated facts, one frame per file, with the columns of the file; null means unknown.

    `alias` holds the former names of renamed.csv too.
    """

    benchmark: pl.DataFrame = file_field(_BENCHMARK_FILE)
    twin: pl.DataFrame = file_field(_TWIN_FILE)
    breakpoint: pl.DataFrame = file_field(_BREAKPOINT_FILE)
    alias: pl.DataFrame = file_field(ALIAS_FILE)
    contamination_report: pl.DataFrame = file_field(_REPORT_FILE)
    model: pl.DataFrame = file_field(_MODEL_FILE)
    successor: pl.DataFrame = file_field(_SUCCESSOR_FILE)
    family: pl.DataFrame = file_field(_FAMILY_FILE)
    word: pl.DataFrame = file_field(_WORD_FILE)
    domain: pl.DataFrame = file_field(DOMAIN_FILE)
    label_error: pl.DataFrame = file_field(_LABEL_ERROR_FILE)
    condition: pl.DataFrame = file_field(CONDITION_FILE)
    lineage: pl.DataFrame = file_field(LINEAGE_FILE)
    measurer: pl.DataFrame = file_field(MEASURER_FILE)
    benchmark_alias: pl.DataFrame = file_field(BENCHMARK_ALIAS_FILE)
    design_effect: pl.DataFrame = file_field(DESIGN_EFFECT_FILE)
    item_label: pl.DataFrame = file_field(ITEM_LABEL_FILE)
    incident: pl.DataFrame = file_field(INCIDENT_FILE)
    human_line: pl.DataFrame = file_field(HUMAN_LINE_FILE)
    released: pl.DataFrame = file_field(RELEASED_FILE)
    refused: pl.DataFrame = file_field(REFUSED_FILE)
    model_name: pl.DataFrame = file_field(MODEL_NAME_FILE)
    maker: pl.DataFrame = file_field(MAKER_FILE)
    printed_number: pl.DataFrame = file_field(PRINTED_NUMBER_FILE)
    left_out: pl.DataFrame = file_field(LEFT_OUT_FILE)
    paper_table: pl.DataFrame = file_field(PAPER_TABLE_FILE)

    def aliases(self) -> dict[tuple[str | None, str], tuple[str, str]]:
        """(source_id or None for any source, published name) to (model_id, setting)."""
        rows = self.alias.select("source_id", "published_name", "model_id", "setting").iter_rows()
        return {(source, name): (model, setting or "") for source, name, model, setting in rows}


def read_registry(folder: Path) -> Registry:
    """Read and check every file of a folder; all but the first five may be missing.

    What it declares for parsers is checked here too, so that a wrong cell stops a night before it asks anybody.

    Raises RegistryError for a missing file or column, a value of the wrong kind, a key twice, a fact without its
    source, a floor beyond the ceiling, a domain without a group, or a reference to a benchmark that is not there.
    """
    published = read_upstream(folder).published_benchmark["benchmark_id"]
    alias = read(folder, BENCHMARK_ALIAS_FILE)
    benchmark_ids = pl.concat([read(folder, _BENCHMARK_FILE)["benchmark_id"], alias["benchmark_id"]])
    any_or_known = pl.concat([benchmark_ids, published, pl.Series("benchmark_id", [EVERY_BENCHMARK])])
    of_its_pattern = pl.col("pattern").str.extract(r"^\^([a-z-]+): ")
    source, other_source = pl.col("source_id"), pl.coalesce("other_source_id", "source_id")
    same = (pl.col("original_id") == pl.col("other_id")) & source.eq_missing(other_source)
    is_known = _unknown("benchmark_id", pl.lit(None, TEXT), benchmark_ids)
    organisations = read(folder, _WORD_FILE).filter(kind="organisation")["word"]
    rules = {
        "maker": (
            Rule("organisation", ~pl.col("organisation").is_in(organisations.implode()), "is in no closed list"),
        ),
        "benchmark": has_group(read(folder, DOMAIN_FILE), read(folder, _WORD_FILE)),
        "twin": (
            _unknown("original_id", source, benchmark_ids),
            _unknown("other_id", other_source, benchmark_ids),
            Rule("other_id", same, "is a twin of itself"),
        ),
        "condition": (_unknown("benchmark_id", of_its_pattern, any_or_known),),
        "design_effect": (_unknown("benchmark_id", source, benchmark_ids),),
        **dict.fromkeys(("contamination_report", "label_error", "incident", "human_line"), (is_known,)),
    }
    tables = {file.name: read(folder, file.metadata["file"], *rules.get(file.name, ())) for file in fields(Registry)}
    return Registry(**{**tables, "alias": with_renamed(tables["alias"], read(folder, RENAMED_FILE))})


def _unknown(column: str, source: pl.Expr, benchmark_ids: pl.Series) -> Rule:
    """Neither a benchmark of the registry, nor a part of one, nor (where the source is named) one of that source's own.

    Sources name their own benchmarks after themselves: `openllm-v1` of open-llm, `lmarena-text` of lmarena-daily.
    """
    board = pl.col(column).str.split("/").list.first()
    same_word = board.str.split("-").list.first() == source.str.split("-").list.first()
    same_letters = board.str.replace_all("-", "").str.starts_with(source.str.replace_all("-", ""))
    is_own = (same_word | same_letters).fill_null(value=False)
    return Rule(column, ~board.is_in(benchmark_ids.implode()) & ~is_own, "is not a benchmark of the registry")
