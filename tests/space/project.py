"""A small project in a git repository of its own, with this project's `space` package in it."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
CARD = '---\ntitle: A small one\nsdk: gradio\nsdk_version: 6.31.0\npython_version: "3.11"\napp_file: app.py\n---\n'
NEEDED = {
    "README.md": CARD.encode(),
    "app.py": b"import seq2seq_demo\n",
    "requirements.txt": b"gradio==6.31.0\n",
    "seq2seq_demo/__init__.py": b'"""The app."""\n',
    "seq2seq_demo/interface/page.py": b"PAGE = 1\n",
    "assets/page.css": b"body { margin: 0 }\n",
    "trained/everyday/attention-16/epoch-000.keras": bytes(range(256)),
    "trained/manifest.json": b"{}\n",
    "trained/metrics.csv": b"exact\n1\n",
    "data/lesson_page.json": b"{}\n",
}
LEFT = {
    "Makefile": b"all:\n",
    "requirements-dev.txt": b"pytest\n",
    "tests/test_app.py": b"",
    "bench/page.py": b"",
    "docs/log.md": b"",
    "data/everyday.csv": b"text\n",
    "data/everyday.parquet": b"PAR1",
    "data/README.md": b"",
    "trained/README.md": b"",
    ".gitignore": b"__pycache__/\nbuild/\n",
}


def make_project(folder):
    """Write and commit the files; returns the folder."""
    write(folder, {**NEEDED, **LEFT})
    shutil.copytree(ROOT / "space", folder / "space", ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "-q")
    commit(folder)
    return folder


def write(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-qm", "all")


def git(folder, *command):
    return subprocess.run(["git", "-C", folder, *command], check=True, capture_output=True, text=True).stdout
