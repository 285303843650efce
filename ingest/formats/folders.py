"""Many small text files of one folder as one body: each under a line that names it, as `tail` prints several files."""

from collections.abc import Iterable

from benchhealth.ingest.formats.bodies import read_text
from benchhealth.ingest.rows import PayloadError

_BEGIN, _END = "\n==> ", " <=="


def join_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """One body out of (name, content), in their order; what was joined is the same for the same files."""
    return b"".join(b"==> %s <==\n%s\n" % (name.encode(), content.rstrip(b"\r\n")) for name, content in files)


def split_files(body: bytes) -> list[tuple[str, bytes]]:
    """The files of a joined body, by name. Raises PayloadError where the body is not one, or names a file twice.

    No line of a JSON file can look like a name's, because strings hold no line breaks there.
    """
    before, *pieces = f"\n{read_text(body)}".split(_BEGIN)
    files: dict[str, str] = {}
    name = ""
    for piece in pieces:
        line, _, content = piece.partition("\n")
        if not line.removesuffix(_END) or not line.endswith(
            _END
        ):  # a line of the content that only begins like a name's
            if name:
                files[name] += _BEGIN + piece
            else:
                before += _BEGIN + piece
            continue
        name = line.removesuffix(_END)
        if name in files:
            raise PayloadError("a file of the folder is named twice")
        files[name] = content
    if before.strip() or not files:
        raise PayloadError("not the files of a folder: nothing names the first")
    return [(name, content.strip().encode()) for name, content in files.items()]
