"""A command as it runs in the image: a plain user, no right, no network, and a root file system that cannot be written.

Made with namespaces of the kernel, without a container engine. Beside that it holds what the systemd units ask for: no
memory both written and executed, and no process of others in /proc.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATE, TEMPORARY = Path("/srv"), Path("/media")
"""Folders that every Debian has and nobody uses: in their place lie the state, and what /tmp is in the image."""

USER = 10001
_SET_UP = """
set -e
ip link set lo up
mount --make-rprivate /
mount --bind "$BUNDLE" "$REPOSITORY/data/snapshot"
mount --bind "$REAL_STATE" /srv
[ "$STATE_MODE" = rw ] || { mount -o remount,bind,ro /srv; mount -t tmpfs -o mode=1777 files /srv/published/files; }
mount -t tmpfs -o mode=1777 temporary /media
awk '{ print $2 }' /proc/self/mounts | sort -u | while read -r place; do
    case "$place" in /srv* | /media | /proc* | /sys* | /dev*) ;; *) mount -o remount,bind,ro "$place" ;; esac
done
mount -t proc -o hidepid=invisible proc /proc
exec setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"
"""
_NO_WRITTEN_CODE = """
import ctypes, os, sys
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0)  # an older kernel does not know it: no matter
os.execvp(sys.argv[1], sys.argv[1:])
"""


def run(
    command: Sequence[str], state: Path, bundle: Path, *, reads_only: bool = False, seconds: float = 600
) -> "subprocess.CompletedProcess[str]":
    """Run it over a state, with other facts in place of the bundled ones; `reads_only` as a dashboard, not a night."""
    language = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    environment = {
        **language,
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": str(TEMPORARY),
        "TMPDIR": str(TEMPORARY),
        "PYTHONDONTWRITEBYTECODE": "1",
        "POLARS_SKIP_CPU_CHECK": "1",
        "BENCHHEALTH_HOME": str(STATE),
        "BUNDLE": str(bundle),
        "REPOSITORY": str(ROOT),
        "REAL_STATE": str(state),
        "STATE_MODE": "ro" if reads_only else "rw",
    }
    user = [f"--map-user={USER}", f"--map-group={USER}", "--keep-caps"]
    apart = ["unshare", "--user", *user, "--mount", "--net", "--pid", "--fork", "--kill-child"]
    inside = ["sh", "-c", _SET_UP, "sandbox", sys.executable, "-c", _NO_WRITTEN_CODE]
    return subprocess.run(
        [*apart, *inside, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


@cache
def why_not() -> str:
    """Why nothing can be run so on this machine; empty where it can."""
    try:
        done = run(["true"], ROOT / "deploy", ROOT / "data" / "snapshot", seconds=60)
    except FileNotFoundError as missing:
        return f"{missing.filename} is not installed"
    return "" if done.returncode == 0 else f"no namespaces: {done.stderr.strip()}"
