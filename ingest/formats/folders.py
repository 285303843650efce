"""Many small text files of one folder as one body: each under a line that names it, as `tail` prints several files."""

import re
from collections.abc import Iterable

from ingest.formats.bodies import read_text
from ingest.rows import PayloadError

_MARK = re.compile(r"^==> (.+) <==$", re.MULTILINE)


def join_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """One body out of (name, content), in their order; what was joined is the same for the same files."""
    return b"".join(b"==> %s <==\n%s\n" % (name.encode(), content.rstrip(b"\r\n")) for name, content in files)


def split_files(body: bytes) -> list[tuple[str, bytes]]:
    """The files of a joined body, by name. Raises PayloadError where the body is not one, or names a file twice.

    No line of a JSON file can look like a name's, because strings hold no line breaks there.
    """
    text = read_text(body)
    marks = list(_MARK.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise PayloadError("not the files of a folder: nothing names the first")
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    files = {mark[1]: text[mark.end() : end].strip().encode() for mark, end in zip(marks, ends, strict=True)}
    if len(files) != len(marks):
        raise PayloadError("a file of the folder is named twice")
    return list(files.items())
