"""On a local cluster of two workers, of which one is killed: the output is the one of a local run, row by row."""

import random

import pytest
import ray.cluster_utils

from seq2seq_demo.answers import Settings
from seq2seq_demo.chunks import CHUNK_ROWS
from seq2seq_demo.corpus import evaluation_rows
from seq2seq_demo.lines import Job


@pytest.fixture
def cluster():
    memory = {"object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **memory})
    try:
        yield cluster, [cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20) for _ in range(2)]
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture
def lines(tmp_path):
    texts = [row.source for row in evaluation_rows("open")] * 16
    random.Random(0).shuffle(texts)
    texts[5], texts[3000] = "bad \udcff bytes 7 feb 1993", ""
    file = tmp_path / "lines.txt"
    file.write_bytes("\n".join(texts).encode("utf-8", "surrogateescape"))
    return file


def test_the_output_is_equal_though_a_worker_is_killed(cluster, lines, tmp_path, capfd):
    cluster, workers = cluster
    answered = []

    def on_rows(rows):
        answered.append(rows)
        if len(answered) == 2:  # both are at work: the second chunk is there and 14 are to come
            assert sum(node["Alive"] for node in ray.nodes()) == 3
            cluster.remove_node(workers[0], allow_graceful=False)  # SIGKILL

    here, there = tmp_path / "here.tsv", tmp_path / "there.tsv"
    settings = Settings(beam_width=3)
    Job(str(lines), settings=settings).to_file(here)
    Job(str(lines), settings=settings, ray=cluster.address, on_rows=on_rows).to_file(there)
    assert sum(answered) == 32_000
    assert answered[0] == CHUNK_ROWS
    assert there.read_bytes() == here.read_bytes()
    assert there.read_bytes().count(b"\n") == 32_001
    # Ray may tell that a node is gone, but not among the results.
    assert capfd.readouterr().out == ""
