"""The command line, as a process: what comes out of a pipe is what users get."""

import csv
import io
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from seq2seq_demo import __main__ as command
from seq2seq_demo.corpus import evaluation_rows

ROOT = Path(__file__).parent.parent


def run(*arguments, given=b"", **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "seq2seq_demo", *arguments],
        check=False,
        input=given,
        capture_output=True,
        env=environment,
        **options,
    )


def table(output):
    return list(csv.reader(io.StringIO(output.decode("utf-8", "surrogateescape")), delimiter="\t"))


def test_lines_become_a_table_in_order(attention):
    texts = [row.source for row in evaluation_rows("everyday")] * 2  # more than a chunk
    done = run("translate", "--beam-width", "3", given="\n".join(texts).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    header, *rows = table(done.stdout)
    assert header == ["text", "translation", "probability", "expected", "agrees"]
    assert [row[0] for row in rows] == texts
    expected = attention.translate_batch(texts[:50], beam_width=3)
    assert [row[1] for row in rows[:50]] == [translation.text for translation in expected]
    assert float(rows[0][2]) == pytest.approx(math.exp(expected[0].log_probability), abs=1e-4)
    assert [row[3] for row in rows[:2000]] == [row.target for row in evaluation_rows("everyday")]
    assert [row[4] for row in rows] == ["yes" if row[1] == row[3] else "no" for row in rows]


def test_awkward_lines_keep_their_places_and_their_bytes(tmp_path):
    lines = [
        b"",
        b"tab\there 07/02/1993",
        b'a "quoted" 7 feb 1993',
        "\u0662\u0660\u0661\u0664/\u0660\u0665/\u0660\u0661".encode(),
        b"bad \xff bytes",
        b"\x00",
    ]
    file = tmp_path / "lines.txt"
    file.write_bytes(b"\n".join(lines) + b"\n")
    done = run("translate", str(file), "--model", "encoder-decoder")
    assert (done.returncode, done.stderr) == (0, b"")
    _, *rows = table(done.stdout)
    assert [row[0].encode("utf-8", "surrogateescape") for row in rows] == lines
    assert [row[3] for row in rows] == ["", "1993-02-07", "1993-02-07", "2014-05-01", "", ""]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "gru"], "choose one of: encoder-decoder, attention"),
        (["--beam-width", "99"], "expected 1 (greedy) to 12"),
        (["/no/such/file"], "No such file"),
        (["--epoch", "3000"], "choose one of: 0, 1"),
        (
            [str(ROOT / "data/open.parquet")],
            "name the column of open.parquet that holds the text with --column; it has: ",
        ),
        ([str(ROOT / "data/open.parquet"), "--column", "date"], "no column is named 'date' in open.parquet; it has: "),
        (["--ray"], "name a file"),
    ],
)
def test_an_error_is_one_plain_line(capsys, monkeypatch, arguments, said):
    monkeypatch.setattr(command.sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
    monkeypatch.setattr(command.sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    assert command.main(["translate", *arguments]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_a_reader_that_has_enough_ends_it_quietly():
    lines = "\n".join(["order 7 feb 1993"] * 20000)
    done = subprocess.run(
        f"{sys.executable} -m seq2seq_demo translate | head -2; echo ${{PIPESTATUS[0]}}",
        check=False,
        shell=True,
        executable="/bin/bash",
        input=lines.encode(),
        capture_output=True,
        cwd=ROOT,
    )
    assert done.stderr == b""
    assert done.stdout.splitlines()[-1] == b"0"


def test_memory_does_not_grow_with_the_lines(tmp_path):
    measured = []
    for count in (4_000, 60_000):
        file = tmp_path / f"{count}.txt"
        file.write_text("order 21 item 45 07/02/1993 id seq\n" * count)
        script = (
            "import resource, sys; from seq2seq_demo.__main__ import main; status = main(sys.argv[1:]);"
            "print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, "translate", str(file)], check=False, capture_output=True, cwd=ROOT
        )
        status, kilobytes = map(int, done.stderr.split())
        assert status == 0
        assert done.stdout.count(b"\n") == count + 1
        measured.append(kilobytes)
    # 56,000 lines with their attention kept would be over 76 MB.
    assert measured[1] - measured[0] < 40_000
