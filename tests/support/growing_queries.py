"""Questions in SQL whose answers are short where DuckDB or Arrow holds them, and long as text."""

from collections.abc import Mapping

WORD = "x" * 1_700

GROWS: Mapping[str, str] = {
    "a dictionary": f"'{WORD}'::ENUM('{WORD}')",
    "a dictionary in a list": f"list_transform(range(50), i -> '{WORD}'::ENUM('{WORD}'))",
    "a dictionary in a struct": f"{{'a': '{WORD}'::ENUM('{WORD}')}}",
    "a dictionary in a map": "MAP {'k': '" + WORD[:900] + "'::ENUM('" + WORD[:900] + "')}",
    "keys of structs": f"{{'{WORD}': 1}}",
    "keys of nothing": f'NULL::STRUCT("{WORD}" INT)',
    "many keys of nothing": "NULL::STRUCT(" + ", ".join(f"a{number} INT" for number in range(200)) + ")",
    "a constant": "repeat('x', 5000)",
    "control characters": "repeat(chr(1), 500)",
    "quotes": "repeat('\"', 500)",
    "letters of other scripts": "repeat('\U0001f600', 500)",
    "long decimals": "list_resize([]::DECIMAL(38,37)[], 100, 1)",
    "hugeints": "list_resize([]::HUGEINT[], 100, 99999999999999999999999999999999999999)",
    "doubles": "list_resize([]::DOUBLE[], 100, -1.2345678901234567e-300)",
    "blobs": "repeat('\\x00', 500)::BLOB",
    "bits": "repeat('1', 4000)::BIT",
    "truths": "list_resize([]::BOOL[], 500, false)",
    "nulls": "list_resize([]::INT[], 500, NULL)",
    "empty lists": "list_resize([]::INT[][], 500, [])",
    "fixed lists": "[NULL, NULL]::INT[2]",
    "instants": "list_resize([]::TIMESTAMPTZ[], 100, now())",
    "identities": "list_resize([]::UUID[], 100, uuid())",
}
"""Constants, words of dictionaries, bits, names of keys: what takes few bytes a row."""


def wide(expression: str, columns: int, rows: int) -> str:
    """The question for so many rows of so many columns that all say the same."""
    named = ", ".join(f"e c{number}" for number in range(columns))
    return f"SELECT {named} FROM (SELECT {expression} e FROM range({rows}))"
