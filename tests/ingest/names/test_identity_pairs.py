"""Names measured: 300 pairs that people judged, drawn so that a resolver can fail on every side (data/README.md)."""

import pytest

from benchhealth.ingest.names.identity import Aliases
from tests.ingest.names.identity_measured import (
    FRESH_STRATA,
    STRATA,
    Judged,
    aliases_of_today,
    main,
    measure,
    outcomes,
    read_pairs,
)

PAIRS = read_pairs("identity_pairs.csv")
FRESH = read_pairs("identity_pairs_fresh.csv")
"""Drawn after the rules had been mended by what the first ones showed."""


@pytest.fixture(scope="module")
def aliases() -> Aliases:
    return aliases_of_today()


def test_the_sample_is_what_it_says() -> None:
    assert len(PAIRS) == 300
    assert len({pair[:4] for pair in PAIRS}) == 300
    assert not {pair[:4] for pair in PAIRS} & {pair[:4] for pair in FRESH}
    for pair in (*PAIRS, *FRESH):
        assert pair.same in ("true", "false")
        assert pair.source_a != pair.source_b
        assert len(pair.reason) > 8, pair
        assert pair.stratum in STRATA
    assert len({source for pair in PAIRS for source in (pair.source_a, pair.source_b)}) >= 24
    assert 100 <= sum(pair.same == "true" for pair in PAIRS) <= 200
    assert STRATA.keys() == FRESH_STRATA.keys() == {pair.stratum for pair in PAIRS} == {pair.stratum for pair in FRESH}


def wrong(pairs: list[Judged], aliases: Aliases) -> list[Judged]:
    return [pair for pair, joined in outcomes(pairs, aliases) if joined != (pair.same == "true")]


@pytest.mark.parametrize("pairs", [PAIRS, FRESH], ids=["first", "fresh"])
def test_hardly_ever_are_two_models_taken_for_one_and_one_is_mostly_found(
    pairs: list[Judged], aliases: Aliases
) -> None:
    measured = measure(pairs, aliases)
    assert measured.precision >= 0.99, wrong(pairs, aliases)
    assert measured.recall >= 0.85, wrong(pairs, aliases)


@pytest.mark.parametrize(("pairs", "strata"), [(PAIRS, STRATA), (FRESH, FRESH_STRATA)], ids=["first", "fresh"])
def test_the_same_holds_of_all_pairs_that_the_sample_stands_for(
    pairs: list[Judged], strata: dict[str, int], aliases: Aliases
) -> None:
    measured = measure(pairs, aliases, strata)
    assert measured.precision >= 0.99
    assert measured.recall >= 0.85


def test_what_was_measured_is_printed_with_every_mistake(capsys: pytest.CaptureFixture[str], aliases: Aliases) -> None:
    main()
    printed = capsys.readouterr().out
    assert "300 pairs" in printed
    assert f"precision {measure(PAIRS, aliases).precision:.3f}" in printed
    assert all(pair.reason in printed for pair in wrong([*PAIRS, *FRESH], aliases))
