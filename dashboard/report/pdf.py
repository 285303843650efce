"""A report as PDF, without a browser: fpdf2 (imported where it is used) in the letters of `letters`."""

from __future__ import annotations

from bisect import bisect_left
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, time
from io import BytesIO
from typing import TYPE_CHECKING, Any

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.letters import FAMILY, FILES, font_folder, writable
from benchhealth.dashboard.report.still import height, svg
from benchhealth.dashboard.report.tree import Block, Cell, Link, Part, Picture, Report, Section, Table, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fpdf import FPDF

SIZES = (9.4, 9.0, 8.6, 8.2, 7.8, 7.4, 7.0, 6.6, 6.2)
"""Sizes of letters in points, of which a page takes the largest in which it fits."""

READABLE = 7.8
"""The smallest letters of a page that may go on over another one instead."""

MARGIN, FOOT, GUTTER = 15.0, 14.0, 3.0

LINES_WITH_HEADING = 5
"""Lines that a heading has below it at the least, itself included; with fewer it goes over to the next page."""

BESIDE = 2.4
"""Millimetres between a cell's text and the next column."""

TALLEST_ROW = 0.8
"""The share of a page that a row of a table may take; a taller one goes on in rows below it."""


def document(report: Report) -> bytes:
    """The whole document: a part takes two pages, the second of which may be missing, or more where it may go on.

    Raises ValueError where a page that may not go on over another one does not fit in the smallest letters.
    """
    sheets = [(part, is_back) for part in report.parts for is_back in (False, True) if not is_back or part.back]
    with _empty(report) as trial, _empty(report) as pdf:
        sizes = [_size(trial, part, is_back=is_back) for part, is_back in sheets]
        for (part, is_back), size in zip(sheets, sizes, strict=True):
            pdf.add_page()
            if not is_back:
                pdf.start_section(writable(part.title))
            _Writer(pdf, size, ruler=trial, goes_on=part.goes_on).sheet(part, is_back=is_back)
        return bytes(pdf.output() or b"")


