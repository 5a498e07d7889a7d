"""DATA that is read in blocks: several files, folders, and where the work runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from labelsift.cli.data_options import given_data_options
from labelsift.cli.terminal import WrongInput

Function = TypeVar("Function", bound=Callable[..., Any])
ENGINE_NAMES = ("inline", "processes", "dask")


def engine_options(command: Function) -> Function:
    """Add ``--engine``, ``--workers`` and ``--address``."""
    for option in (
        click.option(
            "--address",
            metavar="HOST:PORT",
            help="Scheduler of a running Dask cluster, with --engine dask.",
        ),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Processes of --engine; all cores otherwise.",
        ),
        click.option(
            "--engine",
            type=click.Choice(ENGINE_NAMES),
            help="Do the work in blocks here (inline), in processes, or on a Dask "
            "cluster, which is started on this machine unless --address is given.",
        ),
    ):
        command = option(command)
    return command


def checked_engine(
    engine: str | None, workers: int | None, address: str | None
) -> dict[str, Any]:
    """Return where to run, or say which options do not go together."""
    if engine is None and (workers or address):
        given = "--workers" if workers else "--address"
        raise WrongInput(f"{given} goes with --engine processes or --engine dask.")
    if engine == "inline" and workers not in (None, 1):
        raise WrongInput("--engine inline is one process; use --engine processes.")
    if address and engine != "dask":
        raise WrongInput("--address is that of a Dask cluster: add --engine dask.")
    if address and workers:
        raise WrongInput(
            "the cluster at --address has its workers: leave --workers out."
        )
    if address and "://" not in address:
        address = f"tcp://{address}"
    return {"engine": engine or "inline", "n_workers": workers, "address": address}


class StreamedData:
    """Several files or folders as one data set that is never held whole.

    Parameters
    ----------
    sources : list of str
        Paths; their rows are taken one below the other.
    options : dict
        The options of ``data_options``.
    """

    def __init__(self, sources: list[str], options: dict[str, Any]) -> None:
        from labelsift.read import read_blocks
        from labelsift.read.numbered_names import numbered

        given = given_data_options(options)
        for name in ("costs", "split"):
            if name in given:
                raise WrongInput(
                    f"--{name} needs all rows at once: give one file, without --engine."
                )
        one_or_all: Any = sources if len(sources) > 1 else sources[0]
        self.blocks = read_blocks(one_or_all, **given)
        first = next(iter(self.blocks), None)
        if first is None:
            raise WrongInput(f"{' '.join(sources)}: there are no rows of data.")
        self.n_features = int(first[0].shape[1])
        self.feature_names = self.blocks.feature_names or numbered(
            "feature", self.n_features
        )
        self.label_names = self.blocks.label_names or numbered(
            "label", first[1].shape[1]
        )
        self.name = Path(sources[0]).stem
        self.test_costs = None

    def fit(self, selector: Any, method: str, where: dict[str, Any]) -> None:
        """Fit a selector on all blocks."""
        if not hasattr(selector, "fit_blocks"):
            raise WrongInput(
                f"{method} needs all rows at once: give one file, without --engine."
            )
        selector.fit_blocks(self.blocks, **where)

    def take_features(self, kept: Any) -> Any:
        """Return the data set with some of the features, which has to fit in memory."""
        import numpy as np
        from scipy import sparse

        from labelsift.read import Dataset

        columns, labels = [], []
        for X, Y in self.blocks:
            columns.append(X[:, kept])
            labels.append(Y)
        X, Y = [
            sparse.vstack(parts, format="csr")
            if any(sparse.issparse(part) for part in parts)
            else np.concatenate(parts)
            for parts in (columns, labels)
        ]
        names = tuple(self.feature_names[i] for i in kept)
        return Dataset(X, Y, names, self.label_names, name=self.name)
