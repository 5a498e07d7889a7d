"""``labelsift info``: what is in this file."""

from __future__ import annotations

from typing import Any

import click

from labelsift.cli.data_options import data_options, read_data
from labelsift.cli.terminal import common_options, one_line, print_json


@click.command()
@data_options
@common_options
def info(data: str, quiet: bool, as_json: bool, **options: Any) -> None:
    """Show what is in DATA.

    Rows, features, labels, label sets, missing values, and pitfalls.
    """
    summary = read_data(data, options, quiet).describe()
    if as_json:
        print_json(summary.to_dict())
        return
    for line in str(summary).splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        click.echo(indent + _keep_gaps(line))


def _keep_gaps(line: str) -> str:
    return "  ".join(one_line(part) for part in line.strip().split("  "))
