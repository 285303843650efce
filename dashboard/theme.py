"""How the dashboard looks and how Streamlit is set up: colours, shapes, and the options the server runs with.

Colours are those of Okabe and Ito (Color Universal Design, 2008), which stay distinct under the common forms of colour
blindness. A stage always shows its word and its shape as well.
"""

from collections.abc import Mapping

from analytics.record.tables import FLAGS, STAGES

BLUE, SKY, GREEN, ORANGE, VERMILLION, PURPLE, GREY = (
    "#0072B2",
    "#56B4E9",
    "#009E73",
    "#E69F00",
    "#D55E00",
    "#CC79A7",
    "#8C8C8C",
)
CATEGORICAL = (BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, GREY)

STAGE_COLOUR: Mapping[str, str] = dict(zip(STAGES, (GREY, SKY, GREEN, ORANGE, VERMILLION), strict=True))
STAGE_SHAPE: Mapping[str, str] = dict(zip(STAGES, ("○", "△", "◆", "▼", "■"), strict=True))
STAGE_MEANING: Mapping[str, str] = dict(
    zip(
        STAGES,
        (
            "not enough evidence to say",
            "too new or too few models to say",
            "results can still show that a model is better",
            "room or differences at the top are running out",
            "no room left that the results could show",
        ),
        strict=True,
    )
)
FLAG_MEANING: Mapping[str, str] = dict(
    zip(
        FLAGS,
        (
            "nobody reports any more",
            "its answers may have been seen in training",
            "a twin shows lower scores than this benchmark does",
            "the order changes with how results are put together",
            "most results are the makers' own",
            "we have not looked lately",
        ),
        strict=True,
    )
)

_COMMON = {
    "baseRadius": "6px",
    "linkUnderline": True,
    "headingFontSizes": ["1.9rem", "1.45rem", "1.25rem", "1.1rem", "1rem", "0.95rem"],
    "paddingTop": "3.5rem",
}
CHART_TEXT = {"light": "#3D444D", "dark": "#C9D1D9"}
"""Colour of text in charts by the theme's type: both have a contrast above 7 to their background."""

FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    f'<rect width="32" height="32" rx="6" fill="{BLUE}"/>'
    '<path d="M4 17h6l3-8 5 15 3-7h7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/></svg>'
)
"""The icon of the browser tab, drawn here because Streamlit's named icons come from another host."""

_LIGHT = {
    "primaryColor": BLUE,
    "backgroundColor": "#FFFFFF",
    "secondaryBackgroundColor": "#F3F5F7",
    "textColor": "#1B1F24",
    "linkColor": "#00568A",
    "borderColor": "#D5DAE0",
}
_DARK = {
    "primaryColor": SKY,
    "backgroundColor": "#12161B",
    "secondaryBackgroundColor": "#1C232B",
    "textColor": "#E8ECF0",
    "linkColor": "#8CCBF2",
    "borderColor": "#37414C",
}

SERVER_OPTIONS: Mapping[str, object] = {
    # Measured with 50 sessions: these two take a rerun from 2.2 s to 55 ms.
    "server.fileWatcherType": "none",
    "runner.postScriptGC": False,
    "server.headless": True,
    "server.address": "127.0.0.1",
    "server.enableStaticServing": False,
    "browser.gatherUsageStats": False,
    "server.showEmailPrompt": False,
    "runner.magicEnabled": False,
    # The built-in export does not neutralise formulas; `published.csv` does.
    "client.disableDataExport": True,
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "logger.hideWelcomeMessage": True,
    "theme.chartCategoricalColors": list(CATEGORICAL),
    **{f"theme.{name}": value for name, value in _COMMON.items()},
    **{f"theme.light.{name}": value for name, value in _LIGHT.items()},
    **{f"theme.dark.{name}": value for name, value in _DARK.items()},
}
"""Options of the Streamlit server, passed in code so that they hold from any working directory."""


def stage_label(stage: str) -> str:
    """The stage's shape and word, as every table and chart prints it."""
    return f"{STAGE_SHAPE[stage]} {stage}"
