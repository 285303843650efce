"""Whether the generation in service is there and whole, and whether another could stand in for it."""

import os
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.publish import delete, serve
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, NoGeneration, anew, current_path, generations
from benchhealth.warehouse.watch.examined import damage


def generation_in_service(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """A link that leads nowhere or to a damaged file, and damaged files beside it."""
    damaged = {path: why for path in generations(settings.home) if (why := damage(path))}
    good = [path for path in generations(settings.home) if path not in damaged]
    link = settings.home / PUBLISHED_FOLDER / CURRENT
    try:
        current = current_path(settings.home)
    except NoGeneration as missing:
        what = str(missing).partition(";")[0]
        if settings.store and not generations(settings.home) and not os.path.lexists(link):
            yield Finding("generations", what, f"right for one that only ingests; {anew(settings.home)}", note=True)
        else:
            yield _unserved(settings.home, what, good)
    else:
        if not current.exists():
            yield _unserved(settings.home, f"{link} names {current.name}, which is not there", good)
        elif current in damaged:
            what = f"{current} is in service and damaged ({damaged[current].why})"
            yield _unserved(settings.home, what, good)
        elif good and good[-1] != current:
            what = f"{current.name} is in service, {good[-1].name} is newer and whole"
            mend = f"`ln -sfn {good[-1].name} {link}`, if nobody went back on purpose"
            yield Finding("generations", what, mend, note=True)
        damaged.pop(current, None)
    for path, fault in damaged.items():
        what = f"{path} is damaged ({fault.why}) and not in service"
        if fault.is_certain:
            yield Finding("generations", what, "--repair deletes it", repair=partial(_deleted, settings.home, path))
        else:
            yield Finding("generations", what, "see why it cannot be read; if nobody can, it may be deleted")


def _unserved(home: Path, what: str, good: list[Path]) -> Finding:
    if not good:
        return Finding("generations", what, anew(home))
    newest = good[-1]
    mend = f"--repair puts {newest.name} in service; {anew(home)}"
    return Finding("generations", what, mend, repair=lambda: _served(home, newest))


def _deleted(home: Path, path: Path) -> str:
    delete(home, path)
    return f"{path.name} deleted"


def _served(home: Path, path: Path) -> str:
    serve(home, path)
    return f"{path.name} is in service"