def _size(trial: FPDF, part: Part, *, is_back: bool) -> float:
    """The largest letters in which the page fits, found by setting it; the smallest readable ones where it goes on."""

    def fits(size: float) -> bool:
        trial.add_page()
        began = trial.page_no()
        _Writer(trial, size, goes_on=part.goes_on).sheet(part, is_back=is_back)
        return trial.page_no() == began

    sizes = [size for size in SIZES if size > READABLE or not part.goes_on]
    first = 0 if fits(sizes[0]) else bisect_left(sizes, True, lo=1, key=fits)
    if first < len(sizes):
        return sizes[first]
    if part.goes_on:
        return READABLE
    raise ValueError(f"{'the second' if is_back else 'the first'} page of {part.key} does not fit")


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
            self.set_text_color(LIGHT.ink3)
            self.cell(self.epw * 0.85, 4, writable(f"benchhealth · {report.origin}"))
            self.cell(self.epw * 0.15, 4, f"{self.page_no()} / {{nb}}", align="R")

    pdf = Paged(format="A4")
    pdf.set_margins(MARGIN, 13)
    pdf.c_margin = 0
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
    """Sets one page from its top on, in letters of one size; without a `ruler` it is set to see whether it fits.

    The ruler is a document in which something is set first where its height must be known before it is drawn.
    """

    def __init__(self, pdf: FPDF, size: float, *, ruler: FPDF | None = None, goes_on: bool = False) -> None:
        self.pdf, self.size, self.ruler, self.goes_on = pdf, size, ruler, goes_on
        self.line = size * 0.3528 * 1.36
        """The height of a line, in millimetres."""

    def sheet(self, part: Part, *, is_back: bool) -> None:
        """Set a part on its page: its front, or its back if `is_back` is set."""
        if is_back:
            self._text(part.title, size=self.size * 1.1, bold=True, colour=LIGHT.ink2)
        else:
            self._head(part)
        for block in part.back if is_back else part.front:
            self._block(block)

    def _head(self, part: Part) -> None:
        colour = LIGHT.stages[part.stage].mark if part.stage else LIGHT.accent
        with self.pdf.local_context(fill_color=colour):
            self.pdf.rect(MARGIN, self.pdf.get_y(), self.pdf.epw, 1.2, style="F")
        self.pdf.ln(3.5)
        self._text(part.title, size=self.size * 2, bold=True, after=0.6)
        self._text(part.line, size=self.size * 0.9, colour=LIGHT.ink2)

    def _block(self, block: Block) -> None:
        if isinstance(block, str):
            self.pdf.ln(self.line * 0.5)
            self._text(block, size=self.size * 1.06)
        elif isinstance(block, Section):
            self._framed(block) if block.framed else self._section(block)
        elif isinstance(block, Picture):
            self._picture(block)
        else:
            self._tiles(block)

    def _framed(self, section: Section) -> None:
        """A section on a tinted ground, drawn when its height is known."""
        pdf = self.pdf
        pdf.ln(self.line * 0.5)
        if self.ruler:
            top = pdf.get_y()
            high = self._measured(self.ruler, lambda writer: writer._inside(section)) - top
            with pdf.local_context(fill_color=LIGHT.chosen):
                pdf.rect(MARGIN, top, pdf.epw, high, style="F")
        self._inside(section)

    def _measured(self, ruler: FPDF, set_on: Callable[[_Writer], None]) -> float:
        """Where something that begins here ends, set on a page of the ruler; here, where it goes on overleaf."""
        ruler.add_page()
        began, top = ruler.page_no(), self.pdf.get_y()
        ruler.set_y(top)
        set_on(_Writer(ruler, self.size, goes_on=self.goes_on))
        return float(ruler.get_y()) if ruler.page_no() == began else top

    def _inside(self, section: Section) -> None:
        pdf = self.pdf
        pdf.set_left_margin(MARGIN + 4)
        pdf.set_right_margin(MARGIN + 4)
        self._section(section)
        pdf.ln(self.line * 0.55)
        pdf.set_left_margin(MARGIN)
        pdf.set_right_margin(MARGIN)
        pdf.set_x(MARGIN)

    def _section(self, section: Section) -> None:
        self._begin(self.line * LINES_WITH_HEADING)
        if section.title:
            self._heading(section.title)
        for text in section.paragraphs:
            self._text(text)
        self._points(section.points)
        if section.table and section.table.rows:
            self._table(section.table)
        if section.note:
            self._text(section.note, size=self.size * 0.88, colour=LIGHT.ink3)

    def _begin(self, high: float) -> None:
        """Begin another page where this much has no room and the part may go on, so that no heading stands alone."""
        if self.goes_on and self.pdf.will_page_break(high):
            self.pdf.add_page()

    def _heading(self, text: str) -> None:
        self.pdf.ln(self.line * 0.55)
        self._text(text, size=self.size * 1.14, bold=True, after=0.3)

    def _points(self, points: Iterable[str]) -> None:
        pdf, left = self.pdf, self.pdf.l_margin
        for point in points:
            self._font(self.size)
            pdf.set_x(left)
            pdf.cell(3.2, self.line, "•")
            pdf.set_left_margin(left + 3.2)
            self._text(point)
            pdf.set_left_margin(left)
        pdf.set_x(left)

    def _tiles(self, tiles: tuple[Tile, ...]) -> None:
        """Tiles beside one another, as high as the highest."""
        pdf = self.pdf
        pdf.ln(self.line * 0.7)
        top, wide = pdf.get_y(), (pdf.epw - GUTTER * (len(tiles) - 1)) / len(tiles)
        high = top
        if self.ruler:
            high = self._measured(self.ruler, lambda writer: writer._columns(tiles, wide, top))
            for index in range(len(tiles)):
                with pdf.local_context(draw_color=LIGHT.line):
                    pdf.rect(MARGIN + index * (wide + GUTTER), top, wide, high - top + 2)
        self._columns(tiles, wide, top)
        pdf.set_y(pdf.get_y() + 2)

    def _columns(self, tiles: tuple[Tile, ...], wide: float, top: float) -> None:
        """The tiles' texts; afterwards it goes on below the longest."""
        high = max(self._tile(tile, index, wide, top) for index, tile in enumerate(tiles))
        self.pdf.set_left_margin(MARGIN)
        self.pdf.set_right_margin(MARGIN)
        self.pdf.set_xy(MARGIN, high)

    def _tile(self, tile: Tile, index: int, wide: float, top: float) -> float:
        pdf, left = self.pdf, MARGIN + index * (wide + GUTTER)
        pdf.set_left_margin(left + 2)
        pdf.set_right_margin(pdf.w - left - wide + 2)
        pdf.set_xy(left + 2, top + 2)
        self._text(tile.question, size=self.size * 0.82, colour=LIGHT.ink2)
        self._text(tile.answer, size=self.size * 1.3, bold=True)
        if tile.evidence:
            self._text(tile.evidence, size=self.size * 0.82, colour=LIGHT.ink2)
        return float(pdf.get_y())

    def _picture(self, picture: Picture) -> None:
        high = self.pdf.epw * height(picture.figure)
        self._begin(high + self.line * LINES_WITH_HEADING)
        self._heading(picture.title)
        self._text(picture.subtitle, size=self.size * 0.88, colour=LIGHT.ink2)
        if self.pdf.will_page_break(high):
            self.pdf.add_page()
        self._font(self.size)
        if self.ruler:
            drawn = BytesIO(svg(picture.figure, writable).encode())
            self.pdf.image(drawn, w=self.pdf.epw, h=high, alt_text=writable(picture.alt))
        else:
            self.pdf.ln(high)
        self._text(picture.source, size=self.size * 0.88, colour=LIGHT.ink3)

    def _table(self, table: Table) -> None:
        from fpdf.fonts import FontFace  # noqa: PLC0415

        widths = self._widths(table)
        rows = [piece for cells in table.rows for piece in self._pieces(cells, widths)]
        self.pdf.set_draw_color(LIGHT.line)
        with self.pdf.table(
            col_widths=widths,
            text_align=tuple("RIGHT" if index in table.right else "LEFT" for index in range(len(table.heads))),
            line_height=self.line * 0.94,
            borders_layout="HORIZONTAL_LINES",
            headings_style=FontFace(emphasis="BOLD", fill_color=(255, 255, 255)),
            padding=(0.35, BESIDE, 0.35, 0),
            cell_fill_mode="NONE",
            first_row_as_headings=True,
        ) as grid:
            grid.row([writable(text) for text in table.heads])
            for cells in rows:
                row = grid.row()
                for cell in cells:
                    row.cell(**_content(cell))
        self.pdf.ln(0.6)

    def _pieces(self, cells: tuple[Cell, ...], widths: list[float]) -> Iterable[tuple[Cell, ...]]:
        """The row; one that would be taller than TALLEST_ROW as several rows, each with the lines that come next.

        fpdf2 sets no row across two pages, and raises ValueError for one that is taller than a page.
        """
        most = int(self.pdf.eph * TALLEST_ROW / (self.line * 0.94))
        texts = [writable(cell.text if isinstance(cell, Link) else cell) for cell in cells]
        if sum(map(len, texts)) <= most:  # no letter begins a line too many: there is nothing to measure
            return [cells]
        lines = [self._lines(text, width - BESIDE) for text, width in zip(texts, widths, strict=True)]
        longest = max(map(len, lines))
        if longest <= most:
            return [cells]
        starts = range(0, longest, most)
        return [
            tuple(
                _part_of(cell, cell_lines[start : start + most]) for cell, cell_lines in zip(cells, lines, strict=True)
            )
            for start in starts
        ]

    def _lines(self, text: str, width: float) -> list[str]:
        """The lines of the text in a column of this width, in millimetres."""
        lines: Any = self.pdf.multi_cell(width, text=text, dry_run=True, output="LINES")
        return list(lines)

    def _widths(self, table: Table) -> list[float]:
        """The columns in millimetres: by their shares, and none so narrow that a word of its head would be cut."""
        self._font(self.size * 0.9, bold=True)
        least = [
            max((self.pdf.get_string_width(word) for word in writable(text).split()), default=0.0) + BESIDE + 0.2
            for text in table.heads
        ]
        self._font(self.size * 0.9)
        wide = [self.pdf.epw * width / sum(table.widths) for width in table.widths]
        lack = sum(max(least_width - width, 0.0) for least_width, width in zip(least, wide, strict=True))
        room = sum(max(width - least_width, 0.0) for least_width, width in zip(least, wide, strict=True))
        share = min(lack / room, 1.0) if room else 0.0
        return [
            least_width if width < least_width else width - share * (width - least_width)
            for least_width, width in zip(least, wide, strict=True)
        ]

    def _text(
        self,
        text: str,
        *,
        size: float | None = None,
        bold: bool = False,
        colour: str = LIGHT.ink,
        after: float = 0,
    ) -> None:
        chosen = size or self.size
        self._font(chosen, bold=bold, colour=colour)
        self.pdf.multi_cell(0, self.line * chosen / self.size, writable(text), align="L", new_x="LMARGIN", new_y="NEXT")
        if after:
            self.pdf.ln(after)

    def _font(self, size: float, *, bold: bool = False, colour: str = LIGHT.ink) -> None:
        self.pdf.set_font(FAMILY, "B" if bold else "", size)
        self.pdf.set_text_color(colour)


def _part_of(cell: Cell, lines: list[str]) -> Cell:
    """These lines of the cell; they lead to where it leads."""
    text = " ".join(lines)
    return replace(cell, text=text) if isinstance(cell, Link) and text else text


def _content(cell: Cell) -> dict[str, Any]:
    """The keyword arguments with which fpdf sets one cell of a table."""
    from fpdf.fonts import FontFace  # noqa: PLC0415

    if isinstance(cell, Link):
        return {"text": writable(cell.text), "link": cell.url, "style": FontFace(color=LIGHT.accent)}
    return {"text": writable(cell)}
