"""Texts in a Parquet file: read in chunks, and written again with their answers beside them, all types kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seq2seq_demo.answers import COLUMNS, Answers
from seq2seq_demo.chunks import CHUNK_ROWS, Answered, Chunk, find_column

if TYPE_CHECKING:
    import pyarrow as pa


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
        self._place = find_column(path, self._schema.names, column)
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


def _as_texts(path: Path, column: "pa.ChunkedArray") -> list[str | None]:
    import pyarrow as pa

    try:
        return column.cast(pa.string()).to_pylist()
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise ValueError(f"the column of {path.name} holds {column.type}, which is no text") from error


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
