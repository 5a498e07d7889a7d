"""How well classifiers do with the best feature, the best two, and so on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from labelsift._words import counted
from labelsift.evaluate import curve_plot
from labelsift.evaluate._arguments import as_table, named_estimators, sizes_from
from labelsift.evaluate._order import order_of
from labelsift.evaluate._size_choice import check_rule, chosen_index
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import Method
from labelsift.evaluate.results import Results
from labelsift.evaluate.run import DEFAULT_METRICS, cross_validate

Array = np.ndarray[Any, Any]


class PerformancePath(Results):
    """The results of :func:`performance_path`, which draw themselves as curves.

    Parameters
    ----------
    dataset, n_samples, feature_names, label_names, label_counts, metrics, sizes
        As in ``Results``.
    selectors, classifiers, folds, rankings, cells, settings, warnings, failures
        As in ``Results``.
    own_size
        As in ``Results``.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.learn import BRkNN
    >>> from labelsift.select import Chi2
    >>> X = np.random.default_rng(0).normal(size=(60, 6))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> path = performance_path(Chi2(), BRkNN(5), X, Y, cv=3)
    >>> path.sizes, path.best_size(rule="one_se")
    ((1, 2, 3, 4, 5, 6), 2)
    """

    def best_size(
        self,
        selector: str | None = None,
        classifier: str | None = None,
        metric: str | None = None,
        *,
        rule: str = "best",
    ) -> int:
        """Return the number of features to take.

        Parameters
        ----------
        selector, classifier : str, optional
            Names; the first by default.
        metric : str, optional
            Key of ``METRICS``; the first of ``metrics`` by default.
        rule : {"best", "one_se"}, default="best"
            The best mean over the folds, or the fewest features within one standard
            error of it.
        """
        check_rule(rule)
        selector = next(iter(self.selectors)) if selector is None else selector
        classifier = next(iter(self.classifiers)) if classifier is None else classifier
        metric = self._metric(metric)
        sizes, values = self.values(selector, classifier, metric)
        greater = METRICS[metric].greater_is_better
        return int(sizes[chosen_index(values, greater, rule)])

    def plot(self, metric: str | None = None, *, ax: Any = None) -> Any:
        """Draw a metric against the number of features.

        One line a selector and classifier, a band of one standard deviation over the
        folds, a mark at the best size; dashed: all features.

        Parameters
        ----------
        metric : str, optional
            Key of ``METRICS``; the first of ``metrics`` by default.
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes
            What was drawn.
        """
        return curve_plot.draw(self, self._metric(metric), ax)

    def _repr_html_(self) -> str:
        return curve_plot.as_svg(self, self.metrics[0]) + super()._repr_html_()


class GivenOrder(BaseEstimator):
    """A ranking that does not look at the data.

    Parameters
    ----------
    order : array-like of int
        Column indices, best first; those left out follow in column order.
    scores : array-like of float, optional
        Score of each column.
    """

    def __init__(self, order: Any, scores: Any = None) -> None:
        self.order = order
        self.scores = scores

    def fit(self, X: Any, y: Any = None) -> GivenOrder:
        """Complete the order.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Only the number of columns is read.
        y : object
            Ignored.
        """
        order = np.asarray(self.order, dtype=np.int64)
        rest = np.setdiff1d(np.arange(X.shape[1]), order)
        self.order_ = np.concatenate([order, rest])
        self.scores_ = self.scores
        return self


def performance_path(
    selectors: Any,
    classifiers: Any,
    X: Any,
    Y: Any = None,
    *,
    grid: Any = "all",
    cv: Any = 10,
    n_repeats: int = 1,
    stratify: Any = False,
    groups: Any = None,
    metrics: Sequence[str] = DEFAULT_METRICS,
    leaky: bool = False,
    random_state: int | None = 0,
    n_jobs: Any = None,
    progress: bool | str | Callable[[int, int], None] | None = None,
    baseline: bool = True,
    dataset_name: str | None = None,
    on_error: str = "raise",
) -> PerformancePath:
    """Measure classifiers on every prefix of a ranking of the features.

    In every fold each selector ranks the features on the training rows only. For
    classifiers that read neighbours (ML-kNN, BRkNN, DMLkNN, IBLR) one pass over the
    columns then finds the neighbours of all prefixes and all of these classifiers; the
    figures are those of each prefix fitted alone.

    Parameters
    ----------
    selectors : estimator, order, list or dict of these
        Estimators as in :func:`cross_validate`; or an order of columns, best first, as
        indices or names. An order may name only some columns, and ends the path there.
    classifiers : estimator, list of estimators, or dict of str to estimator
        Classifiers for several labels.
    X : array-like, sparse matrix, data frame or Dataset
        Features, shape (n_samples, n_features).
    Y : array-like, sparse matrix or data frame, optional
        0/1 labels of shape (n_samples, n_labels); left out if ``X`` is a Dataset.
    grid : "all", int, float, sequence of them, or None, default="all"
        Sizes to try: every one, numbers, or fractions of the features; None tries about
        ten.
    cv, n_repeats, stratify, groups, metrics, random_state, n_jobs, progress
        As in :func:`cross_validate`.
    leaky : bool, default=False
        Rank once on all rows, test rows included, only to show how wrong the figures
        become; selectors are marked "(leaky)".
    baseline, dataset_name, on_error
        As in :func:`cross_validate`.

    Returns
    -------
    PerformancePath
        Results with curves; all that takes ``Results`` takes it.

    Raises
    ------
    ValueError, TypeError
        As in :func:`cross_validate`, and if an order names a column twice or one that
        ``X`` does not have.

    Notes
    -----
    Time for n rows, d features and neighbour-based classifiers O(n^2 d) a fold, for all
    sizes together.

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.learn import MLkNN
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 12))
    >>> Y = (X[:, [4, 7]] > 0).astype(int)
    >>> path = performance_path([7, 4, 0, 1], MLkNN(5), X, Y, cv=3)
    >>> path.sizes, path.best_size()
    ((1, 2, 3, 4), 2)
    """
    table, names, labels, _ = as_table(X, Y, dataset_name)
    d = table.shape[1]
    rankers = _rankers(selectors, names)
    given = {key: one for key, one in rankers.items() if isinstance(one, GivenOrder)}
    longest = min([len(one.order) for one in given.values()], default=d)
    methods = {key: Method.of(one) for key, one in rankers.items()}
    if leaky:
        y = labels.values if labels.classes is None else labels.classes[labels.codes]
        methods = {f"{key} (leaky)": method for key, method in methods.items()}
        rankers = {
            f"{key} (leaky)": GivenOrder(*order_of(_fitted(one, table, y), d))
            for key, one in rankers.items()
        }
    results = cross_validate(
        rankers,
        classifiers,
        X,
        Y,
        grid={name: sizes_from(each, longest) for name, each in grid.items()}
        if isinstance(grid, Mapping)
        else sizes_from(grid, longest),
        cv=cv,
        n_repeats=n_repeats,
        stratify=stratify,
        groups=groups,
        metrics=metrics,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
        baseline=baseline,
        dataset_name=dataset_name,
        on_error=on_error,
    )
    parts = {f.name: getattr(results, f.name) for f in fields(results)}
    parts["selectors"] = {key: methods[key] for key in results.selectors}
    parts["settings"] = {
        **results.settings,
        "leaky": bool(leaky),
        "given_orders": list(given),
    }
    return PerformancePath(**parts)


def _fitted(selector: Any, X: Any, y: Any) -> Any:
    return clone(selector).fit(X, y)


def _rankers(selectors: Any, names: Sequence[str]) -> dict[str, Any]:
    if _is_order(selectors):
        return {"given order": _given(selectors, names)}
    if isinstance(selectors, Mapping):
        selectors = {
            key: _given(one, names) if _is_order(one) else one
            for key, one in selectors.items()
        }
    return named_estimators(selectors, "selectors")


def _is_order(given: Any) -> bool:
    if hasattr(given, "fit") or isinstance(given, Mapping | str):
        return False
    if isinstance(given, np.ndarray):
        return True
    kinds = int, np.integer, str
    return (
        isinstance(given, Sequence)
        and len(given) > 0
        and all(isinstance(one, kinds) for one in given)
    )


def _given(order: Any, names: Sequence[str]) -> GivenOrder:
    columns = np.asarray(order)
    if columns.dtype.kind in "UO":
        place = {name: i for i, name in enumerate(names)}
        unknown = [name for name in columns.tolist() if name not in place]
        if unknown:
            raise ValueError(f"the order names {unknown[0]!r}, not a column of X.")
        columns = np.array([place[name] for name in columns.tolist()])
    if columns.ndim != 1 or columns.dtype.kind not in "iu" or not len(columns):
        raise ValueError(
            "an order must be a list of column indices or names, best first; found "
            f"an array of shape {columns.shape} and type {columns.dtype}."
        )
    if columns.min() < 0 or columns.max() >= len(names):
        bad = columns[(columns < 0) | (columns >= len(names))][0]
        raise ValueError(
            f"the order holds column {bad}; X has {counted(len(names), 'column')}."
        )
    found, counts = np.unique(columns, return_counts=True)
    if (counts > 1).any():
        raise ValueError(
            f"the order holds column {found[counts > 1][0]} more than once."
        )
    return GivenOrder(columns)
