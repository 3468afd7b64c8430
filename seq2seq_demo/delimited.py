"""Texts as lines or CSV: read in chunks, and written again with their answers beside them."""

import csv
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, TextIO

from seq2seq_demo.answers import COLUMNS
from seq2seq_demo.chunks import CHUNK_ROWS, Answered, Chunk, find_column

STANDARD_INPUT = "-"
# Bytes that are not UTF-8 become unknown symbols for the model, and leave as they came.
_ENCODING: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape"}
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


class _Delimited:
    """What lines and CSV share: a table as text, its rows lists of cells."""

    header: list[str]
    delimiter: str
    line_end = "\n"
    mark = ""

    def print(self, answered: Answered, stream: TextIO, *, first: bool = True) -> None:
        """Write rows to an open stream, each chunk as soon as it is there."""
        writer = csv.writer(stream, delimiter=self.delimiter, lineterminator=self.line_end)
        if first:
            stream.write(self.mark)
            writer.writerow([*self.header, *COLUMNS])
        for chunk, answers in answered:
            cells = zip(*answers.columns(), strict=True)
            writer.writerows([*row, *_shown(*found)] for row, found in zip(chunk.rows, cells, strict=True))
            stream.flush()

    def write(self, answered: Answered, path: Path, *, first: bool) -> None:
        """See `Table`."""
        with path.open("w", newline="", **_ENCODING) as file:
            self.print(answered, file, first=first)

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """See `Table`."""
        with path.open("wb") as whole:
            for part in parts:
                with part.open("rb") as file:
                    shutil.copyfileobj(file, whole)


class Lines(_Delimited):
    """A text a line; written as a table of tab-separated values."""

    form = "lines"
    header, delimiter = ["text"], "\t"

    def __init__(self, file: str):
        self.file = file
        with self._opened():
            pass  # a file that is not there is told before a model is loaded

    def chunks(self) -> Iterator[Chunk]:
        """See `Table`."""
        with self._opened() as stream:
            lines = (line.rstrip("\r\n") for line in stream)
            while texts := list(islice(lines, CHUNK_ROWS)):
                yield Chunk([[text] for text in texts], [*texts])

    def count(self) -> int | None:
        """See `Table`."""
        return None if self.file == STANDARD_INPUT else _count_line_ends(Path(self.file))

    @contextmanager
    def _opened(self) -> Iterator[TextIO]:
        if self.file == STANDARD_INPUT:
            sys.stdin.reconfigure(newline="\n", **_ENCODING)  # type: ignore[union-attr]
            yield sys.stdin
        else:
            with Path(self.file).open(newline="\n", **_ENCODING) as file:
                yield file


class Csv(_Delimited):
    """Comma-separated values under a header; short rows are filled up, empty lines are no rows."""

    form = "CSV"
    delimiter = ","

    def __init__(self, path: Path, column: str | None):
        self.path = path
        with path.open(newline="", **_ENCODING) as file:
            first_line = file.readline()
        if not first_line.strip():
            raise ValueError(f"{path.name} has no header; a first line with the columns' names is expected")
        # Excel marks its files so, and knows them again by it.
        self.mark = _BOM if first_line.startswith(_BOM) else ""
        self.line_end = "\r\n" if first_line.endswith("\r\n") else "\n"
        with self._rows() as rows:
            self.header = next(rows)
        self._place = find_column(path, self.header, column)

    def chunks(self) -> Iterator[Chunk]:
        """See `Table`."""
        size = len(self.header)
        with self._rows() as rows:
            next(rows)
            filled = (row + [""] * (size - len(row)) for row in rows if row)
            while chunk := list(islice(filled, CHUNK_ROWS)):
                yield Chunk(chunk, [row[self._place] for row in chunk])

    def count(self) -> int | None:
        """See `Table`."""
        return _count_line_ends(self.path)

    @contextmanager
    def _rows(self) -> Iterator[Iterator[list[str]]]:
        with self.path.open(newline="", **_ENCODING) as file:
            file.seek(0)
            yield self._checked(csv.reader(_without_mark(file)))

    def _checked(self, reader: Any) -> Iterator[list[str]]:
        size = None
        try:
            for row in reader:
                size = size or len(row)
                if len(row) > size:
                    raise ValueError(
                        f"{self.path.name}, line {reader.line_num}: {len(row)} fields under a header of {size}; "
                        "a field with a comma in it must stand in quotes"
                    )
                yield row
        except csv.Error as error:
            # Most often a quote that is never closed: all that follows would be one field.
            raise ValueError(f"{self.path.name}, line {reader.line_num}: {error}; is a quote not closed?") from error


def _shown(translation: str | None, probability: float | None, expected: str | None, agrees: bool | None) -> list[str]:
    likely = "" if probability is None else f"{probability:.6f}"
    return [translation or "", likely, expected or "", "" if agrees is None else "yes" if agrees else "no"]


def _without_mark(file: IO[str]) -> Iterator[str]:
    for number, line in enumerate(file):
        yield line.removeprefix(_BOM) if number == 0 else line


def _count_line_ends(path: Path) -> int | None:
    if not path.is_file():  # a named pipe can be read only once
        return None
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))
