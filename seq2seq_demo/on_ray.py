"""Connects to Ray, which spreads work over processes and machines. Only what is asked to run there imports it."""

import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any
from urllib.parse import urlsplit

LOCAL = "local"
# A local Ray keeps blocks in shared memory; ours are small, and its own default is 30% of the machine.
_OBJECT_STORE_BYTES = 256 * 2**20


@contextmanager
def connect(address: str | None = None) -> Iterator[None]:
    """Be connected to Ray, and leave it afterwards; a local Ray is started and stopped.

    What is printed meanwhile goes to standard error.

    Args:
        address: of a running cluster's head, as `10.0.0.1:6379`; "auto" finds the one of this
            machine. None or "local" starts Ray here, with as many workers as there are cores.

    Raises:
        ValueError: if Ray is not installed, or nothing answers at the address; the message is one line.
    """
    # Nothing is sent to Ray's makers, no web page is served, and what workers log stays in Ray's own files.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ValueError(
            "Ray is not installed; run `pip install -r requirements-ray.txt` or `pip install 'seq2seq-demo[ray]'`"
        ) from error
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address in (None, LOCAL):
        ray.init(LOCAL, include_dashboard=False, object_store_memory=_OBJECT_STORE_BYTES, **quiet)
    else:
        try:
            _knock(address)
            ray.init(address, **quiet)
        except (OSError, RuntimeError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ValueError(f"no Ray cluster answers at {address}: {reason}") from error
    try:
        # Ray prints to standard output that a machine is gone; there are the results.
        with redirect_stdout(sys.stderr):
            yield
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Ray itself tries for minutes where nothing listens, and logs each attempt."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), timeout=10).close()
