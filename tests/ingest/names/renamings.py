"""Which of timm's names of before its renaming stand for which of today's: the rule behind `data/registry/renamed.csv`.

From 30 December 2022 on the library calls a model by its architecture and the weights (`resnet18.a1_in1k`), and lists
what it measured before anew. A name that is gone is one that stays if

- timm's own table of deprecated names says so, and their scores do not refute it, or
- the architecture is the same (or the old name but for a size of images or a prefix), and the last scores under the
  old name are the first under the new one, on all tables that hold both, but for what another version of the library
  changes, while no other name of today is nearly as close.

Names under which the library replaced the weights are left out: their scores are of two models. Two older collections
print the library's old names too; where ImageNet's top-1 is the same there, so is the model.

`python -m tests.ingest.names.renamings TIMM` writes the file; TIMM is the unpacked wheel of the library, which is read
and not imported.
"""

import ast
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchhealth.ingest.names.identity import normalise

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "data" / "registry" / "renamed.csv"
SOURCE = "https://github.com/huggingface/pytorch-image-models/tree/main/results"
TABLE = "https://github.com/huggingface/pytorch-image-models/tree/main/timm/models"

CELLS = 8
"""Tables and settings in which both names need to have a score."""
ALIKE, REFUTED = 0.25, 1.0
"""Points between the scores on average: up to the first, one model of one architecture; beyond the second, two models
even where the table says one (it gives the three larger of four WSL models to the smallest)."""
CLOSER = 2.0
"""How many times farther any other name of the architecture has to be."""
COLLECTIONS, SAME_WEIGHTS = ("imagenet-testbed", "imagenet-v2-recht"), 0.7
"""Others that print the old names, and by how many points their top-1 on ImageNet may differ: another preparation."""
REPLACED, REPLACED_SIZES = 0.3, 0.5
"""Points by which ImageNet's top-1 moved under one name, at one size of images and at two, if weights were replaced."""

Scores = Mapping[tuple[str, str], float]


class Renaming(NamedTuple):
    """An old name, the new one, what says so, in how many cells both have scores and by how much they differ."""

    published_name: str
    renamed_to: str
    basis: str
    n_cells: int
    difference: float


class _Name(NamedTuple):
    first: Scores
    last: Scores
    replaced: bool


def renamings(rows: pl.DataFrame, table: Mapping[str, str]) -> list[Renaming]:
    """The renamings that the rows (published_name, benchmark_id, setting, score in percent, observed_at) bear out."""
    images = rows.filter(pl.col("benchmark_id") == "imagenet")
    newest = set(images.filter(pl.col("observed_at") == images["observed_at"].max())["published_name"])
    names = dict(_names(rows))
    stay = sorted(name for name in newest if "." in name)
    gone = sorted(name for name, of in names.items() if name not in newest and not of.replaced)
    renamed = []
    for old in gone:
        new_name = table.get(old)
        named = [new for new in stay if new == new_name or _akin(old, new_name, new.split(".")[0])]
        apart = sorted(
            (_apart(names[old], names[new]), new) for new in named if _cells(names[old], names[new]) >= CELLS
        )
        decided = _by_table(new_name, apart) or _by_scores(apart)
        if decided is not None and normalise(old)[0] != normalise(decided[1])[0]:
            basis, new, difference = decided
            renamed.append(Renaming(old, new, basis, _cells(names[old], names[new]), round(difference, 3)))
    return renamed


