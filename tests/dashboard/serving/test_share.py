"""What a link shows where it is shared: tags by address, and a picture that holds any text."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import unescape
from io import BytesIO
from pathlib import Path
from re import findall

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from starlette.applications import Starlette

from benchhealth.dashboard.figures import picture
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.figures.picture import HIGH, LINES, SMALLEST_TEXT, WIDE, Bar, Line, Picture, png
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving import document, share
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.warehouse.read import open_current
from tests.support import asgi_client
from tests.support import mixed_generation as mixed
from tests.support.soaking import examples

LARGEST = 200_000
"""Bytes: places that show such pictures take far more, and readers on phones would rather not."""

APP = Starlette(routes=[*share.routes(PAGES), *document.routes(PAGES)])
get = partial(asgi_client.get, APP, Host="localhost")
SPECS = {spec.url_path: spec for spec in PAGES}
ALL = Picture(
    "Exam is running out of room",
    "83% measured by others until 24 Apr 2026; 96% claimed by its maker until 24 Jul 2026",
    Bar(0.83, 0.96, 0.8, 0.86, "measured 83%", "claimed 96%", "0", "all 500 items"),
    (Line("Do the top models differ beyond error?", "Partly", "2 of 10 pairs", "partly"),) * LINES,
    "as of 22 Aug 2026",
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)
SHARES = st.none() | st.floats(-1, 2)


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shared")
    mixed.build(made)
    generation.use(made)
    return made


@pytest.fixture
def view(home: Path) -> Iterator[View]:
    opened = open_current(home)
    yield View(opened)
    opened.close()


def drawn(body: bytes) -> Image.Image:
    image = Image.open(BytesIO(body))
    image.load()
    return image


def tags(path: str, **params: str) -> dict[str, str]:
    body = get(path, params).body
    return {
        name: unescape(value) for name, value in findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', body)
    }


def test_the_picture_of_a_benchmark_has_its_size_and_is_asked_for_once_a_generation(view: View) -> None:
    answer = get("/share/benchmark/common-exam.png")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert "max-age" in answer.headers["cache-control"]
    assert get("/share/benchmark/common-exam.png", If_None_Match=answer.headers["etag"]).status == 304
    image = drawn(share.picture_png(view, SPECS["benchmark"], {"benchmark": "common-exam"}))
    assert (image.size, image.format) == ((WIDE, HIGH), "PNG")


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.url_path)
def test_each_page_has_a_picture_and_tags(spec: PageSpec, view: View) -> None:
    assert get(f"/share/{spec.url_path}.png").status == 200
    tags_of = tags("/" if spec is PAGES[0] else f"/{spec.url_path}")
    assert tags_of["og:image"] == f"http://localhost/share/{spec.url_path}.png"
    assert tags_of["og:title"]
    assert tags_of["twitter:card"] == "summary_large_image"
    assert len(share.picture_png(view, spec, {})) < LARGEST


def test_what_there_is_not_and_what_may_not_leave_has_none() -> None:
    for name in ("nothing", "import-exam"):
        assert get(f"/share/benchmark/{name}.png").status == 404
        assert tags("/benchmark", benchmark=name) == tags("/benchmark")
    assert get("/share/nothing.png").status == 404
    assert get("/share/data/nothing.png").status == 404
    assert get("/share/compare.png", {"benchmarks": "x" * 3_000}).status == 404


def test_tags_and_picture_say_what_the_page_says(view: View) -> None:
    shared = view.shared()
    tags_of = tags("/benchmark", benchmark="common-exam", tab="Twins")
    assert tags_of["og:title"] == head.of_benchmark(shared, "common-exam")[0]
    assert tags_of["og:url"] == "http://localhost/benchmark?benchmark=common-exam"
    assert tags_of["og:image"] == "http://localhost/share/benchmark/common-exam.png"
    assert f"<title>{tags_of['og:title']} · benchhealth</title>" in get("/benchmark", {"benchmark": "common-exam"}).body


def test_without_scripts_a_page_leads_to_what_needs_none() -> None:
    body = str(get("/trust").body)
    assert body.count("<noscript>") == 1 and "agent/interact" not in body
    assert document.WITHOUT_SCRIPTS in body


def test_a_hostile_name_is_text_in_tags(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = generation.current().shared()
    named = shared.table("benchmark").with_columns(name=pl.lit('"><script>alert(1)</script>&'))
    opened = open_current(home)
    hostile = View(opened)
    hostile.kept(("table", "benchmark"), lambda: named)
    monkeypatch.setattr(View, "shared", lambda _view: hostile)
    body = get("/benchmark", {"benchmark": "common-exam"}).body
    opened.close()
    assert "<script>alert" not in body
    assert '"&gt;&lt;script&gt;alert' not in body
    assert "&quot;&gt;&lt;script&gt;" in body


def test_where_a_login_is_demanded_no_cache_of_many_keeps_a_picture() -> None:
    app = Starlette(routes=share.routes(PAGES, with_login=True))
    assert asgi_client.get(app, "/share/overview.png").headers["cache-control"].startswith("private")


@examples(20, soak=40)
@given(
    st.builds(
        Picture,
        TEXTS,
        TEXTS,
        st.none() | st.builds(Bar, SHARES, SHARES, SHARES, SHARES, TEXTS, TEXTS, TEXTS, TEXTS),
        st.lists(
            st.builds(Line, TEXTS, TEXTS, TEXTS, st.sampled_from(["yes", "no", "partly", "unknown"])), max_size=5
        ).map(tuple),
        TEXTS,
    )
)
def test_any_text_stays_within_its_margins(shown: Picture) -> None:
    pixels = np.asarray(drawn(png(shown)))
    paper = [int(LIGHT.paper[start : start + 2], 16) for start in (1, 3, 5)]
    for margin in (pixels[:, :40], pixels[:, WIDE - 40 :], pixels[:20], pixels[HIGH - 20 :]):
        assert (margin == paper).all()


def test_no_text_is_lower_than_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    face = picture._face

    def noted(family: str, size: int, weight: int) -> object:
        sizes.append(size)
        return face(family, size, weight)

    monkeypatch.setattr(picture, "_face", noted)
    png(replace(ALL, title=ALL.title * 9, subtitle=ALL.subtitle * 9, source=ALL.source * 9))
    assert min(sizes) >= SMALLEST_TEXT
    assert max(sizes) == 60


def test_a_claim_is_drawn_beyond_what_is_measured() -> None:
    """Along the bar: solid to what is measured, pale to what is claimed, empty beyond."""
    row = np.asarray(drawn(png(replace(ALL, bar=replace(ALL.bar, low=None, high=None)))))  # type: ignore[type-var]
    accent = [int(LIGHT.accent[start : start + 2], 16) for start in (1, 3, 5)]
    inside = WIDE - 128
    solid = next(line for line in row if (line[64 + inside // 3] == accent).all())
    ends = np.flatnonzero((solid == accent).all(axis=1))
    assert abs(ends[ends < 64 + 0.9 * inside].max() - (64 + 0.83 * inside)) < 5
    assert not (solid[64 + int(0.9 * inside)] == solid[64 + int(0.98 * inside)]).all()
