"""As in a Space: no network, a user that may do nothing, a source tree that nobody can write, a home of its own."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

UID = 1000
TOOLS = ("ip", "mount", "unshare", "setpriv", "taskset")
# A namespace of processes too: whatever was started in it ends with it.
UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--")


def obstacle() -> str | None:
    """Say why this machine cannot isolate the rehearsal; None if it can."""
    if sys.platform != "linux":
        return "it needs Linux"
    if os.geteuid() != 0:
        return "it needs root"
    if lacking := [tool for tool in TOOLS if shutil.which(tool) is None]:
        return f"{', '.join(lacking)} not found"
    tried = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False)
    return (tried.stderr.strip().splitlines() or ["unshare failed"])[-1] if tried.returncode else None


@dataclass(frozen=True)
class Place:
    """Where the Space runs: its home (writable), the source tree in it, the interpreter, and how to start it."""

    home: Path
    source: Path
    python: Path
    prefix: tuple[str, ...] = ()


def enclose(source: Path, environment: Path, root: Path) -> Place:
    """Set up the place, inside the namespaces of `UNSHARE`.

    Args:
        source: the folder with the files of the Space; seen in the place at /home/user/app of `root`, read-only.
        environment: the virtual environment; seen beside, read-only too, wherever the checkout is.
        root: an empty folder that user 1000 can reach.
    """
    _run("ip", "link", "set", "lo", "up")
    # All addresses are local: what is called refuses at once, as it does without a route, and the call can be seen.
    _run("ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo")
    subprocess.run(["ip", "-6", "route", "add", "local", "::/0", "dev", "lo"], capture_output=True, check=False)
    _run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(root))
    home, python = root / "home" / "user", root / "python"
    for folder, mounted in ((source, home / "app"), (environment, python)):
        mounted.mkdir(parents=True)
        _run("mount", "-o", "bind,ro", str(folder), str(mounted))
    os.chown(home, UID, UID)
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))
    user = ("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--no-new-privs")
    prefix = (*_uncover((environment / "bin" / "python").resolve().parents[1], root / "base"), *user)
    return Place(home, home / "app", python / "bin" / "python", (*prefix, "taskset", "--cpu-list", cores))


def _uncover(base: Path, held: Path) -> tuple[str, ...]:
    """Say what starts a process that can reach the interpreter behind the environment, wherever it is installed.

    One below a folder that is closed to others (/root/.pyenv) is shown in its place without the rest of that folder,
    to this process alone: Chromium, and what drives it, may well live there too.
    """
    closed = next((folder for folder in (*reversed(base.parents), base) if not folder.stat().st_mode & 0o001), None)
    if closed is None:
        return ()
    held.mkdir()
    _run("mount", "-o", "bind,ro", str(base), str(held))
    script = (
        'mount -t tmpfs -o mode=755 tmpfs "$0" && mkdir -p "$1" && mount -o bind,ro "$2" "$1" && shift 2 && exec "$@"'
    )
    return ("unshare", "--mount", "sh", "-c", script, str(closed), str(base), str(held))


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.strip()}")
