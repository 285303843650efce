"""Below the chart of one model: maker against others, twins, and every published number."""

from collections.abc import Callable, Sequence

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import link, text
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import RESULTS, positions, several_numbers
from benchhealth.dashboard.published.twin_pairs import in_setting, setting_of_several
from benchhealth.dashboard.widgets import links, tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn, column_configs
from benchhealth.dashboard.words.measurers import differing
from benchhealth.dashboard.words.numbers import fixed, score, signed
from benchhealth.dashboard.words.prose.twins import UNTESTED_SAID
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.text import count, labels, markdown, short

LISTED = 8
"""How many results on twins a phone lists."""

UNCURATED_LISTED = 12
"""How many uncurated benchmarks stand in place of a chart."""


SIDE_COLUMNS = (
    GridColumn(link("Benchmark", "The benchmark."), link_text=TEXT_AFTER_HASH, width=230),
    GridColumn(
        text("Maker less others", "By how much its maker reports more.", label="Maker less others, points"), width=190
    ),
)
TWIN_COLUMNS = (
    GridColumn(text("Original and its twin", "The two benchmarks."), width=400),
    GridColumn(text("Error", "Whether it is lower by more than its error, or why that is not tested."), width=410),
)


def maker_and_others(view: View, model_id: str) -> None:
    """Draw the scores that the maker reports beside those that others measured, where both exist and differ."""
    rows = positions(view, model_id).filter((pl.col("reporter") == "both") & pl.col("unit").is_in(BOUNDED_UNITS))
    if rows.is_empty():
        return
    quoted = rows.filter("quoted")
    rows = rows.filter(~pl.col("quoted")).sort("self_above", descending=True)
    repeated = f" On {quoted.height} more both print one number: most likely a quotation." if quoted.height else ""
    if rows.is_empty():
        return
    st.header(f"Where its maker and others both measured, {_agreement(rows)}", anchor="sides")
    st.markdown(
        f":small[:gray[{count(rows.height, 'benchmark')} under the same condition, the best number of each side; "
        f"prompts and effort may differ.{repeated}]]"
    )
    cells = pl.DataFrame(
        {
            "Benchmark": [
                links.grid_address("benchmark", *row) for row in rows.select("benchmark_id", "name").iter_rows()
            ],
            "Its maker": [score(row["self_score"], row["unit"], 0.001) for row in rows.iter_rows(named=True)],
            "Others": [score(row["other_score"], row["unit"], 0.001) for row in rows.iter_rows(named=True)],
            "Maker less others": [signed(value * 100) for value in rows["self_above"]],
            "95% error": [
                "not known" if error is None else f"±{Z95 * error * 100:.1f}" for error in rows["self_above_error"]
            ],
        }
    )
    with st.container(key="narrow_sides"):
        st.markdown(
            "\n\n".join(
                f"[{markdown(row['name'])}]({links.address('benchmark', benchmark=row['benchmark_id'])})  \n"
                f":small[:gray[By its maker {maker.removesuffix('%')} points, by others {by_others.removesuffix('%')}: "
                f"difference {less}, 95% error {error}]]"
                for row, (_, maker, by_others, less, error) in zip(
                    rows.iter_rows(named=True), cells.iter_rows(), strict=True
                )
            )
        )
    with st.container(key="wide_sides"):
        st.dataframe(
            cells,
            hide_index=True,
            height="content",
            column_config=column_configs(SIDE_COLUMNS),
            alt="Scores that its maker reports beside those that others measured",
        )


def _agreement(rows: pl.DataFrame) -> str:
    """On how many benchmarks maker and others differ beyond error, as a clause."""
    n_with_error = rows["self_above_error"].drop_nulls().len()
    beyond_error = rows.filter(pl.col("self_above").abs() > Z95 * pl.col("self_above_error")).height
    if not n_with_error:
        return f"on {rows.height}, errors are not known"
    on = "the one with a known error" if n_with_error == 1 else f"{beyond_error} of {n_with_error}"
    if beyond_error:
        return f"they differ beyond error on {on}"
    if n_with_error == rows.height:
        return "they agree within error"
    return f"they agree within error on {n_with_error} of {rows.height}; of the rest errors are not known"


