"""Answers the chunks of a file on Ray: one worker reads, all answer, and the answers come back in order."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from typing import Any

from seq2seq_demo import grid, on_ray
from seq2seq_demo.answers import Answers, Settings, answer
from seq2seq_demo.tables import open_table


@contextmanager
def answered(
    address: str, file: str, column: str | None, settings: Settings, skip: int = 0
) -> Iterator[Iterator[Answers]]:
    """The answers to a file's chunks, in order, from chunk number `skip` on.

    A worker that dies is replaced and its chunks are answered again. Every machine needs this package
    with the same weights; only the machine this runs on needs the file.

    Args:
        address: see `on_ray.connect`.
        file, column: see `tables.open_table`.
        settings: which model answers.

    Raises:
        ValueError: if Ray is not there, or a worker's weights are others.
    """
    with on_ray.connect(address):
        import ray

        context = ray.data.DataContext.get_current().copy()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        context.print_on_execution_start = False
        # Smaller than any chunk, so that each is a block of its own and can go to any worker.
        context.target_max_block_size = 1
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        with ray.data.DataContext.current(context):
            yield _answers(file, column, settings, skip)


def _answers(file: str, column: str | None, settings: Settings, skip: int) -> Iterator[Answers]:
    import ray

    here = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
    cores = max(int(ray.cluster_resources().get("CPU", 1)), 1)
    rows = ray.data.read_datasource(
        _source(file, column, skip), num_cpus=0, override_num_blocks=1, label_selector=here
    ).map_batches(
        _Answering,
        fn_constructor_args=(asdict(settings), settings.weights),
        batch_size=1,
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(min_size=1, initial_size=cores, max_size=cores),
    )
    for row in rows.iter_rows():
        yield Answers(**json.loads(row["answers"]))


def _source(file: str, column: str | None, skip: int) -> Any:
    """A Ray data source whose rows are chunks, so that no worker can cut them another way.

    As JSON, because Arrow's strings cannot hold the bytes of a file that is not UTF-8.
    """
    import pyarrow as pa
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    def read() -> Iterator[pa.Table]:
        for chunk in islice(open_table(file, column).chunks(), skip, None):
            yield pa.table({"texts": [json.dumps(chunk.texts)]})

    class Chunks(Datasource):
        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, parallelism: int, *arguments: Any, **options: Any) -> list[ReadTask]:
            return [ReadTask(read, BlockMetadata(None, None, None, None))]

    return Chunks()


class _Answering:
    """What a worker holds: the model, loaded once."""

    def __init__(self, settings: dict[str, Any], expected_weights: str):
        grid.use_one_core()  # Ray gives a worker one
        self._settings = Settings(**settings)
        if self._settings.weights != expected_weights:
            raise ValueError("a worker has other weights than this machine; install the same version on all")
        self._model = self._settings.load()

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        found = (answer(self._model, json.loads(texts), self._settings.beam_width) for texts in batch["texts"])
        return {"answers": [json.dumps(asdict(answers)) for answers in found]}
