"""Which selectors are worth trying on a table, cheapest first, and which are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from labelsift.encode.labels import LabelMatrix
from labelsift.select import (
    CSIG,
    RRSPFS,
    SPEC,
    Chi2,
    GainRatio,
    InfoGain,
    MultiLabelFStatistic,
    ReliefF,
    SymmetricalUncertainty,
    ToleranceRoughSet,
)

Array = np.ndarray[Any, Any]

_MOST_SECONDS = 3.0  # of one fit, about; a slower method is left out


@dataclass(frozen=True)
class TableFacts:
    """What decides which methods suit a table.

    Parameters
    ----------
    n_samples, n_features, n_labels : int
        Sizes.
    n_label_sets : int
        Distinct label sets.
    filled : float
        Share of the cells that are stored; 1 for a dense table.
    is_sparse, has_missing, has_classes : bool
        Whether cells are stored sparsely, some are NaN, and the labels are the classes
        of a class vector.
    """

    n_samples: int
    n_features: int
    n_labels: int
    n_label_sets: int
    filled: float
    is_sparse: bool
    has_missing: bool
    has_classes: bool

    @classmethod
    def of(cls, X: Any, labels: LabelMatrix) -> Self:
        """Read the facts off a table."""
        n, d = X.shape
        values = X.data if sparse.issparse(X) else X
        rows = sparse.csr_array(labels.values)
        rows.sort_indices()
        sets = {
            rows.indices[start:stop].tobytes()
            for start, stop in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        }
        return cls(
            n,
            d,
            labels.n_labels,
            len(sets),
            X.nnz / (n * d) if sparse.issparse(X) else 1.0,
            bool(sparse.issparse(X)),
            bool(np.isnan(values).any()),
            labels.classes is not None,
        )


@dataclass(frozen=True, eq=False)
class Member:
    """A method of the portfolio.

    Parameters
    ----------
    name : str
        As it is shown.
    selector : estimator
        Ranks the features.
    seconds : float
        About what one fit takes; decides the order only.
    """

    name: str
    selector: Any
    seconds: float


@dataclass(frozen=True)
class LeftOut:
    """A method that has no part in the answer, and why.

    Parameters
    ----------
    name, reason : str
        The method, and the rest of a sentence about it.
    """

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


class MedianFilled(BaseEstimator):
    """A selector that sees the median of a column in the place of missing values.

    Parameters
    ----------
    selector : estimator
        Ranks features and takes no missing values.
    """

    def __init__(self, selector: Any) -> None:
        self.selector = selector

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fill the gaps and rank.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Features, NaN where missing; a column of nothing but NaN becomes 0.
        y : array-like
            Labels.
        """
        rows = np.array(X, dtype=np.float64)
        for column in rows.T:
            gaps = np.isnan(column)
            if gaps.any():
                column[gaps] = 0.0 if gaps.all() else np.median(column[~gaps])
        self.selector_ = clone(self.selector).fit(rows, y)
        self.order_ = self.selector_.order_
        self.scores_ = self.selector_.scores_
        for what in ("scores_per_label_", "top_labels_"):
            found = getattr(self.selector_, what, None)
            if found is not None:
                setattr(self, what, found)
                break
        return self


def default_portfolio(
    facts: TableFacts, *, costs: Any = None, categorical_features: Any = None
) -> tuple[list[Member], list[LeftOut]]:
    """Return the methods that suit a table, cheapest first, and those left out.

    Parameters
    ----------
    facts : TableFacts
        The table.
    costs : array-like of shape (n_features,), optional
        What measuring each feature costs.
    categorical_features : ndarray of bool, optional
        Which columns are nominal.

    Returns
    -------
    members : list of Member
        By estimated time; equal times in the order of this module.
    left_out : list of LeftOut
        Those too slow for the size of the table, unless none is fast enough.
    """
    found = [
        Member(name, _settled(selector, costs, categorical_features), seconds(facts))
        for name, selector, seconds in _suited(facts, costs is not None)
    ]
    found.sort(key=lambda member: member.seconds)
    members = [m for m in found if m.seconds <= _MOST_SECONDS] or found[:1]
    kept = {member.name for member in members}
    left_out = [
        LeftOut(m.name, f"one fit would take about {m.seconds:.0f} s on this table")
        for m in found
        if m.name not in kept
    ]
    return members, left_out


def _settled(selector: Any, costs: Any, nominal: Any) -> Any:
    """Return a selector that knows the costs and the nominal columns, if it can."""
    inner = selector.selector if isinstance(selector, MedianFilled) else selector
    known = inner.get_params(deep=False)
    if "costs" in known:
        inner.set_params(costs=costs)
    if "categorical_features" in known and nominal is not None and nominal.any():
        inner.set_params(categorical_features=nominal)
    return selector


Estimate = Callable[[TableFacts], float]


def _suited(facts: TableFacts, has_costs: bool) -> Iterator[tuple[str, Any, Estimate]]:
    if has_costs:
        yield "CSIG", CSIG(), _by_counts
    if facts.has_classes:
        yield "RRSPFS", RRSPFS(), _by_class_pairs
        yield "gain ratio", GainRatio(), _by_label
    yield "symmetrical uncertainty", SymmetricalUncertainty(), _by_label
    yield "ReliefF", ReliefF(random_state=0), _by_distances
    if not facts.has_missing:
        yield "chi2 mean", Chi2(aggregate="mean"), _by_counts
        yield "chi2 max", Chi2(aggregate="max"), _by_counts
        yield "SPEC", SPEC(), _by_label_sets
        yield "F statistic", MultiLabelFStatistic(), _by_label_sets
        return
    yield "information gain", InfoGain(), _by_label
    yield "tolerance rough set", ToleranceRoughSet(), _by_neighborhoods
    if not facts.is_sparse:
        filled = MedianFilled(Chi2(aggregate="max"))
        yield "chi2 max, gaps filled by medians", filled, _by_counts
        yield "SPEC, gaps filled by medians", MedianFilled(SPEC()), _by_label_sets


# Seconds of one fit on one core, drawn from tables of 600 to 2400 rows: they need to be
# right within a factor of about five, since they put the methods in order.


def _cells(facts: TableFacts) -> float:
    return facts.n_samples * facts.n_features * facts.filled


def _by_counts(facts: TableFacts) -> float:
    return 6e-8 * _cells(facts)


def _by_label(facts: TableFacts) -> float:
    return 2e-8 * _cells(facts) * facts.n_labels


def _by_class_pairs(facts: TableFacts) -> float:
    return 2e-8 * _cells(facts) * max(facts.n_labels, 2)


def _by_label_sets(facts: TableFacts) -> float:
    groups = min(facts.n_label_sets, facts.filled * facts.n_samples)
    return 1e-8 * _cells(facts) + 1e-9 * groups**2 * facts.n_features


def _by_distances(facts: TableFacts) -> float:
    return 6e-10 * facts.n_samples * _cells(facts)


def _by_neighborhoods(facts: TableFacts) -> float:
    return 4e-9 * facts.n_samples * _cells(facts)
