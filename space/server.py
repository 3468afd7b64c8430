"""The rehearsed Space's server: started with what Hugging Face sets, looked after, measured, ended."""

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import SpaceCard, SpaceCardData

from space.isolation import Place
from space.watch import Watch

PORT = 7860
NAME = "someone/sequence-to-sequence"
# Seconds; a Space itself is given half an hour.
_START_LIMIT = 600


@dataclass(frozen=True)
class Run:
    """What the server did while it was visited.

    Attributes:
        memory: most bytes ever resident, of the process and its children together; None where that is not told.
        log: what it printed.
        problems: what went wrong, a line each.
    """

    memory: int | None
    log: str
    problems: list[str]


def card(folder: Path) -> SpaceCardData:
    """Read the front matter of a folder's README.md."""
    return SpaceCard.load(folder / "README.md").data


def surroundings(place: Place, settings: SpaceCardData) -> dict[str, str]:
    """Give all the environment variables of a Space on two cores without a GPU.

    Sources: huggingface.co/docs/hub/spaces-overview, "Helper environment variables", and the Gradio image's own.
    """
    owner, name = NAME.split("/")
    host = f"{owner}-{name}".lower()
    return {
        "HOME": str(place.home),
        "TMPDIR": str(place.home / "tmp"),
        "PATH": f"{place.python.parent}:/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(place.source),
        "PYTHONUNBUFFERED": "1",
        "SYSTEM": "spaces",
        "SPACE_ID": NAME,
        "SPACE_HOST": f"{host}.hf.space",
        "SPACE_SUBDOMAIN": host,
        "SPACE_AUTHOR_NAME": owner,
        "SPACE_REPO_NAME": name,
        "SPACE_TITLE": settings.title or name,
        "SPACE_CREATOR_USER_ID": "0123456789abcdef01234567",
        "ACCELERATOR": "none",
        "CPU_CORES": "2",
        "MEMORY": "16Gi",
        "GRADIO_SERVER_NAME": "0.0.0.0",
        "GRADIO_SERVER_PORT": str(PORT),
        "GRADIO_NUM_PORTS": "1",
        "GRADIO_SSR_MODE": "true",
        "GRADIO_ALLOW_FLAGGING": "never",
        "GRADIO_THEME": "huggingface",
        "TQDM_POSITION": "-1",
        "TQDM_MININTERVAL": "1",
    }


def serve(place: Place, watch: Watch | None, visit: Callable[[float], None]) -> Run:
    """Start the app of a Space, have it visited as soon as it accepts connections, and end it.

    Args:
        place: where it runs.
        watch: looks at the network meanwhile.
        visit: is called with the time of the start, on the clock of `time.monotonic`.
    """
    if _accepts():
        raise OSError(f"port {PORT} is in use: stop what listens there")
    settings, before = card(place.source), _state(place.source)
    (place.home / "tmp").mkdir(mode=0o777)
    (place.home / "tmp").chmod(0o777)
    command = [*place.prefix, str(place.python), str(settings.app_file)]
    environment = surroundings(place, settings)
    problems = []
    looking: AbstractContextManager = watch or nullcontext()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log, looking:
        began = time.monotonic()
        server = subprocess.Popen(
            command, cwd=place.source, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            if _comes_up(server, began):
                visit(began)
                _wait_until_quiet(server.pid)
            if server.poll() is None:
                memory = peak_memory(server.pid)
            else:
                memory = None
                problems.append(f"{settings.app_file} ended with status {server.returncode}")
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
        log.seek(0)
        text = log.read()
    if "Traceback (most recent call last)" in text:
        problems.append(f"{settings.app_file} printed a traceback")
    written = sorted({name for name, _, _ in _state(place.source) ^ before})
    problems += [f"written into the source tree: {name}" for name in written]
    return Run(memory, text, problems)


def _comes_up(server: subprocess.Popen, began: float) -> bool:
    while server.poll() is None and not _accepts():
        if time.monotonic() - began > _START_LIMIT:
            raise OSError(f"nothing listens on port {PORT} after {_START_LIMIT} s")
        time.sleep(0.02)
    return server.poll() is None


def _accepts() -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", PORT)) == 0


def _wait_until_quiet(pid: int, seconds: float = 90) -> None:
    """Wait until the process computes no more: what is compiled in the background needs memory too."""
    if not Path("/proc").is_dir():
        return
    ends = time.monotonic() + seconds
    before = -1.0
    while time.monotonic() < ends and (now := _computed(pid)) - before > 0.2:
        before = now
        time.sleep(2)


def _computed(pid: int) -> float:
    """Give the processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> int | None:
    """Give the most bytes that were ever resident, of a process and its children together; None without /proc."""
    if not Path("/proc").is_dir():
        return None
    processes = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            processes[int(path.parent.name)] = dict(line.split(":\t", 1) for line in path.read_text().splitlines())
        except (OSError, ValueError):
            continue  # it has ended meanwhile
    return _family(pid, processes)


def _family(pid: int, processes: Mapping[int, Mapping[str, str]]) -> int:
    """Sum up the peaks of a process and all below it; the kernel tells them as "1234 kB"."""
    own = 1024 * int(processes[pid].get("VmHWM", "0 kB").split()[0])
    return own + sum(_family(other, processes) for other, of in processes.items() if int(of["PPid"]) == pid)


def _state(folder: Path) -> set[tuple[str, int, int]]:
    """Name every file with its size and time of change; what Python keeps of its own is as good as not there."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    found = ((path.relative_to(folder).as_posix(), path.stat()) for path in paths)
    return {(name, stat.st_size, stat.st_mtime_ns) for name, stat in found}
