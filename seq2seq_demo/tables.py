"""Texts in a file, as lines, CSV or Parquet: read in chunks, and written again with their answers beside them."""

import csv
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, TextIO

from seq2seq_demo.answers import COLUMNS, Answers

if TYPE_CHECKING:
    import pyarrow as pa

# Rows that are answered together: more would not be faster, and memory stays what a few chunks need.
CHUNK_ROWS = 2048
STANDARD_INPUT = "-"
# Bytes that are not UTF-8 become unknown symbols for the model, and leave as they came.
_ENCODING: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape"}
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


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


def form_of(file: str) -> str:
    """The form a file's suffix says it has: "CSV", "Parquet", and for any other "lines"."""
    return {".csv": Csv.form, ".parquet": Parquet.form, ".pq": Parquet.form}.get(Path(file).suffix.lower(), Lines.form)


def open_table(file: str, column: str | None = None) -> "Lines | Csv | Parquet":
    """Open a file in the form its suffix says; see `form_of`.

    Args:
        file: its path, or "-" for lines from standard input.
        column: which column holds the text, for CSV and Parquet.

    Raises:
        ValueError: if the column is not there, or one that would be added already is.
        OSError: if the file cannot be read.
    """
    form = form_of(file)
    if form == Csv.form:
        return Csv(Path(file), column)
    if form == Parquet.form:
        return Parquet(Path(file), column)
    if column is not None:
        raise ValueError(f"{file} is read line by line and has no columns; --column is for .csv and .parquet files")
    return Lines(file)


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
        self._place = _find_column(path, self.header, column)

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


class Parquet:
    """A Parquet file; what it holds keeps its types."""

    form = "Parquet"

    def __init__(self, path: Path, column: str | None):
        try:
            import pyarrow.parquet  # noqa: F401
        except ModuleNotFoundError as error:
            raise ValueError(
                "Parquet files need pyarrow; run `pip install pyarrow` or `pip install 'seq2seq-demo[parquet]'`"
            ) from error
        self.path = path
        with self._opened() as file:
            self._schema, self._count = file.schema_arrow, file.metadata.num_rows
        self._place = _find_column(path, self._schema.names, column)
        _as_texts(path, self._schema.empty_table().column(self._place))

    def chunks(self) -> Iterator[Chunk]:
        """See `Table`."""
        import pyarrow as pa

        with self._opened() as file:
            waiting: list[pa.RecordBatch] = []
            rows = 0
            # A batch may end where a row group does; a chunk does not.
            for batch in chain(file.iter_batches(CHUNK_ROWS), [None]):
                if batch is not None:
                    waiting.append(batch)
                    rows += batch.num_rows
                while rows >= CHUNK_ROWS or (batch is None and rows):
                    table = pa.Table.from_batches(waiting, self._schema)
                    yield self._chunk(table.slice(0, CHUNK_ROWS))
                    waiting = table.slice(CHUNK_ROWS).to_batches()
                    rows = max(rows - CHUNK_ROWS, 0)

    def count(self) -> int | None:
        """See `Table`."""
        return self._count

    def write(self, answered: Answered, path: Path, *, first: bool) -> None:
        """See `Table`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        tables = [self._with_answers(chunk.rows, answers) for chunk, answers in answered]
        pq.write_table(pa.concat_tables([self._written_schema().empty_table(), *tables]).unify_dictionaries(), path)

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """See `Table`."""
        import pyarrow.parquet as pq

        with pq.ParquetWriter(path, self._written_schema()) as writer:
            for part in parts:
                writer.write_table(pq.read_table(part, partitioning=None, schema=self._written_schema()))

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self.path.open("rb") as stream:
            try:
                # Read as it is used: a file may be one row group larger than the memory.
                file = pq.ParquetFile(stream, pre_buffer=False, buffer_size=2**20)
            except (pa.ArrowException, OSError) as error:
                raise ValueError(f"{self.path.name} is not a Parquet file: {_first_line(error)}") from error
            try:
                yield file
            except (pa.ArrowException, OSError) as error:
                raise ValueError(f"{self.path.name} cannot be read: {_first_line(error)}") from error

    def _chunk(self, rows: "pa.Table") -> Chunk:
        return Chunk(rows, _as_texts(self.path, rows.column(self._place)))

    def _written_schema(self) -> "pa.Schema":
        import pyarrow as pa

        types = (pa.string(), pa.float64(), pa.string(), pa.bool_())
        schema = self._schema
        for name, kind in zip(COLUMNS, types, strict=True):
            schema = schema.append(pa.field(name, kind))
        return schema

    def _with_answers(self, rows: "pa.Table", answers: Answers) -> "pa.Table":
        import pyarrow as pa

        schema = self._written_schema()
        added = [
            pa.array(cells, schema.field(name).type) for name, cells in zip(COLUMNS, answers.columns(), strict=True)
        ]
        return pa.Table.from_arrays([*rows.columns, *added], schema=schema)


def _find_column(path: Path, names: Sequence[str], column: str | None) -> int:
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


def _as_texts(path: Path, column: "pa.ChunkedArray") -> list[str | None]:
    import pyarrow as pa

    try:
        return column.cast(pa.string()).to_pylist()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise ValueError(f"the column of {path.name} holds {column.type}, which is no text") from error


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


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
