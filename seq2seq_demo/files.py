"""Where the files that belong to the code lie: at the top of a checkout, or in the package once it is installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
INSTALLED = (_PACKAGE / "trained").is_dir()
_TOP = _PACKAGE if INSTALLED else _PACKAGE.parent

TRAINED = _TOP / "trained"
DATA = _TOP / "data"
ASSETS = _TOP / "assets"
# Where training writes if it is not told: an installed package is not written to.
RETRAINED = Path("trained") if INSTALLED else TRAINED
