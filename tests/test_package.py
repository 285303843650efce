"""One package: an installation brings the name `benchhealth` and no other, with its facts, and works beside anything.

The wheel is of what git holds and what was changed since; files that were never added to git are not in it.
"""

import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser

from benchhealth.analytics.record.tables import PUBLISHED
from tests.conftest import ROOMS
from tests.dashboard.conftest import browser, running
from tests.pipeline.conftest import bundled_home
from tests.support.ports import free_port
from tests.support.soaking import Soak

__all__ = ["browser", "bundled_home"]
ROOT = Path(__file__).resolve().parents[1]
MEGABYTES = 40
"""The most that a wheel with its facts may take."""
SMALL = ("evalplus", "gsm1k", "squad")
"""Sources of the installation that is cut short."""
FOREIGN = ("PYTHONPATH", "VIRTUAL_ENV", "BENCHHEALTH_HOME")
IDENTITY = {f"GIT_{role}_{part}": "nobody" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


def git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, env={**os.environ, **IDENTITY}, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


@pytest.fixture(scope="session")
def wheel(bundled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    commit = git("rev-parse", "HEAD")
    if not commit:
        pytest.skip("a wheel is built from what git holds, and here is no repository")
    folder = tmp_path_factory.mktemp("wheel")
    changed = git("stash", "create")
    environment = {**os.environ, "PYTHON": sys.executable, "INITIALISED": str(bundled_home)}
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
    """The address of `benchhealth serve`, run as `command` in `folder`."""
    port = free_port()
    with running([*command, "serve", "--port", str(port)], port, folder, folder / "log", environment) as address:
        yield address


@pytest.mark.soak
def test_a_wheel_brings_one_name_all_rooms_and_all_facts(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"benchhealth", wheel.name.rsplit("-", 3)[0] + ".dist-info"}
    held = git("ls-files", *ROOMS, "data").splitlines()
    assert len(held) > 700
    assert {f"benchhealth/{file}" for file in held} <= set(names)
    computed = {name for name in names if name.startswith("benchhealth/data/generation/")}
    assert {f"benchhealth/data/generation/{table}.parquet" for table in PUBLISHED.keys() - {"result", "run"}} < computed
    assert wheel.stat().st_size < MEGABYTES * 10**6


@pytest.mark.soak
@pytest.mark.whole
def test_what_is_installed_works_where_others_have_the_names_of_our_rooms(
    wheel: Path, elsewhere: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    ZipFile(wheel).extractall(site)
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("BENCHHEALTH_HOME", None)
    taken = (
        "import benchhealth; from benchhealth.pipeline.shipped import Settings, shipped_tables as tables; "
        "print(benchhealth.__file__); print(tables(Settings.from_environment())['verdict'].height)"
    )
    run = partial(subprocess.run, cwd=elsewhere, env=environment, capture_output=True, text=True, check=True)
    origin, verdicts = run([sys.executable, "-c", taken]).stdout.splitlines()
    assert Path(origin).is_relative_to(site) and int(verdicts) > 1_000
    for bundle in (site / "benchhealth" / "data" / "snapshot").glob("*.parquet"):
        if bundle.stem not in SMALL:
            bundle.unlink()
    command: list[str | Path] = [sys.executable, "-m", "benchhealth.pipeline.cli"]
    errors = run([*command, "init"]).stderr
    assert "of other facts or rules: they are computed anew" in errors and "assess: computed" in errors
    with served(command, elsewhere, environment):
        pass


@pytest.mark.soak
@pytest.mark.browser
def test_a_wheel_alone_in_an_empty_environment_shows_its_first_page(
    wheel: Path, elsewhere: Path, tmp_path: Path, browser: Browser, soak: Soak
) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    commands = tmp_path / "venv" / "bin"
    for arguments in (["--require-hashes", "-r", str(ROOT / "requirements.lock")], ["--no-deps", str(wheel)]):
        install = [commands / "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", *arguments]
        subprocess.run(install, check=True)
    taken = sum(path.stat().st_blocks for path in (tmp_path / "venv").rglob("*") if path.is_file()) * 512 / 10**6
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    lasted = {}
    for what, arguments in (
        ("report", ["benchhealth", "report", "--benchmark", "gpqa-diamond", "--output", str(tmp_path / "gpqa.html")]),
        ("import and answer", ["python", "-c", "import benchhealth as b; b.open().answer('gpqa-diamond', 'order')"]),
        ("help", ["benchhealth", "--help"]),
    ):
        cache = {"XDG_CACHE_HOME": str(tmp_path / what)}
        began = time.monotonic()
        subprocess.run(
            [commands / arguments[0], *arguments[1:]], cwd=elsewhere, env={**environment, **cache}, check=True
        )
        lasted[what] = time.monotonic() - began
    began = time.monotonic()
    with served(
        [commands / "benchhealth"], elsewhere, {**environment, "XDG_CACHE_HOME": str(tmp_path / "c")}
    ) as address:
        page = browser.new_page()
        page.goto(address)
        page.get_by_text("GPQA Diamond").first.wait_for(timeout=60_000)
        lasted["first page"] = time.monotonic() - began
        page.close()
    assert "computed anew" not in (elsewhere / "log").read_text()
    seconds = ", ".join(f"{what} {seconds_of:.1f} s" for what, seconds_of in lasted.items())
    soak.say(f"a wheel of {wheel.stat().st_size / 1e6:.1f} MB in an environment of {taken:.0f} MB: {seconds}")
    shutil.rmtree(tmp_path / "venv")
