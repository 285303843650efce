"""Documents and Streamlit's own files are packed for those who can unpack them, and the same for others."""

import gzip
import urllib.request
from importlib.resources import files
from pathlib import Path

import pytest

BUNDLE = Path(str(files("streamlit") / "static"))
SCRIPT = next((BUNDLE / "static").rglob("PlotlyChart*.js")).relative_to(BUNDLE).as_posix()


def _got(address: str, **headers: str) -> tuple[bytes, dict[str, str]]:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.parametrize("path", ["", "compare", "navigation.js", "plotly.js", "meta.json", "api/openapi.json", SCRIPT])
def test_packed_where_it_can_be_unpacked(server: str, path: str) -> None:
    plain, unpacked = _got(f"{server}/{path}", **{"Accept-Encoding": "identity"})
    assert "content-encoding" not in unpacked
    packed, unpacked = _got(f"{server}/{path}", **{"Accept-Encoding": "gzip"})
    assert unpacked["content-encoding"] == "gzip"
    assert "accept-encoding" in unpacked["vary"].lower()
    assert gzip.decompress(packed) == plain
    assert len(packed) < 0.6 * len(plain)


def test_what_is_packed_by_itself_is_left_alone(server: str) -> None:
    font = next((BUNDLE / "static").rglob("*.woff2")).relative_to(BUNDLE).as_posix()
    for path in (font, "data/source.parquet"):
        _, plain = _got(f"{server}/{path}", **{"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain


def test_every_rule_of_the_pages_style_is_closed() -> None:
    """A browser drops all that follows a rule without its end, and says nothing."""
    style = str(files("benchhealth.dashboard.serving").joinpath("document.css").read_text(encoding="utf-8"))
    depth = deepest = 0
    for letter in style:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        deepest = max(deepest, depth)
        assert depth >= 0
    assert depth == 0
    assert deepest == 2, "rules stand at the top or in one @media"
