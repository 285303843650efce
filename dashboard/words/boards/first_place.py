"""Sentences about first place: skill or noise, each change of hands, each break, who is first now."""

from collections.abc import Sequence
from datetime import date

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.boards.ties import NAME, TIED, tied_first_sentence, tied_of
from benchhealth.dashboard.words.numbers import day_of, over_days, score
from benchhealth.dashboard.words.ranks import span
from benchhealth.dashboard.words.text import count, listed, model_within, without_maker


def top_title(ranked: pl.DataFrame, rows: pl.DataFrame, unit: str | None) -> str:
    """The finding: how many of the models could be first, or who leads where no error is known.

    `rows` are those of `ranked` that filters keep; ranks are among all models.
    """
    best = rows.row(0, named=True)
    name = model_within(best["model"], NAME)
    if best["rank_low_joint"] is None:
        return f"{name} is listed first with {score(best['score'], unit)}; errors are not known"
    if ranked.height == 1:
        return f"{name} is the only model listed"
    tied = rows.filter(pl.col("rank_low_joint") == 1)
    if tied.is_empty():
        place = span(best["rank_low_joint"], best["rank_high_joint"])
        return f"{name} is the first of these, at place {place} of {ranked.height}"
    if rows.height == ranked.height:
        return tied_first_sentence(tied.height, tied["model"].to_list())
    return f"{tied.height} of these {rows.height} {'is' if tied.height == 1 else 'are'} {TIED}"


def skill_or_noise(days: Sequence[date], leads: pl.DataFrame) -> tuple[str, str]:
    """Whether this year's changes of first place are beyond error: the answer with its period, and its basis."""
    year = days[-1].year
    looks = [day for day in days if day.year == year]
    ours = leads.filter(pl.col("on_date").dt.year() == year)
    compared = ours.filter(~pl.col("spans_breakpoint"))
    looks_text = f"{count(len(looks), 'look')} {over_days(looks[0], looks[-1])}"
    times = {0: "never", 1: "once", 2: "twice"}.get(compared.height, f"{compared.height} times")
    texts = [f"In {year}, first place changed hands {times}{_n_beyond_error(compared)}."]
    if compared.height:
        texts.append(f"{'Last, on' if compared.height > 1 else 'On'} {event(compared.row(0, named=True), dated=True)}.")
    if not_compared := ours.height - compared.height:
        lies, is_not = ("lies", "is not") if not_compared == 1 else ("lie", "are not")
        texts.append(f"{count(not_compared, 'more change')} {lies} across a break of the board and {is_not} compared.")
    texts.append(_all_time(days, leads))
    return f"{looks_text}: {_first_place_sentence(compared)}", " ".join(texts)


def _first_place_sentence(compared: pl.DataFrame) -> str:
    beyond_noise, within_noise, unknown = tally(compared)
    if beyond_noise and not within_noise:
        return "first place changed beyond noise."
    if beyond_noise:
        return "first place changed beyond noise at times, within noise at others."
    if within_noise:
        return "every change of first place is within noise."
    return (
        "whether the change of first place is noise is not known." if unknown else "first place did not change hands."
    )


def _n_beyond_error(compared: pl.DataFrame) -> str:
    """How many of several changes are beyond error; a single one is described in full instead."""
    if compared.height < 2:
        return ""
    kinds = zip(tally(compared), ("beyond noise", "within noise", "without known errors"), strict=True)
    return f": {listed([f'{number} {words}' for number, words in kinds if number])}"


def tally(compared: pl.DataFrame) -> tuple[int, int, int]:
    """How many changes of first place are beyond noise, within it, and not known."""
    beyond_noise = compared.filter(pl.col("beyond_noise")).height
    within_noise = compared.filter(~pl.col("beyond_noise")).height
    return beyond_noise, within_noise, compared.height - beyond_noise - within_noise


def _all_time(days: Sequence[date], leads: pl.DataFrame) -> str:
    with_errors = leads.drop_nulls("beyond_noise")
    if with_errors.is_empty():
        return "Since the first look no change has known errors."
    beyond_noise, _, _ = tally(with_errors)
    changes = count(with_errors.height, "change")
    return f"Since {day_of(days[0])}, {beyond_noise} of {changes} with known errors were beyond noise."


def ties(row: Row, measured_on: str) -> str:
    """How many may be first if errors are independent and if they correlate: unknown without outcomes by item."""
    of_models = count(row["n_models"], "model")
    like, items = f"{row['correlation']:.2f}", f"{without_maker(measured_on)}, {row['measured_items']:,} items"
    return (
        "No outcomes by item are on record of this board, so how alike its models' errors are is not known. "
        f"If they are independent, {row['tied_independent']} of {of_models} are tied for first; if they correlate by "
        f"{like}, the most that was measured on a test known item by item ({items}), {row['tied_correlated']}."
    )


def event(row: Row, *, dated: bool = False) -> str:
    """One change of first place as a line: who replaced whom, and whether by more than noise."""
    day = row["on_date"]
    on = f"{day_of(day)} " if dated and isinstance(day, date) else ""
    took = f"{on}{without_maker(str(row['model']))} replaced {without_maker(str(row['model_before']))} in first place"
    if row["spans_breakpoint"]:
        return f"{took}, across a break: not compared"
    if row["kind"] == "left":
        return f"{took}, for that is listed no more"
    could = row["could_be_first"]
    noise = {
        True: "beyond noise",
        False: f"within noise, {tied_of(could)}" if could else "within noise",
        None: "errors not known",
    }[row["beyond_noise"]]
    entered = " as a newcomer" if row["kind"] == "entered" else ""
    text = {True: ", and over other clusters of items", False: ", within it over other clusters of items", None: ""}
    clusters = text[row["beyond_clusters"]] if row["beyond_noise"] else ""
    return f"{took}{entered}, {noise}{clusters}"