def twins(view: View, model_id: str) -> None:
    """The model's scores on twins of benchmarks, beside those expected from its scores on the originals."""
    residuals = (
        view.table("twin_residual")
        .filter(pl.col("model_id") == model_id)
        .with_columns(in_setting(), setting_of_several())
    )
    pairs = view.table("twin").filter(pl.col("scale") == "linear").select("twin_id", "original_id", "other_id", "kind")
    names = view.table("benchmark").select("benchmark_id", name=pl.coalesce("name", "benchmark_id"))
    rows = most_telling_first(
        residuals.join(pairs, on="twin_id")
        .join(names.rename({"name": "original_name"}), left_on="original_id", right_on="benchmark_id", how="left")
        .join(names.rename({"name": "other_name"}), left_on="other_id", right_on="benchmark_id", how="left")
    )
    if rows.is_empty():
        return
    of_twins = names.filter(pl.col("benchmark_id").is_in(pairs.select("original_id", "other_id").unpivot()["value"]))
    rows = rows.with_columns(pair=pl.Series(_pair_texts(rows, of_twins["name"].to_list())))
    st.header(_twins_title(rows), anchor="twins")
    st.markdown(
        ":small[:gray[A twin measures the same thing a second time. Below 0: lower on the twin than models with the "
        "same score on the original. An inference from numbers, at 5% false discoveries.]]"
    )
    with st.container(key="narrow_twins"):
        cut = f"\n\n:small[The first {LISTED} of {rows.height}.]" if rows.height > LISTED else ""
        st.markdown(_narrow_list(rows.head(LISTED)) + cut)
    with st.container(key="wide_twins"):
        _table(rows)


def most_telling_first(rows: pl.DataFrame) -> pl.DataFrame:
    """Results on twins: those lower beyond error, then by distance from what is expected, then those not tested."""
    telling = ("flagged", pl.col("residual").abs(), "twin_id")
    return rows.sort(*telling, descending=[True, True, False], nulls_last=True)


def _twins_title(rows: pl.DataFrame) -> str:
    """How many of the results that are tested are lower beyond error, and how many are not tested."""
    tested = rows.filter(pl.col("untested").is_null())
    if tested.is_empty():
        return f"None of {count(rows.height, 'result')} on twins can be held against what is expected"
    lower = tested.filter("flagged").height
    tested_of = f"{count(tested.height, 'result')} on {count(tested['twin_id'].n_unique(), 'twin')}"
    untested = rows.height - tested.height
    tail = f"; {untested} more {'is' if untested == 1 else 'are'} not tested" if untested else ""
    return f"Of {tested_of}, {lower or 'none'} {'is' if lower < 2 else 'are'} lower than expected, beyond error{tail}"


def _narrow_list(rows: pl.DataFrame) -> str:
    """The twins of a model for narrow screens, in two lines each, as markdown."""
    return "\n\n".join(
        f"{markdown(row['pair'] + row['in_setting'])}  \n:small[:gray[{_decimal(row['original'])}, "
        f"then {_decimal(row['other'])}; {_against_expected(row)}]]"
        for row in rows.iter_rows(named=True)
    )


def _against_expected(row: Facts) -> str:
    """`expected 70.9: -4.7, lower, beyond error`; or why it is not tested."""
    if row["expected"] is None:
        return _against_error(row)
    return f"expected {_decimal(row['expected'])}: {_decimal(row['residual'], signed)}, {_against_error(row)}"


def _against_error(row: Facts) -> str:
    if row["untested"] is not None:
        return f"not tested: {UNTESTED_SAID[row['untested']]}"
    return "lower, beyond error" if row["flagged"] else "not lower beyond error"


