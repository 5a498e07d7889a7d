"""Run selectors and classifiers over folds; selection always inside the fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.engine import Engine, engine_for
from labelsift.evaluate._arguments import (
    as_table,
    check_flag,
    check_metrics,
    check_seed,
    named_estimators,
    own_sized,
    sizes_by_classifier,
    software,
)
from labelsift.evaluate._fold_run import FoldRun
from labelsift.evaluate._fold_tasks import Table
from labelsift.evaluate._named_columns import by_position
from labelsift.evaluate._outputs import can_score, no_scores_message
from labelsift.evaluate._splits import describe_split, make_splits
from labelsift.evaluate.failures import without_failed
from labelsift.evaluate.folds import fresh_seed
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.progress import reporting
from labelsift.evaluate.records import Method
from labelsift.evaluate.results import Results

Array = np.ndarray[Any, Any]
DEFAULT_METRICS = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
    "subset_accuracy",
    "micro_f1",
    "macro_f1",
)


def cross_validate(
    selectors: Any,
    classifiers: Any,
    X: Any,
    Y: Any = None,
    *,
    grid: Any = None,
    cv: Any = 10,
    n_repeats: int = 1,
    stratify: Any = False,
    groups: Any = None,
    metrics: Sequence[str] = DEFAULT_METRICS,
    random_state: int | None = 0,
    n_jobs: int | Engine | None = None,
    progress: bool | str | Callable[[int, int], None] | None = None,
    baseline: bool = True,
    dataset_name: str | None = None,
    on_error: str = "raise",
    own_size: Sequence[str] = (),
) -> Results:
    """Measure how well classifiers do with the best features of selectors.

    In every fold each selector is fitted once, on the training rows only, and its
    order is cut at every size of the grid. Selecting on all rows first would make
    even noise look predictable.

    Parameters
    ----------
    selectors : estimator, list of estimators, or dict of str to estimator
        Anything that has ``order_``, ``scores_``, ``feature_importances_`` or
        ``ranking_`` after ``fit``. Its own number of features plays no role, unless
        ``own_size`` names it. Of a pipeline the last step is read.
    classifiers : estimator, list of estimators, or dict of str to estimator
        Classifiers for several labels. Training labels come as a dense 0/1 array.
    X : array-like, sparse matrix, data frame or Dataset
        Features, shape (n_samples, n_features).
    Y : array-like, sparse matrix or data frame, optional
        0/1 labels of shape (n_samples, n_labels); left out if ``X`` is a Dataset. A
        class vector reaches selectors as it is, and classifiers as one label a class.
    grid : int, float, sequence of them, "all", or None
        Sizes to try: numbers of features, or fractions (above 0, at most 1, rounded
        down but at least one feature). ``"all"`` tries every size. None tries about
        ten sizes from 1 % to 100 %. A dict gives a grid for each classifier by name.
    cv : int, splitter, or list of (train, test)
        Number of folds, any scikit-learn splitter, or given row indices or masks.
    n_repeats : int, default=1
        Repetitions with other shuffles; only with a number of folds.
    stratify : {False, "iterative"}, default=False
        Plain shuffled folds, or folds that spread every label evenly; only with a
        number of folds.
    groups : array-like of shape (n_samples,), optional
        Passed to the splitter.
    metrics : sequence of str
        Keys of ``labelsift.evaluate.METRICS``; the first decides what is best.
    random_state : int or None, default=0
        Repetition ``r`` shuffles with ``random_state + r``. Selectors and classifiers
        whose ``random_state`` is None get a seed that depends on this number and the
        fold. None draws a number, recorded in ``settings``.
    n_jobs : int or Engine, optional
        Processes; the results are the same for any number.
    progress : bool, str or callable, optional
        True or a text shows a bar on standard error, if that is a terminal. A callable
        is called with the number of fits done and the number of all; if it has a
        method ``watch``, that is called with each measured ``Cell``.
    baseline : bool, default=True
        Also measure every classifier with all features.
    dataset_name : str, optional
        Name in the results; by default the Dataset's, or "data".
    on_error : {"raise", "record"}, default="raise"
        What to do with an error from a selector or classifier. ``"record"`` goes on
        with the rest: errors are listed in ``Results.failures``, and a method that
        failed anywhere is left out whole, so that the others stay comparable.
    own_size : sequence of str, default=()
        Names of selectors that are measured with the features that they keep by
        themselves (``get_support``), such as a reduct, whose number may differ from
        fold to fold, and not at the sizes of ``grid``.

    Returns
    -------
    Results
        Every measurement, with rankings, odd folds and settings.

    Raises
    ------
    ValueError, TypeError
        If arguments do not fit. An error from a selector or classifier says in a note
        which one and in which fold.
    WorkerDied
        If a worker process died over the same task twice, and errors are not recorded.
    NothingMeasured
        If errors are recorded and not one method came through every fold.

    Notes
    -----
    Ranking metrics get ``predict_proba``, else ``decision_function``, never 0/1
    predictions. A label on which all training rows of a fold agree is marked; if the
    classifier refuses such labels it is fitted without them, and the one value is
    predicted. Columns reach the classifier in the order of ``X``, so that sets reached
    by different selectors share one fit.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 12))
    >>> Y = (X[:, :2] > 0).astype(int)
    >>> results = cross_validate(
    ...     ExtraTreesClassifier(), KNeighborsClassifier(), X, Y, grid=[2, 6], cv=3
    ... )
    >>> results.best().n_features
    2
    """
    table, feature_names, labels, name = as_table(X, Y, dataset_name)
    metrics, baseline = check_metrics(metrics), check_flag(baseline, "baseline")
    rankers = by_position(named_estimators(selectors, "selectors"), feature_names)
    learners = named_estimators(classifiers, "classifiers")
    ranking = [m for m in metrics if METRICS[m].needs == "scores"]
    for learner in learners.values():
        if ranking and not can_score(learner):
            raise TypeError(no_scores_message(learner, ranking))
    if on_error not in ("raise", "record"):
        raise ValueError(f"on_error must be 'raise' or 'record'; found {on_error!r}.")
    n, d = table.shape
    sizes = sizes_by_classifier(grid, learners, d)
    own_size = own_sized(own_size, rankers)
    seed = fresh_seed() if random_state is None else check_seed(random_state)
    splits, how = make_splits(
        cv, n_repeats, stratify, seed, table, labels.values, groups
    )
    if sparse.issparse(labels.values):
        counts = np.bincount(labels.values.indices, minlength=labels.n_labels)
    else:
        counts = labels.values.sum(axis=0, dtype=np.int64)

    y = labels.values if labels.classes is None else labels.classes[labels.codes]
    run = FoldRun(
        rankers, learners, splits, sizes, d, baseline, seed, on_error, own_size
    )
    engine = engine_for(n_jobs)
    try:
        with reporting(progress, f"evaluating {name}") as report:
            shared = engine.share(
                Table(table, labels.values, y, metrics, feature_names)
            )
            run.go(engine, shared, report)
    finally:
        engine.close()
    results = Results(
        dataset=name,
        n_samples=n,
        feature_names=feature_names,
        label_names=labels.names,
        label_counts=tuple(counts.tolist()),
        metrics=metrics,
        sizes=tuple(sorted({size for each in sizes.values() for size in each}))
        if len(own_size) < len(rankers)
        else (),
        selectors={key: Method.of(value) for key, value in rankers.items()},
        classifiers={key: Method.of(value) for key, value in learners.items()},
        folds=tuple(describe_split(split, labels.values) for split in splits),
        rankings=tuple(run.rankings),
        cells=tuple(run.cells),
        settings={
            "splits": how,
            "stratify": stratify or False,
            "n_repeats": int(n_repeats),
            "random_state": seed,
            "baseline": bool(baseline),
            "versions": software(),
        },
        warnings=run.warnings,
        failures=tuple(run.failures),
        own_size=own_size,
    )
    return without_failed(results) if results.failures else results
