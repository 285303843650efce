"""Where a frontier will be: rolling-origin backtest, conformal intervals, and what may be published of it."""
