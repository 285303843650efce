"""What the Streamlit server runs with: options, the theme of pages, and the icon of the browser tab."""

from collections.abc import Mapping

from benchhealth.dashboard.figures.palette import DARK, LIGHT, Palette

_COMMON = {
    "baseRadius": "8px",
    "linkUnderline": True,
    "font": "sans-serif",
    "headingFont": "serif",
    "headingFontSizes": ["30px", "21px", "18.5px", "16px", "15px", "15px"],
    "headingFontWeights": [600, 600, 600, 600, 600, 600],
    "baseFontSize": 15,
    "paddingTop": "1rem",
    "paddingBottom": "3rem",
}
_SLOTS = {"discriminating": "blue", "compressing": "orange", "saturated": "red", "emerging": "green", "unknown": "gray"}
"""The colour names of Streamlit's badges and markdown that the stages take."""


def _theme(palette: Palette) -> Mapping[str, str]:
    slots = {
        f"{slot}{kind}": colour
        for stage, slot in _SLOTS.items()
        for hue in [palette.stages[stage]]
        for kind, colour in (("Color", hue.mark), ("TextColor", hue.text), ("BackgroundColor", hue.background))
    }
    return {
        "primaryColor": palette.accent,
        "backgroundColor": palette.paper,
        "secondaryBackgroundColor": palette.fill,
        "textColor": palette.ink,
        "linkColor": palette.accent,
        "borderColor": palette.line,
        "dataframeBorderColor": palette.grid,
        **slots,
    }


FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    f'<rect width="32" height="32" rx="6" fill="{LIGHT.accent}"/>'
    '<path d="M4 17h6l3-8 5 15 3-7h7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/></svg>'
)
"""The icon of the browser tab, drawn here because Streamlit's named icons come from another host."""

SERVER_OPTIONS: Mapping[str, object] = {
    # Measured with 50 sessions: these two take a rerun from 2.2 s to 55 ms.
    "server.fileWatcherType": "none",
    "runner.postScriptGC": False,
    # A first view of the map is 220 kB of messages, packed a sixth of that.
    "server.enableWebsocketCompression": True,
    "server.headless": True,
    "server.address": "127.0.0.1",
    "server.enableStaticServing": False,
    # No page takes a file (`Absent` refuses them all); 1 MB is the least that can be said.
    "server.maxUploadSize": 1,
    "browser.gatherUsageStats": False,
    "server.showEmailPrompt": False,
    "runner.magicEnabled": False,
    # The built-in export does not neutralise formulas; `warehouse.sharing.csv` does.
    "client.disableDataExport": True,
    # Of messages that are kept for the next reader (`widgets.replay`), as bytes.
    "server.maxCacheDataSize": "40mb",
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "logger.hideWelcomeMessage": True,
    **{f"theme.{name}": value for name, value in _COMMON.items()},
    **{f"theme.light.{name}": value for name, value in _theme(LIGHT).items()},
    **{f"theme.dark.{name}": value for name, value in _theme(DARK).items()},
}
"""Options of the Streamlit server, passed in code so that they hold from any working directory."""
