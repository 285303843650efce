"""Editions at an object address: the files of each below its month, its manifest last."""

from hashlib import sha256

from benchhealth.warehouse.keeping.editions import MANIFEST, Edition, EditionError, check
from benchhealth.warehouse.objects.bucket import Bucket, MovedError


def push(edition: Edition, bucket: Bucket) -> int:
    """Put the files of an edition below `<month>/` at the address; returns how many, none where all are there.

    A manifest there is that of a whole edition. Raises EditionError where it is of other bytes, or a file here is not
    what was kept; ObjectsError where the address cannot be used.
    """
    name = f"{edition.month}/{MANIFEST}"
    if _is_there(bucket, name, edition):
        return 0
    bodies = {path: body for path, body in edition.files.items() if path != MANIFEST}
    for path, body in bodies.items():
        check(body)
        bucket.put_file(f"{edition.month}/{path}", body.path)
    try:
        bucket.put_if(name, edition.files[MANIFEST].path.read_bytes(), etag=None)
    except MovedError:
        _is_there(bucket, name, edition)
    return len(bodies) + 1


def _is_there(bucket: Bucket, name: str, edition: Edition) -> bool:
    try:
        answer = bucket.get(name)
    except FileNotFoundError:
        return False
    if answer is not None and sha256(answer.body).hexdigest() == edition.sha256:
        return True
    raise EditionError(f"{bucket.address}/{name} is that of another edition of {edition.month}, which stays")
