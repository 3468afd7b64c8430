"""Who may import whom, and what stays unloaded until it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "seq2seq_demo"
# Lowest first; modules on one line do not import each other.
LAYERS = [
    {"alphabet", "files", "grid", "on_ray"},
    {"grammar", "reference", "models"},
    {"corpus", "budgets", "notebook"},
    {"decoding"},
    {"compiled", "artefacts"},
    {"translator"},
    {"evaluation", "answers"},
    {"chunks"},
    {"delimited", "parquet"},
    {"tables"},
    {"lines_on_ray"},
    {"lines"},
    {"measuring"},
    {"training", "report"},
    {"cards"},
]


def imported(path):
    """The project's modules that a file imports anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("seq2seq_demo"):
            rest = node.module.removeprefix("seq2seq_demo").lstrip(".")
            names |= {rest.split(".")[0]} if rest else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("seq2seq_demo.")}
    return names


def test_imports_run_downwards_only():
    rank = {module: level for level, modules in enumerate(LAYERS) for module in modules}
    assert {path.stem for path in PACKAGE.glob("*.py")} == rank.keys() | {"__init__", "__main__", "figures"}
    for module, level in rank.items():
        for other in imported(PACKAGE / f"{module}.py"):
            assert rank[other] < level, f"{module} imports {other}"


def test_decoding_and_figures_know_nothing_of_the_project():
    for module in ("decoding", "figures"):
        assert imported(PACKAGE / f"{module}.py") <= {"alphabet"} - ({"alphabet"} if module == "decoding" else set())


def test_nothing_but_the_app_knows_the_interface():
    for path in PACKAGE.glob("*.py"):
        assert "interface" not in imported(path)


def loaded_by(statement):
    script = f"import sys; {statement}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())


def test_the_package_loads_without_tensorflow():
    loaded = loaded_by("import seq2seq_demo as s2s; s2s.find_reference('7 feb 1993')")
    assert not loaded & {"tensorflow", "keras", "gradio", "plotly", "pandas"}


def test_the_page_is_built_without_tensorflow():
    assert not loaded_by("import app") & {"tensorflow", "keras"}


def test_nothing_prints():
    script = "import seq2seq_demo as s2s; s2s.load_model('attention').translate('7 feb 1993')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert (done.stdout, done.stderr) == ("", "")
