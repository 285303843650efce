"""Methods for what comes in time: errors that follow one another, and a step at an unknown date."""
