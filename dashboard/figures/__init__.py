"""Pure functions from frames to Plotly figures, each with its finding, alt text and table."""
