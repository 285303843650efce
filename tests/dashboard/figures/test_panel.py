"""The chart of models on a few benchmarks: whose names stand above its columns."""

import pytest

from benchhealth.dashboard.figures.by_benchmark.panel import PHONE_LETTERS, phone_head


@pytest.mark.parametrize(
    ("label", "columns", "lines"),
    [
        ("GSO", 2, ["GSO"]),
        ("SWE-bench Multimodal", 2, ["SWE-bench", "Multimodal"]),
        ("Humanity's Last Exam", 3, ["Humanity's", "Last Exam"]),
    ],
)
def test_on_a_phone_a_long_name_takes_lines_and_is_not_cut(label: str, columns: int, lines: list[str]) -> None:
    assert phone_head(label, columns) == lines
    assert max(map(len, lines)) <= PHONE_LETTERS // columns
