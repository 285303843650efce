"""Which of our own sentences name what may not leave: models, benchmarks, organisations, reports and addresses."""

# ruff: noqa: S608  SQL made of this package's own words

import re
from collections.abc import Callable

import polars as pl

from benchhealth.warehouse.sharing.marks import is_said
from benchhealth.warehouse.sharing.origins import report_key

Query = Callable[[str], pl.DataFrame]
"""The rows of a query in which `#name` is a table of the whole generation and `@name` a relation of the marks."""

_ELSEWHERE = "source_id IS NOT NULL AND source_id NOT IN (FROM @allowed)"
_CLOSED_NAMES = f"""
    (SELECT published_name AS word FROM #alias WHERE {_ELSEWHERE}
    UNION SELECT model_id FROM #model UNION SELECT name FROM #model)
    EXCEPT SELECT published_name FROM #alias WHERE NOT ({_ELSEWHERE})
    EXCEPT SELECT id FROM @open_model
    EXCEPT SELECT name FROM #model WHERE {is_said("model", "model_id", "name")}
"""
_IMPORTED_NAMES = """
    (SELECT published_name AS word FROM #alias WHERE source_id IN (FROM @imported)
    UNION SELECT id FROM @imported_model)
    EXCEPT SELECT published_name FROM #alias WHERE source_id IS NULL OR source_id IN (FROM @allowed)
    EXCEPT SELECT id FROM @open_model
    UNION SELECT benchmark_id FROM #benchmark WHERE benchmark_id NOT IN (FROM @known_benchmark)
    UNION SELECT name FROM #benchmark WHERE benchmark_id NOT IN (FROM @known_benchmark)
"""
_PLACES = f"""
    SELECT url AS word FROM #snapshot WHERE {_ELSEWHERE}
    UNION SELECT 'file:///' FROM @imported
    UNION SELECT 'as ' || source_id || ' states' FROM #source WHERE {_ELSEWHERE}
"""
_REPORTS = "SELECT DISTINCT unnest([subject, method, reference_url]) AS word FROM #contamination_report WHERE {}"
_SEALED_REPORTS = f"""
    {_REPORTS.format(f"{report_key()} NOT IN (FROM @open_report)")}
    EXCEPT {_REPORTS.format(f"{report_key()} IN (FROM @open_report)")}
"""
_NO_NAME = r"^([a-z]+|[\d.,%+\-\s]+|.{1,2})$"
"""A model that a closed source calls `baseline` or `2` cannot be told from a word of ours."""


def sealed_makers(query: Query) -> pl.DataFrame:
    """The organisations that no allowed source names: column `maker`."""
    organisations = "SELECT organisation FROM #model"
    every, allowed = (
        query(sql).select(maker="organisation").drop_nulls().unique()
        for sql in (organisations, f"{organisations} WHERE {is_said('model', 'model_id', 'organisation')}")
    )
    return every.join(allowed, on="maker", how="anti").sort("maker")


def sealed_words(query: Query) -> list[str]:
    """Every name and address that may not stand in a sentence of ours."""
    closed = query(_CLOSED_NAMES).filter(~pl.col("word").str.contains(_NO_NAME))
    always = [query(sql) for sql in (_IMPORTED_NAMES, _PLACES, _SEALED_REPORTS)]
    makers = sealed_makers(query).select(word="maker")
    return pl.concat([closed, *always, makers])["word"].drop_nulls().unique().sort().to_list()


def naming(texts: pl.Series, words: list[str]) -> list[str]:
    """Those of the texts in which one of the words stands as a whole word."""
    if not words:
        return []
    candidates = texts.filter(texts.str.contains_any(words))
    matches = candidates.str.extract_many(words, overlapping=True)
    return [
        text
        for text, inside in zip(candidates, matches, strict=True)
        if any(re.search(_whole(word), text) for word in inside)
    ]


def _whole(word: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w$", word) else ""
    return before + re.escape(word) + after
