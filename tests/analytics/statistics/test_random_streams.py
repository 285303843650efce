"""A stream belongs to a seed and a key: neither other streams nor what was drawn before move it."""

import numpy as np
import pytest

from benchhealth.analytics.statistics.random_streams import stream_of

NEW = np.random.default_rng


def test_it_depends_on_seed_and_key_alone() -> None:
    fresh, used = NEW(3), NEW(3)
    used.random(1000)
    stream_of(used, "other").random(10)
    assert stream_of(fresh, "mmlu").random() == stream_of(used, "mmlu").random()
    assert fresh.random() == NEW(3).random()  # asking for a stream draws nothing
    parts = {stream_of(rng, key).random() for rng in (NEW(3), NEW(4), *NEW(3).spawn(2)) for key in ("mmlu", "gsm8k")}
    assert len(parts) == 8


def test_streams_of_keys_that_are_alike_do_not_go_together() -> None:
    drawn = np.array([stream_of(NEW(0), f"board-{number}").standard_normal(400) for number in range(60)])
    together = np.corrcoef(drawn)[np.triu_indices(60, 1)]
    assert np.abs(together).max() < 4.5 / np.sqrt(400)  # of 1,770 pairs by chance 4.5 errors in one of 80 runs
    assert together.std() == pytest.approx(1 / np.sqrt(400), rel=0.1)


def test_a_generator_with_another_kind_of_seed_is_refused() -> None:
    with pytest.raises(TypeError, match="SeedSequence"):
        stream_of(np.random.Generator(np.random.MT19937(_Words())), "mmlu")


class _Words(np.random.bit_generator.ISeedSequence):
    def generate_state(self, n_words: int, dtype: type = np.uint32) -> np.ndarray:
        return np.arange(n_words, dtype=dtype)
