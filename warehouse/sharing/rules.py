"""For every published table: which rows may leave, which cells of them, and what each row rests on.

`@name` is a relation of `warehouse.sharing.marks`. A row that names a model, prints a score or is copied from a source
leaves where an allowed source says the same; what we conclude about a benchmark leaves unless imports are part of it.
"""

# ruff: noqa: S608  SQL made of this package's own words

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.analytics.record.tables.case import CASE_SCHEMA
from benchhealth.analytics.record.tables.declared import Sharing, Table
from benchhealth.analytics.reproduction import SCORES_OF
from benchhealth.warehouse.sharing.allowed_cells import of_domain_group, of_history, of_position
from benchhealth.warehouse.sharing.fact_sources import IDS, report_key
from benchhealth.warehouse.sharing.marks import RUNGS_OF_REPORTS, is_stated

WITHHELD = "(withheld: it names what may not be passed on)"
"""What replaces a sentence that names a model, a benchmark or an address that may not leave."""


@dataclass(frozen=True)
class Rule:
    """How a table leaves.

    `rests_on` says what decides about a row; `leaves` is that as a condition in SQL. `cells` are columns that leave
    under another value; `texts` are columns of sentences made by us, which may name what rows do not.
    """

    rests_on: str
    leaves: str
    cells: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()


SCORES = ("frontier", "forecast_6_months", "forecast_12_months")
"""Indicators whose value is, or may be, a published score."""

_BOARD = "split_part(board_id, '/', 1)"
_OF_BOARD = "the source of its board; where several are one board, the one that led it on that day"
_TOUCHED = "benchmark_id NOT IN (FROM @touched_benchmark)"
_OF_MAKER = "organisation NOT IN (FROM @sealed_maker)"
_SCORED = ", ".join(f"'{name}'" for name in SCORES)
_CLOSED_DOCUMENTS = "SELECT benchmark_id FROM #mention WHERE source_id NOT IN (FROM @allowed)"
_SHARE = "(benchmark_id, value) IN (FROM @open_share)"

_PRINTED = "(SELECT (benchmark_id, score) FROM @open_step)"

_NAMES_MODEL = "'leader', 'best', 'best_late', 'best_lost', 'rescale'"
_SCORED_CHANGES = "'best', 'best_late', 'best_lost', 'rescale', 'condition'"
_STEP_NOW = "(benchmark_id, model_id, value) IN (FROM @open_step)"
_STEP_BEFORE = "(benchmark_id, before, value_before) IN (FROM @open_step)"
"""Kinds of change whose `before` is a model or whose numbers are scores, and whether an allowed source prints them."""


def _is_led_by_allowed(on: str) -> str:
    """The source that said how a board stood on a day is allowed; `on` is that day in SQL."""
    is_allowed = f"{_BOARD} IN (FROM @allowed)"
    return f"CASE WHEN board_id IN (FROM @led_board) THEN (board_id, {on}) IN (FROM @open_day) ELSE {is_allowed} END"


def _said_cells(entity: str, fallback: Mapping[str, str] | None = None) -> dict[str, str]:
    """Each column but the id as an allowed source says it; else the `fallback` expression, or null."""
    key = IDS[entity]
    instead = fallback or {}
    return {
        column: f"CASE WHEN {is_stated(entity, key, column)} THEN {column} ELSE {instead.get(column, 'NULL')} END"
        for column in PUBLISHED[entity]
        if column not in (key, "curated")
    }


def _claim_column(column: str) -> str:
    """The column of a claim, null where the number is one source's own score and that source is not allowed."""
    copies = " OR ".join(
        f"(claim_id = '{claim}' AND '{source}' NOT IN (FROM @allowed))" for claim, source in SCORES_OF.items()
    )
    return f"CASE WHEN {copies} THEN NULL ELSE {column} END"


_ANOTHER_NAME = """coalesce((
    SELECT min(a.published_name) FROM #alias a WHERE a.model_id = model.model_id AND a.source_id IN (FROM @allowed)
), model_id)"""

