"""The command line: `python -m seq2seq_demo translate | evaluate | train | corpus | figures`."""

import argparse
import csv
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from seq2seq_demo import artefacts
from seq2seq_demo.corpus import EVALUATION_SETS, evaluation_rows, record
from seq2seq_demo.files import RETRAINED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, or 1 after one plain line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except BrokenPipeError:
        # The reader has what it wanted (`| head`); nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m seq2seq_demo", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    translate = commands.add_parser("translate", help="answer every row of a text, CSV or Parquet file")
    translate.add_argument(
        "file", nargs="?", default="-", help="a text a line, .csv or .parquet; default: standard input"
    )
    translate.add_argument("--column", help="the column that holds the text, in .csv and .parquet")
    translate.add_argument(
        "-o", "--output", type=Path, help="a file, written whole at the end; interrupted, it goes on"
    )
    translate.add_argument(
        "--ray", nargs="?", const="local", metavar="ADDRESS", help="run on Ray: a cluster's, or here"
    )
    translate.add_argument("--model", default="attention", help='"attention" (default) or "encoder-decoder"')
    translate.add_argument("--training", default="everyday", help='training set, "everyday" (default) or "lesson"')
    translate.add_argument("--width", type=int, default=64, help="units of the LSTMs (default 64)")
    translate.add_argument("--epoch", type=int, help="epochs trained (default: the published epoch)")
    translate.add_argument("--beam-width", type=int, default=1, help="1 is greedy (default); up to 12")
    translate.set_defaults(run=_translate)

    evaluate = commands.add_parser("evaluate", help="measure again and compare with the published tables")
    evaluate.add_argument("--published", action="store_true", help="only the published epochs")
    evaluate.add_argument("--write", action="store_true", help="publish what is measured instead")
    evaluate.add_argument("--folder", type=Path, default=artefacts.TRAINED, help="default: trained/")
    evaluate.set_defaults(run=_evaluate)

    train = commands.add_parser("train", help="train and measure everything that is shipped")
    train.add_argument("--folder", type=Path, default=RETRAINED, help="default: trained/")
    train.set_defaults(run=_train)

    sets = commands.add_parser("corpus", help="write the three evaluation sets as CSV")
    sets.add_argument("--folder", type=Path, default=Path("data"), help="default: data/")
    sets.set_defaults(run=_corpus)

    figures = commands.add_parser("figures", help="put the published figures into a Markdown document")
    figures.add_argument("file", type=Path)
    figures.set_defaults(run=_figures)
    return parser


def _translate(options: argparse.Namespace) -> int:
    from seq2seq_demo.answers import Settings
    from seq2seq_demo.lines import Job

    settings = Settings(options.model, options.training, options.width, options.epoch, options.beam_width)
    with _bar(unit=" rows") as bar:
        job = Job(options.file, options.column, settings, ray=options.ray, on_rows=bar.update)
        if not bar.disable:
            bar.total = job.table.count()
        if options.output:
            job.to_file(options.output, lambda note: tqdm.write(note, file=sys.stderr))
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
            job.to_stream(sys.stdout)
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    from seq2seq_demo import measuring

    manifest = artefacts.read_manifest(options.folder)
    entries = measuring.chosen(manifest, only_published=options.published)
    with _bar(total=len(entries), unit=" models") as bar:
        tables = measuring.measure(
            manifest, options.folder, only_published=options.published, on_measured=lambda entry: bar.update()
        )
    if options.write:
        measuring.write(tables, options.folder)
        return 0
    lines = measuring.differences(measuring.read(options.folder), tables)
    for line in lines[:20]:
        print(line)
    if lines:
        raise ValueError(f"{len(lines)} figures do not come out as published")
    print(f"{sum(len(table) for table in tables.values())} rows come out as published")
    return 0


def _train(options: argparse.Namespace) -> int:
    from seq2seq_demo import training

    folder, budgets = options.folder.resolve(), training.BUDGETS
    runs = training.runs(budgets)
    models = sum(len(run.budget.checkpoints) for run in runs)
    print(
        f"Training {len(runs)} models, then measuring {models} sets of weights: {_estimate(folder)}.\n"
        f"Writes {folder} (weights, manifest, tables), replacing it when all is done; until then "
        f"{training.unfinished(folder)}.\nInterrupt at will: the same command goes on where it was.",
        file=sys.stderr,
    )
    epochs = sum(run.budget.epochs + 1 for run in runs)
    with _bar(total=epochs, unit=" epochs") as trained, _bar(total=models, unit=" measured") as measured:
        training.train_all(budgets, folder, lambda epoch: trained.update(), lambda entry: measured.update())
    return 0


def _estimate(folder: Path) -> str:
    """How long it took the last time, from the tables of that time."""
    import pandas as pd

    try:
        history, metrics = pd.read_csv(folder / "history.csv"), pd.read_csv(folder / "metrics.csv")
    except FileNotFoundError:
        return "about 30 minutes on two cores"
    minutes = (history["seconds"].sum() + metrics["seconds"].sum()) / 60
    return f"about {minutes:.0f} minutes, as the last time"


def _corpus(options: argparse.Namespace) -> int:
    for name in EVALUATION_SETS:
        with (
            artefacts.written_whole(options.folder / f"{name}.csv") as path,
            path.open("w", encoding="utf-8", newline="") as file,
        ):
            rows = [record(row) for row in evaluation_rows(name)]
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0


def _figures(options: argparse.Namespace) -> int:
    from seq2seq_demo import measuring, report

    tables, manifest = measuring.read(artefacts.TRAINED), artefacts.read_manifest()
    document = report.replace_figures(options.file.read_text("utf-8"), tables, manifest)
    with artefacts.written_whole(options.file) as path:
        path.write_text(document, "utf-8")
    return 0


def _bar(total: int | None = None, unit: str = "it") -> tqdm:
    """A progress bar on a terminal, nothing in a pipe."""
    return tqdm(total=total, unit=unit, disable=not sys.stderr.isatty(), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
