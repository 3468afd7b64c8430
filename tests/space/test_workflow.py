"""The workflow that deploys on a tag does what the Makefile can do."""

import re

import yaml
from project import ROOT

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "deploy.yml").read_text("utf-8"))
STEPS = WORKFLOW["jobs"]["deploy"]["steps"]


def test_it_runs_on_version_tags_alone():
    # YAML 1.1 reads the key `on` as true.
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}
    assert WORKFLOW["permissions"] == {"contents": "read"}


def test_its_commands_exist():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    commands = [step["run"] for step in STEPS if "run" in step]
    assert commands == [".ci/run", 'make deploy SPACE="$SPACE"'], "what fails the tests is not deployed"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    for target in re.findall(r"make (\w+)", " ".join(commands) + (ROOT / ".ci" / "run").read_text("utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_secret_reaches_the_deployment_alone():
    assert [step.get("env") for step in STEPS[:-1]] == [None] * (len(STEPS) - 1)
    assert STEPS[-1]["env"] == {"HF_TOKEN": "${{ secrets.HF_TOKEN }}", "SPACE": "${{ vars.SPACE }}"}


def test_actions_are_pinned():
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", action) for action in used)
