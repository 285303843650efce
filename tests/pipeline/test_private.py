"""What a command leaves behind: nothing that others on the machine may read, and the token nowhere."""

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchhealth.pipeline.cli import main
from benchhealth.pipeline.settings import Settings
from tests.support.scripted_server import fixed, serving

TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
OWN = "benchmark_id,model,score,unit\nimport-ours,Alder 7B,0.25,fraction\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    made = tmp_path / "home"
    monkeypatch.setenv("BENCHHEALTH_HOME", str(made))
    monkeypatch.setenv("BENCHHEALTH_GITHUB_TOKEN", TOKEN)
    before = os.umask(0o022)
    yield made
    os.umask(before)


def files(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if not path.is_symlink()]


def test_a_home_is_read_by_its_owner_and_group_alone(home: Path, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(OWN)
    assert main(["import", str(tmp_path / "own.csv")]) == 0
    modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in files(home)}
    assert len(modes) > 3
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o027} == {}


def test_a_stricter_mask_stays_and_what_is_made_for_others_follows_the_user_s(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.umask(0o077)
    main(["status"])
    assert os.umask(0o022) == 0o077
    main(["report", "--benchmark", "mmlu", "--output", str(home.parent / "mmlu.html")])
    assert os.umask(0o022) == 0o022


def test_the_token_is_in_no_log_no_ledger_and_no_file(
    home: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with serving(fixed(404)) as script:
        assert main(["ingest", "--source", "aider", "--mirror", script.url]) != 0
        main(["status", "--json"])
        assert script.asked
        assert all(TOKEN not in str(asked) for asked in script.asked)
    written = capsys.readouterr()
    assert "aider" in written.out + written.err + caplog.text
    assert TOKEN not in written.out + written.err + caplog.text
    assert TOKEN.encode() not in b"".join(path.read_bytes() for path in files(home) if path.is_file())
    settings = Settings.from_environment()
    assert settings.token == TOKEN
    assert TOKEN not in repr(settings) + repr(replace(settings, report_url="x"))
