"""The kinds of numpy array that all rooms compute with."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
"""Measured or computed values; NaN where there is none."""

Flags = NDArray[np.bool_]

Places = NDArray[np.int64]
"""Whole numbers: counts, codes, and positions in another array."""