def deprecated(timm: Path) -> dict[str, str]:
    """The library's own table of names that it no longer uses, to architectures or architectures with their weights."""
    table_read = {}
    for file in sorted((timm / "timm" / "models").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "register_model_deprecations":
                table_read.update(ast.literal_eval(node.args[1]))
    return {old: new for old, new in table_read.items() if new}


def elsewhere(renamings_made: Iterable[Renaming], rows: pl.DataFrame, collection: pl.DataFrame) -> list[Renaming]:
    """Those of the renamings whose old names a collection prints for the same model."""
    mine, theirs = _top(rows), _top(collection)
    return [
        Renaming(old, new, "same name", 1, round(abs(mine[old] - theirs[old]), 3))
        for old, new, *_ in renamings_made
        if old in mine and old in theirs and abs(mine[old] - theirs[old]) <= SAME_WEIGHTS
    ]


def bundled(source_id: str = "timm") -> pl.DataFrame:
    """What the bundle holds of a source's results."""
    every = pl.scan_parquet(ROOT / "data" / "snapshot" / f"{source_id}.parquet")
    seen = every.filter(pl.col("table") == "snapshot").select("snapshot_id", "observed_at")
    columns = ["snapshot_id", "published_name", "benchmark_id", "setting", "score"]
    return (
        every.filter(pl.col("table") == "result")
        .select(columns)
        .join(seen, on="snapshot_id")
        .with_columns(pl.col("score") * 100)
        .collect()
    )


def _by_table(new_name: str | None, apart: Sequence[tuple[float, str]]) -> tuple[str, str, float] | None:
    return next((("table", new, points) for points, new in apart if new == new_name and points <= REFUTED), None)


def _by_scores(apart: Sequence[tuple[float, str]]) -> tuple[str, str, float] | None:
    if not apart or apart[0][0] > ALIKE or any(points < CLOSER * apart[0][0] for points, _ in apart[1:]):
        return None
    return "scores", apart[0][1], apart[0][0]


def _akin(old: str, by_table: str | None, architecture: str) -> bool:
    plain = old.split(".", maxsplit=1)[0]
    if architecture in (plain, plain.lower(), (by_table or "").split(".")[0]):
        return True
    return plain in (
        f"{architecture}_320",
        f"vit_{architecture}",
        f"ig_{architecture}",
        architecture.replace("_224", "_sam_224"),
    )


def _names(rows: pl.DataFrame) -> Iterator[tuple[str, _Name]]:
    cells: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    order = rows.sort("observed_at").select("published_name", "benchmark_id", "setting", "score")
    for name, benchmark, setting, score in order.iter_rows():
        cells[name][benchmark, setting].append(score)
    for name, of in cells.items():
        top = [scores for (benchmark, _), scores in of.items() if benchmark == "imagenet"]
        every = [score for scores in top for score in scores]
        moved = max((abs(scores[-1] - scores[0]) for scores in top), default=0.0)
        replaced = moved > REPLACED or max(every, default=0) - min(every, default=0) > REPLACED_SIZES
        firsts = {cell: scores[0] for cell, scores in of.items()}
        yield name, _Name(firsts, {cell: scores[-1] for cell, scores in of.items()}, replaced)


def _top(rows: pl.DataFrame) -> dict[str, float]:
    """The last top-1 on ImageNet of each name."""
    images = rows.filter(pl.col("benchmark_id") == "imagenet").sort("observed_at", "setting")
    return dict(images.select("published_name", "score").iter_rows())


def _cells(old: _Name, new: _Name) -> int:
    return len(old.last.keys() & new.first.keys())


def _apart(old: _Name, new: _Name) -> float:
    both = old.last.keys() & new.first.keys()
    return sum(abs(old.last[cell] - new.first[cell]) for cell in both) / len(both) if both else float("inf")


def registry_rows(table: Mapping[str, str]) -> Iterator[tuple[str, str, str, str, int, float, str]]:
    """The rows of the file, in its order."""
    rows = bundled()
    renamed = renamings(rows, table)
    for source_id in ("timm", *COLLECTIONS):
        of_source = renamed if source_id == "timm" else elsewhere(renamed, rows, bundled(source_id))
        for old, new, basis, n_cells, difference in of_source:
            url = TABLE if basis == "table" else SOURCE
            yield source_id, old, normalise(new)[0], basis, n_cells, difference, url


def main(timm: Path) -> None:
    """Write the file."""
    with FILE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["source_id", "published_name", "model_id", "basis", "n_cells", "difference", "source_url"])
        writer.writerows(registry_rows(deprecated(timm)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
