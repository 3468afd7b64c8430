"""Deploying to a stand-in for the Hub: what is sent, what is left alone, and one plain line when it cannot be."""

import os
import socket
import subprocess
import sys

import pytest
from hub import TOKEN, Hub
from project import NEEDED, commit, git, make_project, write


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "project")


@pytest.fixture
def hub():
    with Hub() as hub:
        yield hub


def deploy(project, hub_url, *arguments, token=TOKEN):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    environment |= {"HF_ENDPOINT": hub_url, "HF_HOME": str(project.parent / "hf"), "NO_PROXY": "127.0.0.1"}
    environment |= {"HF_TOKEN": token} if token else {}
    command = [sys.executable, "-m", "space.deploy", *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


def refused(done):
    """The one plain line of a deployment that did not come about."""
    assert (done.returncode, done.stdout) == (1, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    return lines[0].removeprefix("error: ")


def test_a_new_space_is_created_and_filled_in_one_commit(project, hub):
    done = deploy(project, hub.url, "me/dates")
    assert (done.returncode, done.stderr) == (0, "")
    assert hub.spaces == {"me/dates": {".gitattributes": b"*.bin filter=lfs", **NEEDED}}
    short = git(project, "rev-parse", "--short", "HEAD").strip()
    assert done.stdout == (
        f"{hub.url}/spaces/me/dates now has the {len(NEEDED)} files of {short} (commit aaaaaaa there) and builds\n"
    )
    assert hub.asked() == [
        ("POST", "/api/repos/create"),
        ("GET", "/api/spaces/me/dates/tree/main"),
        ("POST", "/api/validate-yaml"),
        ("POST", "/api/spaces/me/dates/preupload/main"),
        ("POST", "/api/spaces/me/dates/commit/main"),
    ]
    assert f'"summary": "Deploy {short}"'.encode() in hub.requests[-1][2]


def test_a_second_time_only_what_changed_is_sent_and_what_is_gone_is_removed(project, hub):
    assert deploy(project, hub.url, "me/dates").returncode == 0
    (project / "assets/page.css").unlink()
    write(project, {"app.py": b"pass\n"})
    commit(project)
    assert deploy(project, hub.url, "me/dates").returncode == 0
    expected = {**NEEDED, "app.py": b"pass\n", ".gitattributes": b"*.bin filter=lfs"}
    del expected["assets/page.css"]
    assert hub.spaces["me/dates"] == expected
    last = hub.requests[-1][2].decode().splitlines()
    assert sorted(line.split('"')[3] for line in last) == ["deletedFile", "file", "header"]


def test_nothing_new_is_no_commit(project, hub):
    assert deploy(project, hub.url, "me/dates").returncode == 0
    done = deploy(project, hub.url, "me/dates")
    assert (done.returncode, done.stderr) == (0, "")
    assert [path for _, path in hub.asked()].count("/api/spaces/me/dates/commit/main") == 1


def test_a_space_that_was_made_on_a_plan_that_has_ended_is_still_deployed_to(project, hub):
    assert deploy(project, hub.url, "me/dates").returncode == 0
    hub.paying = False
    assert deploy(project, hub.url, "me/dates").returncode == 0


def test_a_dry_run_lists_and_asks_nobody(project, hub):
    done = deploy(project, hub.url, "me/dates", "--dry-run", token=None)
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    assert [line.split()[-1] for line in lines] == sorted(NEEDED)
    total = sum(map(len, NEEDED.values()))
    assert last.split(maxsplit=1) == [
        f"{total:,}",
        f"bytes in {len(NEEDED)} files would go to me/dates; nothing was sent",
    ]
    assert hub.requests == []


def test_no_token(project, hub):
    assert refused(deploy(project, hub.url, "me/dates", token=None)).startswith("no token: set HF_TOKEN, or log in")
    assert hub.requests == []


def test_a_wrong_token(project, hub):
    line = refused(deploy(project, hub.url, "me/dates", token="hf_other"))
    assert line.startswith("the Hub does not accept this token")


def test_a_name_under_somebody_else(project, hub):
    line = refused(deploy(project, hub.url, "other/dates"))
    assert line.startswith("other/dates is not yours to write, or your token may only read")
    assert 'under the namespace "other"' in line


def test_a_space_of_somebody_else(project, hub):
    hub.spaces["other/dates"] = {"seq2seq_demo/__init__.py": b""}
    assert refused(deploy(project, hub.url, "other/dates")).startswith("other/dates is not yours to write")
    assert hub.spaces["other/dates"] == {"seq2seq_demo/__init__.py": b""}


def test_a_name_that_holds_another_app_of_ours(project, hub):
    mine = {".gitattributes": b"", "README.md": b"", "main.py": b"import gradio"}
    hub.spaces["me/dates"] = dict(mine)
    assert refused(deploy(project, hub.url, "me/dates")).startswith("me/dates is taken: it holds another app")
    assert hub.spaces["me/dates"] == mine


def test_no_paid_plan(project, hub):
    hub.paying = False
    line = refused(deploy(project, hub.url, "me/dates"))
    assert line.startswith("a new Gradio Space needs a paid plan of me (PRO, Team or Enterprise)")
    assert "requires a PRO subscription" in line


def test_no_network(project):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        assert refused(deploy(project, url, "me/dates")).startswith(f"{url} cannot be reached: ")


def test_a_card_that_the_hub_does_not_take(project, hub):
    hub.yaml_errors = [{"message": '"short_description" must be less than or equal to 60 characters long'}]
    line = refused(deploy(project, hub.url, "me/dates"))
    assert (
        line == 'Invalid metadata in README.md. - "short_description" must be less than or equal to 60 characters long'
    )


def test_what_is_not_committed_is_not_deployed(project, hub):
    write(project, {"app.py": b"pass\n"})
    assert refused(deploy(project, hub.url, "me/dates")) == "app.py differ from the last commit: commit first"
    assert hub.requests == []


@pytest.mark.parametrize("name", ["dates", "me/the dates", "", "me/dates/more"])
def test_what_is_no_name(project, hub, name):
    assert refused(deploy(project, hub.url, name)).startswith(f"SPACE={name} is no name for a Space")
    assert hub.requests == []