SHARED: Mapping[Sharing, Rule] = {
    Sharing.POOLED: Rule("all results together; it names neither a model nor a single benchmark", "true"),
    Sharing.CURATED: Rule("the curators, or what was published by others", "true"),
    Sharing.OF_SOURCE: Rule("its source", "source_id IN (FROM @allowed)"),
    Sharing.OF_SNAPSHOT: Rule("the source of its snapshot", "snapshot_id IN (FROM @open_snapshot)"),
    Sharing.OF_BOARD: Rule("the source of its board: it names models", f"{_BOARD} IN (FROM @allowed)"),
    Sharing.ABOUT_BOARD: Rule(
        "the source of its board; it names no model and leaves unless it was imported",
        f"{_BOARD} NOT IN (FROM @imported)",
    ),
    Sharing.OF_TWIN: Rule("the sources of both sides", "twin_id IN (FROM @open_twin)"),
    Sharing.SCORES_OF_TWIN: Rule(
        "the sources of both sides, and those that name the model",
        "twin_id IN (FROM @open_twin) AND model_id IN (FROM @open_model)",
    ),
    Sharing.ABOUT_TWIN: Rule("both benchmarks: no import is among their results", "twin_id IN (FROM @clean_twin)"),
    Sharing.ABOUT_BENCHMARK: Rule("the benchmark and its twins, without imports", _TOUCHED),
    Sharing.OF_STEP: Rule(
        "the sources that print this score of this model", "(benchmark_id, model_id, score) IN (FROM @open_step)"
    ),
    Sharing.OF_MODEL: Rule(
        "the results of the model: some are of allowed sources, none is imported",
        "model_id IN (FROM @open_scored) AND model_id NOT IN (FROM @imported_model)",
    ),
    Sharing.OF_MAKER: Rule("the sources that name the organisation", _OF_MAKER),
}
"""The rule of each code that tables are declared with, but for those that have one of their own, or never leave."""

_CELLS: Mapping[str, Mapping[str, str]] = {
    "weights_lag": {"level": f"CASE WHEN (benchmark_id, level) IN {_PRINTED} THEN level END"},
    "verdict_history": of_history(),
}
"""Columns of tables of such a code that leave under another value."""

_TEXTS: Mapping[str, tuple[str, ...]] = {
    "condition_frontier": ("condition",),
    "reporter_frontier": ("condition",),
    "weights_lag": ("reason",),
    "condition_headroom": ("condition", "raw_condition", "made_by"),
    "verdict": ("reasons",),
    "verdict_history": ("condition", "condition_end"),
}
"""Columns of sentences in tables of such a code."""


def _as_told(table: str, text: str) -> dict[str, str]:
    """The columns of a row's case, but for those of its key, which leave where its sentence does."""
    columns = [column for column in CASE_SCHEMA if column in PUBLISHED[table] and column not in TABLES[table].key]
    return {column: f'CASE WHEN {text} IN (FROM @named) THEN NULL ELSE "{column}" END' for column in columns}


_CHANGED = Rule(
    "what changed: verdicts on the benchmark without imports, best scores on the sources that print them, leaders "
    "and breaks on the board's source, the rest on its own source",
    f"""
    coalesce({_TOUCHED}, true) AND CASE
        WHEN kind = 'leader' THEN model_id IN (FROM @open_model) AND {_is_led_by_allowed("on_day")}
        WHEN kind = 'break' THEN {_is_led_by_allowed("on_day")}
        WHEN kind IN ('held', 'source', 'silent', 'results', 'correction') THEN source_id NOT IN (FROM @imported)
        WHEN kind IN ('stage', 'benchmark', 'flag', 'rules', 'condition', 'incident') THEN true
        ELSE (benchmark_id, model_id, value) IN (FROM @open_step)
    END
    """,
    {
        "model_id": "CASE WHEN model_id IN (FROM @open_model) THEN model_id END",
        "before": f"CASE WHEN kind NOT IN ({_NAMES_MODEL}) OR before IN (FROM @open_model) THEN before END",
        **{
            column: f"CASE WHEN kind NOT IN ({_SCORED_CHANGES}) OR {_STEP_BEFORE} THEN {column} END"
            for column in ("value_before", "low_before", "high_before")
        },
        **{
            column: f"CASE WHEN kind <> 'condition' OR {_STEP_NOW} THEN {column} END"
            for column in ("value", "low", "high")
        },
        **_as_told("change", "text"),
    },
    texts=("text",),
)

