import os
import signal
from pathlib import Path

import pytest

from seq2seq_demo import grid


def square(number):
    return number * number, os.getpid()


def killed_once(task):
    """Dies as a killed worker does, the first time that it runs."""
    name, mark = task
    if name == "victim" and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return name.upper()


def kills(name):
    os.kill(os.getpid(), signal.SIGKILL)


def fails(name):
    raise ValueError(f"no {name}")


def test_one_worker_is_this_process():
    found = dict(grid.run(square, [1, 2, 3], workers=1))
    assert found == {n: (n * n, os.getpid()) for n in (1, 2, 3)}


def test_two_workers_are_two_other_processes_and_do_each_task_once():
    found = list(grid.run(square, range(20), workers=2))
    assert sorted((task, result) for task, (result, _) in found) == [(n, n * n) for n in range(20)]
    assert os.getpid() not in {process for _, (_, process) in found}


def test_a_killed_worker_costs_its_own_task_which_is_done_again(tmp_path):
    tasks = [(name, str(tmp_path / "mark")) for name in ("one", "victim", "three", "four", "five")]
    found = list(grid.run(killed_once, tasks, workers=2))
    assert sorted(task for task, _ in found) == sorted(tasks)
    assert all(result == task[0].upper() for task, result in found)


def test_a_task_that_always_kills_its_worker_is_given_up_with_its_name():
    with pytest.raises(ChildProcessError, match="murder: its process died 3 times"):
        list(grid.run(kills, ["murder"], workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_task_raises_is_raised(workers):
    with pytest.raises(ValueError, match="no luck"):
        list(grid.run(fails, ["luck"], workers))


def test_cores_are_those_that_may_be_used():
    assert 1 <= grid.cores() <= os.cpu_count()
