"""Choose the number of features by cross-validation, then keep and predict."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
)
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from labelsift._sklearn import StrOptions, fit_context
from labelsift.encode.labels import as_label_matrix, class_column
from labelsift.encode.row_order import refuse_other_order
from labelsift.evaluate._order import order_of
from labelsift.evaluate._size_choice import RULES
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.path import PerformancePath, performance_path
from labelsift.evaluate.summary import mean_and_sd
from labelsift.score.ranking import ranking_from_order

Array = np.ndarray[Any, Any]
NAME_OF_SELECTOR, NAME_OF_CLASSIFIER = "selector", "classifier"


def _classifier_has(method: str) -> Any:
    def check(search: Any) -> bool:
        one = getattr(search, "classifier_", search.classifier)
        return hasattr(one, method)

    return available_if(check)


class PrefixSearchCV(SelectorMixin, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Rank the features, choose how many to keep by cross-validation, and predict.

    In every fold the selector ranks the features on the training rows, and the
    classifier is measured on the best one, the best two, and so on. The size that does
    best is kept: selector and classifier are fitted once more on all rows with it. A
    transformer for what follows in a pipeline, and a classifier itself.

    Parameters
    ----------
    selector : estimator
        Ranks features: has ``order_``, ``scores_``, ``feature_importances_`` or
        ``ranking_`` after ``fit``, as all of ``labelsift.select`` and scikit-learn's
        selectors, forests and RFE have. Its own number of features plays no role.
    classifier : estimator
        Predicts from the features kept. With neighbour-based ones (ML-kNN, BRkNN,
        DMLkNN, IBLR) all sizes together cost little more than one.
    grid : "all", int, float, sequence of them, or None, default="all"
        Sizes to try: every one, numbers, or fractions of the features; None tries about
        ten.
    metric : str, default="hamming_loss"
        Key of ``labelsift.evaluate.METRICS`` that decides.
    cv : int, splitter, or list of (train, test), default=5
        Number of folds, any scikit-learn splitter, or given rows.
    n_repeats : int, default=1
        Repetitions with other shuffles; only with a number of folds.
    stratify : {False, "iterative"}, default=False
        Plain shuffled folds, or folds that spread every label evenly; only with a
        number of folds.
    rule : {"best", "one_se"}, default="best"
        The size with the best mean, the smaller of equal ones; or the fewest features
        whose mean is within one standard error of the best.
    refit : bool, default=True
        Fit on all rows with the size found. Without it there is only the search.
    random_state : int or None, default=0
        Seed of the folds, and of selectors and classifiers that leave theirs open.
    n_jobs : int, optional
        Processes; the results are the same for any number.
    progress : bool, str or callable, default=None
        As in ``cross_validate``.

    Attributes
    ----------
    best_n_features_ : int
        Number of features chosen.
    best_score_ : float
        Mean of the metric over the folds at that size. It was chosen on the same
        folds, so new data will do a little worse.
    cv_results_ : dict of ndarray
        For each size: ``param_n_features``, ``split<i>_test_score``,
        ``mean_test_score``, ``std_test_score``, ``rank_test_score`` (1 is best),
        ``mean_fit_time`` and ``mean_score_time``. Scores are the metric with the sign
        that makes larger better.
    path_ : PerformancePath
        All of the search, which draws itself.
    selector_, classifier_ : estimator
        Fitted on all rows (with ``refit``).
    order_ : ndarray of shape (n_features,), int64
        Column indices on all rows, best first (with ``refit``).
    ranking_ : ndarray of shape (n_features,), int64
        Rank of each feature, 1 = best (with ``refit``).
    support_ : ndarray of bool of shape (n_features,)
        Features kept (with ``refit``).
    classes_ : ndarray
        Classes, or labels 0 .. n_labels - 1.
    n_features_in_ : int
        Columns of ``X``.

    Raises
    ------
    ValueError
        If ``y`` holds anything but 0 and 1 or classes, or arguments do not fit.

    Notes
    -----
    A class vector is measured as one label for each class; the classifier that is kept
    is fitted on the vector itself and predicts classes. Cost: the cross-validation of
    ``performance_path``, and one fit.

    References
    ----------
    .. [1] Breiman, Friedman, Olshen, Stone. Classification and Regression Trees.
       Wadsworth, 1984, section 3.4.3 (the one-standard-error rule).

    Examples
    --------
    >>> import numpy as np
    >>> from labelsift.learn import MLkNN
    >>> from labelsift.select import Chi2
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 12))
    >>> Y = (X[:, [4, 7]] > 0).astype(int)
    >>> search = PrefixSearchCV(Chi2(), MLkNN(5)).fit(X, Y)
    >>> search.get_support(indices=True).tolist()
    [4, 7]
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "metric": [StrOptions(set(METRICS))],
        "rule": [StrOptions(set(RULES))],
        "refit": ["boolean"],
    }

    def __init__(
        self,
        selector: Any,
        classifier: Any,
        *,
        grid: Any = "all",
        metric: str = "hamming_loss",
        cv: Any = 5,
        n_repeats: int = 1,
        stratify: Any = False,
        rule: str = "best",
        refit: bool = True,
        random_state: int | None = 0,
        n_jobs: Any = None,
        progress: Any = None,
    ) -> None:
        self.selector = selector
        self.classifier = classifier
        self.grid = grid
        self.metric = metric
        self.cv = cv
        self.n_repeats = n_repeats
        self.stratify = stratify
        self.rule = rule
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, *, groups: Any = None) -> Self:
        """Search the number of features, and fit with it.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Features.
        y : array-like, sparse matrix or data frame
            0/1 labels of shape (n_samples, n_labels), or a class vector.
        groups : array-like of shape (n_samples,), optional
            Passed to the splitter.

        Returns
        -------
        self
            The fitted search.
        """
        if y is None:
            raise ValueError(
                "PrefixSearchCV needs labels: it requires y to be passed, but the "
                "target y is None."
            )
        refuse_other_order(X, y)
        rows = self._rows(X, reset=True)
        y = class_column(y)
        labels = as_label_matrix(y, rows.shape[0])
        self.path_: PerformancePath = performance_path(
            {NAME_OF_SELECTOR: self.selector},
            {NAME_OF_CLASSIFIER: self.classifier},
            rows,
            y,
            grid=self.grid,
            cv=self.cv,
            n_repeats=self.n_repeats,
            stratify=self.stratify,
            groups=groups,
            metrics=[self.metric],
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            progress=self.progress,
            baseline=False,
        )
        self.best_n_features_ = self.path_.best_size(rule=self.rule)
        self.cv_results_ = _table(self.path_, self.metric)
        at = self.path_.sizes.index(self.best_n_features_)
        sign = 1.0 if METRICS[self.metric].greater_is_better else -1.0
        self.best_score_ = sign * float(self.cv_results_["mean_test_score"][at])
        self.classes_ = (
            np.arange(labels.n_labels) if labels.classes is None else labels.classes
        )
        if self.refit:
            self._refit(rows, labels)
        return self

    def _refit(self, X: Any, labels: Any) -> None:
        vector = labels.classes is not None
        target = labels.classes[labels.codes] if vector else labels.values
        self.selector_ = _seeded(self.selector, self.random_state).fit(X, target)
        self.order_, _ = order_of(self.selector_, X.shape[1])
        self.ranking_ = ranking_from_order(self.order_)
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        self.support_[self.order_[: self.best_n_features_]] = True
        if not vector:
            target = labels.values
            target = target if isinstance(target, np.ndarray) else target.toarray()
            # Signed, since some of scikit-learn's classifiers write -1 into it.
            target = target.astype(np.int64)
        kept = X[:, np.flatnonzero(self.support_)]
        self.classifier_ = _seeded(self.classifier, self.random_state).fit(kept, target)

    def _rows(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_all_finite="allow-nan" if self._allows_nan() else True,
            ensure_min_samples=2 if reset else 1,
        )

    def _kept(self, X: Any) -> Any:
        check_is_fitted(self, "classifier_")
        return self._rows(X, reset=False)[:, np.flatnonzero(self.support_)]

    @_classifier_has("predict")
    def predict(self, X: Any) -> Any:
        """Predict from the features kept.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All features, as in ``fit``.

        Returns
        -------
        ndarray
            What the classifier predicts.
        """
        kept = self._kept(X)
        return self.classifier_.predict(kept)

    @_classifier_has("predict_proba")
    def predict_proba(self, X: Any) -> Any:
        """Return the classifier's scores from the features kept.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All features, as in ``fit``.

        Returns
        -------
        ndarray or list of ndarray
            As the classifier returns it.
        """
        kept = self._kept(X)
        return self.classifier_.predict_proba(kept)

    @_classifier_has("decision_function")
    def decision_function(self, X: Any) -> Any:
        """Return the classifier's decision function from the features kept.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All features, as in ``fit``.

        Returns
        -------
        ndarray
            As the classifier returns it.
        """
        kept = self._kept(X)
        return self.classifier_.decision_function(kept)

    def _get_support_mask(self) -> Array:
        check_is_fitted(self, "support_")
        return self.support_

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the metric against the number of features, with the choice marked.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes
            What was drawn.
        """
        check_is_fitted(self, "path_")
        ax = self.path_.plot(ax=ax)
        ax.axvline(
            self.best_n_features_,
            color="#555555",
            linewidth=1.0,
            label=f"{self.best_n_features_} kept",
        )
        ax.legend(frameon=False, fontsize="small")
        return ax

    def _allows_nan(self) -> bool:
        return all(
            get_tags(one).input_tags.allow_nan
            for one in (self.selector, self.classifier)
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        parts = [get_tags(one) for one in (self.selector, self.classifier)]
        tags.input_tags.sparse = all(one.input_tags.sparse for one in parts)
        tags.input_tags.allow_nan = self._allows_nan()
        tags.input_tags.positive_only = any(
            one.input_tags.positive_only for one in parts
        )
        tags.target_tags.required = True
        for name in ("two_d_labels", "multi_output"):
            together = all(getattr(one.target_tags, name) for one in parts)
            setattr(tags.target_tags, name, together)
        if parts[1].classifier_tags is not None:
            tags.classifier_tags = parts[1].classifier_tags
            tags.classifier_tags.multi_label &= parts[0].target_tags.multi_output
        return tags


def _seeded(estimator: Any, seed: int | None) -> Any:
    """Return a copy, with ``seed`` wherever a random state is left open."""
    copy = clone(estimator)
    if seed is not None:
        copy.set_params(
            **{
                name: seed
                for name, value in copy.get_params(deep=True).items()
                if value is None and name.rpartition("__")[2] == "random_state"
            }
        )
    return copy


def _table(path: PerformancePath, metric: str) -> dict[str, Array]:
    sizes, values = path.values(NAME_OF_SELECTOR, NAME_OF_CLASSIFIER, metric)
    scores = values if METRICS[metric].greater_is_better else -values
    pairs = np.array([mean_and_sd(row) for row in scores])
    mean = pairs[:, 0]
    cells = [
        path.cells_of(NAME_OF_SELECTOR, NAME_OF_CLASSIFIER, size)
        for size in sizes.tolist()
    ]
    order = np.nan_to_num(mean, nan=-np.inf)
    found = {"param_n_features": sizes}
    for fold in range(scores.shape[1]):
        found[f"split{fold}_test_score"] = scores[:, fold]
    return {
        **found,
        "mean_test_score": mean,
        "std_test_score": pairs[:, 1],
        "rank_test_score": 1 + (order[:, None] < order).sum(axis=1),
        "mean_fit_time": np.array(
            [np.mean([cell.seconds_fit for cell in one]) for one in cells]
        ),
        "mean_score_time": np.array(
            [np.mean([cell.seconds_predict for cell in one]) for one in cells]
        ),
    }
