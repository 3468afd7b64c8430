"""Copies of the app and a real nginx in front of them; install.sh makes sure that there is one."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 900
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE} s for {what}"
        time.sleep(0.1)


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=10).status == 200
    except OSError:
        return False


class Copy:
    """One process of the app on a port of its own."""

    def __init__(self, command=(sys.executable, "app.py"), folder=ROOT, environment=None):
        self.port = free_port()
        self.command, self.folder, self.environment = command, folder, environment or {}
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        own = {"GRADIO_SERVER_PORT": str(self.port), "GRADIO_SERVER_NAME": "127.0.0.1"}
        environment = {**os.environ, **self.environment, **own}
        self.process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL)

    def wait(self):
        wait_for(lambda: self.process.poll() is not None or answers(f"{self.url}/gradio_api/startup-events"), self.url)
        assert self.process.poll() is None, f"ended with status {self.process.returncode}"

    def kill(self):
        self.process.kill()
        self.process.wait(30)


class Nginx:
    """deploy/nginx.conf with other ports and files."""

    def __init__(self, folder, copies):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert self.program, "nginx is missing; run tests/deploy/install.sh"
        self.log, self.configuration = folder / "access.log", folder / "nginx.conf"
        changes = {
            "listen 8080;": f"listen 127.0.0.1:{self.port};",
            "/run/nginx.pid": str(folder / "nginx.pid"),
            "/var/log/nginx/error.log": str(folder / "error.log"),
            "/var/log/nginx/access.log": str(self.log),
            # Debian's own places are root's.
            "\nhttp {": "\nhttp {\n" + "".join(f"{kind}_temp_path {folder / kind};\n" for kind in TEMPORARY),
            **{f"127.0.0.1:{7861 + index}": f"127.0.0.1:{copy.port}" for index, copy in enumerate(copies)},
        }
        text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
        for old, new in changes.items():
            assert old in text, f"{old} is not in deploy/nginx.conf"
            text = text.replace(old, new)
        self.configuration.write_text(text, "utf-8")

    def run(self, *arguments):
        error_log = self.configuration.parent / "error.log"
        return [self.program, "-e", str(error_log), "-c", str(self.configuration), *arguments]

    def asked(self, start=0):
        """Of each request in the log from a line on: its line and the ports of the copies that were asked."""
        lines = self.log.read_text("utf-8").splitlines()[start:]
        return [(line, [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", line)]) for line in lines]
