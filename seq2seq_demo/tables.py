"""A file of texts in the form that its suffix says: lines, CSV or Parquet."""

from pathlib import Path

from seq2seq_demo.delimited import Csv, Lines
from seq2seq_demo.parquet import Parquet


def form_of(file: str) -> str:
    """The form a file's suffix says it has: "CSV", "Parquet", and for any other "lines"."""
    return {".csv": Csv.form, ".parquet": Parquet.form, ".pq": Parquet.form}.get(Path(file).suffix.lower(), Lines.form)


def open_table(file: str, column: str | None = None) -> Lines | Csv | Parquet:
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
