"""Files that a command writes, and the command line that is shown in them."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from labelsift.cli.terminal import WrongInput

_LONGEST_NAME = 200
"""File systems take 255 bytes; what is half written has a longer name."""


def checked_file(option: str, name: str, inputs: Sequence[Path]) -> Path:
    """Return where to write, or say at once why that cannot be."""
    path = Path(name)
    if name == "-":
        raise WrongInput(
            f"{option} -: this is written to a file, not to standard output; give a "
            "file name."
        )
    if not path.parent.is_dir():
        raise WrongInput(f"{option} {name}: there is no folder {path.parent}.")
    if len(os.fsencode(path.name)) > _LONGEST_NAME:
        raise WrongInput(
            f"{option} {name[:40]}...: the file name is longer than {_LONGEST_NAME} "
            "bytes; give a shorter one."
        )
    if path.is_dir():
        raise WrongInput(f"{option} {name} is a folder; give a file name.")
    if path.exists() and not path.is_file():
        raise WrongInput(f"{option} {name} is a device or pipe; give a file name.")
    _check_writable(option, name, path.parent)
    check_inputs_kept(option, name, [path], inputs)
    return path


def checked_data_files(
    name: str, inputs: Sequence[Path], *, scores: bool = False
) -> list[Path]:
    """Return the files that ``--out`` asks for, the data first.

    Beside ARFF there is the list of its labels, and the scores where they are wanted.
    """
    from labelsift.read.opener import split_name
    from labelsift.read.save import format_to_write

    path = checked_file("--out", name, inputs)
    format_to_write(path)
    stem, suffix = split_name(path.name)
    files = [path]
    files += [path.with_name(f"{stem}.xml")] if suffix == ".arff" else []
    files += [path.with_name(f"{stem}.scores.csv")] if scores else []
    check_inputs_kept("--out", name, files, inputs)
    return files


def checked_folder(option: str, name: str | Path) -> Path:
    """Return a folder to write into, or say at once why that cannot be.

    It may be missing, and is not made here.
    """
    if name == "-":
        raise WrongInput(
            f"{option} -: files are written, nothing to standard output; give the name "
            "of a folder."
        )
    if not str(name):
        raise WrongInput(f"{option}: the name is empty; give the name of a folder.")
    folder = Path(name)
    there = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
    if not there.is_dir():
        raise WrongInput(f"{option}: {there} is a file; give the name of a folder.")
    _check_writable(option, str(name), there)
    return folder


def check_inputs_kept(
    option: str, name: str, files: Sequence[Path], inputs: Sequence[Path]
) -> None:
    """Say if one of the files to write is a file that is read."""
    for file in files:
        for source in inputs:
            if file.exists() and os.path.samefile(file, source):
                raise WrongInput(
                    f"{option} {name} would overwrite the input {source}; choose "
                    "another name."
                )


def check_no_result(option: str, file: Path, folder: Path) -> None:
    """Say if a file to write is one that the command keeps in its folder."""
    kept = ("report.html", "curves.csv", "lowered.json")
    is_store = file.name.removeprefix(".").startswith("results.sqlite")
    is_here = os.path.realpath(file.parent) == os.path.realpath(folder)
    if is_here and (is_store or file.name in kept):
        raise WrongInput(
            f"{option} {file}: {file.name} is kept there by the run itself; choose "
            "another name."
        )


def check_apart(files: Sequence[Path], report: Path | None) -> None:
    """Say if ``--report`` is one of the files that ``--out`` asks for."""
    if report is None:
        return
    if os.path.realpath(report) in map(os.path.realpath, files):
        raise WrongInput("--out and --report name the same file.")


def command_line(name: str) -> str:
    """Return the command line as it was typed, if this is a process of its own.

    Parameters
    ----------
    name : str
        The command that must stand in it.
    """
    words = sys.argv[1:] if name in sys.argv[1:] else []
    return f"labelsift {shlex.join(words)}" if words else ""


def _check_writable(option: str, name: str, folder: Path) -> None:
    """Make a file and see, as permissions alone do not tell."""
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = f"cannot write into {folder}: {error.strerror or error}"
        if isinstance(error, PermissionError):
            why = f"no permission to write into {folder}"
        raise WrongInput(f"{option} {name}: {why}.") from None
