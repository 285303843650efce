from datetime import date

import numpy as np
import polars as pl
import pytest

from benchhealth.dashboard.figures import base


def test_a_day_that_is_unknown_is_not_drawn_at_1970() -> None:
    with pytest.raises(ValueError, match="1 of 2 days are unknown"):
        base.days(pl.Series([date(2020, 1, 1), None]))


def test_numbers_are_32_bit_arrays_with_nan_for_null() -> None:
    made = base.numbers(pl.Series([1.0, None]))
    assert made.dtype == np.float32
    assert np.isnan(made[1])
