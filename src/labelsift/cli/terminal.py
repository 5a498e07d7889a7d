"""Write to the terminal: notes, waiting, and text that may come from a file."""

from __future__ import annotations

import difflib
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])
PATIENCE = 2.0  # seconds before a wait is shown


class WrongInput(click.ClickException):
    """Something that the user gave cannot be used; the message says it all."""

    exit_code = 2


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean "..."?``, or nothing if no name is close."""
    close = difflib.get_close_matches(name.lower(), [str(k) for k in known], 1)
    return f' Did you mean "{close[0]}"?' if close else ""


def common_options(command: Function) -> Function:
    """Add ``--quiet`` and ``--json``."""
    quiet = click.option(
        "--quiet", "-q", is_flag=True, help="No progress and no notes."
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    return quiet(as_json(command))


def note(text: str) -> None:
    """Write a note to standard error, unless ``--quiet`` was given."""
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        click.echo(f"! {one_line(text)}", err=True)


def one_line(text: str) -> str:
    """Return text on one line, without characters that would steer a terminal."""
    return "".join(
        character if character.isprintable() else f"\\x{ord(character):02x}"
        for character in " ".join(text.split())
    )


def cut_line(text: str, width: int) -> str:
    """Return text on one line of so many characters at most."""
    clean = one_line(text)
    return clean if len(clean) <= width else f"{clean[: width - 1]}…"


def duration(seconds: float) -> str:
    """Return a duration in the largest two units: 40 s, 3 min 20 s, 2 h 05 min."""
    if seconds < 1:
        return "1 s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s" if minutes < 10 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def print_json(value: Any) -> None:
    """Print a value as JSON; NaN and infinities become null.

    What would steer a terminal is escaped, as JSON allows for every character.
    """
    text = json.dumps(_finite(value), ensure_ascii=False, indent=2)
    click.echo(
        "".join(
            each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1]
            for each in text
        )
        if not text.replace("\n", "").isprintable()
        else text
    )


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


@contextmanager
def waiting(text: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show a sign of life on standard error if the block takes over two seconds.

    Yields a function that adds to the text how far things are.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda more: None
        return
    from rich.console import Console
    from rich.markup import escape

    status = Console(stderr=True).status(escape(one_line(text)))
    timer = threading.Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda more: status.update(escape(one_line(f"{text}: {more}")))
    finally:
        timer.cancel()
        status.stop()
