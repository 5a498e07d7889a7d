"""Means over folds as a small table: text, HTML or a data frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from labelsift._words import counted
from labelsift.evaluate.metrics import METRICS


@dataclass(frozen=True)
class SummaryRow:
    """One method at one size, over all folds.

    Parameters
    ----------
    selector, classifier : str
        Names.
    n_features : int
        Features used.
    mean, sd : dict of str to float
        For each metric, over the folds where it is defined; ``sd`` divides by their
        number less one and is NaN for a single fold.
    is_best_size : bool
        Whether this is the size that does best for this selector and classifier.
    """

    selector: str
    classifier: str
    n_features: int
    mean: dict[str, float]
    sd: dict[str, float]
    is_best_size: bool

    def text(self, metric: str) -> str:
        """Return a metric as ``"0.196 ± 0.006"``."""
        mean, sd = self.mean[metric], self.sd[metric]
        return f"{mean:.3f}" if math.isnan(sd) else f"{mean:.3f} ± {sd:.3f}"


@dataclass(frozen=True)
class Summary:
    """A table of means, which prints itself and shows itself in a notebook.

    Parameters
    ----------
    dataset : str
        Name of the data.
    metrics : tuple of str
        Columns.
    decided_by : str
        The metric that decided the best sizes.
    rows : tuple of SummaryRow
        The rows.
    n_folds : int
        Folds in all repetitions.
    """

    dataset: str
    metrics: tuple[str, ...]
    decided_by: str
    rows: tuple[SummaryRow, ...]
    n_folds: int

    def to_frame(self, backend: Any = "pandas") -> Any:
        """Return a data frame, for each metric a column of means and one of spreads.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            Library of the frame.
        """
        columns: dict[str, Any] = {
            name: [getattr(row, name) for row in self.rows]
            for name in ("selector", "classifier", "n_features", "is_best_size")
        }
        for metric in self.metrics:
            columns[metric] = [row.mean[metric] for row in self.rows]
            columns[f"{metric}_sd"] = [row.sd[metric] for row in self.rows]
        return nw.from_dict(columns, backend=backend).to_native()

    def _cells(self) -> list[list[str]]:
        head = ["selector", "classifier", "features"]
        table = [head + [METRICS[metric].title for metric in self.metrics]]
        for row in self.rows:
            start = [row.selector, row.classifier, str(row.n_features)]
            table.append(start + [row.text(metric) for metric in self.metrics])
        return table

    def __str__(self) -> str:
        table = self._cells()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = []
        for cells in table:
            parts = [
                cell.ljust(width) if i < 2 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ]
            lines.append("  ".join(parts).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        titles = "".join(f"<th>{escape(text)}</th>" for text in head)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in cells) + "</tr>"
            for cells in body
        )
        return (
            f"<table><caption>{escape(self.dataset)}: mean ± standard deviation over "
            f"{counted(self.n_folds, 'fold')}</caption><thead><tr>{titles}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )


def mean_and_sd(values: Any) -> tuple[float, float]:
    """Return mean and sample standard deviation, leaving NaN out.

    Parameters
    ----------
    values : array-like of shape (n_folds,)
        One value a fold.

    Returns
    -------
    mean, sd : float
        NaN where fewer than one or two values are left.
    """
    kept = np.asarray(values, dtype=np.float64).ravel()
    kept = kept[~np.isnan(kept)]
    if not len(kept):
        return math.nan, math.nan
    mean = math.fsum(kept) / len(kept)
    if len(kept) == 1:
        return mean, math.nan
    return mean, math.sqrt(math.fsum((kept - mean) ** 2) / (len(kept) - 1))
