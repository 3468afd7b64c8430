import pytest
from hypothesis import settings

import seq2seq_demo as s2s

# No conftest.py of its own: the browser tests import theirs by that name.
pytest_plugins = ["tests.interface.serving"]

# Tests are not timed: a busy machine must not fail them.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def attention():
    return s2s.load_model("attention")


@pytest.fixture(scope="session")
def encoder_decoder():
    return s2s.load_model("encoder-decoder")


@pytest.fixture(params=["attention", "encoder-decoder"])
def model(request):
    return s2s.load_model(request.param)
