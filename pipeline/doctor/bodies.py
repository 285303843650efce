"""Whether every saved body is the one that its name says."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from pipeline.doctor.findings import Finding
from pipeline.settings import Settings

PIECE = 2**20


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Bodies that are cut or changed."""
    bad = [path for path in sorted((settings.home / "raw").glob("*/*.gz")) if not _is_whole(path)]
    if bad:
        many = f"{len(bad)} saved bodies are not what their names say, such as {bad[0]}"
        what = many if len(bad) > 1 else f"{bad[0]} is not the body that its name says"
        mend = (
            "delete it: facts that were read from it stay, and what was not read yet is fetched again by the next night"
        )
        yield Finding("bodies", what, mend)


def _is_whole(path: Path) -> bool:
    """Piece by piece: an archive may unpack to more than fits into memory beside all else."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path) as body:
            while piece := body.read(PIECE):
                digest.update(piece)
    except (OSError, EOFError, zlib.error):
        return False
    return digest.hexdigest() == path.name.removesuffix(".gz")
