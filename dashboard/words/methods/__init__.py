"""The methods that the Methods page tells, by subject: lists of functions whose docstrings are its texts."""
