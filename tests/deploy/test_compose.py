"""compose.yaml fits the schema of Compose, and every service has the limits and the health check that fit it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DASHBOARDS = sorted(name for name in SERVICES if name.startswith("dashboard-"))


def schema_says(file: Path) -> "subprocess.CompletedProcess[str]":
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    return subprocess.run(check, capture_output=True, text=True, check=False)


def interpolated(text: str) -> str:
    """With the defaults of all variables, as Compose reads it."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def test_it_fits_the_schema_of_compose(tmp_path: Path) -> None:
    done = schema_says(DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("read_only: true", "readonly: true"))
    assert schema_says(wrong).returncode != 0


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_has_more_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"] and "cap_add" not in service and "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert int(service["user"].partition(":")[0]) > 0
    assert service["restart"] == "unless-stopped" and service["init"] is True
    assert {"mem_limit", "pids_limit", "tmpfs"} <= service.keys()
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_is_pinned_and_every_health_check_is_of_its_service(name: str) -> None:
    service = SERVICES[name]
    assert "build" in service or re.fullmatch(r"[\w/]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}", service["image"])
    check = service["healthcheck"]
    assert check["test"][0] == "CMD" and {"interval", "timeout"} <= check.keys()
    asked = {"nightly": "nights.sh", "proxy": ":8081/proxy", "postgres": "pg_isready", "prometheus": ":9090/-/healthy"}
    assert asked.get(name, ":8501/readyz") in " ".join(check["test"])


def test_only_the_night_writes_the_state_and_only_it_reaches_out() -> None:
    assert len(DASHBOARDS) > 1
    for name in DASHBOARDS:
        assert SERVICES[name]["volumes"][0] == "state:/state:ro"
        assert list(SERVICES[name]["networks"]) == ["back"]
    assert len({SERVICES[name]["volumes"][1] for name in DASHBOARDS}) == len(DASHBOARDS)
    assert [name for name, service in SERVICES.items() if "state:/state" in service.get("volumes", ())] == ["nightly"]
    assert [name for name, service in SERVICES.items() if "out" in service["networks"]] == ["nightly"]
    assert COMPOSE["networks"]["back"]["internal"] is True


def test_the_night_can_keep_facts_and_generations_elsewhere() -> None:
    night = SERVICES["nightly"]["environment"]
    shared = {
        "BENCHHEALTH_STORE",
        "BENCHHEALTH_STORE_DATA",
        "BENCHHEALTH_GENERATIONS",
        "AWS_ACCESS_KEY_ID",
        "PGPASSWORD",
    }
    assert {name: night.get(name) for name in shared} == {name: f"${{{name}:-}}" for name in shared}
    assert set(SERVICES["postgres"]["networks"]) <= set(SERVICES["nightly"]["networks"])
    for name in ("nightly", *DASHBOARDS):
        lock = interpolated(SERVICES[name]["build"]["args"]["LOCK"])
        assert lock == "requirements.lock" and (DEPLOY.parent / lock).exists()


def test_what_is_named_is_there() -> None:
    mounted = [interpolated(volume) for service in SERVICES.values() for volume in service.get("volumes", ())]
    named = {volume.partition(":")[0] for volume in mounted}
    assert {name for name in named if re.fullmatch(r"[a-z0-9-]+", name)} == COMPOSE["volumes"].keys()
    assert [name for name in named if name.startswith("./") and not (DEPLOY / name).exists()] == []
    assert {network for service in SERVICES.values() for network in service["networks"]} == COMPOSE["networks"].keys()
    assert all(each in SERVICES for service in SERVICES.values() for each in service.get("depends_on", ()))


def test_the_proxy_finds_every_replica() -> None:
    addresses = {name: interpolated(SERVICES[name]["networks"]["back"]["ipv4_address"]) for name in DASHBOARDS}
    assert dict(map(lambda line: interpolated(line).split(":"), SERVICES["proxy"]["extra_hosts"])) == addresses
    replicas = re.findall(
        r"^server (\S+):8501 ", (DEPLOY / "nginx" / "replicas-compose.conf").read_text(), re.MULTILINE
    )
    assert sorted(replicas) == DASHBOARDS
    for name in DASHBOARDS:
        hosts = interpolated(SERVICES[name]["environment"]["BENCHHEALTH_HOSTS"]).split(",")
        assert hosts == ["benchhealth.example.org", *DASHBOARDS]
    proxy = SERVICES["proxy"]["networks"]["back"]["ipv4_address"]
    assert SERVICES[DASHBOARDS[0]]["environment"]["FORWARDED_ALLOW_IPS"] == proxy
