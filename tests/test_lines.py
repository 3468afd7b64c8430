import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

from seq2seq_demo.answers import Settings
from seq2seq_demo.chunks import CHUNK_ROWS
from seq2seq_demo.corpus import evaluation_rows
from seq2seq_demo.lines import PART_CHUNKS, Job, unfinished

ROOT = Path(__file__).parent.parent
PART_ROWS = PART_CHUNKS * CHUNK_ROWS
SETTINGS = Settings("encoder-decoder")


def texts(count):
    chosen = random.Random(0).choices([row.source for row in evaluation_rows("open")], k=count)
    return [f"{text} {number}" for number, text in enumerate(chosen)]


def given(form, tmp_path, count):
    file = tmp_path / f"in.{form}"
    frame = pd.DataFrame({"id": range(count), "text": texts(count)})
    if form == "txt":
        file.write_text("\n".join(frame["text"]) + "\n")
    elif form == "csv":
        frame.to_csv(file, index=False)
    else:
        frame.to_parquet(file)
    return file, tmp_path / f"out.{form.replace('txt', 'tsv')}", None if form == "txt" else "text"


def command(*arguments):
    line = [sys.executable, "-m", "seq2seq_demo", "translate", "--model", "encoder-decoder", *map(str, arguments)]
    return subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def wait_for(path, process):
    ready = threading.Event()
    while process.poll() is None and not path.exists():
        ready.wait(0.01)
    assert path.exists()


@pytest.mark.parametrize("form", ["txt", "csv", "parquet"])
def test_a_killed_run_goes_on_and_ends_in_the_same_bytes(form, tmp_path):
    file, output, column = given(form, tmp_path, 2 * PART_ROWS + 100)
    whole = tmp_path / f"whole{output.suffix}"
    Job(str(file), column, SETTINGS).to_file(whole)
    arguments = [file, "-o", output, *(["--column", column] if column else [])]
    process = command(*arguments)
    wait_for(unfinished(output) / "part-000000", process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not output.exists()

    process = command(*arguments)
    said = process.communicate()[1]
    assert process.returncode == 0
    assert said.startswith("going on after the first ")
    assert said.count("\n") == 1
    assert output.read_bytes() == whole.read_bytes()
    assert not unfinished(output).exists()
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "txt": lambda path: pd.read_csv(path, sep="\t")}[form]
    assert read(output)["text"].tolist() == texts(2 * PART_ROWS + 100)


class StopHereError(Exception):
    pass


def interrupt(file, output, settings=SETTINGS, column=None, after=PART_ROWS):
    seen = []

    def on_rows(rows):
        seen.append(rows)
        if sum(seen) > after:
            raise StopHereError

    with pytest.raises(StopHereError):
        Job(str(file), column, settings, on_rows=on_rows).to_file(output)
    assert [path.name for path in sorted(unfinished(output).iterdir())] == ["part-000000", "run.json"]


def test_rows_that_are_answered_are_not_answered_again(tmp_path):
    file, output, _ = given("txt", tmp_path, PART_ROWS + 3000)
    interrupt(file, output)
    notes, rows = [], []
    Job(str(file), None, SETTINGS, on_rows=rows.append).to_file(output, notes.append)
    assert sum(rows) == 3000
    assert notes == [f"going on after the first {PART_ROWS:,} rows, which an earlier run answered"]


@pytest.mark.parametrize("what", ["input", "settings"])
def test_another_job_starts_anew_and_says_so(what, tmp_path):
    file, output, _ = given("txt", tmp_path, PART_ROWS + 3000)
    interrupt(file, output)
    settings, count = SETTINGS, PART_ROWS + 3000
    if what == "input":
        file.write_text("7 feb 1993\n")
        count = 1
    else:
        settings = Settings("encoder-decoder", epoch=0)
    notes, rows = [], []
    Job(str(file), None, settings, on_rows=rows.append).to_file(output, notes.append)
    assert sum(rows) == count
    assert len(notes) == 1
    assert "starting anew" in notes[0]
    assert what in notes[0]
    fresh = tmp_path / "fresh.tsv"
    Job(str(file), None, settings).to_file(fresh)
    assert output.read_bytes() == fresh.read_bytes()


def test_an_input_that_changes_meanwhile_is_told(tmp_path):
    file, output, _ = given("txt", tmp_path, 100)
    job = Job(str(file), None, SETTINGS, on_rows=lambda rows: os.utime(file, ns=(0, 0)))
    with pytest.raises(ValueError, match="was changed while it was read"):
        job.to_file(output)
    assert not output.exists()


def test_the_output_has_the_form_of_the_input(tmp_path):
    file, _, _ = given("csv", tmp_path, 3)
    job = Job(str(file), "text", SETTINGS)
    with pytest.raises(ValueError, match=r"is CSV, and is written as such: name the output \*\.csv"):
        job.to_file(tmp_path / "out.parquet")
    with pytest.raises(ValueError, match="is the input"):
        job.to_file(file)
    parquet, _, _ = given("parquet", tmp_path, 3)
    with pytest.raises(ValueError, match="name the output with -o"):
        Job(str(parquet), "text", SETTINGS).to_stream(sys.stdout)


def test_an_empty_file_becomes_an_empty_table(tmp_path):
    file = tmp_path / "empty.txt"
    file.touch()
    Job(str(file), None, SETTINGS).to_file(tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == "text\ttranslation\tprobability\texpected\tagrees\n"


def test_ray_does_not_read_standard_input():
    with pytest.raises(ValueError, match="name a file"):
        Job("-", None, SETTINGS, ray="local")
