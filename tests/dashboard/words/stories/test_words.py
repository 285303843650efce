"""The words of stories are chosen by the numbers: each says the other thing where the numbers do."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.twins.pairs import STAYS
from benchhealth.dashboard.words.stories import gpqa, gsm8k, imagenet, lmarena, parts, story_list, swe_bench
from benchhealth.dashboard.words.stories.story_list import STORIES, lead, of_benchmark, pictures
from tests.support import readability

DAY = date(2026, 8, 8)
FELL = parts.Twin(
    models=65, fell=65, gap=11.9, gap_low=10.8, gap_high=13.0, pairs=2080, swapped=38, furthest=4, until=DAY,
    items=50_000, other_items=10_000, other_on=date(2019, 2, 1), compared=1445, agreement=0.94, agreement_low=0.92,
    agreement_top=0.61, flagged=14, tested=63,
)  # fmt: skip
RISE = parts.Rise(
    first=0.5, first_on=date(2024, 2, 29), best=0.946, last_on=date(2026, 3, 20), steps=13, until=DAY, items=198,
    options=4, guess=0.25, people=0.813,
)  # fmt: skip
BOARD = lmarena.Board(
    models=363, first="a", second="b", votes=9559, lead=5.0, chance=7.8, tied=6, neighbours=9, beside=1, pairs=45,
    apart=28, until=DAY,
)  # fmt: skip
PEOPLE = gpqa.People(0.813, 61, date(2023, 11, 20), 0.84, date(2025, 3, 31), beyond=True)
MEASURED = swe_bench.Best("Epoch AI", "one", 0.8347, date(2026, 4, 20), claimed=False)
OTHER = swe_bench.Best("OpenHands", "two", 0.958, date(2026, 6, 11), claimed=False)
CLAIMED = swe_bench.Best("Maker", "three", 0.96, date(2026, 7, 24), claimed=True)
FAULTS = swe_bench.Faults(82, 138, 500, DAY)
NEXT = gpqa.Next(0.07, "HLE", 0.54, at_least=True, until=DAY, labels_checked=False, seen_known=False)

held = replace(FELL, gap=1.0, gap_low=-2.0, gap_high=4.0)
rose = replace(FELL, gap=-5.0, gap_low=-6.0, gap_high=-4.0, fell=3)
unsure = replace(FELL, agreement_low=0.7)
mixed = replace(FELL, agreement=0.5, agreement_low=0.3, agreement_top=None)


def test_the_title_of_imagenet_says_what_became_of_scores_and_order() -> None:
    assert story_list.title("imagenet", imagenet.moral(FELL)) == "ImageNet: the scores fell, the order stayed"
    assert imagenet.moral(held) == "the scores held, the order stayed"
    assert imagenet.moral(rose) == "the scores rose, the order stayed"
    assert imagenet.moral(mixed) == "the scores fell, the order is not sure"
    assert imagenet.moral(None) == "how scores rose"


def test_what_fell_is_said_of_all_of_some_or_not_at_all() -> None:
    assert imagenet.lower(FELL).title == "The scores fell: all 65 models did worse, by 12 of 100"
    some = imagenet.lower(replace(FELL, fell=60))
    assert some.title == "The scores fell: 65 models did worse, by 12 of 100" and "Of 65 lines, 60 fall." in some.text
    assert imagenet.lower(held).title.startswith("The scores held")
    assert imagenet.lower(rose).title.startswith("The scores rose")


def test_an_order_stayed_only_where_its_interval_is_clear_of_the_limit() -> None:
    assert parts.order_title(FELL) == "The order stayed: 2,042 of 2,080 pairs did not swap"
    assert parts.order_title(replace(FELL, agreement_low=STAYS)).startswith("The order seems to have stayed")
    assert parts.order_title(unsure) == "The order seems to have stayed: 38 of 2,080 pairs swapped"
    assert parts.order_title(replace(FELL, agreement_low=None)).startswith("The order seems to have stayed")
    assert parts.order_title(mixed) == "The order changed: 38 of 2,080 pairs swapped"
    unknown = replace(FELL, agreement=None, agreement_low=None)
    assert parts.order_title(unknown) == "Whether the order stayed is not known: 38 of 2,080 pairs swapped"


def test_what_follows_for_the_top() -> None:
    assert parts.trust_title(FELL) == "So the order could be trusted, and less so at the top"
    assert "crowd together" in imagenet.trust(FELL).text  # type: ignore[union-attr]
    alike = replace(FELL, agreement_top=0.9)
    assert parts.trust_title(alike) == "So the order could be trusted, at the top too"
    assert "crowd together" not in imagenet.trust(alike).text  # type: ignore[union-attr]
    assert parts.trust_title(mixed) == "So the order cannot be trusted for sure"
    assert imagenet.trust(replace(FELL, agreement=None)) is None


@pytest.mark.parametrize(
    ("places", "expected"),
    [(0, "None lost a place."), (1, "None fell by more than 1 place."), (6, "None fell by more than 6 places."),
     (7, "One fell by 7 places.")],
)  # fmt: skip
def test_how_far_a_model_fell(places: int, expected: str) -> None:
    assert parts.furthest(replace(FELL, furthest=places)) == expected


@pytest.mark.parametrize(
    ("last", "expected"),
    [(date(2024, 3, 20), "1 month"), (date(2026, 3, 20), "25 months"), (date(2033, 3, 1), "nine years"),
     (date(2039, 3, 1), "15 years")],
)  # fmt: skip
def test_a_time_in_words(last: date, expected: str) -> None:
    assert parts.span(date(2024, 2, 29), last) == expected


def test_a_frame_without_its_sizes_is_left_out() -> None:
    for again in (imagenet.new_test, gsm8k.new_sums):
        assert again(FELL) is not None
        assert again(replace(FELL, other_items=None)) is None
        assert again(replace(FELL, other_on=None)) is None
    assert gpqa.asks(replace(RISE, guess=None), PEOPLE) is None


def test_gsm8k_says_who_stood_out_or_that_none_did() -> None:
    assert gsm8k.moral(held) == "scores held on new sums, but 14 of 63 models stood out"
    assert gsm8k.moral(replace(held, flagged=0)) == "scores held on new sums, and no model stood out"
    assert gsm8k.moral(FELL).startswith("scores fell on new sums")
    assert "One name" not in gsm8k.stood_out(FELL).text and "one name in 20" in gsm8k.stood_out(FELL).text
    assert gsm8k.stood_out(replace(held, flagged=0)).title == "None of 63 models stood out"
    assert "chance alone can do that" in gsm8k.lower(held).text and "more than chance" in gsm8k.lower(FELL).text
    assert gsm8k.lower(rose).title == "The scores rose: 65 models won 5 of 100 on average"
    assert "nothing left" in gsm8k.rise(replace(RISE, best=0.99)).text
    assert "20 are still to be won" in gsm8k.rise(replace(RISE, best=0.8)).text


def test_a_lead_is_held_against_chance() -> None:
    clear = replace(BOARD, lead=20.0, tied=1, apart=40)
    assert lmarena.moral(BOARD).endswith("no more than chance can make")
    assert lmarena.moral(clear).endswith("leads by more than chance can make")
    assert "could as well be first" in lmarena.lead(BOARD).text
    assert "more than luck" in lmarena.lead(clear).text
    assert lmarena.tied_caption(BOARD).title == "6 of 363 models could be first"
    assert lmarena.tied_caption(clear).title == "Only one of 363 models can be first"
    assert "mostly holds" in lmarena.differing_pairs_caption(BOARD).title
    assert "often open" in lmarena.differing_pairs_caption(replace(BOARD, apart=20)).title


@pytest.mark.parametrize(
    ("beyond", "within", "expected"), [(9, 7, "Most new"), (7, 9, "More often than not"), (8, 8, "As often as not")]
)
def test_changes_of_first_place(beyond: int, within: int, expected: str) -> None:
    facts = lmarena.Changes(beyond, within, date(2023, 5, 1), DAY)
    frame = lmarena.changes(facts)
    assert (
        frame.text.startswith(expected) and frame.title == f"Of 16 changes of first place, {beyond} were beyond chance"
    )


def test_experts_are_passed_or_not() -> None:
    assert gpqa.experts_passed(RISE, PEOPLE).title == "In Mar 2025 a model passed the experts"
    assert "more than chance" in gpqa.experts_passed(RISE, PEOPLE).text
    assert "within what chance" in gpqa.experts_passed(RISE, replace(PEOPLE, beyond=False)).text
    assert "not known" in gpqa.experts_passed(RISE, replace(PEOPLE, beyond=None)).text
    ahead = gpqa.experts_passed(replace(RISE, best=0.7), replace(PEOPLE, passed=None, passed_on=None))
    assert ahead.title == "Experts are still ahead: 81 against 70 of 100"


def test_what_is_left_and_what_is_not_known_of_it() -> None:
    assert gpqa.what_is_left(NEXT).title == "7 of 100 are left here, at least 54 on HLE"
    assert gpqa.what_is_left(replace(NEXT, other_left=0.05)).title == "7 of 100 are left here, and no more on HLE"
    assert "No check" in gpqa.what_is_left(NEXT).text and "Nobody knows" in gpqa.what_is_left(NEXT).text
    frame = gpqa.what_is_left(replace(NEXT, labels_checked=True, seen_known=True))
    assert "No check" not in frame.text and "Nobody knows" not in frame.text
    assert [gpqa.top(gpqa.Top(n, 10, 198, DAY)).title[:26] for n in (0, 3, 6)] == [
        "The best five do not diffe", "The best five hardly diffe", "Some of the best five diff"
    ]  # fmt: skip


def test_two_numbers_for_the_best() -> None:
    assert swe_bench.moral(MEASURED, CLAIMED) == "83 or 96 of 100?"
    assert swe_bench.moral(replace(MEASURED, score=0.95), CLAIMED) == "what a score is worth"
    assert swe_bench.numbers(MEASURED, CLAIMED, [OTHER]).title == "Epoch AI measured 83 of 100, a maker claims 96"
    assert "OpenHands, with other tools, measured 96." in swe_bench.numbers(MEASURED, CLAIMED, [OTHER]).text
    agreed = swe_bench.numbers(replace(MEASURED, score=0.95), CLAIMED, [])
    assert agreed.title == "Makers and others agree: 96 and 95 of 100" and "OpenHands" not in agreed.text


def test_above_a_line_some_broken_tests_were_passed() -> None:
    assert swe_bench.sound_tasks(FAULTS) == pytest.approx(418 / 500)
    assert swe_bench.above_sound_tasks(FAULTS, [MEASURED, OTHER, CLAIMED]).title.endswith("2 of 3 lie above")
    assert swe_bench.above_sound_tasks(FAULTS, [MEASURED, CLAIMED]).title.endswith("1 of 2 lies above")
    assert swe_bench.above_sound_tasks(FAULTS, [MEASURED]).title.endswith("none of 1 lie above")


def test_the_count_says_how_many_pictures_there_are() -> None:
    assert lead(4).startswith("A story in four pictures,") and pictures(5) == "five pictures"
    assert {of_benchmark(one.benchmark_id) for one in STORIES.values()} == set(STORIES)
    assert of_benchmark("mmlu") is None


@given(
    st.fixed_dictionaries(
        {
            "gap": st.floats(-60, 60),
            "error": st.floats(0, 20),
            "agreement": st.floats(-1, 1),
            "spread": st.floats(0, 1),
        }
    ),
    st.integers(2, 3000),
    st.data(),
)
def test_whatever_the_numbers_are_sentences_stay_short(
    drawn: dict[str, float], models: int, data: st.DataObject
) -> None:
    pairs, agreement = models * (models - 1) // 2, drawn["agreement"]
    twin = replace(
        FELL, models=models, fell=data.draw(st.integers(0, models)), gap=drawn["gap"],
        gap_low=drawn["gap"] - drawn["error"], gap_high=drawn["gap"] + drawn["error"], pairs=pairs,
        swapped=data.draw(st.integers(0, pairs)), furthest=data.draw(st.integers(0, models - 1)), agreement=agreement,
        agreement_low=agreement - drawn["spread"], agreement_top=agreement - drawn["spread"],
        flagged=data.draw(st.integers(0, models)), tested=models,
    )  # fmt: skip
    frames = [
        *(make(twin) for make in (imagenet.new_test, imagenet.lower, imagenet.order_caption, imagenet.trust)),
        *(make(twin) for make in (gsm8k.new_sums, gsm8k.lower, gsm8k.stood_out, gsm8k.trust)),
    ]
    for frame in frames:
        assert frame is not None
        parted = readability.sentences(frame.text)
        assert len(parted) <= 3 and max(len(readability.words(one)) for one in parted) <= 20, frame.text
        assert len(frame.title) <= 75, frame.title
