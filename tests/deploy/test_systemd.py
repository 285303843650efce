"""systemd reads the units without a word, counts what they may do, and the journal knows every setting."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNITS = {
    "benchhealth-dashboard@8501.service": "benchhealth-dashboard@.service",
    "benchhealth-nightly.service": "benchhealth-nightly.service",
    "benchhealth-nightly.timer": "benchhealth-nightly.timer",
    "benchhealth-alert@benchhealth-nightly.service.service": "benchhealth-alert@.service",
}
SERVICES = [name for name in UNITS if name.endswith(".service")]
MOST_EXPOSED = 1.1
"""Of ten, by systemd's own count; a service without any hardening has 9.6."""

JOURNALD = Path("/lib/systemd/systemd-journald")
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def analyze(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units under names that they run by, with a program in the place where none is installed."""
    for name, file in UNITS.items():
        text = (DEPLOY / file).read_text()
        (tmp_path / name).write_text(text.replace("/opt/benchhealth/.venv/bin/benchhealth", "/bin/true"))
    return tmp_path


@needs_systemd
def test_systemd_reads_them_without_a_word(installed: Path) -> None:
    done = analyze("verify", *(installed / name for name in UNITS))
    assert (done.returncode, done.stderr) == (0, "")
    unit = installed / "benchhealth-nightly.service"
    unit.write_text(unit.read_text().replace("ProtectHome=yes", "ProtectHouse=yes"))
    assert "ProtectHouse" in analyze("verify", unit).stderr


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_they_may_do_little(installed: Path, name: str) -> None:
    done = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED * 10:.0f}", installed / name)
    assert done.returncode == 0, done.stdout + done.stderr


def settings(file: str) -> list[tuple[str, str]]:
    lines = (DEPLOY / file).read_text().splitlines()
    return [(line.partition("=")[0], line.partition("=")[2]) for line in lines if re.match(r"\w+=", line)]


def test_all_are_held_by_the_same_rules_and_somebody_is_told() -> None:
    begins = ("NoNewPrivileges", "yes")
    rules = [settings_of[settings_of.index(begins) :] for settings_of in (settings(UNITS[name]) for name in SERVICES)]
    held = [[pair for pair in each if pair[0] != "WantedBy"] for each in rules]
    assert held[0] == held[1] == held[2] and len(held[0]) > 20
    for file in ("benchhealth-dashboard@.service", "benchhealth-nightly.service"):
        assert dict(settings(file))["OnFailure"] == "benchhealth-alert@%n.service"
    assert "OnFailure" not in dict(settings("benchhealth-alert@.service"))


def test_a_dashboard_writes_nothing_but_files_of_its_own() -> None:
    settings_read = settings("benchhealth-dashboard@.service")
    assert ("ReadOnlyPaths", "/var/lib/benchhealth") in settings_read
    written = [path for name, path in settings_read if name == "ReadWritePaths"]
    assert written == ["/var/lib/benchhealth/published/files"]
    assert dict(settings_read)["BindPaths"] == f"/var/cache/{dict(settings_read)['CacheDirectory']}:{written[0]}"


def test_a_dashboard_that_follows_may_write_its_home_and_nothing_else_changes(installed: Path) -> None:
    settings_read = settings("benchhealth-dashboard-follower.conf")
    assert settings_read[0] == ("ReadOnlyPaths", "")  # an empty one takes back what the unit says
    assert settings_read[1] == ("ReadWritePaths", "/var/lib/benchhealth")
    assert [name for name, _ in settings_read[2:]] == ["IPAddressAllow"]
    if shutil.which("systemd-analyze"):
        drop_ins = installed / "benchhealth-dashboard@8501.service.d"
        drop_ins.mkdir()
        shutil.copy(DEPLOY / "benchhealth-dashboard-follower.conf", drop_ins / "follower.conf")
        done = analyze("verify", installed / "benchhealth-dashboard@8501.service")
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not JOURNALD.exists(), reason="systemd-journald is not installed")
def test_the_journal_knows_every_setting_and_units_write_to_it() -> None:
    document = configparser.ConfigParser()
    document.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way to keep letters as they are
    document.read(DEPLOY / "journald@benchhealth.conf")
    assert document.sections() == ["Journal"] and "SystemMaxUse" in document["Journal"]
    program = JOURNALD.read_bytes()
    assert [name for name in document["Journal"] if f"Journal.{name}".encode() not in program] == []
    for name in SERVICES:
        assert dict(settings(UNITS[name]))["LogNamespace"] == "benchhealth"
