"""Links between pages, which link to one another by address alone."""

from collections.abc import Collection
from urllib.parse import quote, urlencode

import streamlit as st

from benchhealth.dashboard.words.stories.story_list import PAGE, STORIES, STORY, of_benchmark
from benchhealth.dashboard.words.text import markdown

_PINNED = "_pinned"


def unpin() -> None:
    """Forget what the run before pinned."""
    st.session_state[_PINNED] = {}


def pin(name: str, value: str) -> None:
    """Note what a filter is set to: a default that the address leaves out may be another in the next generation."""
    st.session_state.setdefault(_PINNED, {})[name] = value


def address(url_path: str, **params: str) -> str:
    """A page's address relative to any other page, for links inside markdown and tables."""
    query = f"?{urlencode(params, quote_via=quote)}" if params else ""
    return f"{url_path}{query}"


def grid_address(url_path: str, one_id: str, name: str) -> str:
    """The address of the page about one benchmark or model for a grid, which shows what stands behind #: its name."""
    parameter = {"models": "model"}.get(url_path, url_path)
    return f"{address(url_path, **{parameter: one_id})}#{fragment(name)}"


def outside(label: str, url: str | None) -> str:
    """Markdown that links to a page of the web; empty where the address is none. `label` is markdown."""
    return f"[{label}](<{url}>)" if url and url.startswith(("https://", "http://")) else ""


def linked(text: str, url: str | None) -> str:
    """A text, which is no markdown, as a link to a page of the web; the text alone where the address is none."""
    return outside(markdown(text), url) or markdown(text)


def csv(label: str, path: str) -> str:
    """Markdown that links to a table as CSV and, beside it, to how the table is cited and taken into a program."""
    return f"[{label}](<{path}>) · [Cite](<cite/{path}>)"


def stories(benchmark_ids: Collection[str]) -> str:
    """`Stories in five pictures: ImageNet · …` in markdown, those about one of these benchmarks; empty without any."""
    keys = [key for key, story in STORIES.items() if story.benchmark_id in benchmark_ids]
    pages = " · ".join(f"[{markdown(STORIES[key].name)}](<{address(PAGE, **{STORY: key})}>)" for key in keys)
    return f"[Stories](<{address(PAGE)}>) in five pictures: {pages}" if pages else ""


def story_about(benchmark_id: str) -> str | None:
    """The address of the story about a benchmark; None where there is none."""
    key = of_benchmark(benchmark_id)
    return None if key is None else address(PAGE, **{STORY: key})


def permalink(anchor: str = "") -> str:
    """The address of what is on screen now, with its filters and their defaults, for somebody else to open."""
    pinned = st.session_state.get(_PINNED, {})
    parameters = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    query = urlencode(
        [*((name, value) for name, value in parameters if name not in pinned), *pinned.items()], quote_via=quote
    )
    base = str(st.context.url or "").split("?")[0].split("#")[0]
    return f"{base}{'?' + query if query else ''}{'#' + anchor if anchor else ''}"


def fragment(text: str) -> str:
    """The text as the part of an address after `#`, which browsers keep to themselves."""
    return quote(text, safe="")


def tab_title(title: str) -> None:
    """Name the browser's tab, and with it bookmarks and the list of the back button, by what is on screen."""
    st.set_page_config(page_title=f"{title} · benchhealth")
