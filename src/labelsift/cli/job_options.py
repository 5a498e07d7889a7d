"""The option that says in how many processes work runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from labelsift.cli.terminal import WrongInput

Function = TypeVar("Function", bound=Callable[..., Any])


def jobs_option(command: Function) -> Function:
    """Add ``--jobs``."""
    option = click.option(
        "--jobs",
        type=int,
        default=1,
        show_default=True,
        callback=_not_zero,
        help="Processes; -1 takes all cores. The numbers are the same for any.",
    )
    return option(command)


def n_workers(jobs: int) -> int:
    """Return how many processes ``--jobs`` means on this machine."""
    return jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)


def _not_zero(context: click.Context, option: click.Parameter, jobs: int) -> int:
    if jobs == 0:
        raise WrongInput("--jobs must not be 0; use 1, or -1 for all cores.")
    return jobs
