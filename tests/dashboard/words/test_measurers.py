"""The words of who measures: how houses are called."""

from benchhealth.dashboard.words.measurers.houses import NOBODY_NAMED, house_name


def test_a_house_is_called_as_its_source_or_by_its_own_name() -> None:
    titles = {"epoch": "Epoch AI, benchmark data"}
    assert [house_name(one, titles) for one in ("epoch", "aider", "hle-board", "strange", "", None)] == [
        "Epoch AI",
        "Aider",
        "Humanity's Last Exam, its own board",
        "strange",
        NOBODY_NAMED,
        NOBODY_NAMED,
    ]
