"""What a spreadsheet would take for a formula in a row of CSV."""

from collections.abc import Sequence

_STARTS = ("=", "+", "-", "@", "\t")


def formulas(row: Sequence[str]) -> list[str]:
    """The cells of the row that a spreadsheet would compute: those that begin like a formula and are no number."""
    return [cell for cell in row if cell.startswith(_STARTS) and not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
