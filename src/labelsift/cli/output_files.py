"""Files that a command writes, and the command line that is shown in them."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from labelsift.cli.terminal import WrongInput

_LONGEST_NAME = 200
"""File systems take 255 bytes; what is half written has a longer name."""


def checked_target(option: str, name: str, inputs: list[Path]) -> Path:
    """Return where to write, or say at once why that cannot be."""
    from labelsift.read.opener import split_name
    from labelsift.read.save import format_to_write

    path = Path(name)
    if not path.parent.is_dir():
        raise WrongInput(f"{option} {name}: there is no folder {path.parent}.")
    if len(os.fsencode(path.name)) > _LONGEST_NAME:
        raise WrongInput(
            f"{option} {name[:40]}...: the file name is longer than {_LONGEST_NAME} "
            "bytes; give a shorter one."
        )
    if path.is_dir():
        raise WrongInput(f"{option} {name} is a folder; give a file name.")
    if not os.access(path.parent, os.W_OK):
        raise WrongInput(f"{option} {name}: no permission to write into {path.parent}.")
    made = [path]
    if option == "--out":
        format_to_write(path)
        stem, suffix = split_name(path.name)
        made += [path.with_name(f"{stem}.xml")] if suffix == ".arff" else []
    for one in made:
        for source in inputs:
            if one.exists() and os.path.samefile(one, source):
                raise WrongInput(
                    f"{option} {name} would overwrite the input {source}; choose "
                    "another name."
                )
    return path


def same_file(one: Path, other: Path) -> bool:
    """Return whether two names are of one file."""
    return os.path.realpath(one) == os.path.realpath(other)


def command_line(name: str) -> str:
    """Return the command line as it was typed, if this is a process of its own.

    Parameters
    ----------
    name : str
        The command that must stand in it.
    """
    words = sys.argv[1:] if name in sys.argv[1:] else []
    return f"labelsift {shlex.join(words)}" if words else ""
