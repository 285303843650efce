"""The smallest p-value that so many independent units, or so many draws, can carry: no test says more than that."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def limited_p(p: ArrayLike, units: ArrayLike, sides: int = 1) -> NDArray[np.float64]:
    """The p-values, none below what a sign test of so many independent units could give: sides / 2^units.

    A normal or t distribution goes on to 1e-30 however few there are; what it says of the far tail is the shape that
    was assumed. With every unit on one side an exact sign-flip test gives 2^-units on one side, twice that on two
    (Fisher 1935, The design of experiments, section 21). An unknown number of units is infinite here. NaN stays NaN,
    and no p-value is above 1.

    >>> limited_p([1e-9, 0.2], units=4).tolist()
    [0.0625, 0.2]
    """
    count = np.maximum(np.asarray(units, dtype=np.float64), 0.0)
    return np.asarray(np.minimum(np.maximum(np.asarray(p, dtype=np.float64), sides * 0.5**count), 1.0))


def of_draws(as_extreme: ArrayLike, draws: int) -> NDArray[np.float64]:
    """(1 + the draws at least as extreme as what was seen) / (1 + all): never below 1 / (draws + 1).

    What was seen is one of the ways in which chance could have dealt it (Phipson & Smyth 2010,
    doi:10.2202/1544-6115.1585). Raises ValueError for a number of draws that is not positive.

    >>> of_draws([0, 49], draws=999).tolist()
    [0.001, 0.05]
    """
    if draws < 1:
        raise ValueError(f"{draws} draws")
    return np.asarray((1 + np.asarray(as_extreme, dtype=np.float64)) / (1 + draws))
