"""Small apps that do what a Space must not, run as a Space: what the rehearsal says of them."""

import json
import os
import socket
import subprocess
import sys
import textwrap
from dataclasses import asdict
from pathlib import Path

import pytest
from huggingface_hub import SpaceCard
from project import CARD, ROOT, write

from space import isolation, server
from space.isolation import Place

# Serves until it is ended.
SERVE = """
import http.server
http.server.HTTPServer(("0.0.0.0", 7860), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
NOSY = """
import os, pathlib, socket
print("user", os.getuid(), os.getgid(), os.getgroups())
print("cores", len(os.sched_getaffinity(0)))
print("space", os.environ["SPACE_ID"], os.environ["SYSTEM"], os.environ.get("SECRET"))
for path in (pathlib.Path("junk.txt"), pathlib.Path(os.__file__).parent / "junk.txt", pathlib.Path.home() / "kept.txt"):
    try:
        path.write_text("junk")
        print("wrote", path.name)
    except OSError as error:
        print("refused", path.name, error.strerror)
for name, port in (("hub.example.org", 443), ("192.0.2.1", 443), ("127.0.0.1", 9)):
    try:
        socket.create_connection((name, port))
    except OSError as error:
        print("no", name)
"""
ENCLOSED = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from space import isolation, server
from space.watch import Watch
with_watch = Watch()
place = isolation.enclose(*map(Path, sys.argv[1:]))
run = server.serve(place, with_watch, lambda began: None)
print(json.dumps({**asdict(run), "hosts": list(with_watch.hosts), "missed": with_watch.missed}))
"""


def source(folder, app):
    write(folder, {"README.md": CARD.encode(), "app.py": textwrap.dedent(app).encode()})
    return folder


@pytest.fixture
def enclosed(tmp_path, monkeypatch):
    """A function that runs an app as `make space` does."""
    if obstacle := isolation.obstacle():
        pytest.skip(f"this machine cannot isolate it: {obstacle}")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "environment"], check=True)
    monkeypatch.setenv("SECRET", "not for a Space")

    def run(app):
        # Outside the tests' own folder, which is closed to others.
        root = Path(subprocess.check_output(["mktemp", "-d", "/tmp/space-test-XXXXXX"], text=True).strip())
        root.chmod(0o755)
        arguments = [source(tmp_path / "source", app), tmp_path / "environment", root]
        command = [*isolation.UNSHARE, sys.executable, "-c", ENCLOSED, *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        root.rmdir()
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_enclosed_it_is_nobody_sees_no_network_and_writes_nowhere_but_at_home(enclosed):
    run = enclosed(NOSY + SERVE)
    assert run["log"].splitlines()[:9] == [
        "user 1000 1000 []",
        f"cores {min(2, len(os.sched_getaffinity(0)))}",
        "space someone/sequence-to-sequence spaces None",
        "refused junk.txt Read-only file system",
        "refused junk.txt Read-only file system",
        "wrote kept.txt",
        "no hub.example.org",
        "no 192.0.2.1",
        "no 127.0.0.1",
    ]
    assert set(run["hosts"]) == {"hub.example.org (looked up)", "192.0.2.1 (port 443)"}
    assert (run["missed"], run["problems"]) == (0, [])
    assert 5e6 < run["memory"] < 1e9


def test_enclosed_a_quiet_app_calls_nobody(enclosed):
    run = enclosed(SERVE)
    assert (run["hosts"], run["problems"]) == ([], [])


@pytest.fixture
def place(tmp_path, monkeypatch, unused_port):
    """An app's place without isolation, on a port of its own."""
    monkeypatch.setattr(server, "PORT", unused_port)
    (tmp_path / "home").mkdir()
    return Place(tmp_path / "home", tmp_path / "source", Path(sys.executable))


@pytest.fixture
def unused_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def served(place, app):
    visits = []
    source(place.source, app.replace("7860", str(server.PORT)))
    return asdict(server.serve(place, None, visits.append)), visits


def test_what_is_written_beside_the_app_is_told(place):
    run, visits = served(place, "open('junk.txt', 'w').close()\nopen('README.md', 'a').write('!')" + SERVE)
    assert len(visits) == 1
    assert run["problems"] == ["written into the source tree: README.md", "written into the source tree: junk.txt"]


def test_what_python_keeps_of_its_own_is_not(place):
    write(place.source, {"module.py": b""})
    run, _ = served(place, "import module" + SERVE)
    assert (place.source / "__pycache__").is_dir()
    assert run["problems"] == []


def test_an_app_that_ends_is_told_and_not_visited(place):
    run, visits = served(place, "import sys; sys.exit('no port is free')")
    assert visits == []
    assert run == {"memory": None, "log": "no port is free\n", "problems": ["app.py ended with status 1"]}


def test_a_traceback_is_told_even_if_the_app_goes_on(place):
    run, _ = served(place, "import threading\nthreading.Thread(target=lambda: 1 / 0).start()" + SERVE)
    assert run["problems"] == ["app.py printed a traceback"]
    assert "ZeroDivisionError" in run["log"]


def test_a_port_that_is_in_use_is_told(place):
    with socket.create_server(("127.0.0.1", server.PORT)), pytest.raises(OSError, match="is in use"):
        served(place, SERVE)


def test_it_gets_what_a_space_sets_and_nothing_of_ours(place, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    surroundings = server.surroundings(place, SpaceCard(CARD).data)
    assert surroundings["SPACE_ID"] == "someone/sequence-to-sequence"
    assert surroundings["SPACE_HOST"] == "someone-sequence-to-sequence.hf.space"
    assert surroundings["SPACE_TITLE"] == "A small one"
    assert surroundings["GRADIO_SSR_MODE"] == "true"
    assert "HF_TOKEN" not in surroundings


def test_peak_memory_is_of_the_whole_family():
    processes = {
        1: {"PPid": "0", "VmHWM": "100 kB"},
        7: {"PPid": "1", "VmHWM": "   20 kB"},
        8: {"PPid": "7", "VmHWM": "3 kB"},
        9: {"PPid": "7"},
        10: {"PPid": "1", "VmHWM": "4000 kB"},
    }
    assert server._family(7, processes) == 23 * 1024
