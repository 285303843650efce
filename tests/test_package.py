"""One package: an installation brings the name `benchhealth` and no other, with its facts, and works beside anything.

The wheel is of what git holds and what was changed since; files that were never added to git are not in it.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser

from tests.conftest import ROOMS
from tests.dashboard.conftest import browser, free_port, running

__all__ = ["browser"]
ROOT = Path(__file__).resolve().parents[1]
MEGABYTES = 40
"""The most that a wheel with its facts may take."""
SMALL = ("evalplus", "gsm1k", "squad")
"""Sources of the installation that is cut short."""
IDENTITY = {f"GIT_{role}_{part}": "nobody" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


def git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, env={**os.environ, **IDENTITY}, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    commit = git("rev-parse", "HEAD")
    if not commit:
        pytest.skip("a wheel is built from what git holds, and here is no repository")
    folder = tmp_path_factory.mktemp("wheel")
    changed = git("stash", "create")
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run([ROOT / ".ci" / "wheel", folder, changed or commit], env=environment, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A user's folder with modules under the names of our rooms: who imports them is stopped."""
    folder = tmp_path / "elsewhere"
    for room in ROOMS:
        (folder / room).mkdir(parents=True)
        (folder / room / "__init__.py").write_text("raise SystemExit('a module of the user was imported')\n")
    (folder / "analytics").rename(folder / "unused")
    (folder / "analytics.py").write_text("raise SystemExit('a module of the user was imported')\n")
    return folder


@contextmanager
def served(command: list[str | Path], folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of `benchhealth serve` after `benchhealth init`, both run as `command` in `folder`."""
    done = subprocess.run([*command, "init"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    port = free_port()
    with running([*command, "serve", "--port", str(port)], port, folder, folder / "log", environment) as address:
        yield address


def test_a_wheel_brings_one_name_all_rooms_and_all_facts(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"benchhealth", wheel.name.rsplit("-", 3)[0] + ".dist-info"}
    held = git("ls-files", *ROOMS, "data").splitlines()
    assert len(held) > 700
    assert {f"benchhealth/{file}" for file in held} <= set(names)
    assert wheel.stat().st_size < MEGABYTES * 10**6


@pytest.mark.whole
def test_what_is_installed_works_where_others_have_the_names_of_our_rooms(
    wheel: Path, elsewhere: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    ZipFile(wheel).extractall(site)
    for bundle in (site / "benchhealth" / "data" / "snapshot").glob("*.parquet"):
        if bundle.stem not in SMALL:
            bundle.unlink()
    environment = {**os.environ, "PYTHONPATH": str(site)}
    with served([sys.executable, "-m", "benchhealth.pipeline.cli"], elsewhere, environment):
        origin = "import benchhealth; print(benchhealth.__file__)"
        printed = subprocess.check_output([sys.executable, "-c", origin], cwd=elsewhere, env=environment, text=True)
        assert Path(printed.strip()).is_relative_to(site)


@pytest.mark.soak
@pytest.mark.browser
def test_a_wheel_alone_in_an_empty_environment_shows_its_first_page(
    wheel: Path, elsewhere: Path, tmp_path: Path, browser: Browser
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    commands = tmp_path / "venv" / "bin"
    for arguments in (["--require-hashes", "-r", str(ROOT / "requirements.lock")], ["--no-deps", str(wheel)]):
        subprocess.run([commands / "pip", "install", "-q", "--disable-pip-version-check", *arguments], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    with served([commands / "benchhealth"], elsewhere, environment) as address:
        page = browser.new_page()
        page.goto(address)
        page.get_by_text("GPQA Diamond").first.wait_for(timeout=60_000)
        page.close()
    shutil.rmtree(tmp_path / "venv")
