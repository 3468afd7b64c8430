import socket
import sys

import pytest

from seq2seq_demo.on_ray import connect


def test_a_local_ray_is_started_and_stopped(capfd):
    import ray

    with connect():
        assert ray.is_initialized()

        @ray.remote
        def environment():
            import os

            import seq2seq_demo

            return seq2seq_demo.__name__, os.environ["TF_ENABLE_ONEDNN_OPTS"], os.environ["RAY_USAGE_STATS_ENABLED"]

        assert ray.get(environment.remote()) == ("seq2seq_demo", "0", "0")
    assert not ray.is_initialized()
    assert capfd.readouterr() == ("", "")


def test_a_local_ray_is_stopped_after_a_failure():
    import ray

    with pytest.raises(KeyboardInterrupt), connect("local"):
        raise KeyboardInterrupt
    assert not ray.is_initialized()


def test_where_no_cluster_answers_one_line_says_so(capfd):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody else can listen there meanwhile
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ValueError, match=f"no Ray cluster answers at {address}: ") as caught, connect(address):
            pass
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("address", ["auto", "nonsense", "host:port", "no-such-host.invalid:6379", ":"])
def test_an_address_that_cannot_be_is_one_line_too(address):
    with pytest.raises(ValueError, match="no Ray cluster answers at") as caught, connect(address):
        pass
    assert "\n" not in str(caught.value)


def test_without_ray_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"requirements-ray\.txt"), connect():
        pass
