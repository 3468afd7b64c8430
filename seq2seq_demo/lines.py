"""Answers files of any length: in chunks, in bounded memory, and going on where an interrupted run was."""

import json
import os
import shutil
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from seq2seq_demo import artefacts, lines_on_ray
from seq2seq_demo.answers import Answers, Settings, answer
from seq2seq_demo.chunks import CHUNK_ROWS, Answered, Chunk, Table
from seq2seq_demo.delimited import STANDARD_INPUT
from seq2seq_demo.parquet import Parquet
from seq2seq_demo.tables import form_of, open_table

# A finished part is kept when a run is interrupted; a part is also a Parquet file's row group.
PART_CHUNKS = 8
# Chunks that are read and answered while one is written.
_AHEAD = 3
_RUN = "run.json"


class Job:
    """One file to answer.

    Args:
        file: its path, or "-" for lines from standard input; its form as in `tables.form_of`.
        column: the column that holds the text, for CSV and Parquet.
        settings: which model answers.
        ray: None answers in this process; else a Ray cluster's address, or "local" (`on_ray.connect`).
        on_rows: called with a number of rows each time so many are answered.

    Raises:
        ValueError: if the file, its column, the model or the beam width cannot be; a line that says why.
        OSError: if the file cannot be read.
    """

    def __init__(
        self,
        file: str,
        column: str | None = None,
        settings: Settings | None = None,
        *,
        ray: str | None = None,
        on_rows: Callable[[int], Any] = lambda rows: None,
    ):
        if ray is not None and file == STANDARD_INPUT:
            raise ValueError("Ray's workers cannot read this process's standard input; name a file")
        self.file, self.column, self.settings = file, column, settings or Settings()
        self.table = open_table(file, column)
        self._ray, self._on_rows = ray, on_rows
        self._model = self.settings.load()

    def to_stream(self, stream: TextIO) -> None:
        """Write the answered table to an open text stream, chunk by chunk.

        Raises:
            ValueError: for Parquet, which is no text.
        """
        if isinstance(self.table, Parquet):
            raise ValueError("a Parquet file is not written to a pipe; name the output with -o")
        with self._answered(0) as answered:
            self.table.print(answered, stream)

    def to_file(self, output: Path, on_note: Callable[[str], Any] = lambda note: None) -> None:
        """Write the answered table to a file, whole or not at all.

        Until then finished parts lie in a folder beside it (`unfinished`). The same job goes on after
        them; a job with another input, column or model removes them and starts anew.

        Args:
            output: the file, with the suffix of the input's form.
            on_note: called with a line that says so if there are parts of an earlier run.

        Raises:
            ValueError: if the output has another form than the input, or is the input, or the input
                changes while it is read.
        """
        self._check(output)
        folder, before = unfinished(output), self._record()
        parts = _kept(folder, before, on_note)
        _write_parts(self.table, self._answered, folder, parts)
        if self._record() != before:
            raise ValueError(f"{self.file} was changed while it was read; run the same command again")
        with artefacts.written_whole(output) as path:
            self.table.join(parts, path)
        shutil.rmtree(folder)

    @contextmanager
    def _answered(self, skip: int) -> Iterator[Answered]:
        """Chunks with their answers, from chunk number `skip` on."""
        chunks = islice(self.table.chunks(), skip, None)
        if self._ray is None:
            yield self._counted(_side_by_side(chunks, self._answer))
        else:
            with lines_on_ray.answered(self._ray, self.file, self.column, self.settings, skip) as answers:
                yield self._counted(zip(chunks, answers, strict=True))

    def _answer(self, chunk: Chunk) -> Answers:
        return answer(self._model, chunk.texts, self.settings.beam_width)

    def _counted(self, answered: Answered) -> Answered:
        for chunk, answers in answered:
            self._on_rows(len(chunk.texts))
            yield chunk, answers

    def _check(self, output: Path) -> None:
        if form_of(output.name) != self.table.form:
            suffixes = {"lines": ".tsv", "CSV": ".csv", "Parquet": ".parquet"}
            wanted = suffixes[self.table.form]
            raise ValueError(f"{self.file} is {self.table.form}, and is written as such: name the output *{wanted}")
        if output.exists() and self.file != STANDARD_INPUT and output.samefile(self.file):
            raise ValueError(f"{output} is the input; name another output")

    def _record(self) -> dict[str, Any]:
        """What the parts of a run depend on."""
        return {
            "input": _identity(self.file),
            "column": self.column,
            "settings": asdict(self.settings),
            "weights": self.settings.weights,
            "rows": CHUNK_ROWS * PART_CHUNKS,
        }


def unfinished(output: Path) -> Path:
    """Where the finished parts of an output lie until it is whole."""
    return output.with_name(f".{output.name}-unfinished")


def _identity(file: str) -> list[int] | None:
    """Size in bytes and time of the last change; None for what can be read only once, as a pipe."""
    status = os.fstat(sys.stdin.fileno()) if file == STANDARD_INPUT else Path(file).stat()
    return [status.st_size, status.st_mtime_ns] if stat.S_ISREG(status.st_mode) else None


def _kept(folder: Path, record: dict[str, Any], on_note: Callable[[str], Any]) -> list[Path]:
    """The parts an earlier run of the same job finished; a folder with a record for this one in any case."""
    try:
        earlier = json.loads((folder / _RUN).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        earlier = None
    if earlier == record and record["input"] is not None:
        parts = sorted(folder.glob("part-*"))
        if parts:
            on_note(f"going on after the first {record['rows'] * len(parts):,} rows, which an earlier run answered")
        return parts
    if earlier is not None:
        changed = ", ".join(key for key in record if earlier.get(key) != record[key]) or "input"
        on_note(f"an earlier run was interrupted, but not with the same {changed}: starting anew")
    shutil.rmtree(folder, ignore_errors=True)
    with artefacts.written_whole(folder / _RUN) as path:
        path.write_text(json.dumps(record), "utf-8")
    return []


def _write_parts(
    table: Table, answered: Callable[[int], AbstractContextManager[Answered]], folder: Path, parts: list[Path]
) -> None:
    """Write the parts that are missing, each whole or not at all, and list them."""
    with answered(len(parts) * PART_CHUNKS) as rest:
        left = iter(rest)
        while True:
            start = list(islice(left, 1))
            if parts and not start:
                return
            with artefacts.written_whole(folder / f"part-{len(parts):06}") as path:
                table.write(chain(start, islice(left, PART_CHUNKS - 1)), path, first=not parts)
                parts.append(folder / f"part-{len(parts):06}")


def _side_by_side(chunks: Iterable[Chunk], answer_chunk: Callable[[Chunk], Answers]) -> Answered:
    """Answer some chunks ahead, in order: TensorFlow computes one while Python reads the next."""
    with ThreadPoolExecutor(2, thread_name_prefix="answer") as pool:
        waiting: deque[Any] = deque()
        for chunk in chunks:
            waiting.append((chunk, pool.submit(answer_chunk, chunk)))
            if len(waiting) > _AHEAD:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()
