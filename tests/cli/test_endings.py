"""How the command line ends: codes, one line of words, never a traceback."""

import io
import os
import signal
import sys
import threading

import click
import pytest

from labelsift.cli import app
from labelsift.cli.app import main


class Stream(io.StringIO):
    """A stream that may be a terminal and cannot be configured."""

    def __init__(self, *, terminal=False):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def ends(monkeypatch):
    """Return a function that runs a command which raises; (code, standard error)."""

    def run(error, *, terminal=False):
        def fail(context):
            raise error

        stream = Stream(terminal=terminal)
        monkeypatch.setattr(app.cli, "invoke", fail)
        monkeypatch.setattr(sys, "stderr", stream)
        return main(["methods"]), stream.getvalue()

    return run


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (SystemExit(7), 7, ""),
        (SystemExit("text"), 1, ""),
        (click.exceptions.Exit(3), 3, ""),
        (click.ClickException("no such thing"), 2, "no such thing\n"),
        (KeyboardInterrupt(), 1, "Interrupted; no file was left half written.\n"),
        (click.Abort(), 1, "Interrupted; no file was left half written.\n"),
    ],
)
def test_what_ends_a_command_has_a_code_and_a_line(ends, error, code, said):
    assert ends(error) == (code, said)


def test_an_interrupt_begins_a_new_line_on_a_terminal(ends):
    code, said = ends(KeyboardInterrupt(), terminal=True)
    assert code == 1
    assert said == "\nInterrupted; no file was left half written.\n"


def test_a_traceback_is_shown_where_it_is_asked_for(ends, monkeypatch):
    monkeypatch.setenv("LABELSIFT_DEBUG", "1")
    code, said = ends(click.ClickException("no such thing"))
    assert code == 2
    assert said.startswith("Traceback (most recent call last)")
    assert said.endswith("no such thing\n")


def test_a_reader_that_stops_ends_in_silence(ends, monkeypatch, tmp_path):
    with open(tmp_path / "out", "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert ends(BrokenPipeError()) == (1, "")
        assert os.fstat(out.fileno()).st_rdev == os.stat(os.devnull).st_rdev
        monkeypatch.undo()


def test_without_standard_output_nothing_is_flushed(monkeypatch):
    monkeypatch.setattr(app.cli, "invoke", lambda context: None)
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["methods"]) == 0


def test_the_signal_to_end_is_an_interrupt_while_a_command_runs(monkeypatch):
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def look(context):
        seen.append(signal.getsignal(signal.SIGTERM))

    monkeypatch.setattr(app.cli, "invoke", look)
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        assert main(["methods"]) == 0
        with pytest.raises(KeyboardInterrupt):
            seen[0](signal.SIGTERM, None)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

        def own(number, frame):
            raise AssertionError

        signal.signal(signal.SIGTERM, own)  # the plans of who calls stay
        assert main(["methods"]) == 0
        assert seen[1] is own
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_command_may_run_outside_of_the_main_thread(monkeypatch):
    seen, codes = [], []
    monkeypatch.setattr(
        app.cli, "invoke", lambda c: seen.append(signal.getsignal(signal.SIGTERM))
    )
    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=lambda: codes.append(main(["methods"])))
    thread.start()
    thread.join()
    assert codes == [0]
    assert seen == [before]
