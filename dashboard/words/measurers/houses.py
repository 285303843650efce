"""The names of the houses that measure models."""

import re
from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.measurers.parties import NOT_NAMED
from benchhealth.dashboard.words.text import count, known_at_latest, markdown, words_within

PARTIES = ("independent party", "independent parties")
NOTHING = "No independent party has measured it, in the sources followed here."
WHAT_IT_TAKES = "It takes a result that somebody other than the model's maker measured, and that is not a copy."


def title(rows: pl.DataFrame, name: str) -> str:
    """The finding; `rows` of `measuring_party` of one benchmark."""
    named = rows.filter(pl.col("house") != NOT_NAMED)
    houses = named["house"].n_unique()
    if not houses:
        return f"{name}: who measured it independently is not said"
    dated = named.drop_nulls("year")
    finding = f"{count(houses, *PARTIES)} measured models on {name} under any condition"
    if dated.is_empty():
        return finding
    last = dated.sort("year")["year"][-1]
    return f"{finding}, {dated.filter(pl.col('year') == last)['house'].n_unique()} with results of {last}"


def subtitle(rows: pl.DataFrame, until: date | None) -> str:
    """What is drawn, what of it is dated by releases alone, what names nobody, and until when."""
    results, by_release = int(rows["results"].sum()), int(rows["by_release"].sum())
    undated = int(rows.filter(pl.col("year").is_null())["results"].sum())
    unnamed = int(rows.filter(pl.col("house") == NOT_NAMED)["results"].sum())
    clauses = [
        f"A number is how many models have a result of that year. {count(results, 'result')} that are not the maker's, "
        "copies counted once"
    ]
    if by_release:
        clauses.append(f"the release of the model alone dates {by_release:,}, which were measured then or later")
    if undated:
        clauses.append(f"{undated:,} without a day are not drawn")
    if unnamed:
        clauses.append(f"{unnamed:,} are in collections that do not say who measured")
    return f"{'; '.join(clauses)}{known_at_latest(until)}."


def alt(rows: pl.DataFrame) -> str:
    """The alternative text of the chart of parties by year."""
    drawn = rows.drop_nulls("year").sort("year")
    if drawn.is_empty():
        return "No result has a day."
    houses = drawn["house"].n_unique()
    return f"{count(houses, 'row')} of parties, a mark for each year from {drawn['year'][0]} to {drawn['year'][-1]}."


def table(rows: pl.DataFrame, titles: Mapping[str, str]) -> str:
    """The parties of each year as a table in markdown, the newest year first."""
    lines = []
    for year, of_year in rows.sort("year", descending=True, nulls_last=True).group_by("year", maintain_order=True):
        named = of_year.filter(pl.col("house") != NOT_NAMED).sort("models", "house", descending=[True, False])
        unnamed = of_year.filter(pl.col("house") == NOT_NAMED)
        houses = [
            f"{markdown(house_name(row['house'], titles))} ({row['models']:,})" for row in named.iter_rows(named=True)
        ]
        houses += [f"not named ({row['models']:,})" for row in unnamed.iter_rows(named=True)]
        lines.append(f"| {year[0] or 'no day'} | {named.height} | {', '.join(houses)} |")
    return "\n".join(["| Year | Parties | Who, and models measured |\n|---|---:|---|", *lines])


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


def head_of(title: str, limit: int = 0) -> str:
    """The name at the head of a source's title; where it is longer than `limit`, what comes before comma or bracket."""
    name = title.split(":", maxsplit=1)[0]
    if len(name) <= limit:
        return name
    name = re.split(r",| \(", name, maxsplit=1)[0]
    return words_within(name, limit) if limit else name
