"""What running a plan takes, for ``labelsift compare`` and ``labelsift paper``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from labelsift.cli.terminal import one_line

if TYPE_CHECKING:
    from labelsift.evaluate import Comparison, LoadedData, Plan, ResultStore
    from labelsift.evaluate.plan_run import Survey

Found = TypeVar("Found")


def or_mistakes(read: Callable[[], Found]) -> Found:
    """Return what is read of a plan, or list every mistake and end."""
    from labelsift.evaluate import PlanError

    try:
        return read()
    except PlanError as error:
        for mistake in error.mistakes:
            click.echo(one_line(mistake), err=True)
        raise click.exceptions.Exit(2) from None


def run_watched(
    plan: Plan,
    loaded: list[LoadedData],
    surveys: list[Survey],
    store: ResultStore,
    where: dict[str, Any],
    quiet: bool,
) -> tuple[Comparison, str]:
    """Return what was measured, and what to say if it was stopped before the end."""
    from labelsift.cli.compare_progress import PlanProgress
    from labelsift.evaluate import run_plan, stored_comparison

    before = len(store)
    try:
        with PlanProgress(plan, surveys, quiet) as watcher:
            done = run_plan(plan, store, loaded=loaded, watcher=watcher, **where)
            return done, ""
    except KeyboardInterrupt:
        message = (
            f"Interrupted; {len(store) - before} new results are kept in "
            f"{store.path}: the same command goes on from there."
        )
    return stored_comparison(plan, store, loaded), message
