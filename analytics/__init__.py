"""Results to indicators to verdicts: pure functions over polars frames, the only home of the formulas."""
