"""promtool reads the configuration and the alarms, and each alarm rings when it should and not before."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

PROMETHEUS = Path(__file__).resolve().parents[2] / "deploy" / "prometheus"
RULES = [rule for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
ALARMS = [rule["alert"] for rule in RULES]
A, B = ('{job="benchhealth",instance="a"}', '{job="benchhealth",instance="b"}')
RINGING = {
    "BenchhealthDown": {f"up{A}": "0x60", f"up{B}": "0x60"},
    "BenchhealthReplicaDown": {f"up{A}": "0x60", f"up{B}": "1x60"},
    "BenchhealthNothingToShow": {f"benchhealth_generation_readable{A}": "0x60"},
    "BenchhealthOtherGeneration": {f"benchhealth_generation_in_service{A}": "0x60"},
    "BenchhealthNoNewGeneration": {
        f"benchhealth_generation_age_seconds{A}": "300000+60x60",
        f"benchhealth_generation_age_seconds{B}": "60+60x60",
    },
    "BenchhealthGenerationsUnreached": {f"benchhealth_generations_unreached_seconds{A}": "5000+60x60"},
    "BenchhealthHandNeeded": {'benchhealth_hand_needed{job="benchhealth",instance="a",reason="no-night"}': "1x60"},
    "BenchhealthNothingSaidOfNights": {f"up{A}": "1x2300", f"up{B}": "0x2300"},
    "BenchhealthRunTooLong": {f"benchhealth_run_started_timestamp_seconds{A}": "-20000x60"},
    "BenchhealthSlow": {
        f'benchhealth_rerun_seconds_bucket{A[:-1]},le="{le}"}}': f"0+{each}x60"
        for le, each in (("1.0", 1), ("2.5", 2), ("5.0", 10), ("+Inf", 10))
    },
    "BenchhealthMemory": {f"process_resident_memory_bytes{A}": "1800000000x60"},
}
LATE = {"BenchhealthNothingSaidOfNights": "37h"}
WELL = {
    f"up{A}": "1x60",
    f"up{B}": "0x8 1x51",  # restarted
    f"benchhealth_generation_readable{A}": "1x60",
    f"benchhealth_generation_readable{B}": "0x60",
    f"benchhealth_generation_in_service{A}": "1x60",
    f"benchhealth_generation_age_seconds{A}": "90000+60x60",
    f"benchhealth_generations_unreached_seconds{A}": "0x60",
    'benchhealth_hand_needed{job="benchhealth",instance="a",reason="no-night"}': "0x60",
    'benchhealth_phase_last_success_timestamp_seconds{job="benchhealth",instance="a",phase="ingest"}': "0x60",
    f"benchhealth_run_started_timestamp_seconds{A}": "0x60",
    f'benchhealth_rerun_seconds_bucket{A[:-1]},le="0.5"}}': "0+10x60",
    f'benchhealth_rerun_seconds_bucket{A[:-1]},le="+Inf"}}': "0+10x60",
    f"process_resident_memory_bytes{A}": "700000000x60",
}
with_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed (Debian: prometheus)"
)


def promtool(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False, timeout=60)


def played(
    series: dict[str, str], expr: str, expected: list[dict[str, Any]], evaluated_at: str = "58m"
) -> dict[str, Any]:
    """These series, a value a minute; by then the expression has these samples."""
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{"expr": expr, "eval_time": evaluated_at, "exp_samples": expected}],
    }


@with_promtool
def test_promtool_reads_it() -> None:
    done = promtool("check", "config", PROMETHEUS / "prometheus.yml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(ALARMS)} rules found" in done.stdout


@with_promtool
def test_each_alarm_rings_when_it_should_and_none_while_all_is_well(tmp_path: Path) -> None:
    assert set(RINGING) == set(ALARMS)
    count = 'count(ALERTS{{alertname="{}",alertstate="firing"}})'
    rung = [
        played(series, count.format(name), [{"value": 1}], LATE.get(name, "58m")) for name, series in RINGING.items()
    ]
    silent = played(WELL, 'count(ALERTS{alertstate="firing"})', [])
    tests = tmp_path / "tests.yml"
    document = {"rule_files": [str(PROMETHEUS / "alerts.yml")], "evaluation_interval": "1m", "tests": [*rung, silent]}
    tests.write_text(yaml.safe_dump(document))
    done = promtool("test", "rules", tests)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_dashboard_publishes_what_alarms_ask_for() -> None:
    metrics = PROMETHEUS.parents[1] / "dashboard" / "serving" / "operating"
    asked = set(re.findall(r"benchhealth_\w+", " ".join(rule["expr"] for rule in RULES)))
    source = "".join(file.read_text() for file in metrics.glob("*.py"))
    assert [name for name in asked if f'"{name.removesuffix("_bucket")}"' not in source] == []
