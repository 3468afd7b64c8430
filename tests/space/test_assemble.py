"""Which files go to a Space, and which never do."""

import re

import pytest
from project import LEFT, NEEDED, ROOT, commit, git, make_project, write

from space import assemble


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "project")


def test_the_app_and_what_it_reads_and_nothing_else(project):
    assert assemble.files(project) == sorted(NEEDED)


def test_the_folder_holds_exactly_the_files(project, tmp_path):
    folder = tmp_path / "built"
    write(folder, {"left-over.py": b"", "old/left-over.py": b""})
    assemble.assemble(folder, project)
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert found == NEEDED


def test_without_git_all_that_match_are_taken(project, tmp_path):
    write(project, {"seq2seq_demo/__pycache__/page.cpython-311.pyc": b""})
    (project / ".git").rename(tmp_path / "git")
    assert assemble.files(project) == sorted(NEEDED)
    assert assemble.changed(project) == []
    assert assemble.commit(project) == "no commit"


def test_a_file_that_git_does_not_know_is_refused_where_it_matters(project):
    write(project, {"docs/draft.md": b"", "build/space/app.py": b"", "seq2seq_demo/__pycache__/page.pyc": b""})
    assert assemble.files(project) == sorted(NEEDED)
    write(project, {"assets/new.js": b"", "assets/newer.js": b""})
    with pytest.raises(ValueError, match=r"^assets/new.js \(and 1 more\) is not in git: `git add` or remove it$"):
        assemble.files(project)
    git(project, "add", "assets")
    assert {"assets/new.js", "assets/newer.js"} < set(assemble.files(project))


def test_a_file_that_is_gone_is_refused(project):
    (project / "trained/metrics.csv").unlink()
    with pytest.raises(ValueError, match=r"^trained/metrics.csv is in git but not there"):
        assemble.files(project)


@pytest.mark.parametrize(("size", "fits"), [(10_000_000, True), (10_000_001, False)])
def test_ten_megabytes_is_the_limit(project, size, fits):
    write(project, {"trained/lesson/attention-64/epoch-000.keras": bytes(size)})
    commit(project)
    if fits:
        assert len(assemble.files(project)) == len(NEEDED) + 1
    else:
        with pytest.raises(ValueError, match=r"^trained/lesson/attention-64/epoch-000.keras is over 10 MB"):
            assemble.files(project)


def test_what_differs_from_the_commit_is_told_for_the_space_alone(project):
    write(project, {"Makefile": b"other:\n"})
    assert assemble.changed(project) == []
    write(project, {"app.py": b"pass\n"})
    assert assemble.changed(project) == ["app.py"]
    git(project, "add", "app.py")
    assert assemble.changed(project) == ["app.py"], "also once it is staged"


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"has no app.py"):
        assemble.files(tmp_path)


def test_of_this_project_nothing_is_missing():
    names = set(assemble.files())
    assert not [name for name in names if name.startswith(("tests/", "bench/", "docs/", "space/"))]
    assert {"README.md", "app.py", "requirements.txt", "trained/manifest.json", "data/lesson_page.json"} < names
    weights = {path.relative_to(ROOT).as_posix() for path in (ROOT / "trained").rglob("*.keras")}
    assert weights
    assert weights < names
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert pictures
    assert {picture for picture in pictures if "://" not in picture} <= names


def test_the_two_lists_here_are_disjoint():
    assert not set(NEEDED) & set(LEFT)
