"""When a cited paper appeared, as far as its address or citation says."""

import re

_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf|html)/(\d{2})(0[1-9]|1[0-2])\.\d{4,5}")
_CITED = re.compile(r"\b((?:19|20)\d{2})[a-z]?\)")


def appearance_date(citation: str, address: str = "") -> str:
    """The month (`2017-11`) of an arXiv address, else the January of the year that the citation names, else empty.

    A year is all that most citations give. Without it the result would be dated by the table that lists it, years too
    late. How the record reads both: `analytics.record.model_facts.precision`.
    """
    posted = _ARXIV.search(address)
    if posted:
        return f"20{posted[1]}-{posted[2]}"
    years = _CITED.findall(citation)
    return f"{years[-1]}-01" if years else ""
