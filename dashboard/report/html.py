"""A report as one HTML file: no scripts, nothing loaded from elsewhere, laid out for A4, and white in dark mode too."""

import base64
from html import escape
from importlib.resources import files

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.still import svg
from benchhealth.dashboard.report.tree import Block, Cell, Link, Part, Picture, Report, Section, Table, Tile

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(report: Report) -> bytes:
    """The whole document in UTF-8; every text that comes from others is escaped."""
    style = files(__package__).joinpath("print.css").read_text(encoding="utf-8")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(report.title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        "<main>",
        *(_part_html(part, "h1" if index == 0 else "h2") for index, part in enumerate(report.parts)),
        "</main>",
        f"<footer>benchhealth · {escape(report.origin)}</footer>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines).encode()


def _part_html(part: Part, heading: str) -> str:
    colour = LIGHT.stages[part.stage].mark if part.stage else LIGHT.accent
    below = {"h1": "h2", "h2": "h3"}[heading]
    front_html = "\n".join(_block(block, below) for block in part.front)
    back_html = "\n".join(_block(block, below) for block in part.back)
    overleaf = f'\n<div class="back">{back_html}</div>' if back_html else ""
    return (
        f'<article>\n<header style="border-color: {colour}"><{heading}>{escape(part.title)}</{heading}>\n'
        f'<p class="line">{escape(part.line)}</p></header>\n{front_html}{overleaf}\n</article>'
    )


def _block(block: Block, heading: str) -> str:
    if isinstance(block, str):
        return f'<p class="verdict">{escape(block)}</p>'
    if isinstance(block, Section):
        return _section(block, heading)
    if isinstance(block, Picture):
        return _picture(block, heading)
    return f'<div class="tiles">{"".join(_tile(tile) for tile in block)}</div>'


def _tile(tile: Tile) -> str:
    evidence = f"<p>{escape(tile.evidence)}</p>" if tile.evidence else ""
    return f"<div><p>{escape(tile.question)}</p><p><b>{escape(tile.answer)}</b></p>{evidence}</div>"


def _picture(picture: Picture, heading: str) -> str:
    drawn = base64.b64encode(svg(picture.figure, lambda text: text).encode()).decode()
    return (
        f'<{heading}>{escape(picture.title)}</{heading}>\n<p class="note">{escape(picture.subtitle)}</p>\n<figure>'
        f'<img alt="{escape(picture.alt)}" src="data:image/svg+xml;base64,{drawn}"></figure>\n'
        f'<p class="note">{escape(picture.source)}</p>'
    )


def _section(section: Section, heading: str) -> str:
    elements = [f"<{heading}>{escape(section.title)}</{heading}>"] if section.title else []
    elements += [f"<p>{escape(text)}</p>" for text in section.paragraphs]
    if section.points:
        elements.append(f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in section.points)}</ul>")
    if section.table and section.table.rows:
        elements.append(_table(section.table))
    if section.note:
        elements.append(f'<p class="note">{escape(section.note)}</p>')
    inside = "\n".join(elements)
    return f"<section{' class=framed' if section.framed else ''}>{inside}</section>"


def _table(table: Table) -> str:
    """The table; each cell but the first has the head of its column, which stands before it on a phone."""
    total = sum(table.widths)
    columns = "".join(f'<col style="width: {width / total:.1%}">' for width in table.widths)
    header = "".join(
        f'<th scope="col"{_side(table, index)}>{escape(text)}</th>' for index, text in enumerate(table.heads)
    )
    opening = [f"<td{_side(table, index)}>" for index in range(len(table.heads))]
    opening[1:] = [f'{td[:-1]} data-label="{escape(text)}">' for td, text in zip(opening, table.heads, strict=True)][1:]
    rows = "\n".join(
        f"<tr>{''.join(f'{td}{_cell(cell)}</td>' for td, cell in zip(opening, row, strict=True))}</tr>"
        for row in table.rows
    )
    return f"<table><colgroup>{columns}</colgroup><thead><tr>{header}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _side(table: Table, column: int) -> str:
    return ' class="right"' if column in table.right else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Link):
        return f'<a href="{escape(cell.url)}" rel="noreferrer">{escape(cell.text)}</a>'
    return escape(cell)
