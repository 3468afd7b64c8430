"""docs/example.ipynb runs, and gives what is committed."""

from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "docs" / "example.ipynb"


def outputs(notebook):
    """What each code cell shows: HTML where there is some (less pandas' own style), else text."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert [output.output_type for output in cell.outputs if output.output_type != "execute_result"] == []
            shown.append([output.data.get("text/html", output.data["text/plain"]) for output in cell.outputs])
    return shown


def test_the_notebook_gives_what_is_committed(tmp_path, monkeypatch):
    # The kernel is this Python, whatever kernels the machine has.
    monkeypatch.setattr(KernelSpecManager, "kernel_dirs", [str(tmp_path)])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    committed = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(committed)
    run = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(run, timeout=None, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert outputs(run) == outputs(committed)
    assert sum(map(bool, outputs(committed))) >= 6


@pytest.mark.parametrize("cell", nbformat.read(NOTEBOOK, as_version=4).cells, ids=lambda cell: cell["id"])
def test_no_cell_is_left_without_its_output(cell):
    assert cell.cell_type == "markdown" or cell.outputs