def _table(rows: pl.DataFrame) -> None:
    cells = pl.DataFrame(
        {
            "Original and its twin": rows["pair"],
            **({"Setting": rows["setting_of_several"]} if any(rows["setting_of_several"]) else {}),
            **{
                name: [_decimal(value) for value in rows[column]]
                for name, column in (("Original", "original"), ("Twin", "other"), ("Expected", "expected"))
            },
            "Twin less expected": [_decimal(value, signed) for value in rows["residual"]],
            "Error": [_against_error(row) for row in rows.iter_rows(named=True)],
        }
    )
    tables.grid(
        cells,
        key="model_twins",
        alt="Twins of benchmarks that this model has results on",
        columns=TWIN_COLUMNS,
        visible_rows=8,
    )


def _pair_texts(rows: pl.DataFrame, all_names: Sequence[str]) -> list[str]:
    """Each pair of a benchmark and its twin by short names, which stay whole where others have the same short one."""
    firsts, seconds = rows["original_name"].to_list(), rows["other_name"].to_list()
    return [
        f"{short(first)}: {kind}"
        if short(first) == short(second)
        else f"{_with_part(short_first, first)} → {_with_part(short_second, second)}"
        for first, second, short_first, short_second, kind in zip(
            firsts, seconds, labels(firsts, all_names), labels(seconds, all_names), rows["kind"], strict=True
        )
    ]


def _with_part(label: str, name: str) -> str:
    """The label, with the part of the benchmark that the name ends in: `LMArena text: hard prompts`."""
    _, separator, part = name.rpartition(": ")
    return f"{label}: {part}" if separator and part not in label else label


def _decimal(value: float | None, written: Callable[[float], str] = fixed) -> str:
    return "–" if value is None else written(value)


def benchmarks_with_several_numbers(view: View, model_id: str) -> None:
    """Links to all numbers of the model side by side, for each benchmark on which it has several."""
    with_several = several_numbers(view).filter(pl.col("model_id") == model_id)
    if with_several.is_empty():
        return
    names = view.table("benchmark").select("benchmark_id", name=pl.coalesce("name", "benchmark_id"))
    named = with_several.join(names, on="benchmark_id", maintain_order="left")
    numbers_links = [
        f"[{markdown(name)}](<{links.address('numbers', benchmark=benchmark_id, model=model_id)}>) ({n})"
        for benchmark_id, n, name in zip(
            named["benchmark_id"], named["n"], labels(named["name"].to_list(), named["name"].to_list()), strict=True
        )
    ]
    st.markdown(f":small[{differing.of_model(with_several.height)} {' · '.join(numbers_links)}]")


def numbers(view: View, model_id: str, overall: str) -> None:
    """A link to every published number of the model, after the sentence `overall` on its place (may be empty)."""
    rows = RESULTS.build(view, {"model": model_id})
    curated = positions(view, model_id).height
    benchmarks = rows["benchmark_id"].n_unique()
    sources = rows["source_id"].n_unique()
    position = f"{markdown(overall)} " if overall else ""
    st.markdown(
        f":small[{position}{count(rows.height, 'published number')} on {count(benchmarks, 'benchmark')} and parts from "
        f"{count(sources, 'source')}; {curated} stand above: curated, whole, under the condition by which the "
        f"benchmark is judged. {links.csv('All of them as CSV', RESULTS.address({'model': model_id}))}]"
    )


def draw_uncurated(view: View, model_id: str) -> None:
    """In place of a chart: benchmarks on which the model has results, but whose facts no curator checked."""
    rows = RESULTS.build(view, {"model": model_id})
    all_named = rows.unique("benchmark_id", keep="first", maintain_order=True)
    named = all_named.head(UNCURATED_LISTED)
    if named.is_empty():
        st.markdown("No source that we follow reports a result of it.")
        return
    st.markdown(
        "It has results on these, whose facts nobody checked, so that nothing is computed across them:\n\n"
        + "\n".join(
            f"- [{markdown(name)}]({links.address('benchmark', benchmark=benchmark_id)})"
            for benchmark_id, name in named.select("benchmark_id", "benchmark").iter_rows()
        )
        + (f"\n\n:small[The first {named.height} of {all_named.height:,}.]" if named.height < all_named.height else "")
    )
