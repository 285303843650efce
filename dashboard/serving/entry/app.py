"""The entry script: what every page shares. Streamlit runs it once for every change in a browser."""

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.serving.options import FAVICON
from benchhealth.dashboard.widgets import empty, links
from benchhealth.dashboard.widgets.shell import WIDTH, data_to, footer
from benchhealth.warehouse.read import NoGeneration


def main() -> None:
    """Draw the menu, the page asked for, and the footer."""
    st.set_page_config(page_icon=FAVICON, layout="wide")
    pages = {
        spec.url_path: st.Page(
            spec.render,
            title=spec.title,
            url_path=spec.url_path,
            default=spec is PAGES[0],
            visibility="hidden" if spec.hidden else "visible",
        )
        for spec in PAGES
    }
    links.unpin()
    sections: dict[str, list[StreamlitPage]] = {}
    for spec in PAGES:
        sections.setdefault(spec.section, []).append(pages[spec.url_path])
    page = st.navigation(sections, position="top")
    links.tab_title(page.title)
    with (
        reruns.time_drawing(page.url_path or PAGES[0].url_path),
        st.container(horizontal_alignment="center"),
        st.container(width=WIDTH),
    ):
        try:
            view = generation.current()
        except NoGeneration:
            empty.no_generation()
            return
        with reruns.begun_anew_where_unreadable(view):
            data_to(view)
            page.run()
            footer(view)


main()
