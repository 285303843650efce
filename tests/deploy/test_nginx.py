"""nginx itself reads the shipped configuration, alone and within a machine's own, and finds nothing to say."""

import subprocess
from pathlib import Path

from tests.support.ports import free_ports
from tests.support.proxy import laid_out, needs_nginx, nginx

pytestmark = needs_nginx
MACHINES_OWN = """
pid /tmp/nginx.pid;
error_log stderr;
events {}
http { include mime.types; ssl_protocols TLSv1.2 TLSv1.3; gzip on; include benchhealth/benchhealth.conf; }
"""


def complaint_of(folder: Path) -> str:
    done = subprocess.run(nginx(folder, "-t"), capture_output=True, text=True, check=False)
    return done.stderr


def is_well(answer: str) -> bool:
    return "test is successful" in answer and "[warn]" not in answer


def test_it_is_read_without_a_warning(tmp_path: Path) -> None:
    laid_out(tmp_path, free_ports(3), (8501, 8502))
    answer = complaint_of(tmp_path)
    assert is_well(answer), answer
    config = tmp_path / "benchhealth" / "benchhealth.conf"
    config.write_text(config.read_text().replace("limit_conn ", "limit_con "))
    assert not is_well(complaint_of(tmp_path))


def test_it_can_be_included_in_the_configuration_of_a_machine(tmp_path: Path) -> None:
    config = tmp_path / "own.conf"
    config.write_text(MACHINES_OWN)
    laid_out(tmp_path, free_ports(3), (8501, 8502), main=config)
    answer = complaint_of(tmp_path)
    assert is_well(answer), answer


def test_replicas_of_compose_are_read_where_their_names_are_known(tmp_path: Path) -> None:
    """The proxy of compose.yaml gets them by extra_hosts; here they stand for this machine."""
    laid_out(tmp_path, free_ports(3), "replicas-compose.conf")
    config = tmp_path / "benchhealth-replicas.conf"
    assert "host not found" in complaint_of(tmp_path)
    config.write_text(config.read_text().replace("dashboard-1", "127.0.0.1").replace("dashboard-2", "127.0.0.2"))
    assert is_well(complaint_of(tmp_path))
