"""A report as one HTML file: no scripts, nothing loaded from anywhere, set for A4 paper, white in dark surroundings."""

import base64
from collections.abc import Iterable
from html import escape

from dashboard.figures.colours import STAGE_COLOUR
from dashboard.words.stages import stage_label
from pipeline.report.charts import svg
from pipeline.report.tree import INFERENCES, Cell, Curve, Link, Report, Section, Sheet, Table

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_STYLE = """
@page { size: A4; margin: 13mm 14mm 14mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt
  sans-serif; color: #555; } }
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 182mm; padding: 8mm 0; background: #fff; color: #1b1f24;
  font: 9pt/1.33 "DejaVu Sans", Verdana, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 16pt; line-height: 1.2; margin: 0 0 1.5mm; }
h2 { font-size: 10.5pt; margin: 3.2mm 0 0.8mm; break-after: avoid; }
p, ul { margin: 0 0 1mm; }
ul { padding-left: 4.5mm; }
a { color: #00568a; }
figure { margin: 0; break-inside: avoid; }
figure img { display: block; width: 100%; }
.stage { border-left: 1.6mm solid; padding: 0.6mm 0 0.6mm 3mm; margin: 1.5mm 0; }
.stage strong { font-size: 11pt; }
.facts, .note, footer { color: #454c55; font-size: 8pt; }
.facts b { color: #1b1f24; }
table { border-collapse: collapse; width: 100%; margin: 0.8mm 0; font-size: 8.2pt; table-layout: fixed; }
tr { break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: 0.5mm 1.5mm 0.5mm 0; border-bottom: 0.2mm solid #d5dae0; }
th { font-weight: 600; overflow-wrap: normal; }
.right { text-align: right; padding-right: 3mm; }
article { break-before: page; }
body > article:first-of-type:not(.covered) { break-before: auto; }
footer { border-top: 0.2mm solid #8c8c8c; margin-top: 3mm; padding-top: 1mm; break-inside: avoid; }
@media print { body { padding: 0; max-width: none; } a { text-decoration: none; } }
@media screen { article { margin-bottom: 16mm; } }
"""


def page(report: Report) -> bytes:
    """The whole document in UTF-8; every text that comes from others is escaped."""
    body = [_cover(report, report.cover)] if report.cover else []
    body += [_sheet(report, sheet) for sheet in report.sheets]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    ).encode()


def _cover(report: Report, cover: Table) -> str:
    return "\n".join(
        [
            "<header>",
            f"<h1>{escape(report.title)}</h1>",
            f"<p>{len(report.sheets)} benchmarks. {escape(report.origin)}.</p>",
            _table(cover),
            f"<footer>{escape(INFERENCES)}</footer>",
            "</header>",
        ]
    )


def _sheet(report: Report, sheet: Sheet) -> str:
    parts = [
        f"<article{' class=covered' if report.cover else ''}>",
        f"<h1>{escape(sheet.name)}</h1>",
        _verdict(sheet),
        f'<p class="facts">{_facts(sheet)}</p>',
        _curve(sheet.curve) if sheet.curve else "<h2>No result of this benchmark is on record</h2>",
        *(_section(section) for section in sheet.sections),
        f"<footer>{escape(report.origin)}. {escape(INFERENCES)}</footer>",
        "</article>",
    ]
    return "\n".join(parts)


def _verdict(sheet: Sheet) -> str:
    flags = "".join(
        f"<br>⚑ <b>{escape(flag.replace('_', ' '))}</b>: {escape(meaning)}" for flag, meaning in sheet.flags
    )
    return (
        f'<div class="stage" style="border-color: {STAGE_COLOUR[sheet.stage]}">'
        f"<strong>{escape(stage_label(sheet.stage))}</strong>: {escape(sheet.stage_meaning)}{flags}</div>\n"
        f"{_list(sheet.reasons)}"
    )


def _facts(sheet: Sheet) -> str:
    return " · ".join(f"{escape(label)} <b>{escape(text)}</b>" for label, text in sheet.facts)


def _curve(curve: Curve) -> str:
    picture = base64.b64encode(svg(curve)).decode()
    return (
        f'<h2>{escape(curve.finding)}</h2>\n<figure><img alt="{escape(curve.alt)}" '
        f'src="data:image/svg+xml;base64,{picture}"></figure>'
    )


def _section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>", *(f"<p>{escape(text)}</p>" for text in section.paragraphs)]
    if section.points:
        parts.append(_list(section.points))
    if section.table:
        parts.append(_table(section.table))
    if section.note:
        parts.append(f'<p class="note">{escape(section.note)}</p>')
    return "\n".join(parts)


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def _table(table: Table) -> str:
    total = sum(table.widths)
    columns = "".join(f'<col style="width: {width / total:.1%}">' for width in table.widths)
    head = "".join(f'<th scope="col"{_side(table, at)}>{escape(text)}</th>' for at, text in enumerate(table.head))
    rows = "\n".join(
        f"<tr>{''.join(f'<td{_side(table, at)}>{_cell(cell)}</td>' for at, cell in enumerate(row))}</tr>"
        for row in table.rows
    )
    return f"<table><colgroup>{columns}</colgroup><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _side(table: Table, column: int) -> str:
    return ' class="right"' if column in table.right else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Link):
        return f'<a href="{escape(cell.url)}" rel="noreferrer">{escape(cell.text)}</a>'
    return escape(cell)
