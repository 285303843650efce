import io
import logging

import pytest

from benchhealth.ingest.run.progress import Bar, Lines, shown_on


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_counts_files() -> None:
    terminal = Terminal()
    with shown_on(terminal) as progress:
        assert isinstance(progress, Bar)
        progress.begin("SQuAD")
        progress.expect(2)
        for path in ("a.json", "b.json", "beyond.json"):
            progress.advance(path)
        progress.end("3 new snapshots")
    assert "SQuAD" in terminal.getvalue()
    assert "0/2" in terminal.getvalue()


def test_anything_else_gets_log_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    stream = io.StringIO()
    with shown_on(stream) as progress:
        assert isinstance(progress, Lines)
        progress.begin("SQuAD")
        progress.expect(Lines.EVERY)
        for _ in range(Lines.EVERY):
            progress.advance("a.json")
        progress.end("done")
    assert stream.getvalue() == ""
    assert caplog.messages == [
        "SQuAD: begun",
        f"SQuAD: {Lines.EVERY} of {Lines.EVERY} files, now a.json",
        "SQuAD: done",
    ]
