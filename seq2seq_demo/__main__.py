"""The command line: `python -m seq2seq_demo translate | evaluate | train | corpus | figures`."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from seq2seq_demo import artefacts, grid, on_ray
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
    _add_workers(evaluate)
    evaluate.set_defaults(run=_evaluate)

    train = commands.add_parser("train", help="train and measure everything that is shipped")
    train.add_argument("--folder", type=Path, default=RETRAINED, help="default: trained/")
    _add_workers(train)
    train.add_argument(
        "--ray",
        nargs="?",
        const=on_ray.LOCAL,
        metavar="ADDRESS",
        help="train on Ray: on the cluster at ADDRESS, or on a local one; the results are the same",
    )
    train.set_defaults(run=_train)

    sets = commands.add_parser("corpus", help="write the three evaluation sets as Parquet")
    sets.add_argument("--folder", type=Path, default=Path("data"), help="default: data/")
    sets.set_defaults(run=_corpus)

    figures = commands.add_parser("figures", help="put the published figures into the README and both cards")
    figures.add_argument("--folder", type=Path, default=Path(), help="the repository (default: here)")
    figures.set_defaults(run=_figures)
    return parser


def _add_workers(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=int, default=grid.cores(), help="processes (default: a core each)")


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
    places = measuring.shipped(manifest, options.folder, only_published=options.published)
    with _bar(total=len(places), unit=" models") as bar:
        tables = measuring.measure(places, manifest, options.workers, lambda entry: bar.update())
    published = measuring.read(options.folder)
    if options.write:
        measuring.write(measuring.updated(published, tables), options.folder)
        return 0
    lines = measuring.differences(published, tables)
    for line in lines[:20]:
        print(line)
    if lines:
        raise ValueError(f"{len(lines)} figures do not come out as published")
    print(f"{sum(len(table) for table in tables.values())} rows come out as published")
    return 0


def _train(options: argparse.Namespace) -> int:
    from seq2seq_demo import budgets, training

    grid.use_one_core()  # with --workers 1 this process trains, and has to come to the same weights
    folder, runs = options.folder.resolve(), budgets.runs()
    checkpoints = sum(len(run.checkpoints) for run in runs)
    print(
        f"Training {len(runs)} models, then measuring {checkpoints} sets of weights, "
        f"{options.workers} at a time: {_estimate(folder, options.workers)}.\n"
        f"Writes {folder} (weights, manifest, tables), replacing it when all is done; until then "
        f"{training.unfinished(folder)}.\nInterrupt at will: the same command goes on where it was.",
        file=sys.stderr,
    )
    with _bar(total=len(runs), unit=" models") as trained, _bar(total=checkpoints, unit=" measured") as measured:
        training.train_all(
            budgets.BUDGETS,
            folder,
            options.workers,
            options.ray,
            lambda run: trained.update(),
            lambda entry: measured.update(),
        )
    return 0


def _estimate(folder: Path, workers: int) -> str:
    """How long it took the last time, from the tables of that time."""
    import pandas as pd

    try:
        history, metrics = pd.read_csv(folder / "history.csv"), pd.read_csv(folder / "metrics.csv")
    except FileNotFoundError:
        return "an hour or more on two cores"
    minutes = (history["seconds"].sum() + metrics["seconds"].sum()) / workers / 60
    return f"about {minutes:.0f} minutes, going by the last time"


def _corpus(options: argparse.Namespace) -> int:
    import pandas as pd

    for name in EVALUATION_SETS:
        with artefacts.written_whole(options.folder / f"{name}.parquet") as path:
            try:
                pd.DataFrame([record(row) for row in evaluation_rows(name)]).to_parquet(path, index=False)
            except ImportError as error:
                raise ValueError("Parquet needs pyarrow, which is not installed; run `pip install pyarrow`") from error
    return 0


def _figures(options: argparse.Namespace) -> int:
    import pandas as pd

    from seq2seq_demo import cards, measuring, report

    tables, manifest = measuring.read(artefacts.TRAINED), artefacts.read_manifest()
    history = pd.read_csv(artefacts.TRAINED / "history.csv")
    documents = {
        options.folder / "README.md": report.replace_figures(
            (options.folder / "README.md").read_text("utf-8"), tables, manifest
        ),
        options.folder / "trained" / "README.md": cards.model_card(tables, history, manifest),
        options.folder / "data" / "README.md": cards.dataset_card(),
    }
    for file, document in documents.items():
        with artefacts.written_whole(file) as path:
            path.write_text(document, "utf-8")
    return 0


def _bar(total: int | None = None, unit: str = "it") -> tqdm:
    """A progress bar on a terminal, nothing in a pipe."""
    return tqdm(total=total, unit=unit, disable=not sys.stderr.isatty(), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
