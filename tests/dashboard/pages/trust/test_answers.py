"""The two questions that readers come with, answered in text: how far a score overstates, and who stands out."""

from benchhealth.dashboard.pages.trust import fresh_samples
from tests.dashboard.pages.trust.test_twin import pair, side_by_side
from tests.support.generalising import all_faults


def test_the_gap_is_said_with_its_replications_how_many_and_until_when() -> None:
    again = [pair(gap=9.0, n_models=335), pair(gap=11.9, n_models=65)]
    sentence = fresh_samples.gap(
        pair(gap=10.9, gap_low=9.9, gap_high=11.9, kind=fresh_samples.FRESH, cause="distribution", n_models=1445), again
    )
    assert sentence == (
        "Scores are 11 points lower [9.9, 11.9] on B than on A, on average over 1,445 results; other results on the "
        "same two say 9 points lower over 335 results and 12 points lower over 65 results; order agrees with tau 0.94, "
        "0.61 at the top; data to Aug 2024."
    )
    assert all_faults([sentence]) == []
    assert ", no more than another draw of items and models would change" in fresh_samples.gap(pair(cause="chance"), [])
    assert fresh_samples.gap(pair(gap=None), []) == ""
    higher = fresh_samples.gap(pair(gap=-2.0, gap_low=-3.0, gap_high=1.0, cause=None), [])
    assert "2 points higher [\u22121.0, 3.0] on B" in higher


def test_beside_the_answer_only_what_other_results_say_is_added() -> None:
    again = [pair(gap=9.0, n_models=335), pair(gap=-11.9, n_models=65)]
    assert fresh_samples.replication_sentence(again) == (
        "Other results on the same two say 9 points lower over 335 results and 12 points higher over 65 results; "
        "data to Aug 2024."
    )
    assert fresh_samples.replication_sentence([]) == ""


def test_who_stands_out_is_named_with_points_the_furthest_first_and_nobody_is_accused() -> None:
    sentence = fresh_samples.standing_out(pair(flagged=2), side_by_side())
    assert sentence == (
        "2 of 12 tested results score lower on B than scores on A lead to expect, at 5% false discoveries, in points: "
        "Model m1 (\u22129) and Model m0 (\u22128); data to Aug 2024."
    )
    assert all_faults([sentence]) == []
    none = fresh_samples.standing_out(pair(), side_by_side(flagged=0))
    assert none == (
        "None of 12 tested results scores lower on B than scores on A lead to expect, error counted in; "
        "data to Aug 2024."
    )
    assert fresh_samples.standing_out(pair(tested=0), side_by_side()).startswith("No model can be tested")
    many = fresh_samples.standing_out(pair(tested=60, flagged=30), side_by_side(60, flagged=30))
    assert f"and {30 - fresh_samples.MODELS_NAMED} more" in many


def test_names_of_both_sides_tell_them_apart() -> None:
    same = pair(original="Exam", other="Exam, fresh sample", cause=None)
    assert "on Exam, fresh sample than on Exam" in fresh_samples.gap(same, [])
