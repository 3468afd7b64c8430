"""`make space`: assembles the Space, starts it as Hugging Face would, visits it, and reports."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from space import isolation
from space.assemble import BUILD, ROOT, assemble
from space.isolation import Place
from space.server import PORT, card, serve
from space.watch import Watch

ENVIRONMENT = ROOT / ".venv-space"
ISOLATED = f"no network, user id {isolation.UID}, two cores, a read-only source tree"
# Chromium looks up hosts of its own for itself; without names, what is on the network is the server's.
_NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


def main(arguments: Sequence[str] | None = None) -> int:
    """Rehearse; return 0, or 1 after a plain line for each thing that went wrong."""
    parser = argparse.ArgumentParser(prog="python -m space.rehearse", description=__doc__)
    parser.add_argument("--picture", help="write what the page looked like at the end to this PNG")
    parser.add_argument("--enclosed", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        if options.enclosed:
            return _rehearse(isolation.enclose(BUILD, ENVIRONMENT, Path(options.enclosed)), options.picture, None)
        assemble()
        install(BUILD / "requirements.txt", card(BUILD).python_version or "3.10")
        return _isolated(options.picture) if (why := isolation.obstacle()) is None else _open(options.picture, why)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def install(requirements: Path, version: str) -> None:
    """Make `ENVIRONMENT` hold the packages of one requirements.txt and nothing else; quick if it does already."""
    chosen = shutil.which(f"python{version}") or sys.executable
    made_from = f"# {chosen}\n{requirements.read_text('utf-8')}"
    stamp = ENVIRONMENT / "made-from.txt"
    if stamp.exists() and stamp.read_text("utf-8") == made_from:
        return
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([chosen, "-m", "venv", str(ENVIRONMENT)], [*pip, "-r", str(requirements)]):
        if status := subprocess.run(command, check=False).returncode:
            raise OSError(f"{' '.join(command)} ended with status {status}")
    stamp.write_text(made_from, "utf-8")


def _isolated(picture: str | None) -> int:
    """Start this module again inside the namespaces."""
    root = Path(tempfile.mkdtemp(prefix="space-", dir="/tmp"))
    root.chmod(0o755)
    options = ["--enclosed", str(root), *(["--picture", picture] if picture else [])]
    try:
        command = [*isolation.UNSHARE, sys.executable, "-m", "space.rehearse", *options]
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    finally:
        root.rmdir()


def _open(picture: str | None, why: str) -> int:
    """Rehearse without isolation."""
    with tempfile.TemporaryDirectory(prefix="space-") as home:
        return _rehearse(Place(Path(home), BUILD, ENVIRONMENT / "bin" / "python"), picture, why)


def _rehearse(place: Place, picture: str | None, obstacle: str | None) -> int:
    from playwright.sync_api import sync_playwright

    from bench.chromium import launch
    from space.visit import Visit, visit

    watch, sizes = None if obstacle else Watch(), _sizes(place.source)
    seen = Visit(f"http://127.0.0.1:{PORT}/")
    with sync_playwright() as play:
        browser = launch(play, _NO_NAMES)
        run = serve(place, watch, lambda began: visit(browser, seen, began, picture))
        browser.close()
    called = list(watch.hosts) if watch else []
    missed = [f"{watch.missed} packets came too fast to be looked at"] if watch and watch.missed else []
    print(f"The Space, rehearsed on port {PORT}")
    for name, value in (
        ("files", sizes),
        ("seconds to the first page", _number(seen.first_page)),
        ("seconds to the first live answer", _number(seen.first_answer)),
        ("peak memory", "not told here" if run.memory is None else f"{run.memory / 1e6:.0f} MB"),
        ("page weight", f"{seen.kilobytes:.0f} kB in {seen.requests} requests"),
        ("hosts contacted", (", ".join([*seen.hosts, *called]) or "none") + ("" if watch else ", by the page alone")),
        ("done, with its effect", ", ".join(seen.done) or "nothing"),
        *(("not rehearsed", reason) for reason in _left_out(place, obstacle)),
    ):
        print(f"  {name:34}{value}", flush=True)
    problems = [*run.problems, *seen.problems, *missed, *(f"the server wants to reach {host}" for host in called)]
    if problems:
        print("The last that the server printed:", *run.log.splitlines()[-20:], sep="\n  ", file=sys.stderr)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


def _left_out(place: Place, obstacle: str | None) -> Iterator[str]:
    """Say what of a Space is not as it would be there."""
    if obstacle:
        yield f"{ISOLATED} ({obstacle})"
    version = card(place.source).python_version
    done = subprocess.run([place.python, "--version"], capture_output=True, text=True, check=True)
    if not done.stdout.split()[-1].startswith(f"{version}."):
        yield f"Python {version}: this is {done.stdout.strip()}"


def _sizes(folder: Path) -> str:
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    largest = max(sizes, key=sizes.__getitem__)
    total, most = sum(sizes.values()) / 1e6, sizes[largest] / 1e6
    return f"{len(sizes)}, {total:.1f} MB, the largest {largest.relative_to(folder)} with {most:.2f} MB"


def _number(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.1f}"


if __name__ == "__main__":
    sys.exit(main())