_ITS_OWN: Mapping[str, Rule] = {
    "differing_number": Rule(
        "its source, and that of the number that it is held against",
        "source_id IN (FROM @allowed) AND against_source_id IN (FROM @allowed)",
    ),
    "benchmark": Rule(
        "whoever knows the benchmark; its cells on whoever says that value",
        "benchmark_id IN (FROM @known_benchmark)",
        _said_cells("benchmark", {"known_until": "known_until", "domain_group": of_domain_group()}),
    ),
    "model": Rule(
        "the sources that name the model; its cells on those that say that value",
        "model_id IN (FROM @open_model)",
        _said_cells("model", {"name": _ANOTHER_NAME}),
    ),
    "alias": Rule("its source, or the curators", "source_id IS NULL OR source_id IN (FROM @allowed)"),
    "likely_alias": Rule(
        "the sources that name both models; no import has a result of either",
        "model_id IN (FROM @open_model) AND other_id IN (FROM @open_model) "
        "AND model_id NOT IN (FROM @imported_model) AND other_id NOT IN (FROM @imported_model)",
        {
            column: f"list_sort(list_intersect({column}, (SELECT list(source_id) FROM @allowed)))"
            for column in ("sources", "other_sources")
        },
    ),
    "source": Rule("itself: all are named but imports", "source_id NOT IN (FROM @imported)"),
    "fact_source": Rule(
        "the source it names; that a source has a benchmark may be known of all but imports",
        """
        source_id IS NULL OR source_id IN (FROM @allowed)
        OR (attribute = 'benchmark_id' AND source_id NOT IN (FROM @imported))
        """,
    ),
    "board": Rule(
        "its source; that a source has a benchmark may be known of all but imports",
        "source_id NOT IN (FROM @imported)",
        {"newest_result_on": "CASE WHEN source_id IN (FROM @allowed) THEN newest_result_on END"},
    ),
    "breakpoint": Rule(_OF_BOARD, _is_led_by_allowed("on_date")),
    "lineage": Rule(
        "the source of its address; it names no model and leaves unless it was imported",
        "split_part(address, '/', 1) NOT IN (FROM @imported)",
    ),
    "contamination_report": Rule(
        "the sources of the report, or the curators", f"{report_key()} IN (FROM @open_report)"
    ),
    "incident": Rule(
        "the curators; of a leak the sources of the report, of a break the source of its board",
        f"""CASE home WHEN 'contamination_report' THEN (benchmark_id, source_url) IN (FROM @open_reference)
            WHEN 'breakpoint' THEN {_is_led_by_allowed("on_date")} ELSE true END""",
    ),
    "claimed_alias": Rule(
        "the source that lists both names as one, and those that know both",
        """
        source_id IN (FROM @allowed) AND CASE entity
            WHEN 'model' THEN id IN (FROM @open_model) AND other_id IN (FROM @open_model)
            ELSE id IN (FROM @known_benchmark) AND other_id IN (FROM @known_benchmark)
        END
        """,
    ),
    "attention": Rule(
        "the benchmark without imports, and the sources of the documents that mention it: all of them",
        f"{_TOUCHED} AND benchmark_id NOT IN ({_CLOSED_DOCUMENTS})",
    ),
    "fact_conflict": Rule(
        "the source of the value that lost, and those that name what it is about; the value that stands on who says it",
        """
        (source_id IS NULL OR source_id IN (FROM @allowed))
        AND CASE entity WHEN 'model' THEN id IN (FROM @open_model) ELSE id IN (FROM @known_benchmark) END
        """,
        {"chosen": "CASE WHEN (entity, id, attribute) IN (FROM @said) THEN chosen END"},
    ),
    "claim_check": Rule(
        "all results together; of a maker an allowed source names it",
        "subject_kind IN ('all', 'year', 'domain') OR (subject_kind = 'maker' AND subject NOT IN (FROM @sealed_maker))",
    ),
    "corroboration": Rule(
        "the sources of both scores",
        """
        source_id IN (FROM @allowed)
        AND (independent_source_id IS NULL OR independent_source_id IN (FROM @allowed))
        """,
    ),
    "weights_frontier": Rule(
        "the sources that print this score of this model, and those that say whether its weights are open",
        f"(benchmark_id, model_id, score) IN (FROM @open_step) AND {is_stated('model', 'model_id', 'open_weights')}",
        texts=("condition",),
    ),
    **dict.fromkeys(("rank", "board_card"), Rule(_OF_BOARD, _is_led_by_allowed("observed_at::DATE"))),
    "lead": Rule(
        f"{_OF_BOARD}, and those that name the models",
        f"{_is_led_by_allowed('on_date')} AND model_id IN (FROM @open_model)",
        {"before": "CASE WHEN before IN (FROM @open_model) THEN before END"},
    ),
    "transfer": Rule(
        "both benchmarks: no import is among their results",
        "original_id NOT IN (FROM @imported_benchmark) AND other_id NOT IN (FROM @imported_benchmark)",
    ),
    "position": Rule(
        "the sources that print this score of this model; what it says of others, on those that print theirs",
        f"{_TOUCHED} AND (benchmark_id, model_id, score) IN (FROM @open_score) AND model_id IN (FROM @open_model)",
        of_position(),
        texts=("condition",),
    ),
    "forecast": Rule(
        "the best score, which it starts from and repeats: an allowed source prints it",
        f"{_TOUCHED} AND benchmark_id IN (FROM @open_best)",
    ),
    "design_effect": Rule(
        "the benchmark: no import is among its results; it names no model",
        f"source_id NOT IN (FROM @imported) AND {_TOUCHED}",
    ),
    **dict.fromkeys(
        ("forecast_record", "forecast_backcast"),
        Rule(
            "the best score of the day on which it was made: an allowed source prints it; what came of it likewise",
            f"{_TOUCHED} AND (benchmark_id, best) IN {_PRINTED}",
            {
                column: f"CASE WHEN (benchmark_id, outcome) IN {_PRINTED} THEN {column} END"
                for column in ("outcome", "inside", "error", "persistence_error")
            },
        ),
    ),
    "item_age": Rule(
        "its source, and those that name the model",
        "source_id IN (FROM @allowed) AND model_id IN (FROM @open_model)",
    ),
    "goodhart": Rule(
        "its subject: a benchmark or pair without imports, an organisation that an allowed source names",
        """
        CASE subject_kind
            WHEN 'benchmark' THEN subject NOT IN (FROM @touched_benchmark)
            WHEN 'judge' THEN subject NOT IN (FROM @touched_benchmark)
            WHEN 'pair' THEN subject IN (FROM @clean_twin)
            WHEN 'organisation' THEN subject NOT IN (FROM @sealed_maker)
            WHEN 'leaderboard and organisation' THEN
                split_part(subject, ': ', 1) NOT IN (FROM @touched_benchmark)
                AND split_part(subject, ': ', -1) NOT IN (FROM @sealed_maker)
            ELSE subject_kind IN ('all', 'kind of gap')
        END
        """,
        _as_told("goodhart", "reason"),
        texts=("reason",),
    ),
    "contamination_risk": Rule(
        "the benchmark without imports; of a model the sources of its results there, or of the report about it",
        f"""
        {_TOUCHED} AND CASE
            WHEN model_id IS NULL THEN rung <> 'report' OR value IS NULL OR {_SHARE}
            WHEN model_id NOT IN (FROM @open_model) THEN false
            WHEN rung IN ({RUNGS_OF_REPORTS}) THEN (benchmark_id, source_url) IN (FROM @open_reference)
            WHEN rung = 'overall' AND (benchmark_id, model_id) IN (FROM @open_told) THEN true
            WHEN (benchmark_id, model_id) NOT IN (FROM @open_pair) THEN false
            WHEN rung = 'exposure' THEN coalesce(reason, '') NOT IN (FROM @named)
            ELSE value IS NULL OR rung = 'overall' OR (benchmark_id, model_id) NOT IN (FROM @sealed_pair)
        END
        """,
        _as_told("contamination_risk", "reason"),
        texts=("reason", "source_url"),
    ),
    "indicator": Rule(
        "the benchmark and its twins, without imports; where it repeats a score or a share, whoever prints that",
        f"""
        {_TOUCHED} AND (value IS NULL OR CASE
            WHEN indicator IN ({_SCORED}) THEN benchmark_id IN (FROM @open_best)
            WHEN indicator = 'contamination_max_share' THEN {_SHARE}
            ELSE true
        END)
        """,
        _as_told("indicator", "reason"),
        texts=("reason",),
    ),
    "answer": Rule(
        "the benchmark and its twins, without imports; who reports it on the sources of the documents, a documented "
        "share on whoever prints it, and the best score on its sources",
        f"""
        {_TOUCHED}
        AND (question <> 'reporters' OR benchmark_id NOT IN ({_CLOSED_DOCUMENTS}))
        AND (question <> 'seen' OR kind IS DISTINCT FROM 'report' OR value IS NULL OR {_SHARE})
        """,
        {
            "second": "CASE WHEN question <> 'room' OR benchmark_id IN (FROM @open_best) THEN second END",
            "handed_in": "CASE WHEN benchmark_id IN (FROM @open_best) THEN handed_in END",
            **{
                column: f"CASE WHEN (benchmark_id, '{side}') IN (FROM @open_side) THEN {column} END"
                for side in ("measured", "claimed")
                for column in (side, f"{side}_on")
            },
        },
        texts=("condition",),
    ),
    "alternative": Rule("both, without imports", f"{_TOUCHED} AND other_id NOT IN (FROM @touched_benchmark)"),
    "verdict_reason": Rule(
        "the benchmark and its twins, without imports; a share as in `indicator`, on whoever prints it",
        f"{_TOUCHED} AND (value IS NULL OR indicator <> 'contamination_max_share' OR {_SHARE})",
        texts=("reason",),
    ),
    "change": _CHANGED,
    "dated_change": _CHANGED,
    "life_event": Rule(
        "the source of its row; of a document about a leak the sources of the report",
        f"""{_TOUCHED} AND CASE WHEN model_id IS NOT NULL THEN source_id IN (FROM @allowed)
            WHEN kind = 'contaminated' THEN (benchmark_id, source_url) IN (FROM @open_reference) ELSE true END""",
    ),
    "reproduction": Rule(
        "what was published by others; ours, where it is one source's own score, on that source",
        "true",
        {name: _claim_column(name) for name in ("computed", "holds", "low", "high")},
    ),
    "kept_out": Rule(
        "its source; what the bytes of a version are said to hold may leave of all but imports",
        "source_id NOT IN (FROM @imported)",
        texts=("path", "reason"),
    ),
    "run": Rule("the run: imports stay", "command <> 'import'", texts=("detail",)),
}
"""The rules of tables that have one of their own."""


class UndecidedError(ValueError):
    """Nobody has said which rows of a table may leave."""


def rule_of(table: Table) -> Rule:
    """The rule of a declared table. Raises UndecidedError where it is to have one of its own and there is none."""
    if table.sharing is Sharing.ITS_OWN and table.name in _ITS_OWN:
        return _ITS_OWN[table.name]
    if table.sharing not in SHARED:
        raise UndecidedError(f"{table.name}: no rule for {table.sharing.name}")
    return replace(SHARED[table.sharing], cells=_CELLS.get(table.name, {}), texts=_TEXTS.get(table.name, ()))


RULES: Mapping[str, Rule] = {name: rule_of(table) for name, table in TABLES.items()}
