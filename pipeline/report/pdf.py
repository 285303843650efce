"""A report as PDF, without a browser: fpdf2 (imported where it is used) with DejaVu Sans, which matplotlib carries."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, time
from io import BytesIO
from typing import TYPE_CHECKING, Any

from dashboard.figures.colours import STAGE_COLOUR
from dashboard.words.stages import stage_label
from pipeline.report.charts import INCHES, png
from pipeline.report.letters import FILES, font_folder, writable
from pipeline.report.tree import INFERENCES, Cell, Curve, Link, Report, Section, Sheet, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fpdf import FPDF

FAMILY = "DejaVu"
PAGES = 2
"""The most pages of one benchmark."""

SIZES = (8.8, 8.2, 7.6, 7.0, 6.4)
"""Sizes of letters in points, tried in turn until a sheet fits."""


MARGIN, FOOT = 14.0, 14.0
GREY, BLACK, LINK = (69, 76, 85), (27, 31, 36), (0, 86, 138)


def document(report: Report) -> bytes:
    """The whole document; every sheet begins on a new page and takes PAGES at most.

    Raises ValueError where a sheet does not fit in the smallest letters.
    """
    pictures = {sheet.benchmark_id: png(sheet.curve) for sheet in report.sheets if sheet.curve}
    sizes = {sheet.benchmark_id: _size(report, sheet, pictures.get(sheet.benchmark_id)) for sheet in report.sheets}
    with _empty(report) as pdf:
        if report.cover:
            pdf.add_page()
            _Writer(pdf, SIZES[0]).cover(report, report.cover)
        for sheet in report.sheets:
            pdf.add_page()
            pdf.start_section(writable(sheet.name))
            _Writer(pdf, sizes[sheet.benchmark_id]).sheet(report, sheet, pictures.get(sheet.benchmark_id))
        return bytes(pdf.output() or b"")


def _size(report: Report, sheet: Sheet, picture: bytes | None) -> float:
    """The largest letters in which the sheet fits, found by setting it."""
    for size in SIZES:
        with _empty(report) as trial:
            trial.add_page()
            _Writer(trial, size).sheet(report, sheet, picture)
            if trial.page_no() <= PAGES:
                return size
    raise ValueError(f"the sheet of {sheet.benchmark_id} does not fit on {PAGES} pages")


@contextmanager
def _empty(report: Report) -> Iterator[FPDF]:
    """A document without pages; its font files are closed at the end."""
    from fpdf import FPDF  # noqa: PLC0415
    from fpdf.fonts import TTFFont  # noqa: PLC0415

    class Paged(FPDF):
        """Pages with the report's origin and the page's number at the foot."""

        def footer(self) -> None:
            self.set_xy(MARGIN, -FOOT + 4)
            self.set_font(FAMILY, size=6.5)
            self.set_text_color(*GREY)
            half = self.epw / 2
            self.cell(half * 1.6, 4, writable(f"benchhealth · {report.origin}"))
            self.cell(half * 0.4, 4, f"{self.page_no()} / {{nb}}", align="R")

    pdf = Paged(format="A4")
    pdf.set_margins(MARGIN, 12)
    pdf.set_auto_page_break(auto=True, margin=FOOT)
    pdf.set_title(writable(report.title))
    pdf.set_lang("en")
    pdf.set_creator("benchhealth")
    # The day of the facts, not of the printing: the same generation gives the same file.
    pdf.set_creation_date(datetime.combine(report.as_of, time(), UTC))
    for style, file in zip(("", "B"), FILES, strict=True):
        pdf.add_font(FAMILY, style, font_folder() / file)
    try:
        yield pdf
    finally:
        for font in pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.close()


class _Writer:
    """Sets one part of a report from the top of the present page on, in letters of one size."""

    def __init__(self, pdf: FPDF, size: float) -> None:
        self.pdf, self.size = pdf, size
        self.line = size * 0.3528 * 1.32
        """The height of a line, in millimetres."""

    def cover(self, report: Report, cover: Table) -> None:
        self._text(report.title, size=self.size * 1.9, bold=True)
        self._text(f"{len(report.sheets)} benchmarks. {report.origin}.", after=2)
        self._table(cover)
        self._closing(INFERENCES)

    def sheet(self, report: Report, sheet: Sheet, picture: bytes | None) -> None:
        self._text(sheet.name, size=self.size * 1.8, bold=True, after=1)
        self._verdict(sheet)
        self._points(sheet.reasons)
        self.pdf.ln(0.8)
        self._text(" · ".join(f"{label}: {text}" for label, text in sheet.facts), size=self.size * 0.9, colour=GREY)
        if sheet.curve and picture:
            self._curve(sheet.curve, picture)
        else:
            self._heading("No result of this benchmark is on record")
        for section in sheet.sections:
            self._section(section)
        self._closing(f"{report.origin}. {INFERENCES}")

    def _verdict(self, sheet: Sheet) -> None:
        """Stage and flags beside a bar in the stage's colour."""
        pdf, top = self.pdf, self.pdf.get_y()
        pdf.set_left_margin(MARGIN + 4)
        pdf.set_x(MARGIN + 4)
        self._text(f"{stage_label(sheet.stage)}: {sheet.stage_meaning}", size=self.size * 1.15, bold=True)
        for flag, meaning in sheet.flags:
            self._text(f"⚑ {flag.replace('_', ' ')}: {meaning}")
        pdf.set_left_margin(MARGIN)
        with pdf.local_context(fill_color=STAGE_COLOUR[sheet.stage]):
            pdf.rect(MARGIN, top, 1.6, pdf.get_y() - top, style="F")
        pdf.set_xy(MARGIN, pdf.get_y() + 1)

    def _curve(self, curve: Curve, picture: bytes) -> None:
        height = self.pdf.epw * INCHES[1] / INCHES[0]
        self._heading(curve.finding, room=height)
        self.pdf.image(BytesIO(picture), w=self.pdf.epw, alt_text=writable(curve.alt))

    def _section(self, section: Section) -> None:
        self._heading(section.title)
        for text in section.paragraphs:
            self._text(text)
        self._points(section.points)
        if section.table:
            self._table(section.table)
        if section.note:
            self._text(section.note, size=self.size * 0.9, colour=GREY)

    def _heading(self, text: str, room: float = 0) -> None:
        """A heading that stays with at least three lines, or `room` millimetres, of what follows."""
        self.pdf.ln(self.line * 0.55)
        if self.pdf.will_page_break(self.line * 2 + (room or 3 * self.line)):
            self.pdf.add_page()
        self._text(text, size=self.size * 1.12, bold=True, after=0.3)

    def _points(self, points: Iterable[str]) -> None:
        pdf = self.pdf
        for point in points:
            if pdf.will_page_break(self.line):
                pdf.add_page()
            self._font(self.size)
            pdf.set_x(MARGIN + 1)
            pdf.cell(3, self.line, "•")
            pdf.set_left_margin(MARGIN + 4)
            self._text(point)
            pdf.set_left_margin(MARGIN)
        pdf.set_x(MARGIN)

    def _closing(self, text: str) -> None:
        self.pdf.ln(self.line * 0.6)
        self._text(text, size=self.size * 0.85, colour=GREY)

    def _table(self, table: Table) -> None:
        from fpdf.fonts import FontFace  # noqa: PLC0415

        self._font(self.size * 0.93)
        self.pdf.set_draw_color(213, 218, 224)
        with self.pdf.table(
            col_widths=table.widths,
            text_align=tuple("RIGHT" if at in table.right else "LEFT" for at in range(len(table.head))),
            line_height=self.line * 0.96,
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", fill_color=(255, 255, 255)),
            padding=(0.35, 1.2),
            cell_fill_mode="NONE",
            first_row_as_headings=True,
        ) as grid:
            grid.row([writable(text) for text in table.head])
            for cells in table.rows:
                row = grid.row()
                for cell in cells:
                    row.cell(**_content(cell))
        self.pdf.ln(0.8)

    def _text(
        self,
        text: str,
        *,
        size: float | None = None,
        bold: bool = False,
        colour: tuple[int, int, int] = BLACK,
        after: float = 0,
    ) -> None:
        chosen = size or self.size
        self._font(chosen, bold=bold, colour=colour)
        self.pdf.multi_cell(0, self.line * chosen / self.size, writable(text), align="L", new_x="LMARGIN", new_y="NEXT")
        if after:
            self.pdf.ln(after)

    def _font(self, size: float, *, bold: bool = False, colour: tuple[int, int, int] = BLACK) -> None:
        self.pdf.set_font(FAMILY, "B" if bold else "", size)
        self.pdf.set_text_color(*colour)


def _content(cell: Cell) -> dict[str, Any]:
    """The arguments of a table's cell."""
    from fpdf.fonts import FontFace  # noqa: PLC0415

    if isinstance(cell, Link):
        return {"text": writable(cell.text), "link": cell.url, "style": FontFace(color=LINK)}
    return {"text": writable(cell)}
