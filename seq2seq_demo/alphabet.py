"""The symbols the models read and write, and what becomes of a typed text on its way to them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, digits

import numpy as np

PADDING, UNKNOWN, START = "\0", "\N{REPLACEMENT CHARACTER}", "\t"
INPUT_SYMBOLS: tuple[str, ...] = (PADDING, UNKNOWN, " ", "/", *digits, *ascii_lowercase)
OUTPUT_SYMBOLS: tuple[str, ...] = (START, *digits, "-")
TRAINING_LENGTH = 48
MAX_LENGTH = 96
OUTPUT_LENGTH = 10

_INPUT_IDS = {symbol: index for index, symbol in enumerate(INPUT_SYMBOLS)}
_OUTPUT_IDS = {symbol: index for index, symbol in enumerate(OUTPUT_SYMBOLS)}
# One look-up per UTF-32 code unit: a million lines are encoded, and a dictionary per character is slow.
_ID_OF_CODE = np.full(0xFFFE, _INPUT_IDS[UNKNOWN], np.int32)
_ID_OF_CODE[[ord(symbol) for symbol in INPUT_SYMBOLS]] = np.arange(len(INPUT_SYMBOLS))

_PLAIN = re.compile(r"(?:[a-z0-9/�]+(?: [a-z0-9/�]+)*)?")
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)(?![a-z0-9])")
_LEFT_BY_CUT = re.compile(rf"(?: |{_ORDINAL.pattern})\Z")
_COMMAS = frozenset(",،、，")
_MINUS = "\N{MINUS SIGN}"
_OTHER_SPACE = "Tabs, line breaks and other white space were read as spaces."


@dataclass(frozen=True, slots=True)
class Reading:
    """A typed text as the models read it.

    Attributes:
        source: at most 96 characters of `INPUT_SYMBOLS`, without padding.
        positions: for each source character, the index in the typed text of the character it came from.
        changes: what was changed, a sentence each, in the order of the steps in `read`.
    """

    source: str
    positions: Sequence[int]
    changes: tuple[str, ...]

    @property
    def beyond_training(self) -> bool:
        """Whether the source is longer than anything in training."""
        return len(self.source) > TRAINING_LENGTH


def read(text: str) -> Reading:
    """Bring any text into the input alphabet and say what was changed.

    Example: `read("May 17,2019").source` is `"may 17 2019"`.

    Raises:
        TypeError: if `text` is not a `str`.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is a {type(text).__name__}; a str is expected: pass str(...) of it")
    if len(text) <= MAX_LENGTH and _PLAIN.fullmatch(text) and not _ORDINAL.search(text):
        return Reading(text, range(len(text)), ())
    # A pasted book is cut to 96 characters, so only as much of it as those need is worked through.
    taken = 8 * MAX_LENGTH
    while True:
        passage = _Passage(text[:taken])
        passage.apply_all()
        if taken >= len(text) or len(passage.characters) > MAX_LENGTH + 8:
            return passage.reading(text)
        taken *= 4


