"""What stands in for S3: moto's server on this machine, with one bucket."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from benchhealth.warehouse.objects.access import Access
from tests.support.ports import free_port

BUCKET = "benchhealth"
STARTS_WITHIN = 60.0


@contextmanager
def serving() -> Iterator[Access]:
    """How it is reached; it has the bucket BUCKET and forgets everything at the end."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            access = Access(f"http://127.0.0.1:{port}", key_id="tests", secret_key="tests")
            _make_bucket(f"{access.endpoint}/{BUCKET}")
            yield access
        finally:
            server.terminate()


def _make_bucket(url: str) -> None:
    give_up = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(url, method="PUT"), timeout=10).close()
        except urllib.error.URLError:
            assert time.monotonic() < give_up, "what stands in for S3 did not start"
            time.sleep(0.1)
        else:
            return
