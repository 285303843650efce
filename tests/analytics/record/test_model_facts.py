"""One value for each attribute of a model: the order of authority, and what no single source can do."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.record.frames import MODEL_CLAIM
from benchhealth.analytics.record.model_facts.authorities import AUTHORITIES, HUB_BEGAN
from benchhealth.analytics.record.model_facts.named_dates import named_date
from benchhealth.analytics.record.model_facts.reconcile import ReconciledFacts, reconcile
from benchhealth.analytics.record.model_facts.release import (
    AGREE,
    AGREEMENT,
    ALREADY_SEEN,
    BEFORE_NAME,
    CURATED,
    IN_THE_NAME,
    NEAR,
    UNDECIDED,
)

SEEN = pl.Schema({"model_id": pl.String(), "seen_on": pl.Date()})
LIST = AUTHORITIES[0]


def claim(source_id: str | None, model_id: str = "alder", day: int = 1, **attributes: object) -> dict[str, Any]:
    return {"model_id": model_id, "source_id": source_id, "observed_at": datetime(2026, 1, day), **attributes}


def reconciled(*claims: dict[str, Any], seen: Sequence[tuple[str, date]] = ()) -> ReconciledFacts:
    return reconcile(pl.DataFrame(list(claims), schema=MODEL_CLAIM), pl.DataFrame(seen, schema=SEEN, orient="row"))


def released(released_by: dict[str | None, date], model_id: str = "alder", seen_on: date | None = None) -> date | None:
    """The day that stands of what each source says."""
    of = [claim(source, model_id, released_on=day) for source, day in released_by.items()]
    held = reconciled(*of, seen=[(model_id, seen_on)] if seen_on else [])
    day: date | None = held.model.filter(pl.col("model_id") == model_id)["released_on"].item()
    return day


MAY, JUNE, JULY = date(2025, 5, 6), date(2025, 6, 17), date(2025, 7, 29)


def test_authority_has_an_order() -> None:
    released_by: dict[str | None, date] = {None: MAY, LIST: JUNE, "a": JULY, "b": JULY}
    assert released(released_by) == MAY
    assert released({**released_by, None: JULY}) == JULY
    del released_by[None]
    assert released(released_by) == JULY
    assert released(released_by, "gpt-4o-2025-08-20") == date(2025, 8, 20)
    assert released({**released_by, "c": MAY}) == JULY
    assert released({"a": MAY}) == MAY


def test_a_list_of_releases_is_one_house_among_others() -> None:
    of_kimi = {"epoch": date(2025, 7, 12), "llm-stats": date(2025, 7, 11), LIST: date(2025, 7, 14)}
    assert released({**of_kimi, "helm-config": date(2024, 7, 14)}, "kimi-k2-instruct") == date(2025, 7, 12)
    for name in ("qwen3.5-27b", "qwen3.5-35b-a3b", "qwen3.5-122b-a10b"):
        assert released({"llm-stats": date(2026, 2, 24), LIST: date(2026, 2, 23)}, name) == date(2026, 2, 24)
    assert released({"llm-stats": date(2026, 4, 16), LIST: date(2026, 4, 17)}, "qwen3.6-35b-a3b") == date(2026, 4, 16)
    of_max = {"epoch-hub": date(2025, 11, 19), LIST: date(2025, 11, 13)}
    assert released(of_max, "gpt-5.1-codex-max") == date(2025, 11, 19)
    of_codex = dict.fromkeys(("bullshit-benchmark", "epoch-hub", "openhands-index"), date(2025, 12, 18))
    assert released({LIST: date(2025, 12, 11), **of_codex}, "gpt-5.2-codex") == date(2025, 12, 18)


def test_a_first_of_a_month_that_two_say_is_a_day() -> None:
    first = dict.fromkeys(("bullshit-benchmark", "openhands-index"), date(2026, 4, 1))
    of_plus = {"llm-stats": date(2026, 3, 31), LIST: date(2026, 4, 2)}
    assert released({**of_plus, **first}, "qwen3.6-plus") == date(2026, 4, 1)


def test_the_earliest_day_is_no_better_than_others() -> None:
    assert released({"a": date(2024, 7, 14), "b": date(2025, 7, 11), "c": date(2025, 7, 12)}) == date(2025, 7, 12)
    assert released({"open-llm": date(2022, 3, 2), "helm-config": date(2019, 2, 14)}) == date(2019, 2, 14)
    assert released({"epoch": date(2023, 3, 30), "open-llm": date(2022, 3, 2)}) == date(2023, 3, 30)


def test_sources_that_repeat_one_another_are_one() -> None:
    twice = {"lmarena": MAY, "lmarena-tables": MAY, "epoch": JULY}
    assert released(dict(twice)) == JULY
    assert released({**twice, "aider": MAY}) == MAY


def test_a_month_alone_is_no_day() -> None:
    month = date(2024, 9, 1)
    assert released({LIST: month, "epoch": date(2025, 1, 26)}) == date(2025, 1, 26)
    assert released({LIST: month, "epoch": date(2024, 9, 19)}) == date(2024, 9, 19)
    assert released({LIST: month}) == month


def test_a_version_named_before_it_is_out_has_the_day_that_two_say() -> None:
    name = "claude-haiku-4-5-20251001"
    assert released({"a": date(2025, 10, 15), "b": date(2025, 10, 15)}, name) == date(2025, 10, 15)
    assert released({"a": date(2025, 10, 15)}, name) == date(2025, 10, 1)
    assert released({"a": date(2025, 10, 15), "b": date(2025, 10, 16)}, name) == date(2025, 10, 1)
    assert released({LIST: date(2025, 9, 15)}, name) == date(2025, 10, 1)
    assert released({LIST: date(2026, 10, 15)}, name) == date(2025, 10, 1)


def test_a_date_after_the_model_was_seen_is_not_its_own() -> None:
    name, seen_on = "gpt-4-2024-03-20", date(2023, 6, 1)
    assert released({"a": date(2023, 4, 1)}, name, seen_on) == date(2023, 4, 1)
    assert released({"epoch": date(2024, 11, 28), "b": date(2024, 6, 4)}, seen_on=date(2024, 7, 13)) == date(2024, 6, 4)
    assert released({"epoch": date(2024, 12, 4)}, seen_on=date(2023, 12, 7)) is None


def test_a_month_in_the_name_leaves_only_its_days() -> None:
    july = "mistral-large-2407"
    assert released({LIST: date(2023, 7, 24), "a": date(2024, 7, 24)}, july) == date(2024, 7, 24)
    assert released({"a": date(2023, 7, 24), "b": date(2023, 7, 24)}, july) == date(2024, 7, 1)
    assert released({"a": date(2024, 8, 20), "b": date(2024, 7, 24)}, july) == date(2024, 7, 24)
    assert released({"a": date(2024, 8, 20)}, july) == date(2024, 8, 20)


def test_month_and_day_need_somebody_who_says_them() -> None:
    name = "gpt-3.5-turbo-0125"
    assert released({"a": date(2024, 1, 25), "b": date(2023, 6, 13), "c": date(2023, 3, 21)}, name) == date(2024, 1, 25)
    assert released({"a": date(2023, 6, 13)}, name) == date(2023, 6, 13)
    two = {"a": date(2024, 2, 2), "b": date(2024, 2, 5)}
    assert released({**two, "c": date(2023, 1, 25)}, name) == date(2024, 2, 5)
    assert released({**two, "c": date(2024, 1, 25)}, name) == date(2024, 1, 25)


def test_what_lost_is_kept_with_the_reason() -> None:
    held = reconciled(
        claim(None, "curated", released_on=MAY),
        claim("a", "curated", released_on=JULY),
        claim(LIST, "listed", released_on=MAY),
        claim("a", "listed", released_on=JULY),
        claim("a", "agreed", released_on=MAY),
        claim("b", "agreed", released_on=MAY),
        claim("c", "agreed", released_on=MAY + timedelta(3)),
        claim("d", "agreed", released_on=JULY),
        claim("a", "alone", released_on=MAY),
        claim("b", "alone", released_on=JULY),
        claim("a", "mistral-small-2505", released_on=date(2024, 5, 7)),
        claim("b", "mistral-small-2505", released_on=date(2025, 5, 7)),
        claim("a", "gpt-4-2025-07-29", released_on=date(2025, 5, 7)),
        claim("epoch", "seen", released_on=JULY),
        claim("b", "seen", released_on=MAY),
        seen=[("seen", MAY)],
    )
    lost = held.conflict.select("id", "value", "source_id", "chosen", "case").rows()
    assert set(held.conflict["entity"]) == {"model"}
    assert set(held.conflict["attribute"]) == {"released_on"}
    assert lost == [
        ("agreed", "2025-05-09", "c", "2025-05-06", NEAR),
        ("agreed", "2025-07-29", "d", "2025-05-06", AGREEMENT),
        ("alone", "2025-05-06", "a", "2025-07-29", UNDECIDED),
        ("curated", "2025-07-29", "a", "2025-05-06", CURATED),
        ("gpt-4-2025-07-29", "2025-05-07", "a", "2025-07-29", IN_THE_NAME),
        ("listed", "2025-07-29", "a", "2025-05-06", UNDECIDED),
        ("mistral-small-2505", "2024-05-07", "a", "2025-05-07", BEFORE_NAME),
        ("seen", "2025-07-29", "epoch", "2025-05-06", ALREADY_SEEN),
    ]


def test_a_name_alone_dates_a_model_that_nobody_speaks_of() -> None:
    held = reconciled(seen=[("gpt-4o-2024-05-13", date(2024, 6, 1)), ("oak", date(2024, 6, 1))])
    assert held.model.select("model_id", "released_on").rows() == [
        ("gpt-4o-2024-05-13", date(2024, 5, 13)),
        ("oak", None),
    ]


def test_words_are_what_most_say_and_else_the_newest() -> None:
    held = reconciled(
        claim("a", organisation="Mistral AI", open_weights=True),
        claim("b", organisation="mistralai", open_weights=True, day=2),
        claim("c", organisation="Grove", open_weights=False, day=3),
        claim("a", "oak", organisation="Old", open_weights=True),
        claim("b", "oak", organisation="New", day=2),
        claim("a", "elm", organisation="Grove", day=1),
        claim("b", "elm", organisation=None, day=2),
        claim(LIST, "fir", open_weights=True),
        claim("a", "fir", open_weights=False, day=2),
        claim("b", "fir", open_weights=False, day=2),
        claim(None, "yew", organisation="Curated", name="The Yew"),
        claim("b", "yew", organisation="Said", name="yew", day=4),
    )
    assert held.model.drop("released_on", "released_precision").rows() == [
        ("alder", None, "mistralai", True),
        ("elm", None, "Grove", None),
        ("fir", None, None, True),
        ("oak", None, "New", True),
        ("yew", "The Yew", "Curated", None),
    ]
    assert held.conflict.select("id", "attribute", "value", "source_id").rows() == [
        ("alder", "open_weights", "false", "c"),
        ("alder", "organisation", "Grove", "c"),
        ("fir", "open_weights", "false", "a"),
        ("fir", "open_weights", "false", "b"),
        ("oak", "organisation", "Old", "a"),
        ("yew", "organisation", "Said", "b"),
    ]


def test_training_ends_before_the_release_and_where_the_list_says() -> None:
    held = reconciled(
        claim(LIST, released_on=MAY, cutoff_on=date(2024, 9, 30), source_url="list"),
        claim("a", cutoff_on=date(2025, 3, 1), source_url="a"),
        claim("a", "oak", cutoff_on=date(2024, 1, 1), released_on=MAY, source_url="a"),
        claim("b", "oak", cutoff_on=date(2025, 6, 1), source_url="b"),
        claim("a", "elm", cutoff_on=date(2024, 1, 1)),
        claim("b", "elm", cutoff_on=date(2024, 1, 9)),
        claim("c", "elm", cutoff_on=date(2025, 1, 9)),
    )
    assert held.cutoff.rows() == [
        ("alder", date(2024, 9, 30), LIST, "list"),
        ("elm", date(2024, 1, 9), "b", None),
        ("oak", date(2024, 1, 1), "a", "a"),
    ]


NAMES = ("alder", "gpt-4o-2024-05-13", "mistral-large-2407", "gpt-3.5-turbo-0125", "command-r-08-2024")
BOARDS = ("epoch", "helm-config", "llm-stats", "aider", "open-llm", "grove", "forest")
FIRST, LAST = date(2018, 1, 1), date(2027, 12, 31)
DAYS = st.dates(FIRST, LAST)
CLAIMS = st.dictionaries(st.sampled_from([None, LIST, *BOARDS]), DAYS)
SEEN_ON = st.none() | DAYS


@settings(deadline=None)
@given(name=st.sampled_from(NAMES), said=CLAIMS, seen_on=SEEN_ON, data=st.data())
def test_the_order_of_claims_does_not_matter(
    name: str, said: dict[str | None, date], seen_on: date | None, data: st.DataObject
) -> None:
    rows = [claim(source, name, released_on=day, cutoff_on=day) for source, day in said.items()]
    seen = [(name, seen_on)] if seen_on else []
    one, other = (reconciled(*order, seen=seen) for order in (rows, data.draw(st.permutations(rows))))
    for table, same in zip(one, other, strict=True):
        assert table.equals(same)


@settings(deadline=None)
@given(name=st.sampled_from(NAMES), said=CLAIMS)
def test_no_date_is_before_the_one_in_the_name_unless_it_is_curated(name: str, said: dict[str | None, date]) -> None:
    day, earliest = released(said, name) if said else None, named_date(name).earliest
    assert None in said or day is None or earliest is None or day >= earliest


def absurd(day: date, others: Sequence[date]) -> bool:
    """Further from everything that others say than any two statements about one release are."""
    return all(abs(day - other) > 2 * AGREE for other in others)


@settings(deadline=None)
@given(
    name=st.sampled_from(NAMES),
    agreed=DAYS,
    apart=st.integers(0, AGREE.days),
    others=st.dictionaries(st.sampled_from([None, LIST, *BOARDS[2:]]), DAYS),
    wrong=DAYS,
    seen_on=SEEN_ON,
)
def test_a_source_with_absurd_dates_moves_nothing_that_two_agree_on(  # noqa: PLR0917  what a case is made of
    name: str, agreed: date, apart: int, others: dict[str | None, date], wrong: date, seen_on: date | None
) -> None:
    two: dict[str | None, date] = {"epoch": agreed, "helm-config": agreed + timedelta(apart)}
    released_by = {**others, **two}
    if absurd(wrong, [*released_by.values(), *filter(None, [named_date(name).earliest])]):
        assert released({**released_by, "absurd": wrong}, name, seen_on) == released(released_by, name, seen_on)


@settings(deadline=None)
@given(
    name=st.sampled_from(NAMES),
    listed=DAYS,
    others=CLAIMS,
    wrong=DAYS,
    seen_on=SEEN_ON,
)
def test_nor_anything_that_a_curator_says(
    name: str, listed: date, others: dict[str | None, date], wrong: date, seen_on: date | None
) -> None:
    released_by = {**others, None: listed}
    assert released({**released_by, "absurd": wrong}, name, seen_on) == released(released_by, name, seen_on) == listed


@pytest.mark.parametrize("attribute", ["organisation", "open_weights"])
def test_one_source_outvotes_no_two(attribute: str) -> None:
    values: tuple[Any, Any] = ("Grove", "Forest") if attribute == "organisation" else (True, False)
    held = reconciled(
        claim("a", **{attribute: values[0]}),
        claim("b", **{attribute: values[0]}),
        claim("absurd", day=9, **{attribute: values[1]}),
    )
    assert held.model[attribute].to_list() == [values[0]]


def test_a_list_that_repeats_the_date_in_the_name_does_not_outvote_the_announcement() -> None:
    boards = ("bullshit-benchmark", "epoch", "epoch-hub", "helm-config", "llm-stats", "tau2")
    released_by = dict.fromkeys(boards, date(2025, 2, 24))
    assert released({LIST: date(2025, 2, 19), **released_by}, "claude-3-7-sonnet-20250219") == date(2025, 2, 24)
    of_opus = dict.fromkeys((*boards, "openhands-index"), date(2025, 11, 24))
    assert released(of_opus, "claude-opus-4-5-20251101") == date(2025, 11, 24)
    of_sonnet = dict.fromkeys(("aider", "bigcodebench", "epoch", "llm-stats"), date(2024, 2, 29))
    released_by = dict.fromkeys(("helm-config", LIST), date(2024, 3, 4))
    assert released({**of_sonnet, **released_by}, "claude-3-sonnet-20240229") == date(2024, 3, 4)
    said_by_one = {"epoch": date(2025, 10, 7), "epoch-hub": date(2025, 10, 7), "llm-stats": date(2025, 10, 6)}
    assert released(said_by_one, "gpt-5-pro-2025-10-06") == date(2025, 10, 6)


def test_one_early_row_does_not_refute_a_date_in_the_name_that_others_say() -> None:
    seen_on, name = date(2024, 9, 18), "o1-2024-12-17"
    released_by = {LIST: date(2024, 12, 5), **dict.fromkeys(("bigcodebench", "epoch", "llm-stats"), date(2024, 12, 17))}
    assert released(released_by, name, seen_on) == date(2024, 12, 17)
    assert released({LIST: date(2024, 12, 5)}, name, seen_on) != date(2024, 12, 17)


def test_an_upload_bears_an_announcement_out_and_is_none() -> None:
    of_llama = {"open-llm": date(2024, 9, 18), "epoch": date(2024, 9, 24)}
    of_llama |= dict.fromkeys(("bigcodebench", "helm-config"), date(2024, 9, 25))
    assert released(of_llama, "llama-3.2-1b-instruct") == date(2024, 9, 25)
    of_phi = {"open-llm": date(2024, 4, 22), "epoch": date(2024, 4, 23), "bigcodebench": date(2024, 5, 21)}
    assert released(of_phi, "phi-3-mini-128k-instruct") == date(2024, 4, 23)
    assert released({"open-llm": date(2023, 9, 10)}, "phi-1") == date(2023, 9, 10)
    assert released({"open-llm": HUB_BEGAN}, "gpt-neo-1.3b") is None
    assert released({"open-llm": HUB_BEGAN, "epoch": date(2023, 3, 30)}, "gpt-neo-2.7b") == date(2023, 3, 30)


def test_an_upload_that_another_house_repeats_is_said_once() -> None:
    on_the_hub = dict.fromkeys(("epoch", "epoch-hub", "open-llm"), date(2022, 5, 11))
    assert released({**on_the_hub, "helm-config": date(2022, 5, 2)}, "opt-1.3b") == date(2022, 5, 2)
    assert released(dict(on_the_hub), "opt-1.3b") == date(2022, 5, 11)
    starcoder = dict.fromkeys(("epoch", "epoch-hub", "open-llm"), date(2024, 2, 20))
    assert released({**starcoder, "bigcodebench": date(2024, 2, 29)}, "starcoder2-7b") == date(2024, 2, 29)


def test_a_base_model_is_no_younger_than_its_tuned_one() -> None:
    six, twenty = date(2023, 9, 6), date(2023, 9, 20)
    base, chat, late = "baichuan2-7b-base", "baichuan2-7b-chat", "opt-13b"
    held = reconciled(
        claim("epoch", base, released_on=twenty),
        claim("epoch", chat, released_on=six),
        claim("epoch", late, released_on=twenty),
        claim("epoch", f"{late}-instruct", released_on=date(2023, 1, 1)),
        claim(None, "yi-6b", released_on=twenty),
        claim("epoch", "yi-6b-chat", released_on=six),
    )
    days = dict(held.model.select("model_id", "released_on").iter_rows())
    assert (days[base], days[chat]) == (six, six)
    assert days[late] == twenty
    assert days["yi-6b"] == twenty
    assert held.conflict.filter(id=base)["case"].to_list() == [NEAR]
    weights_later = reconciled(claim("epoch", base, released_on=six), claim("epoch", chat, released_on=twenty))
    assert dict(weights_later.model.select("model_id", "released_on").iter_rows())[base] == six
