"""The entry script: what every page shares. Streamlit runs it once for every change in a browser."""

import streamlit as st

from dashboard.pages import PAGES
from dashboard.published import generation
from dashboard.serving.options import FAVICON
from dashboard.widgets import empty, links
from dashboard.widgets.shell import footer, shared_filters
from warehouse.read import NoGeneration

SIDEBAR_WIDTH = 272
"""Pixels; what the menu needs, so that tables have the rest of a small screen."""


def main() -> None:
    """Draw the menu, the shared filters, the page asked for, and the footer."""
    st.set_page_config(page_icon=FAVICON, layout="wide", initial_sidebar_state=SIDEBAR_WIDTH)
    pages = {
        spec.url_path: st.Page(
            spec.render, title=spec.title, icon=spec.icon, url_path=spec.url_path, default=spec is PAGES[0]
        )
        for spec in PAGES
    }
    links.register(pages)
    page = st.navigation(list(pages.values()))
    links.tab_title(page.title)
    try:
        view = generation.current()
    except NoGeneration:
        empty.no_generation()
        return
    shared_filters(view)
    page.run()
    footer(view)


main()
