"""Runs independent tasks on all cores or on Ray; a worker that dies costs its own task, which starts again."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

# How often a task may lose its worker. More than once or twice is not bad luck, but a task that kills.
RETRIES = 3


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(function: Callable[[Task], Result], tasks: Sequence[Task], workers: int) -> Iterator[tuple[Task, Result]]:
    """Call a function for each task in processes of this machine; give what is done as it is done.

    Args:
        function: of a module's top level, with picklable argument and result.
        tasks: hashable.
        workers: processes at a time, a core each; 1 runs all in this process.

    Raises:
        ChildProcessError: if a task's worker died `RETRIES` times.
        Exception: what the function raises; what is not done then is not done.
    """
    if workers == 1:
        yield from ((task, function(task)) for task in tasks)
        return
    waiting, died = list(tasks), dict.fromkeys(tasks, 0)
    while waiting:
        # A dead process breaks its whole pool, so what was not done goes to a new one.
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=use_one_core)
        futures: dict[Future[Result], Task] = {pool.submit(function, task): task for task in waiting}
        try:
            for future in as_completed(futures):
                result = future.result()
                waiting.remove(futures[future])
                yield futures[future], result
        except BrokenProcessPool as error:
            for task in waiting[:workers]:
                died[task] += 1
            hopeless = [task for task in waiting if died[task] >= RETRIES]
            if hopeless:
                raise ChildProcessError(f"{hopeless[0]}: its process died {RETRIES} times") from error
        finally:
            pool.shutdown(cancel_futures=True)


def run_on_ray(function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[Task, Result]]:
    """The same on the Ray cluster that is connected, a core for each task.

    Raises:
        ChildProcessError: if a task's worker died `RETRIES` times.
        Exception: what the function raises.
    """
    import ray

    remote: Any = ray.remote(num_cpus=1, max_retries=RETRIES - 1)(_on_one_core)
    waiting: dict[Any, Task] = {remote.remote(function, task): task for task in tasks}
    while waiting:
        (done,), _ = ray.wait(list(waiting), num_returns=1)
        task = waiting.pop(done)
        try:
            result = ray.get(done)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError) as error:
            raise ChildProcessError(f"{task}: its process died {RETRIES} times") from error
        yield task, result


def use_one_core() -> None:
    """Hold TensorFlow to one thread, before it has run anything.

    Tasks side by side need no more, and what training gives depends, in its last bits, on how many threads share a sum.
    """
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


def _on_one_core(function: Callable[[Task], Result], task: Task) -> Result:
    # A worker of Ray runs many tasks: the threads can only be set before the first.
    with suppress(RuntimeError):
        use_one_core()
    return function(task)
