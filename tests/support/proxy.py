"""The shipped proxy on free ports: `deploy/nginx` as it is, but for ports, paths, its name and its replicas."""

import http.client
import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.ports import free_ports

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
NAME = "localhost"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
needs_nginx = pytest.mark.skipif(
    NGINX is None or shutil.which("openssl") is None, reason="nginx or openssl is not installed (Debian: nginx-light)"
)


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs: its ports, where its log is, and what a client has to trust."""

    http: int
    https: int
    watched: int
    folder: Path
    process: "subprocess.Popen[bytes]"

    @property
    def address(self) -> str:
        """What readers type."""
        return f"https://{NAME}:{self.https}"

    def trust(self) -> ssl.SSLContext:
        """TLS that trusts the certificate of this proxy and no other."""
        return ssl.create_default_context(cafile=str(self.folder / "benchhealth-tls" / "fullchain.pem"))

    def log(self) -> list[str]:
        """The lines of the access log until now."""
        return (self.folder / "out").read_text().splitlines()


def laid_out(folder: Path, ports: Sequence[int], replicas: str | Sequence[int], main: Path | None = None) -> None:
    """The shipped files in `folder` as they lie in /etc/nginx, with a certificate made for the occasion.

    `ports` are those for http, https and the health check; `replicas` is a file of deploy/nginx or the ports of
    replicas on this machine, `main` another nginx.conf to include them in.
    """
    http, https, watched = ports
    shutil.copytree(DEPLOY / "nginx", folder / "benchhealth")
    shutil.copyfile("/etc/nginx/mime.types", folder / "mime.types")
    text = (folder / "benchhealth" / "benchhealth.conf").read_text()
    text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)  # not every machine has IPv6
    text = re.sub(r"listen 80\b", f"listen {http}", text)
    text = re.sub(r"listen 443\b", f"listen {https}", text)
    text = text.replace("127.0.0.1:8081", f"127.0.0.1:{watched}").replace("/etc/nginx/", f"{folder}/")
    (folder / "benchhealth" / "benchhealth.conf").write_text(text)
    shipped = (DEPLOY / "nginx" / "name.conf").read_text()
    (folder / "benchhealth-name.conf").write_text(shipped.replace("benchhealth.example.org", NAME))
    if isinstance(replicas, str):
        shutil.copyfile(DEPLOY / "nginx" / replicas, folder / "benchhealth-replicas.conf")
    else:
        shipped = (DEPLOY / "nginx" / "replicas.conf").read_text()
        for place, port in enumerate(replicas):
            shipped = shipped.replace(f"127.0.0.1:{8501 + place} ", f"127.0.0.1:{port} ")
        (folder / "benchhealth-replicas.conf").write_text(shipped)
    text = (main or DEPLOY / "nginx.conf").read_text()
    (folder / "nginx.conf").write_text(text.replace("/tmp/", f"{folder}/tmp-").replace("/etc/nginx/", f"{folder}/"))
    _certificate(folder / "benchhealth-tls")


def nginx(folder: Path, *options: str) -> list[str]:
    """The command that runs nginx over what was laid out, in the foreground."""
    assert NGINX is not None
    who = "user root;" if os.geteuid() == 0 else ""  # else its workers could not read a folder of the tests
    return [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", f"daemon off; {who}", *options]


@contextmanager
def proxying(folder: Path, replicas: Sequence[int]) -> Iterator[Proxy]:
    """The shipped proxy before replicas at these ports of this machine."""
    http, https, watched = free_ports(3)
    laid_out(folder, (http, https, watched), replicas)
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(nginx(folder), stdout=out, stderr=err)
    try:
        _wait_for_answer(watched, process, folder / "err")
        yield Proxy(http, https, watched, folder, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _certificate(folder: Path) -> None:
    folder.mkdir()
    asked = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout privkey.pem"
    also = ["-subj", f"/CN={NAME}", "-out", "fullchain.pem", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run(["openssl", *asked.split(), *also], cwd=folder, check=True, capture_output=True)


def _wait_for_answer(port: int, process: "subprocess.Popen[bytes]", err: Path) -> None:
    """An answer, as nginx listens on some ports, and ends again, while another of its ports is taken."""
    for _ in range(200):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/")
            connection.getresponse()
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError(f"nginx does not answer: {err.read_text()}")
