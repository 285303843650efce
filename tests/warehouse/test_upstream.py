"""The declarations that parsers read: a wrong cell is refused with its file, line and column."""

from pathlib import Path

import pytest

from benchhealth.warehouse.curated.names import read_upstream
from benchhealth.warehouse.registry import RegistryError

TABLE_HEAD = (
    "source_id,table,benchmark_id,own_run,model_columns,setting_columns,setting_in_name,date_column,date_added,"
    "date_basis,edition_column,editions,needs_source,condition,n_items"
)
TABLE = "quiz,board,quiz,,Model | Name,,,Day,,evaluation,,,,,"
COLUMN_HEAD = "source_id,table,header,part,unit,unsigned,former_header,added,error_column,error_factor,items_column"
FILES = {
    "published_benchmark": ("source_id,published_name,used_for,benchmark_id,setting", "quiz,Quiz,,quiz,"),
    "published_scale": ("source_id,published_name,unit,higher_is_better,unfit", "quiz,Quiz,rating,,"),
    "upstream_table": (TABLE_HEAD, TABLE),
    "upstream_column": (COLUMN_HEAD, "quiz,board,Score,,percent,true,,,Error,1.96,"),
    "upstream_benchmark": (
        "source_id,benchmark_id,name,metric,domain,released_on,paper_url,unit,modality",
        "quiz,quiz,Quiz,accuracy,knowledge,2024-01-01,https://example.org,percent,text",
    ),
}


def write(folder: Path, **more: str) -> Path:
    """One good line a file, and behind it the line that is given for it."""
    for name, lines in FILES.items():
        text = [*lines, more[name]] if name in more else lines
        (folder / f"{name}.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    return folder


def test_good_declarations_are_read_with_their_types(tmp_path: Path) -> None:
    declared = read_upstream(write(tmp_path))
    assert declared.column.select("unsigned", "added", "error_factor").rows() == [(True, None, 1.96)]
    assert declared.table["n_items"].to_list() == [None]
    assert declared.published_scale["higher_is_better"].to_list() == [None]


def test_a_folder_without_declarations_declares_nothing(tmp_path: Path) -> None:
    assert read_upstream(tmp_path).table.is_empty()


@pytest.mark.parametrize(
    ("name", "line", "column", "why"),
    [
        ("published_benchmark", "quiz,Other,sale,quiz,", "used_for", "is not one of mention, score"),
        ("published_benchmark", "quiz,Quiz,,other,", "source_id", "the same key as line 2"),
        ("published_benchmark", "quiz,Other,,,", "benchmark_id", "empty"),
        ("published_scale", "quiz,Other,,,", "unit", "is empty"),
        ("published_scale", "quiz,Other,,no,", "higher_is_better", "is neither true nor false"),
        ("upstream_table", TABLE.replace("board", "two").replace("evaluation", "sale"), "date_basis", "is not one of"),
        ("upstream_table", "quiz,two,quiz,,Model,,,,,evaluation,Edition,second,,,", "editions", "is not <edition>"),
        ("upstream_table", "quiz,two,quiz,,Model,,,,,evaluation,,a=b,,,", "edition_column", "without it"),
        ("upstream_table", "quiz,two,quiz,,Model,,,,,evaluation,,,,,few", "n_items", "is not a whole number"),
        ("upstream_column", "quiz,none,Score,,percent,,,,,,", "table", "is not in upstream_table.csv"),
        ("upstream_column", "quiz,board,Other,,,,,,,,", "unit", "empty"),
        ("upstream_column", "quiz,board,Other,,percent,,,,,2,", "error_column", "error_factor is given without it"),
        ("upstream_column", "quiz,board,Other,,percent,,,,Error,0,", "error_factor", "is not a factor"),
        ("upstream_benchmark", "quiz,b,B,m,d,2024-01,https://example.org,percent,text", "released_on", "ISO date"),
        ("upstream_benchmark", "quiz,b,B,m,d,,example.org,percent,text", "paper_url", "is no address"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, name: str, line: str, column: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why) as caught:
        read_upstream(write(tmp_path, **{name: line}))
    assert (caught.value.file, caught.value.line, caught.value.column) == (f"{name}.csv", 3, column)
