"""Damage at any file of a home: what was published is served, a line names the file, and `restore` mends it."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from benchhealth.pipeline.doctor.command import all_findings
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.publish import serve
from benchhealth.warehouse.read import UNREADABLE, NoGeneration, current_path, open_current
from benchhealth.warehouse.reader import Reader
from tests.pipeline.conftest import settings_of
from tests.pipeline.keeping.conftest import Command
from tests.pipeline.keeping.test_backup import same
from tests.support.breakage import DAMAGES, Damage

ASKED = {
    "facts": ("assess",),
    "generation": ("export", "--to", "open-data"),
    "link": ("export", "--to", "open-data"),
    "body": ("backup", "--to", "backup.tar"),
}
"""Which command meets the damage of each part."""

UNNOTICED = ("facts: a WAL of garbage", "body: gone")
"""DuckDB drops what is no whole transaction, as after a power cut; `backup` counts a lost body and goes on."""

UNSEEN = ("facts: a WAL of garbage",)
"""Nothing is damaged by it."""

PLAIN = (*("facts: garbage in the ledger", "body: garbage"),)
"""Of each part the damages that are most unlike one another; the soak has all."""


@pytest.mark.parametrize(
    "damage",
    [pytest.param(each, id=each.name, marks=[] if each.name in PLAIN else [pytest.mark.soak]) for each in DAMAGES],
)
def test_damage_is_named_and_mended_and_what_was_published_is_served(
    damage: Damage, home: Path, kept_home: Path, kept_backup: Path, command: Command
) -> None:
    served, reader = with_one_before(home), Reader(home)
    assert reader.current().path.name == served
    damaged = damage.apply(home)
    check_served(reader, served, damage)
    if not damage.leaves_in_service:
        with pytest.raises(NoGeneration):
            open_current(home)
    lines = [finding.text() for finding in all_findings(settings_of(home, home), now())]
    if damage.name not in UNSEEN:
        place = str(home) if damage.part == "link" else damaged.name
        assert [line for line in lines if place in line], lines
    if damage.name not in UNNOTICED:
        code, line = command(home, *ASKED[damage.part])
        assert code == 1
        assert str(damaged) in line or str(home) in line
        assert "`benchhealth " in line
    assert command(home, "restore", "--replace", "--from", kept_backup) == (0, "")
    assert same(home, kept_home)


def with_one_before(home: Path) -> str:
    """Put a second generation in service, the same as the first; its name."""
    first = current_path(home)
    second = first.with_name(first.name.replace("-000001", "-000002"))
    shutil.copy(first, second)
    serve(home, second)
    return second.name


def check_served(reader: Reader, served: str, damage: Damage) -> None:
    """Who was reading goes on, with the generation before where blocks cannot be read any more.

    Who begins reads one that is whole.
    """
    with suppress(*UNREADABLE):
        reader.current().read_through()
    reader.current().read_through()
    begun = Reader(reader.home)
    if not damage.leaves_any:
        with pytest.raises(NoGeneration):
            begun.current()
        return
    generation = begun.current()
    generation.read_through()
    assert (generation.path.name == served) == (damage.part != "generation")
    assert (begun.unread is None) == damage.leaves_in_service


def test_the_names_of_damages_are_told_apart() -> None:
    names = [damage.name for damage in DAMAGES]
    assert len(set(names)) == len(names)
    assert set(PLAIN) | set(UNNOTICED) <= set(names)
