"""*Something wrong?*: a report with benchmark, chart and generation filled in, at the operator's address."""

from urllib.parse import quote, urlencode, urlsplit

FIELDS = ("title", "body", "benchmark", "chart", "generation", "view")
_SCHEMES = frozenset({"https", "http", "mailto"})


class _Operator:
    """The address that reports go to. One a process: the operator sets it once, when the server starts."""

    def __init__(self) -> None:
        self.address = ""


_OPERATOR = _Operator()


def use(address: str | None) -> None:
    """Send reports to this address from now on; nowhere without one.

    An address with fields (`{title}`, `{body}`, `{benchmark}`, `{chart}`, `{generation}`, `{view}`) has them filled in;
    one without gets `title` and `body` as parameters, as the forms for new issues of GitHub and GitLab's kin read them,
    and a `mailto:` one gets `subject` and `body`. Raises ValueError for what is no address.
    """
    if address and urlsplit(address).scheme not in _SCHEMES:
        raise ValueError(f"reports go to an https, http or mailto address, not to {address!r}")
    _OPERATOR.address = address or ""


def address(*, generation: str, benchmark: str = "", chart: str = "", view: str = "") -> str | None:
    """The address of a report about this, or None where the operator has set none."""
    if not _OPERATOR.address:
        return None
    about = " ".join(phrase for phrase in (benchmark, chart and f"chart {chart}") if phrase) or "the dashboard"
    lines = [("Benchmark", benchmark), ("Chart", chart), ("Generation", generation), ("Seen at", view)]
    body = "What is wrong:\n\n\n" + "\n".join(f"{name}: {value}" for name, value in lines if value)
    values = {
        "title": f"Something wrong: {about}",
        "body": body,
        "benchmark": benchmark,
        "chart": chart,
        "generation": generation,
        "view": view,
    }
    if any(f"{{{field}}}" in _OPERATOR.address for field in FIELDS):
        filled = _OPERATOR.address
        for field in FIELDS:
            filled = filled.replace(f"{{{field}}}", quote(values[field], safe=""))
        return filled
    title = "subject" if _OPERATOR.address.startswith("mailto:") else "title"
    joint = "&" if "?" in _OPERATOR.address else "?"
    return f"{_OPERATOR.address}{joint}{urlencode({title: values['title'], 'body': body}, quote_via=quote)}"
