"""The three forms; values are read back by other readers: pandas, and pyarrow for Parquet."""

import io
import sys

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seq2seq_demo.answers import COLUMNS, Answers
from seq2seq_demo.chunks import CHUNK_ROWS
from seq2seq_demo.tables import form_of, open_table


def answered(table):
    """Each text, backwards, as its translation."""
    for chunk in table.chunks():
        size = len(chunk.texts)
        translation = [None if text is None else text[::-1] for text in chunk.texts]
        yield (
            chunk,
            Answers(translation, [0.25] * size, ["1993-02-07"] + [None] * (size - 1), [False] + [None] * (size - 1)),
        )


def rewritten(file, column, tmp_path):
    table, parts = open_table(str(file), column), []
    for number, one in enumerate(answered(table)):
        parts.append(tmp_path / f"part-{number}")
        table.write([one], parts[-1], first=number == 0)
    output = tmp_path / f"output{file.suffix}"
    table.join(parts, output)
    return output


def test_csv_keeps_its_columns_and_its_ways(tmp_path):
    file = tmp_path / "in.csv"
    file.write_bytes('\ufeffid,note,"a ""text"""\r\n007,"two\r\nlines, one","7, feb"\r\n\r\n8,\xe9\r\n'.encode())
    output = rewritten(file, 'a "text"', tmp_path)
    assert (
        output.read_bytes()
        == (
            '\ufeffid,note,"a ""text""",translation,probability,expected,agrees\r\n'
            '007,"two\r\nlines, one","7, feb","bef ,7",0.250000,1993-02-07,no\r\n'
            "8,\xe9,,,0.250000,,\r\n"
        ).encode()
    )
    frame = pd.read_csv(output, dtype=str)
    assert list(frame) == ["id", "note", 'a "text"', *COLUMNS]
    assert frame["id"].tolist() == ["007", "8"]


def test_csv_that_is_not_utf8_leaves_as_it_came(tmp_path):
    file = tmp_path / "in.csv"
    file.write_bytes(b"text,n\nbad \xff,\xfe\x00\n")
    assert rewritten(file, "text", tmp_path).read_bytes().splitlines()[1].startswith(b"bad \xff,\xfe\x00,\xff dab,0.25")


@pytest.mark.parametrize("rows", [0, 1, CHUNK_ROWS, CHUNK_ROWS + 1])
@pytest.mark.parametrize("form", ["csv", "parquet", "txt"])
def test_all_rows_are_there_in_order(form, rows, tmp_path):
    file = tmp_path / f"in.{form}"
    frame = pd.DataFrame({"text": [f"row {number}" for number in range(rows)]}, dtype="str")
    if form == "csv":
        frame.to_csv(file, index=False)
    elif form == "parquet":
        frame.to_parquet(file, row_group_size=300)
    else:
        file.write_text("".join(f"{text}\n" for text in frame["text"]))
    table = open_table(str(file), None if form == "txt" else "text")
    chunks = [chunk.texts for chunk in table.chunks()]
    assert [text for texts in chunks for text in texts] == frame["text"].tolist()
    assert [len(texts) for texts in chunks[:-1]] == [CHUNK_ROWS] * (len(chunks) - 1)
    assert table.count() in (rows, rows + (form == "csv"))


def test_parquet_keeps_its_types(tmp_path):
    given = pa.table(
        {
            "id": pa.array([1, 2, None], pa.int16()),
            "text": pa.array(["7 feb", None, "x"], pa.large_string()),
            "when": pa.array([0, 1, 2], pa.timestamp("ms", "UTC")),
            "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
            "list": pa.array([[1.5], [], None], pa.list_(pa.float32())),
        }
    ).replace_schema_metadata({"made": "here"})
    file = tmp_path / "in.parquet"
    pq.write_table(given, file)
    got = pq.read_table(rewritten(file, "text", tmp_path))
    assert got.select(given.column_names).equals(pq.read_table(file), check_metadata=True)
    added = got.select(list(COLUMNS))
    assert added.schema.types == [pa.string(), pa.float64(), pa.string(), pa.bool_()]
    assert added.column("translation").to_pylist() == ["bef 7", None, "x"]
    assert added.column("agrees").to_pylist() == [False, None, None]


def test_a_column_of_another_type_is_read_as_it_is_written(tmp_path):
    file = tmp_path / "in.parquet"
    pd.DataFrame({"day": pd.to_datetime(["1993-02-07"]).date, "kind": pd.Categorical(["x y"])}).to_parquet(file)
    assert next(open_table(str(file), "day").chunks()).texts == ["1993-02-07"]
    assert next(open_table(str(file), "kind").chunks()).texts == ["x y"]


def write(tmp_path, name, content):
    file = tmp_path / name
    if isinstance(content, dict):
        pd.DataFrame(content).to_parquet(file)
    else:
        file.write_bytes(content)
    return str(file)


@pytest.mark.parametrize(
    ("name", "content", "column", "said"),
    [
        ("a.csv", b"id,note\n", "text", "no column is named 'text' in a.csv; it has: id, note"),
        ("a.csv", b"id,note\n", None, "name the column of a.csv that holds the text with --column; it has: id, note"),
        ("a.csv", b"text,text\n", "text", "several columns are named 'text'"),
        ("a.csv", b"text,agrees\n", "text", "already has a column 'agrees'"),
        ("a.csv", b"", "text", "a.csv has no header"),
        ("a.csv", b"text,n\n7 feb, 1993,1\n", "text", "a.csv, line 2: 3 fields under a header of 2"),
        ("a.csv", b'text\n"never closed' + b"x" * 140_000, "text", "is a quote not closed?"),
        ("a.txt", b"x", "text", "has no columns"),
        ("a.parquet", {"n": [1], "m": [2]}, "text", "no column is named 'text' in a.parquet; it has: n, m"),
        ("a.parquet", {"text": [[1, 2]]}, "text", "which is no text"),
        ("a.parquet", {"text": ["x"], "expected": ["y"]}, "text", "already has a column 'expected'"),
        ("a.parquet", b"text\nx\n", "text", "a.parquet is not a Parquet file"),
    ],
)
def test_what_cannot_be_read_is_one_plain_line(tmp_path, name, content, column, said):
    with pytest.raises(ValueError) as caught:
        list(open_table(write(tmp_path, name, content), column).chunks())
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_pyarrow_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ValueError, match="pip install pyarrow"):
        open_table(write(tmp_path, "a.parquet", b""), "text")


def test_the_form_is_the_suffix():
    names = ("a.CSV", "a.parquet", "a.pq", "a.txt", "a.tsv", "a", "csv")
    assert [form_of(name) for name in names] == ["CSV", "Parquet", "Parquet", "lines", "lines", "lines", "lines"]


def test_a_stream_gets_each_chunk_when_it_is_there(tmp_path):
    table = open_table(write(tmp_path, "a.txt", b"x\ny\n" * CHUNK_ROWS))
    stream, seen = io.StringIO(), []

    def watched():
        for one in answered(table):
            seen.append(stream.getvalue().count("\n"))
            yield one

    table.print(watched(), stream)
    assert seen == [1, CHUNK_ROWS + 1]