class _Passage:
    """Characters on their way into the alphabet, each with the index it was typed at."""

    def __init__(self, text: str):
        self.characters = list(text)
        self.positions = list(range(len(text)))
        self._noted: dict[str, list[tuple[int, str]]] = {}

    def apply_all(self) -> None:
        self._drop_invisible()
        self._compatibility_forms()
        self._decimal_digits()
        self._lower_case()
        self._drop_ordinal_endings()
        self._separators()
        self._spaces()
        self._unknown()

    def reading(self, text: str) -> Reading:
        """At most the first 96 characters, with only those changes that concern them."""
        source, end = "".join(self.characters), len(text)
        kept = len(source) <= MAX_LENGTH
        if not kept:
            # Not behind a space, nor where the cut itself makes an ending (`1st|art`): both would go on reading again.
            source = _LEFT_BY_CUT.sub("", source[:MAX_LENGTH])
            end = self.positions[len(source)]
        changes = []
        for sentence, found in self._noted.items():
            shown = list(dict.fromkeys(what for position, what in found if position < end))
            if shown:
                more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
                changes.append(sentence.format(", ".join(shown[:6]) + more))
        if not kept:
            changes.append(
                f"Only the first {len(source)} characters are read; "
                f"the {len(text) - end} after them were cut, from {_quoted(text[end : end + 12])} on."
            )
        return Reading(source, tuple(self.positions[: len(source)]), tuple(changes))

    def _note(self, sentence: str, position: int, what: str) -> None:
        self._noted.setdefault(sentence, []).append((position, what))

    def _rebuild(self, pieces: Iterable[tuple[str, int]]) -> None:
        spread = [(character, position) for piece, position in pieces for character in piece]
        self.characters = [character for character, _ in spread]
        self.positions = [position for _, position in spread]

    def _drop_invisible(self) -> None:
        kept = []
        for character, position in zip(self.characters, self.positions, strict=True):
            if _is_invisible(character):
                self._note("Invisible characters were dropped: {}.", position, _name(character))
            else:
                kept.append((character, position))
        self._rebuild(kept)

    def _compatibility_forms(self) -> None:
        # Composed with their marks but cluster by cluster, so that every result has a place of origin.
        clusters: list[tuple[str, int]] = []
        for character, position in zip(self.characters, self.positions, strict=True):
            if clusters and unicodedata.combining(character):
                clusters[-1] = (clusters[-1][0] + character, clusters[-1][1])
            else:
                clusters.append((character, position))
        pieces = []
        for cluster, position in clusters:
            form = unicodedata.normalize("NFKC", cluster)
            if cluster.isspace() and form != cluster:
                self._note(_OTHER_SPACE, position, "")
            elif form != cluster and len(cluster) == 1:
                self._note("Written another way: {}.", position, f"{_quoted(cluster)} as {_quoted(form)}")
            pieces.append((form, position))
        self._rebuild(pieces)

    def _decimal_digits(self) -> None:
        for index, character in enumerate(self.characters):
            value = unicodedata.decimal(character, None)
            if value is not None and not character.isascii():
                self.characters[index] = str(value)
                what = f"{_quoted(character)} as {_quoted(str(value))}"
                self._note("Digits of another script were read as 0-9: {}.", self.positions[index], what)

    def _lower_case(self) -> None:
        pieces = []
        for character, position in zip(self.characters, self.positions, strict=True):
            lowered = character.lower()
            if lowered != character:
                self._note("Upper case was read as lower case.", position, "")
            pieces.append((lowered, position))
        self._rebuild(pieces)

    def _drop_ordinal_endings(self) -> None:
        # `_ORDINAL` looks at ASCII only, so a list of single characters and its join have the same indices.
        matches = list(_ORDINAL.finditer("".join(self.characters)))
        for match in matches:
            sentence = "The endings of ordinal numbers were dropped: {}."
            self._note(sentence, self.positions[match.start()], _quoted(match.group()))
        for match in reversed(matches):
            del self.characters[match.start() : match.end()]
            del self.positions[match.start() : match.end()]

    def _separators(self) -> None:
        before = self.characters[:]
        for index in range(1, len(before) - 1):
            left, character, right = before[index - 1 : index + 2]
            if not (character == "." or _is_dash(character)):
                continue
            what, position = _quoted(character), self.positions[index]
            if _is_digit(left) and _is_digit(right):
                self.characters[index] = "/"
                self._note("Read as `/` between digits: {}.", position, what)
            elif (_is_digit(left) and _is_letter(right)) or (_is_letter(left) and _is_digit(right)):
                self.characters[index] = " "
                self._note("Read as a space between a digit and a letter: {}.", position, what)

    def _spaces(self) -> None:
        kept: list[tuple[str, int]] = []
        for character, position in zip(self.characters, self.positions, strict=True):
            if character in _COMMAS:
                self._note("Commas were read as spaces.", position, "")
            elif character.isspace() and character != " ":
                self._note(_OTHER_SPACE, position, "")
            elif character != " ":
                kept.append((character, position))
                continue
            if not kept:
                self._note("Spaces at the ends were dropped.", position, "")
            elif kept[-1][0] == " ":
                self._note("Repeated spaces were read as one.", position, "")
            else:
                kept.append((" ", position))
        if kept and kept[-1][0] == " ":
            self._note("Spaces at the ends were dropped.", kept.pop()[1], "")
        self._rebuild(kept)

    def _unknown(self) -> None:
        for index, character in enumerate(self.characters):
            if _INPUT_IDS.get(character, 0) <= _INPUT_IDS[UNKNOWN]:
                self.characters[index] = UNKNOWN
                if character != UNKNOWN:
                    sentence = f"Not in the alphabet, read as the unknown symbol {UNKNOWN}: {{}}."
                    self._note(sentence, self.positions[index], _quoted(character))


