"""The map through the years: every month's state, drawn in the browser; one month and six year-ends as charts."""
