"""The names of the houses that measure models."""

from collections.abc import Mapping

from benchhealth.analytics.measurers.parties import NOT_NAMED

NOBODY_NAMED = "not named"

HOUSES: Mapping[str, str] = {
    "aider": "Aider",
    "apex-agents": "APEX-Agents",
    "balrog": "BALROG",
    "cadeval": "CadEval",
    "deep-research-bench": "Deep Research Bench",
    "fiction-livebench": "Fiction.LiveBench",
    "gdpval": "OpenAI, in GDPval",
    "factorio-learning-environment": "Factorio Learning Environment",
    "geobench": "GeoBench",
    "gso": "GSO",
    "helm": "HELM (Stanford)",
    "hle-board": "Humanity's Last Exam, its own board",
    "lech-mazur-writing": "Lech Mazur's writing benchmark",
    "lmarena": "LMArena",
    "mcbench": "MC-Bench",
    "openhands": "OpenHands",
    "osuniverse": "OSUniverse",
    "osworld": "OSWorld",
    "posttrainbench": "PostTrainBench",
    "simplebench": "SimpleBench",
    "terminal-bench": "Terminal-Bench",
    "the-agent-company": "TheAgentCompany",
    "vpct": "VPCT",
}
"""The houses that are no source of ours, or whose source is named after one board of several."""


def house_name(house: str | None, titles: Mapping[str, str]) -> str:
    """What a house is called: as HOUSES has it, else the head of its source's title; `titles` are by source."""
    if house is None or house == NOT_NAMED:
        return NOBODY_NAMED
    return HOUSES.get(house) or head_of(titles.get(house, house))


def head_of(title: str) -> str:
    """The name at the head of a source's title, before what it says of itself."""
    return title.split(":", maxsplit=1)[0].split(",", maxsplit=1)[0]
