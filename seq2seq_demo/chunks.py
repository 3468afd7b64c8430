"""What the forms of files have in common: rows in chunks, and the column that holds their text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from seq2seq_demo.answers import COLUMNS, Answers

# Rows that are answered together: more would not be faster, and memory stays what a few chunks need.
CHUNK_ROWS = 2048


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file.

    Attributes:
        rows: as the file's form has them: lists of cells, or an Arrow table.
        texts: the text of each row; None for a null.
    """

    rows: Any
    texts: list[str | None]


Answered = Iterable[tuple[Chunk, Answers]]


class Table(Protocol):
    """A file of texts. All rows of a chunk but the last are `CHUNK_ROWS`, whoever reads it, whenever."""

    form: str

    def chunks(self) -> Iterator[Chunk]:
        """The rows from the first on."""

    def count(self) -> int | None:
        """How many rows there are, about: for a progress bar. None if that cannot be known beforehand."""

    def write(self, answered: Answered, path: Path, *, first: bool) -> None:
        """Write a part of the output; the first has what stands above the rows."""

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """Make the output of its parts."""


def find_column(path: Path, names: Sequence[str], column: str | None) -> int:
    """The place of the column that holds the text.

    Raises:
        ValueError: if it is not there, or one that would be added already is; what there is.
    """
    listed = ", ".join(names)
    if column is None:
        raise ValueError(f"name the column of {path.name} that holds the text with --column; it has: {listed}")
    if names.count(column) != 1:
        number = "no column is" if column not in names else "several columns are"
        raise ValueError(f"{number} named {column!r} in {path.name}; it has: {listed}")
    taken = [name for name in COLUMNS if name in names]
    if taken:
        raise ValueError(f"{path.name} already has a column {taken[0]!r}, which would be added; rename it first")
    return names.index(column)
