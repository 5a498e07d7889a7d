"""The commands, and the one place where errors become a line and an exit code."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from labelsift import __version__
from labelsift.cli.compare import compare
from labelsift.cli.data_options import as_typed
from labelsift.cli.demo import demo
from labelsift.cli.info import info
from labelsift.cli.methods import methods
from labelsift.cli.paper import paper
from labelsift.cli.recommend import recommend
from labelsift.cli.select import select
from labelsift.cli.terminal import WrongInput, did_you_mean, note, one_line

FINE, FAILED, WRONG_INPUT = 0, 1, 2


class Commands(click.Group):
    """Commands that know what a mistyped name was meant to be."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command, or say which one was probably meant."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            known = ", ".join(self.commands)
            raise WrongInput(
                f'There is no command "{one_line(args[0])}".'
                f"{did_you_mean(args[0], self.commands)} Commands: {known}."
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(
    __version__, prog_name="labelsift", message="%(prog)s %(version)s"
)
def cli() -> None:
    """Find the features that matter for several labels at once.

    DATA is a file (ARFF, CSV, TSV, Parquet, svmlight, .mat, .npz, .rda; also
    compressed) or the name of a known set such as yeast.

    Exit codes: 0 fine, 1 the job failed, 2 wrong usage or input.
    """


for _command in (demo, info, select, recommend, compare, paper, methods):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never a traceback.

    Parameters
    ----------
    arguments : sequence of str, optional
        Words after the program's name; ``sys.argv`` by default.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(
                encoding="utf-8" if ascii_only else None, errors="backslashreplace"
            )
    with _sigterm_as_interrupt(), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = _show_warning
        try:
            words = sys.argv[1:] if arguments is None else list(arguments)
            with cli.make_context("labelsift", words) as context:
                cli.invoke(context)
            if sys.stdout is not None:  # None where it was closed before the start
                sys.stdout.flush()
        except BaseException as error:
            return _explain(error)
    return FINE


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does: what is done is kept and said.

    A second one ends it at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _: Any) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL:  # whoever calls us has plans of their own
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _explain(error: BaseException) -> int:
    """Say what went wrong in one line on standard error; return the exit code."""
    if os.environ.get("LABELSIFT_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else FAILED
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return WRONG_INPUT
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has stopped. Keep Python from failing on its flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    message, code = _message(error)
    click.echo(one_line(message), err=True)
    return code


def _message(error: BaseException) -> tuple[str, int]:
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "labelsift"
        return f"{error.format_message()}  `{command} --help` explains.", WRONG_INPUT
    if isinstance(error, click.ClickException):
        return error.format_message(), WRONG_INPUT
    if isinstance(error, KeyboardInterrupt | click.Abort):
        if sys.stderr.isatty():
            click.echo(err=True)  # the terminal has written ^C
        return "Interrupted; no file was left half written.", FAILED
    if isinstance(error, MemoryError):
        return (
            "Not enough memory for this data. Free some, use a larger machine, or give "
            "fewer rows.",
            FAILED,
        )
    if isinstance(error, ImportError):
        return f"{error}", FAILED
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}", FAILED
    notes = " ".join(getattr(error, "__notes__", ()))
    if isinstance(error, ValueError | TypeError):
        return as_typed(f"{error} {notes}"), WRONG_INPUT
    return (
        f"labelsift stumbled over {type(error).__name__}: {error} {notes} This is a "
        "fault of labelsift; LABELSIFT_DEBUG=1 shows where it happened.",
        FAILED,
    )


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    note(str(message))
