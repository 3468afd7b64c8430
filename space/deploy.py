"""`make deploy SPACE=owner/name`: uploads what `make space` rehearses, and creates the Space if needed."""

import argparse
import sys
from collections.abc import Sequence

import httpx2
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_token, set_client_factory
from huggingface_hub.errors import HfHubHTTPError, HFValidationError
from huggingface_hub.utils import disable_progress_bars, logging, validate_repo_id

from space import assemble
from space.assemble import ROOT

# A Space that was just created, or emptied by hand, holds no more than these.
_BLANK = {".gitattributes", ".gitignore", "README.md"}
_SECONDS = httpx2.Timeout(120, connect=5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Deploy; return 0, or 1 after one plain line that says what to do."""
    parser = argparse.ArgumentParser(prog="python -m space.deploy", description=__doc__)
    parser.add_argument("space", help="owner/name")
    parser.add_argument("--dry-run", action="store_true", help="list what would be sent, and send nothing")
    options = parser.parse_args(arguments)
    try:
        _check_name(options.space)
        if options.dry_run:
            return _list(options.space)
        print(deploy(options.space))
    except HfHubHTTPError as error:
        print(f"error: {_explain(error, options.space)}", file=sys.stderr)
    except httpx2.HTTPError as error:
        print(f"error: {HfApi().endpoint} cannot be reached: {error}", file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
    else:
        return 0
    return 1


def deploy(space: str) -> str:
    """Bring a Space to what is committed here; returns what was done, in words.

    All is one commit on the Hub, so that the Space is built once, from all of it. Files that are no longer part of the
    app are removed there.

    Raises:
        ValueError: there is no token, files are not committed, or the name holds another app.
        HfHubHTTPError: the Hub refused.
        httpx2.HTTPError: the Hub could not be reached.
    """
    if changed := assemble.changed():
        raise ValueError(f"{', '.join(changed)} differ from the last commit: commit first")
    names = assemble.files()
    token = get_token()
    if token is None:
        raise ValueError(
            "no token: set HF_TOKEN, or log in with `hf auth login`; https://huggingface.co/settings/tokens makes one"
        )
    _be_brief()
    api = HfApi(token=token)
    url = api.create_repo(space, repo_type="space", space_sdk="gradio", exist_ok=True)
    there = set(api.list_repo_files(space, repo_type="space"))
    if there - _BLANK and not any(name.startswith("seq2seq_demo/") for name in there):
        raise ValueError(f"{space} is taken: it holds another app, which this would replace; choose another name")
    sent = [CommitOperationAdd(name, ROOT / name) for name in names]
    removed = [CommitOperationDelete(name) for name in sorted(there - {".gitattributes"} - set(names))]
    message = f"Deploy {assemble.commit()}"
    done = api.create_commit(space, [*sent, *removed], commit_message=message, repo_type="space")
    return f"{url} now has the {len(names)} files of {assemble.commit()} (commit {done.oid[:7]} there) and builds"


def _check_name(space: str) -> None:
    try:
        validate_repo_id(space)
    except HFValidationError as error:
        raise ValueError(f"SPACE={space} is no name for a Space: {error}") from None
    if "/" not in space:
        raise ValueError(f"SPACE={space} is no name for a Space: give it as owner/name")


def _list(space: str) -> int:
    sizes = {name: (ROOT / name).stat().st_size for name in assemble.files()}
    for name, size in sizes.items():
        print(f"{size:9,}  {name}")
    print(f"{sum(sizes.values()):9,}  bytes in {len(sizes)} files would go to {space}; nothing was sent")
    return 0


def _be_brief() -> None:
    """One plain line is all that a failure prints, and no host that is not there is waited for."""
    logging.set_verbosity_error()
    if not sys.stderr.isatty():
        disable_progress_bars()
    set_client_factory(lambda: httpx2.Client(follow_redirects=True, timeout=_SECONDS))


def _explain(error: HfHubHTTPError, space: str) -> str:
    status = error.response.status_code
    owner = space.split("/", maxsplit=1)[0]
    told = " ".join((error.server_message or str(error)).split())
    return {
        401: "the Hub does not accept this token: set HF_TOKEN to a valid one, or log in again with `hf auth login`",
        402: f"a new Gradio Space needs a paid plan of {owner} (PRO, Team or Enterprise); the Hub says: {told}",
        403: f"{space} is not yours to write, or your token may only read: choose a name of your own, or give the "
        f"token write access to {owner}; the Hub says: {told}",
        404: f"{space} is not there for this token: is {owner} spelt right, and may the token see it?",
        409: f"{space} is taken: choose another name; the Hub says: {told}",
        429: "the Hub gets too many requests from you: wait some minutes",
    }.get(status, f"the Hub answered with status {status}: {told}")


if __name__ == "__main__":
    sys.exit(main())
