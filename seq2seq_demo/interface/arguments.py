"""What an endpoint takes: how each argument is described to callers, and how a wrong one is refused."""

import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from seq2seq_demo.alphabet import MAX_LENGTH
from seq2seq_demo.interface.backend import Backend

REQUIRED: Any = object()


class CallError(gr.Error):
    """A call that cannot be answered as it was made. The message says what to do.

    Attributes:
        status: the HTTP status it is refused with.
        argument: the argument that is wrong; empty if it is not one alone.
    """

    def __init__(self, message: str, status: int = 422, argument: str = ""):
        super().__init__(message, print_exception=False)
        self.status, self.argument = status, argument

    def __str__(self) -> str:
        # Gradio's own quotes it, and that is what an MCP client would be shown.
        return str(self.message)


@dataclass(frozen=True)
class Argument:
    """One argument of an endpoint.

    Attributes:
        name: as in the endpoint's signature.
        about: what it means, for people and language models, in one line.
        example: a value to begin with.
        default: what it is if left out; `REQUIRED` if it may not be. None also means that null may be given.
    """

    name: str
    about: str
    example: Any
    default: Any = REQUIRED

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what is taken."""
        taken = self._schema() if self.default is not None else {"anyOf": [self._schema(), {"type": "null"}]}
        return {**taken, "description": self.about, "additional_description": self.about, "examples": [self.example]}

    def check(self, value: Any) -> Any:
        """Return the value as it is used.

        Raises:
            CallError: if it is none that is taken.
        """
        return None if value is None and self.default is None else self._check(value)

    def refuse(self, value: Any, expected: str) -> CallError:
        """The error for a wrong value."""
        return CallError(f"{self.name} is {reprlib.repr(value)}; {expected}", argument=self.name)

    def _schema(self) -> dict[str, Any]:
        raise NotImplementedError

    def _check(self, value: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Argument):
    """A string of at most `longest` characters."""

    longest: int = 0

    def _schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.longest}

    def _check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self.refuse(value, "a string is expected")
        if len(value) > self.longest:
            message = (
                f"{self.name} has {len(value)} characters; at most {self.longest} are taken, and {MAX_LENGTH} are read"
            )
            raise CallError(message, argument=self.name)
        return value


@dataclass(frozen=True)
class Choice(Argument):
    """One of some strings."""

    choices: tuple[str, ...] = ()

    def _schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.choices)}

    def _check(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value, f"choose one of: {', '.join(self.choices)}")
        return value


@dataclass(frozen=True)
class Whole(Argument):
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = 0

    def _schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def _check(self, value: Any) -> int:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not self.low <= value <= self.high or value != int(value):
            raise self.refuse(value, f"a whole number from {self.low} to {self.high} is expected")
        return int(value)


@dataclass(frozen=True)
class Endpoint:
    """A function that programs call by name.

    Attributes:
        name: without the slash.
        about: what it is for, when to use it, and what comes back.
        arguments: in their order; those that may be left out last.
        run: takes the backend and the arguments by name, returns what is JSON-ready.
        returns: the JSON schema of that.
        exists: raises a `CallError` if arguments that are each right do not go together.
    """

    name: str
    about: str
    arguments: tuple[Argument, ...]
    run: Callable[[Backend, Mapping[str, Any]], Any]
    returns: Mapping[str, Any]
    exists: Callable[[Mapping[str, Any]], None] = lambda values: None

    def check(self, given: Any) -> dict[str, Any]:
        """Read the arguments of a call, a sequence in their order or a mapping by name, into one by name.

        Raises:
            CallError: saying what is wrong with the first that is.
        """
        named = given if isinstance(given, Mapping) else self._by_name(given)
        for name in named:
            if name not in {argument.name for argument in self.arguments}:
                raise CallError(f"/{self.name} has no argument {reprlib.repr(name)}; {self._takes()}")
        values = {}
        for argument in self.arguments:
            if argument.name in named:
                values[argument.name] = argument.check(named[argument.name])
            elif argument.required:
                raise CallError(f"{argument.name} is missing; {self._takes()}", argument=argument.name)
            else:
                values[argument.name] = argument.default
        self.exists(values)
        return values

    def _by_name(self, given: Sequence[Any]) -> dict[str, Any]:
        if len(given) > len(self.arguments):
            raise CallError(f"{len(given)} arguments were given; {self._takes()}")
        return {argument.name: value for argument, value in zip(self.arguments, given, strict=False)}

    def _takes(self) -> str:
        required = ", ".join(argument.name for argument in self.arguments if argument.required)
        optional = ", ".join(argument.name for argument in self.arguments if not argument.required)
        return f"/{self.name} takes " + " and optionally ".join(filter(None, (required, optional)))
