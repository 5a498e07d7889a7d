"""One honest answer to "which features should I keep?", as a transformer."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from labelsift._sklearn import Interval, StrOptions, fit_context, validate_data
from labelsift.encode.labels import as_label_matrix, class_column
from labelsift.encode.row_order import refuse_other_order
from labelsift.engine import engine_for
from labelsift.evaluate import recommend_answer as answer
from labelsift.evaluate._arguments import check_seed, named_estimators
from labelsift.evaluate._fold_tasks import Table
from labelsift.evaluate._size_choice import RULES
from labelsift.evaluate.folds import fresh_seed
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.progress import reporting
from labelsift.evaluate.recommend_portfolio import TableFacts
from labelsift.evaluate.recommend_run import PortfolioRun
from labelsift.evaluate.recommend_search import make_rounds
from labelsift.evaluate.recommend_setup import (
    judges,
    outer_splits,
    portfolio,
    rows_to_search,
    sizes_to_try,
)
from labelsift.learn import MLkNN
from labelsift.learn.neighbor_path import nominal_columns
from labelsift.read.costs import costs_by_feature
from labelsift.read.dataset import Dataset

Array = np.ndarray[Any, Any]


class RecommendedSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """Choose method and number of features by nested cross-validation.

    Inner folds choose among a portfolio of selectors, classifiers and sizes; outer
    folds, which that choice never sees, measure the whole procedure, all features, and
    the best answer that looks at no feature. Fewer features are kept only if they are
    shown to predict something and lose no more than a stated margin against all;
    otherwise every feature is kept, and ``reason_`` says why.

    Parameters
    ----------
    selectors : estimator, list or dict of these, optional
        The portfolio, run in this order. By default fast methods that suit the table:
        its size, missing values, sparsity, costs, and classes or labels; cheapest
        first.
    classifiers : estimator, list or dict of these, optional
        What measures a set of features. ML-kNN on scaled columns by default.
    metric : str, default="hamming_loss"
        Key of ``labelsift.evaluate.METRICS`` that decides.
    grid : int, float, sequence of these, "all" or None, default=None
        Sizes to try, numbers or fractions; all features compete in any case. None:
        about 16, each a constant factor larger than the last, and at most three
        quarters of more than 100 features.
    rule : {"one_se", "best"}, default="one_se"
        The fewest features (the least cost) within one standard error of the best mean,
        but giving up no more than half of ``tolerance``; or the best mean.
    tolerance : float, default=0.05
        Share, from 0 to 1, of what all features gain over the best constant answer that
        fewer features may lose. With ``rule="one_se"`` a loss within one standard error
        is no reason against them either.
    cv : int, splitter or list of (train, test), default=10
        Outer folds, with every label spread evenly where a number is given. No more
        than there are rows.
    inner_cv : int, default=5
        Inner folds.
    costs : array-like, mapping or path, optional
        What measuring each feature costs, as in ``CSIG``; the least cost, not the least
        number, is then looked for.
    categorical_features : array-like of bool, int or str, optional
        Mask, indices or names of the nominal columns.
    time_limit : float or None, default=None
        Seconds. Methods that do not fit in are left out whole, so that the answer
        depends only on which methods are through; the first one always is.
    max_samples : int or None, default=3000
        Most rows that are searched and measured on, drawn at random; the chosen method
        is fitted on all rows. None takes all.
    random_state : int or None, default=0
        Seed of folds and methods.
    n_jobs : int, optional
        Processes; the answer is the same for any number.
    progress : bool, str or callable, optional
        As in ``cross_validate``; a callable with a method ``leading`` is told the best
        choice so far.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Features to keep; all where ``justified_`` is False.
    justified_ : bool
        Whether fewer features than all are recommended.
    reason_ : str
        The answer in one or two sentences, with its figures.
    expected_ : float
        Mean of the metric over the outer folds for what is recommended.
    interval_ : tuple of float
        Where a test on new rows, half as many as were searched on, will fall in 95 of
        100 cases.
    all_columns_, no_information_ : float
        Mean in the same folds of all features, and of the best constant answer.
    difference_ : Promise
        Of "chosen features less all" in the same folds, with its interval.
    choice_ : Choice
        Method, classifier and size that the search on all rows ends at.
    decision_ : Decision
        The figures that decide, and the verdict.
    selector_, classifier_ : estimator
        The chosen method and classifier fitted on all rows, the classifier on the
        features kept. If all features are best, the method of the best smaller set.
        ``selector_`` is None if there is but one feature.
    order_, ranking_, scores_ : ndarray of shape (n_features,)
        Of ``selector_``: columns best first, rank of each (1 = best), scores; the
        latter None where the method has none.
    kept_ : list of str
        Names of the features kept, best first.
    stability_ : Stability
        How far the outer folds agree on the features.
    frequency_ : ndarray of shape (n_features,)
        Share of the outer folds that keep each feature.
    measured_ : list of Measurement
        Every outer fold: its choice, its columns, and all metrics.
    search_ : Results or None
        Inner folds on all rows: every method and size. None for a single feature.
    left_out_ : list of LeftOut
        Methods that had no part, and why.
    interrupted_ : bool
        Whether Ctrl-C ended the search.
    warnings_ : dict of str to int
        Warnings of methods and classifiers, and how often.
    feature_names_, label_names_in_ : ndarray of str
        Names; x0, x1, ... where ``X`` has none.
    n_features_, n_features_in_, n_labels_in_ : int
        Features kept, features, labels.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1 or classes, or arguments do not fit.

    Notes
    -----
    ``docs/recommend.md`` states the rules. A class vector is measured as one label for
    each class. Cost: about ``(cv + 1) * inner_cv`` fits of each method and
    neighbour searches for all sizes at once.

    References
    ----------
    .. [1] Varma, Simon. Bias in error estimation when using cross-validation for model
       selection. BMC Bioinformatics 7:91, 2006. doi:10.1186/1471-2105-7-91
    .. [2] Nadeau, Bengio. Inference for the generalization error. Machine Learning 52,
       2003, 239-281. doi:10.1023/A:1024068626366

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.evaluate import RecommendedSelector
    >>> from labelsift.select import Chi2
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(120, 12))
    >>> Y = (X[:, [4, 7]] > 0).astype(int)
    >>> selector = RecommendedSelector(Chi2(), cv=4, inner_cv=3).fit(X, Y)
    >>> selector.get_support(indices=True).tolist(), selector.justified_
    ([4, 7], True)
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "metric": [StrOptions(set(METRICS))],
        "rule": [StrOptions(set(RULES))],
        "tolerance": [Interval(Real, 0, 1, closed="both")],
        "inner_cv": [Interval(Integral, 2, None, closed="left")],
        "time_limit": [None, Interval(Real, 0, None, closed="neither")],
        "max_samples": [None, Interval(Integral, 20, None, closed="left")],
    }

    def __init__(
        self,
        selectors: Any = None,
        classifiers: Any = None,
        *,
        metric: str = "hamming_loss",
        grid: Any = None,
        rule: str = "one_se",
        tolerance: float = 0.05,
        cv: Any = 10,
        inner_cv: int = 5,
        costs: Any = None,
        categorical_features: Any = None,
        time_limit: float | None = None,
        max_samples: int | None = 3000,
        random_state: int | None = 0,
        n_jobs: Any = None,
        progress: Any = None,
    ) -> None:
        self.selectors = selectors
        self.classifiers = classifiers
        self.metric = metric
        self.grid = grid
        self.rule = rule
        self.tolerance = tolerance
        self.cv = cv
        self.inner_cv = inner_cv
        self.costs = costs
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> Self:
        """Search, measure, decide, and fit what is recommended.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Features, NaN where missing if the methods take it; those of the default
            portfolio do.
        y : array-like, sparse matrix or data frame
            0/1 labels of shape (n_samples, n_labels), or a class vector.

        Returns
        -------
        self
            The fitted selector.
        """
        return self._recommend(X, y, None, finishes=False)

    def _recommend(
        self, X: Any, y: Any, dataset: Dataset | None, *, finishes: bool
    ) -> Self:
        if y is None:
            raise ValueError(
                "RecommendedSelector needs labels: it requires y to be passed, but the "
                "target y is None."
            )
        refuse_other_order(X, y)
        rows = self._rows(X, reset=True)
        labels = as_label_matrix(class_column(y), rows.shape[0])
        self._name(labels.names, dataset)
        names = tuple(self.feature_names_)
        costs = None if self.costs is None else costs_by_feature(self.costs, names)
        nominal = nominal_columns(
            MLkNN(categorical_features=self.categorical_features), rows.shape[1], names
        )
        seed = fresh_seed() if self.random_state is None else self.random_state
        seed = self._seed = check_seed(seed)
        target = labels.values
        if labels.classes is not None:
            target = labels.classes[labels.codes]
        used = rows_to_search(rows.shape[0], self.max_samples, self._seed)
        table = Table(
            rows[used], labels.values[used], target[used], (self.metric,), names
        )
        facts = TableFacts.of(rows, labels)
        members, left_out = portfolio(self.selectors, facts, costs, nominal)
        splits, self._how = outer_splits(self.cv, self._seed, table)
        rounds = make_rounds(splits, table.Y, inner_cv=int(self.inner_cv), seed=seed)
        run = PortfolioRun(
            table,
            members,
            judges(self.classifiers, rounds, nominal),
            rounds,
            sizes_to_try(self.grid, rows.shape[1]),
            costs,
            self.rule,
            float(self.tolerance),
            self._seed,
            records_errors=self.selectors is None,
            finishes=finishes,
            time_limit=None if self.time_limit is None else float(self.time_limit),
            left_out=left_out,
        )
        engine = engine_for(self.n_jobs)
        try:
            with reporting(self.progress, "choosing features") as report:
                run.go(engine, report)
                metrics = answer.metrics_to_report(self.metric, run.classifiers)
                self.measured_ = run.measure(engine, metrics)
        finally:
            engine.close()
        self._data = dataset or Dataset(
            rows, labels.values, names, labels.names, test_costs=costs
        )
        answer.conclude(self, run, rows, target, labels)
        return self

    def _name(self, labels: Sequence[str], dataset: Dataset | None) -> None:
        d = self.n_features_in_
        names: Any = getattr(self, "feature_names_in_", [f"x{i}" for i in range(d)])
        if dataset is not None:
            names, labels = dataset.feature_names, dataset.label_names
        self.feature_names_ = np.array([str(name) for name in names], dtype=object)
        self.label_names_in_ = np.array(list(labels), dtype=object)
        self.n_labels_in_ = len(labels)

    def _rows(self, X: Any, *, reset: bool) -> Any:
        rows = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_all_finite="allow-nan",
            ensure_min_samples=4 if reset else 1,
        )
        self._check_missing(rows)
        return sparse.csr_array(rows) if sparse.issparse(rows) else rows

    def _get_support_mask(self) -> Array:
        check_is_fitted(self, "support_")
        support: Array = self.support_
        return support

    def report(
        self,
        path: Any,
        *,
        data: Dataset | None = None,
        command: str = "",
        date: str | None = None,
    ) -> Path:
        """Write the answer and its evidence as one offline HTML page.

        Parameters
        ----------
        path : str or path-like
            The file to write; it appears only when it is whole.
        data : Dataset, optional
            The data of ``fit``; needed after unpickling, which leaves them behind.
        command : str, default=""
            A command line to be shown.
        date : str, optional
            Date in the footer; today by default, empty for none.

        Returns
        -------
        Path
            The path.
        """
        check_is_fitted(self, "support_")
        data = data or getattr(self, "_data", None)
        if data is None:
            raise ValueError(
                "the data of fit are not kept in a pickle; give data=Dataset(...)."
            )
        return answer.write_page(self, data, path, command, date)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_data", None)  # a pickled selector must not carry the table along
        return state

    def _check_missing(self, X: Any) -> None:
        refusing = [
            type(one).__name__
            for one in self._given()
            if not get_tags(one).input_tags.allow_nan
        ]
        if refusing and np.isnan(X.data if sparse.issparse(X) else X).any():
            names = ", ".join(dict.fromkeys(refusing))
            raise ValueError(
                f"Input X contains NaN: {names} cannot use it. Impute it first "
                "(sklearn.impute), or leave the methods open: then those that can are "
                "tried."
            )

    def _given(self) -> list[Any]:
        found: list[Any] = []
        for what in ("selectors", "classifiers"):
            given = getattr(self, what)
            if given is not None:
                found += named_estimators(given, what).values()
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        parts = [get_tags(one) for one in self._given()]
        tags.input_tags.sparse = all(one.input_tags.sparse for one in parts)
        tags.input_tags.allow_nan = all(one.input_tags.allow_nan for one in parts)
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        for name in ("two_d_labels", "multi_output"):
            together = all(getattr(one.target_tags, name) for one in parts)
            setattr(tags.target_tags, name, together)
        return tags
