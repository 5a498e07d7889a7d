"""What is in a data set, in figures and in words."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelsift._words import counted

if TYPE_CHECKING:
    from labelsift.read.dataset import Dataset, Matrix

_FEW_ROWS = 30  # ten plain folds: one of them lacks such a label with odds of 2 in 5
_SHOWN = 5


@dataclass(frozen=True)
class DatasetSummary:
    """Figures that describe a data set.

    Attributes
    ----------
    name, source : str
        As in the data set.
    n_samples, n_features, n_labels : int
        Rows, feature columns, label columns.
    n_numeric, n_nominal : int
        Features of each kind.
    cardinality, density : float
        Mean labels a row, and that divided by the number of labels.
    n_distinct_label_sets : int
        Different rows of Y, the empty one included.
    n_unlabelled : int
        Rows without any label.
    n_missing : int
        Missing feature values.
    missing_share : dict of str to float
        Share of rows missing, for each feature that misses any; worst first.
    constant_features : tuple of str
        Features with at most one value, missing apart.
    identifier_features : tuple of str
        Nominal features with another value in every row: an id, not a measurement.
    rarest_labels : tuple of (str, int)
        The five labels with the fewest rows, at least one, and how many rows.
    never_positive, always_positive : tuple of str
        Labels that no row has, and labels that every row has.
    is_sparse : bool
        Whether X is stored sparse.
    share_stored : float
        Share of the values of X that are stored; 1 where X is dense.
    memory_bytes : int
        Size of X and Y in memory.
    """

    name: str
    source: str
    n_samples: int
    n_features: int
    n_labels: int
    n_numeric: int
    n_nominal: int
    cardinality: float
    density: float
    n_distinct_label_sets: int
    n_unlabelled: int
    n_missing: int
    missing_share: dict[str, float]
    constant_features: tuple[str, ...]
    identifier_features: tuple[str, ...]
    rarest_labels: tuple[tuple[str, int], ...]
    never_positive: tuple[str, ...]
    always_positive: tuple[str, ...]
    is_sparse: bool
    share_stored: float
    memory_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as a dictionary that JSON can hold."""
        return asdict(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know before trusting a result, one sentence each."""
        notes = []
        if self.n_unlabelled and self.n_labels:
            share = 100 * self.n_unlabelled / self.n_samples
            shown = f"{share:.0f} %" if share >= 1 else "under 1 %"
            verb = "carries" if self.n_unlabelled == 1 else "carry"
            notes.append(
                f"{counted(self.n_unlabelled, 'row')} ({shown}) {verb} no label: "
                f"ranking metrics skip {'it' if self.n_unlabelled == 1 else 'them'}"
            )
        if self.never_positive:
            notes.append(
                f"{counted(len(self.never_positive), 'label')} never positive: "
                f"{_some(self.never_positive)}"
            )
        if self.always_positive:
            notes.append(
                f"{counted(len(self.always_positive), 'label')} positive in every row: "
                f"{_some(self.always_positive)}"
            )
        if self.rarest_labels and self.rarest_labels[0][1] < _FEW_ROWS:
            label, rows = self.rarest_labels[0]
            notes.append(
                f'rarest label: "{label}", {counted(rows, "row")}; with 10 folds some '
                "folds may hold none"
            )
        if self.identifier_features:
            notes.append(
                f"another value in every row, so probably an identifier: "
                f"{_some(self.identifier_features)}"
            )
        return tuple(notes)

    def __str__(self) -> str:
        """Return the text that ``labelsift info`` prints."""
        title = f"{self.name}  ({self.source})" if self.source else self.name
        lines = [title, *(f"  {line}" for line in self._lines())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = html.escape(self.name)
        source = f" <small>{html.escape(self.source)}</small>" if self.source else ""
        items = "".join(f"<li>{html.escape(line)}</li>" for line in self._lines())
        return f"<div><strong>{title}</strong>{source}<ul>{items}</ul></div>"

    def _lines(self) -> list[str]:
        if self.n_numeric and self.n_nominal:
            kinds = f" ({self.n_numeric} numeric, {self.n_nominal} nominal)"
        else:
            kinds = f" ({'nominal' if self.n_nominal else 'numeric'})"
        sets = counted(self.n_distinct_label_sets, "distinct label set")
        missing = "none"
        if self.n_missing:
            worst, share = next(iter(self.missing_share.items()))
            missing = (
                f"{self.n_missing} in {counted(len(self.missing_share), 'feature')}, "
                f'most in "{worst}" ({100 * share:.0f} %)'
            )
        stored = f" (sparse, {self.share_stored:.2%} stored)" if self.is_sparse else ""
        return [
            f"{counted(self.n_samples, 'row')} · {counted(self.n_features, 'feature')}"
            f"{kinds} · {counted(self.n_labels, 'label')}",
            f"labels per row {self.cardinality:.2f} (density {self.density:.3f})"
            f" · {sets}",
            *(f"! {note}" for note in self.notes),
            f"missing values: {missing} · constant features: "
            f"{len(self.constant_features)} · memory {_size(self.memory_bytes)}"
            f"{stored}",
        ]


def describe(dataset: Dataset) -> DatasetSummary:
    """Return the figures of a data set.

    Parameters
    ----------
    dataset : Dataset
        Dense or sparse; neither X nor Y is made dense.

    Returns
    -------
    DatasetSummary
        Its ``str`` is the text of ``labelsift info``.

    Notes
    -----
    Time O(n (d + q)), or the stored entries where sparse; label sets are told apart by
    their bytes, so any number of labels will do.
    """
    X, Y, names = dataset.X, dataset.Y, dataset.feature_names
    n, d, q = dataset.n_samples, dataset.n_features, dataset.n_labels
    per_label = np.asarray(Y.sum(axis=0, dtype=np.int64)).ravel()
    per_row = np.asarray(Y.sum(axis=1, dtype=np.int64)).ravel()
    missing, is_constant = _scan_features(X)
    cardinality = float(per_row.sum() / n) if n else 0.0
    worst = np.argsort(-missing, kind="stable")
    rarest = [j for j in np.argsort(per_label, kind="stable") if per_label[j] > 0]
    return DatasetSummary(
        name=dataset.name,
        source=dataset.source,
        n_samples=n,
        n_features=d,
        n_labels=q,
        n_numeric=int((~dataset.is_nominal).sum()),
        n_nominal=int(dataset.is_nominal.sum()),
        cardinality=cardinality,
        density=cardinality / q if q else 0.0,
        n_distinct_label_sets=count_label_sets(Y),
        n_unlabelled=int((per_row == 0).sum()),
        n_missing=int(missing.sum()),
        missing_share={names[j]: float(missing[j] / n) for j in worst if missing[j]},
        constant_features=tuple(names[j] for j in np.flatnonzero(is_constant).tolist()),
        identifier_features=_identifiers(dataset),
        rarest_labels=tuple(
            (dataset.label_names[j], int(per_label[j])) for j in rarest[:_SHOWN]
        ),
        never_positive=_named(dataset.label_names, per_label == 0),
        always_positive=_named(dataset.label_names, (per_label == n) & (n > 0)),
        is_sparse=bool(sparse.issparse(X)),
        share_stored=float(X.nnz / max(1, n * d)) if sparse.issparse(X) else 1.0,
        memory_bytes=_memory(X) + _memory(Y),
    )


def count_label_sets(Y: Matrix) -> int:
    """Return how many different rows a 0/1 matrix has.

    Parameters
    ----------
    Y : ndarray or csr_array of shape (n_samples, n_labels)
        0/1 values; CSR with sorted indices and no stored zeros, as a Dataset has it.

    Notes
    -----
    Time and memory O(n q / 8), or O(stored entries); exact for any q.
    """
    if sparse.issparse(Y):
        indices, ends = Y.indices, Y.indptr.tolist()
        return len({indices[start:end].tobytes() for start, end in pairwise(ends)})
    return len({row.tobytes() for row in np.packbits(Y, axis=1)})


def _scan_features(X: Matrix) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return missing values per column and whether the column is constant."""
    n, d = X.shape
    if sparse.issparse(X):
        columns = X.tocsc()
        missing = np.zeros(d, dtype=np.int64)
        is_constant = np.ones(d, dtype=bool)
        holds = np.flatnonzero(np.diff(columns.indptr))
        if len(holds):
            starts = columns.indptr[holds]
            missing[holds] = np.add.reduceat(
                np.isnan(columns.data), starts, dtype=np.int64
            )
            low = np.fmin.reduceat(columns.data, starts)
            high = np.fmax.reduceat(columns.data, starts)
            has_zero = np.diff(columns.indptr)[holds] < n
            low = np.where(has_zero, np.fmin(low, 0), low)
            high = np.where(has_zero, np.fmax(high, 0), high)
            is_constant[holds] = ~(low < high)
        return missing, is_constant
    if n == 0:
        return np.zeros(d, dtype=np.int64), np.ones(d, dtype=bool)
    if X.dtype.kind != "f":
        return np.zeros(d, dtype=np.int64), X.min(axis=0) == X.max(axis=0)
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return np.isnan(X).sum(axis=0), ~(low < high)


def _identifiers(dataset: Dataset) -> tuple[str, ...]:
    n, found = dataset.n_samples, []
    for j, kinds in enumerate(dataset.categories):
        if kinds is None or n < 2 or len(kinds) < n:
            continue
        column = dataset.X[:, [j]]
        if sparse.issparse(column):
            column = column.toarray()
        if not np.isnan(column).any() and len(np.unique(column)) == n:
            found.append(dataset.feature_names[j])
    return tuple(found)


def _memory(matrix: Matrix) -> int:
    if sparse.issparse(matrix):
        parts = (matrix.data, matrix.indices, matrix.indptr)
        return sum(int(part.nbytes) for part in parts)
    return int(matrix.nbytes)


def _named(names: Sequence[str], chosen: np.ndarray[Any, Any]) -> tuple[str, ...]:
    return tuple(names[j] for j in np.flatnonzero(chosen).tolist())


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:_SHOWN])
    rest = len(names) - _SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown


def _size(size: float) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 999.5:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
