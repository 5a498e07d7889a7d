"""Options that say how DATA is to be read, the same for every command."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from labelsift.cli.terminal import waiting

if TYPE_CHECKING:
    from labelsift.read import Dataset

Function = TypeVar("Function", bound=Callable[..., Any])
_NAMES = (
    "labels",
    "xml",
    "format",
    "split",
    "costs",
    "positive_value",
    "negative_value",
    "nominal",
    "delimiter",
    "max_bytes",
)


def data_options(command: Function) -> Function:
    """Add DATA and the options of ``load_dataset``."""
    for option in (
        click.option(
            "--max-bytes",
            type=click.IntRange(min=1),
            help="Most bytes that a packed file may expand to; 4 GiB otherwise.",
        ),
        click.option("--delimiter", help="What parts the cells of a CSV file."),
        click.option(
            "--nominal",
            metavar="NAMES",
            help="Columns of a CSV file that hold names even where they look like "
            "numbers, with commas between.",
        ),
        click.option("--negative-value", help="The one label value that means 0."),
        click.option("--positive-value", help="The one label value that means 1."),
        click.option("--costs", metavar="FILE", help="CSV file of feature,cost lines."),
        click.option(
            "--split",
            type=click.Choice(["train", "test"]),
            help="The published part of a known set.",
        ),
        click.option("--format", help="Format, where name and content do not tell."),
        click.option("--xml", metavar="FILE", help="MULAN list of labels."),
        click.option(
            "--labels",
            metavar="SPEC",
            help="Label columns: names with commas between; a count, 6 for the last "
            "six or -6 for the first six; or a MULAN XML file.",
        ),
        click.argument("data"),
    ):
        command = option(command)
    return command


def read_data(data: str, options: dict[str, Any], quiet: bool) -> Dataset:
    """Read DATA with those of the options that were given, and take them out."""
    given = given_data_options(options)
    with waiting(f"reading {data}", quiet):
        from labelsift.read import load_dataset

        return load_dataset(data, **given)


def given_data_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return those of the options of DATA that were given, and take all out."""
    given = {name: options.pop(name) for name in _NAMES}
    given = {name: value for name, value in given.items() if value is not None}
    if "labels" in given:
        given["labels"] = label_spec(given["labels"])
    if "nominal" in given:
        given["nominal"] = _names(given["nominal"], "nominal")
    return given


def label_spec(text: str) -> int | Path | list[str]:
    """Return what ``--labels`` means: a count, an XML file, or names.

    Names with commas or quotes in them are quoted as in CSV.
    """
    try:
        return int(text)
    except ValueError:
        pass
    if text.lower().endswith(".xml"):
        return Path(text)
    return _names(text, "labels")


def _names(text: str, option: str) -> list[str]:
    names = [name.strip() for name in next(csv.reader([text], skipinitialspace=True))]
    if not all(names):
        raise click.BadParameter(
            "expected names with commas between, such as happy,sad.",
            param_hint=f"'--{option}'",
        )
    return names


def as_typed(message: str) -> str:
    """Return a message of ``load_dataset`` with its options as they are typed here."""

    def typed(found: re.Match[str]) -> str:
        after = found.string[found.end() : found.end() + 1]
        gap = "" if after in ("", ".", ",", ";", ":", ")") else " "
        return f"--{found[1].replace('_', '-')}{gap}"

    return re.sub(rf"(?<![\w.-])({'|'.join(_NAMES)})=(?!=) *", typed, message)


def input_files(data: str, options: dict[str, Any]) -> list[Path]:
    """Return the files that a command reads and so must not overwrite."""
    from labelsift.read.label_spec import xml_beside

    given = [data, options.get("xml"), options.get("costs"), options.get("labels")]
    files = [Path(str(name)) for name in given if name]
    beside = xml_beside(Path(data)) if Path(data).name else None
    files += [] if beside is None else [beside]
    return [path for path in files if path.is_file()]
