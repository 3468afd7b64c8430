"""Reads, writes and verifies trained/: the weights, how each was made, and the measured tables."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seq2seq_demo.files import TRAINED

if TYPE_CHECKING:
    import keras

MANIFEST = "manifest.json"


class ArtefactError(ValueError):
    """A file of trained/ is missing, cut short or altered."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One weights file of the manifest."""

    name: str
    training: str
    width: int
    epoch: int
    seed: int
    parameters: int
    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What trained/ holds and how it was made.

    Attributes:
        made: command, date, library versions.
        budgets: for each training set, its training budget, with the published epoch.
        weights: every weights file.
    """

    made: dict[str, Any]
    budgets: dict[str, dict[str, Any]]
    weights: tuple[Weights, ...]

    def find(self, name: str, training: str, width: int, epoch: int | None = None) -> Weights:
        """The weights of a model; epoch None is the published one.

        Raises:
            ValueError: if there are none; the message lists what exists.
        """
        published = self.budgets.get(training, {}).get("published_epoch")
        wanted_fields = {
            "name": name,
            "training": training,
            "width": width,
            "epoch": published if epoch is None else epoch,
        }
        left = self.weights
        for field, wanted in wanted_fields.items():
            matching = tuple(entry for entry in left if getattr(entry, field) == wanted)
            if not matching:
                choices = ", ".join(map(str, dict.fromkeys(getattr(entry, field) for entry in left)))
                label = {"name": "model", "training": "training set"}.get(field, field)
                raise ValueError(f"{label} {wanted!r} does not exist; choose one of: {choices}")
            left = matching
        return left[0]

    def widths(self, training: str) -> list[int]:
        """The widths at which a training set's models are kept, ascending."""
        return sorted({entry.width for entry in self.weights if entry.training == training})

    def epochs(self, name: str, training: str, width: int) -> list[int]:
        """The epochs at which a model's weights are kept, ascending."""
        line = (name, training, width)
        return sorted(w.epoch for w in self.weights if (w.name, w.training, w.width) == line)


@lru_cache(maxsize=8)
def read_manifest(folder: Path = TRAINED) -> Manifest:
    """Read trained/manifest.json.

    Raises:
        ArtefactError: if it is missing or not what was written.
    """
    path, shown = folder / MANIFEST, f"{folder.name}/{MANIFEST}"
    try:
        content = json.loads(path.read_text("utf-8"))
        weights = tuple(Weights(**entry) for entry in content["weights"])
        return Manifest(content["made"], content["budgets"], weights)
    except FileNotFoundError:
        raise ArtefactError(
            f"{shown} is missing; restore {folder.name}/ from the repository or run `make train`"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise ArtefactError(f"{shown} cannot be read ({error}); restore it from the repository") from error


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Write the manifest, whole or not at all."""
    content = {
        "made": manifest.made,
        "budgets": manifest.budgets,
        "weights": [asdict(entry) for entry in manifest.weights],
    }
    with written_whole(folder / MANIFEST) as path:
        path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def verify(entry: Weights, folder: Path = TRAINED) -> Path:
    """Check a weights file against the manifest and return its path.

    Raises:
        ArtefactError: saying plainly whether the file is missing, cut short or altered.
    """
    # Without the folder's own place: the page shows these messages to anybody.
    path, shown = folder / entry.file, f"{folder.name}/{entry.file}"
    remedy = "restore it from the repository or run `make train`"
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ArtefactError(f"{shown} is missing; {remedy}") from None
    if len(content) < entry.bytes:
        raise ArtefactError(f"{shown} is cut short: {len(content)} of {entry.bytes} bytes; {remedy}")
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise ArtefactError(f"{shown} was altered: its sha256 is not the manifest's; {remedy}")
    return path


def load_weights(entry: Weights, folder: Path = TRAINED) -> "keras.Model":
    """Verify a weights file and load it as the Keras model it is.

    Raises:
        ArtefactError: see `verify`.
    """
    path = verify(entry, folder)
    import keras

    return keras.saving.load_model(path, compile=False)


def save_weights(model: "keras.Model", name: str, training: str, width: int, epoch: int, folder: Path) -> None:
    """Save a trained model as a Keras file, without its optimizer."""
    from seq2seq_demo.models import build  # here, because it imports Keras: the page reads manifests before that

    # A fresh model was never compiled, so no optimizer state goes into the file.
    fresh = build(name, width)
    fresh.set_weights(model.get_weights())
    with written_whole(folder / _file(name, training, width, epoch)) as path:
        fresh.save(path)


def describe_weights(name: str, training: str, width: int, epoch: int, seed: int, folder: Path) -> Weights:
    """The manifest entry of weights that were saved in `folder`."""
    from seq2seq_demo.models import count_parameters

    file = _file(name, training, width, epoch)
    content = (folder / file).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return Weights(name, training, width, epoch, seed, count_parameters(name, width), file, len(content), digest)


def _file(name: str, training: str, width: int, epoch: int) -> str:
    return f"{training}/{name}-{width}/epoch-{epoch:03}.keras"


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to, and move it there only if nothing failed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Keras decides the format by the suffix, so that stays.
    unfinished = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def replace_folder(new: Path, old: Path, keep: Iterable[str] = ()) -> None:
    """Put a finished folder in the place of an old one, keeping the named files of the old."""
    for file in keep:
        if (old / file).exists():
            shutil.copy2(old / file, new / file)
    aside = old.with_name(f".{old.name}-replaced")
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.replace(aside)
    new.replace(old)
    shutil.rmtree(aside, ignore_errors=True)