def encode_sources(sources: Sequence[str], length: int) -> np.ndarray:
    """Turn sources into ids, padded with 0 behind.

    Args:
        sources: texts of `INPUT_SYMBOLS` (`Reading.source`); longer ones are cut to `length`.
        length: the number of columns.

    Returns:
        int32 `(len(sources), length)`.
    """
    joined = "".join(source[:length].ljust(length, PADDING) for source in sources)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _ID_OF_CODE[np.minimum(codes, len(_ID_OF_CODE) - 1)].reshape(len(sources), length)


def encode_prefix(prefix: str) -> np.ndarray:
    """Turn the beginning of an output into ids, int32 `(len(prefix),)`.

    Raises:
        ValueError: past 10 characters, or for a character that no output has.
    """
    if len(prefix) > OUTPUT_LENGTH or not set(prefix) <= _OUTPUT_IDS.keys():
        raise ValueError(f"output {prefix!r}; expected at most {OUTPUT_LENGTH} digits and hyphens, like '1993-02-07'")
    return np.array([_OUTPUT_IDS[character] for character in prefix], np.int32)


def encode_targets(targets: Sequence[str]) -> np.ndarray:
    """Turn whole outputs into ids, int32 `(len(targets), 10)`.

    Raises:
        ValueError: for another length than 10, or a character that no output has.
    """
    for target in targets:
        if len(target) != OUTPUT_LENGTH:
            raise ValueError(f"target {target!r}; expected {OUTPUT_LENGTH} characters, like '1993-02-07'")
    return np.array([encode_prefix(target) for target in targets], np.int32).reshape(-1, OUTPUT_LENGTH)


def shift_right(targets: np.ndarray) -> np.ndarray:
    """The decoder's input under teacher forcing: the start symbol, then all but the last target.

    Args:
        targets: int32 `(batch, 10)`.

    Returns:
        int32 `(batch, 10)`.
    """
    return np.pad(targets[:, :-1], ((0, 0), (1, 0)), constant_values=_OUTPUT_IDS[START])


def decode_outputs(ids: np.ndarray) -> list[str]:
    """Turn output ids `(batch, length)` into texts."""
    return ["".join(OUTPUT_SYMBOLS[index] for index in row) for row in ids.tolist()]


def _is_digit(character: str) -> bool:
    return character in digits


def _is_letter(character: str) -> bool:
    return character in ascii_lowercase


def _is_dash(character: str) -> bool:
    return character == _MINUS or unicodedata.category(character) == "Pd"


def _is_invisible(character: str) -> bool:
    control = unicodedata.category(character) in ("Cc", "Cf") and not character.isspace()
    return control or "\ufe00" <= character <= "\ufe0f" or character == "\u034f"


def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


def _quoted(text: str) -> str:
    return f"`{text}`" if text.isprintable() else f"`{text!r}`"
