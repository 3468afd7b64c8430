"""Which files a Space needs, and a folder with exactly those: what is rehearsed is what is uploaded."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "space"
# Larger files need Git LFS on the Hub.
LARGEST = 10_000_000

# The app with what it reads, and the card. A file that belongs to the app and is not here fails the rehearsal.
PATTERNS = (
    "README.md",
    "LICENSE*",
    "app.py",
    "requirements.txt",
    "seq2seq_demo/**/*",
    "assets/**/*",
    "trained/**/*.keras",
    "trained/*.csv",
    "trained/*.json",
    "data/*.json",
)


def files(root: Path = ROOT) -> list[str]:
    """List what a Space needs, as sorted paths relative to `root`.

    In a git repository these are the tracked files, as they are in the working tree; elsewhere all that match.

    Raises:
        ValueError: a file is too large for a Space, untracked, or tracked and not there; which, and what to do.
    """
    if (root / ".git").exists():
        _refuse(git(root, "ls-files", "--others", "--exclude-standard"), "is not in git: `git add` or remove it")
        _refuse(git(root, "ls-files", "--deleted"), "is in git but not there: restore it or `git rm` it")
        found = git(root, "ls-files")
    else:
        paths = (path for pattern in PATTERNS for path in root.glob(pattern))
        found = [path.relative_to(root).as_posix() for path in paths if path.is_file() and path.suffix != ".pyc"]
    if "app.py" not in found:
        raise ValueError(f"{root} has no app.py: run this in the project's own folder")
    _refuse([name for name in found if (root / name).stat().st_size > LARGEST], "is over 10 MB: a Space takes less")
    return sorted(set(found))


def changed(root: Path = ROOT) -> list[str]:
    """List the files of the Space that are not as the last commit has them; none outside a git repository."""
    return git(root, "diff", "--name-only", "HEAD") if (root / ".git").exists() else []


def commit(root: Path = ROOT) -> str:
    """Name the last commit, shortened; "no commit" outside a git repository."""
    if not (root / ".git").exists():
        return "no commit"
    return _output(root, "rev-parse", "--short", "HEAD").strip()


def assemble(folder: Path = BUILD, root: Path = ROOT) -> list[str]:
    """Make `folder` hold the files of a Space and nothing else; returns their names.

    Raises:
        ValueError: as `files`.
    """
    names = files(root)
    shutil.rmtree(folder, ignore_errors=True)
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target)
    return names


def git(root: Path, *command: str) -> list[str]:
    """Ask git for names among the files of a Space."""
    pathspecs = [f":(glob){pattern}" for pattern in PATTERNS]
    return _output(root, *command, "-z", "--", *pathspecs).split("\0")[:-1]


def _output(root: Path, *command: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"git does not answer: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def _refuse(names: Sequence[str], why: str) -> None:
    if names:
        more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        raise ValueError(f"{names[0]}{more} {why}")
