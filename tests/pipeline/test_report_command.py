"""The command that writes a report: which formats, about what, and what it refuses."""

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.pdf import document
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.report import write
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import Generation, NoGeneration
from tests.pipeline.conftest import benchhealth
from tests.support.small_generation import build


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    build(folder)
    return folder


def settings(home: Path) -> Settings:
    return Settings(home=home, registry=home, bundle=home, token=None)


def test_benchmarks_and_domains_are_written_in_both_formats(home: Path, tmp_path: Path) -> None:
    write(settings(home), benchmark_ids=["exam"], outputs=[tmp_path / "exam.html", tmp_path / "exam.pdf"])
    assert (tmp_path / "exam.pdf").read_bytes().startswith(b"%PDF")
    write(settings(home), domain="science", outputs=[tmp_path / "science.pdf"])
    assert b"What this means for a decision" in (tmp_path / "exam.html").read_bytes()
    assert (tmp_path / "science.pdf").read_bytes().startswith(b"%PDF")


def test_another_suffix_folder_or_domain_is_refused(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.html or \.pdf"):
        write(settings(home), benchmark_ids=["exam"], outputs=[tmp_path / "health.docx"])
    with pytest.raises(UsageError, match="no folder"):
        write(settings(home), benchmark_ids=["exam"], outputs=[tmp_path / "nowhere" / "health.pdf"])
    with pytest.raises(UsageError, match="no domain"):
        write(settings(home), domain="astrology", outputs=[tmp_path / "health.pdf"])
    assert list(tmp_path.iterdir()) == []


def test_without_a_generation_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(NoGeneration):
        write(settings(tmp_path), benchmark_ids=["exam"], outputs=[tmp_path / "health.pdf"])
    assert not (tmp_path / "health.pdf").exists()


def test_the_command_says_what_it_cannot_do(home: Path, tmp_path: Path) -> None:
    done = benchhealth(home, "report", "--benchmark", "exan", "--output", str(tmp_path / "x.pdf"))
    assert done.returncode == 1
    assert "did you mean" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.soak
@pytest.mark.xdist_group("bundle")
def test_real_benchmarks_take_two_pages_each(bundled: Generation) -> None:
    shown = ("imagenet", "squad-2.0", "gsm8k", "mmlu", "gpqa-diamond", "lmarena-text", "aime-2024", "aider-polyglot")
    report = on_benchmarks(View(bundled), shown)
    assert len(PdfReader(BytesIO(document(report))).pages) == 2 * (1 + len(shown))
    assert len(PdfReader(BytesIO(document(on_field(View(bundled), "code")))).pages) == 2
