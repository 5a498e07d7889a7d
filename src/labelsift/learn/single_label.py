"""The seven single-label classifiers that class-vector methods are judged by.

Presets on scikit-learn in the roles of the Weka programs that published comparisons
used, with what differs:

=================== ================== =============================================
name                stands for         differs
=================== ================== =============================================
naive_bayes         NaiveBayes         density of a normal whose variance is raised by
                                       a hundredth of the column's; Weka takes the
                                       mass of a cell as wide as the mean gap between
                                       values, with a floor for the deviation, and
                                       counts nominal values.
svm                 SMO                the same problem (linear, C = 1, columns from 0
                                       to 1, one against one); another solver.
knn                 IBk, k = 1         equally near rows go to the lower index, where
                                       Weka lets them all vote; Weka widens the range
                                       of a column with the rows that it is asked
                                       about.
tree                J48                see ``EntropyTree``.
random_forest       RandomForest       the same size (100 trees, log2(d) columns a
                                       split); another random stream.
logistic            SimpleLogistic     ridge penalty on columns from 0 to 1, chosen by
                                       inner folds, where Weka boosts one column at a
                                       time and chooses the number of steps.
cart                SimpleCart         cost counted in impurity, not in training
                                       errors; at most 20 sizes are tried; other
                                       inner folds.
=================== ================== =============================================

Rows right on the same training and test rows, preset / Weka 3.9.7 (nominal values as
0/1 columns, missing ones filled by the mean or the most frequent):

================ ========= ========= ========= ========= ========= ========= =========
                 iris      wine      digits    glass     vote      soybean   segment
test rows        50        59        599       71        145       227       810
================ ========= ========= ========= ========= ========= ========= =========
naive_bayes      47 / 48   58 / 58   539 / 545 35 / 36   135 / 129 214 / 212 628 / 624
svm              47 / 47   58 / 58   583 / 583 45 / 45   137 / 137 210 / 210 751 / 751
knn              48 / 48   56 / 56   586 / 586 50 / 51   135 / 134 203 / 202 776 / 776
tree             46 / 46   55 / 52   506 / 502 44 / 50   137 / 138 205 / 194 780 / 779
random_forest    46 / 48   58 / 58   579 / 582 58 / 56   139 / 140 213 / 205 786 / 789
logistic         47 / 48   58 / 58   576 / 580 49 / 45   136 / 136 210 / 212 761 / 761
cart             45 / 46   52 / 52   507 / 507 49 / 49   138 / 138 206 / 204 773 / 768
mean of seven, % 93.1/94.6 95.6/94.9 92.4/92.7 66.4/66.8 94.3/93.8 91.9/90.6 92.7/92.6
================ ========= ========= ========= ========= ========= ========= =========
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed

from labelsift.learn.chosen_by_folds import ChosenByFolds, fold_numbers
from labelsift.learn.entropy_tree import EntropyTree

Array = np.ndarray[Any, Any]

_PENALTIES = (1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)


def _naive_bayes() -> Any:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), GaussianNB(var_smoothing=1e-2))


def _svm() -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC

    return make_pipeline(MinMaxScaler(), SVC(kernel="linear", C=1.0))


def _knn() -> Any:
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    return make_pipeline(MinMaxScaler(), KNeighborsClassifier(1))


def _tree() -> Any:
    return EntropyTree(confidence=0.25, min_samples_leaf=2)


def _random_forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, max_features="log2", random_state=0)


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    model = make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=1000))
    return ChosenByFolds(model, "logisticregression__C", _PENALTIES)


def _cart() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    return ChosenByFolds(tree, "ccp_alpha")


SINGLE_LABEL: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "naive_bayes": _naive_bayes,
        "svm": _svm,
        "knn": _knn,
        "tree": _tree,
        "random_forest": _random_forest,
        "logistic": _logistic,
        "cart": _cart,
    }
)


@dataclass(frozen=True)
class AverageAccuracy:
    """Accuracies of several classifiers in the same folds.

    Parameters
    ----------
    mean : float
        Mean of ``per_classifier``.
    per_classifier : dict of str to float
        Mean over the folds.
    per_fold : dict of str to ndarray of shape (n_folds,)
        Share of the test rows of each fold that are right.
    """

    mean: float
    per_classifier: dict[str, float]
    per_fold: dict[str, Array]


def aacc(
    X: Any,
    y: Any,
    *,
    classifiers: Iterable[str] | Mapping[str, Any] = tuple(SINGLE_LABEL),
    selector: Any = None,
    cv: Any = 10,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> AverageAccuracy:
    """Return the mean accuracy of the seven classifiers in cross-validation (AACC).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Class of each row.
    classifiers : iterable of str or mapping, default=all of ``SINGLE_LABEL``
        Names of presets, or classifiers by name.
    selector : transformer or None, default=None
        Selects columns, anew on the training rows of each fold. Selecting on all rows
        beforehand would make even noise look predictable.
    cv : int or splitter, default=10
        Number of folds, into which the rows of each class are dealt out in turn after
        a shuffle; or an object with ``split(X, y)``.
    random_state : int, RandomState or None, default=0
        Shuffles the rows, where ``cv`` is a number.
    n_jobs : int or None, default=None
        Folds at once, as in joblib. Does not alter results.

    Returns
    -------
    AverageAccuracy
        The mean, the accuracy of each classifier, and that in each fold.

    Raises
    ------
    ValueError
        If a name is not one of a preset, or ``cv`` is not from 2 to the number of rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = aacc(X, y, classifiers=["svm", "tree"], cv=5)
    >>> sorted(found.per_classifier)
    ['svm', 'tree']
    >>> found.mean > 0.9
    True
    """
    from sklearn.utils import indexable

    X, y = indexable(_rows(X), np.asarray(y))
    models = _models(classifiers)
    parts = _parts(X, y, cv, random_state)
    done = Parallel(n_jobs=n_jobs)(
        delayed(_one_fold)(models, selector, X, y, train, test) for train, test in parts
    )
    per_fold = {
        name: np.array([shares[i] for shares in done]) for i, name in enumerate(models)
    }
    per_classifier = {name: float(values.mean()) for name, values in per_fold.items()}
    mean = float(np.mean(list(per_classifier.values())))
    return AverageAccuracy(mean, per_classifier, per_fold)


def _rows(X: Any) -> Any:
    from sklearn.utils import check_array

    return check_array(X, accept_sparse="csr", ensure_all_finite="allow-nan")


def _models(classifiers: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(classifiers, Mapping):
        return dict(classifiers)
    names = [classifiers] if isinstance(classifiers, str) else list(classifiers)
    unknown = [name for name in names if name not in SINGLE_LABEL]
    if unknown or not names:
        what = f"found {unknown[0]!r}" if unknown else "none was given"
        raise ValueError(
            f"classifiers must be some of {', '.join(SINGLE_LABEL)}; {what}."
        )
    return {name: SINGLE_LABEL[name]() for name in names}


def _parts(X: Any, y: Array, cv: Any, random_state: Any) -> list[tuple[Array, Array]]:
    if hasattr(cv, "split"):
        return list(cv.split(X, y))
    n = X.shape[0]
    if isinstance(cv, bool) or not isinstance(cv, int | np.integer) or not 2 <= cv <= n:
        raise ValueError(
            f"cv must be a number of folds from 2 to {n} (the rows of X), or have a "
            f"method split; found {cv!r}."
        )
    codes = np.unique(y, return_inverse=True)[1]
    folds = fold_numbers(codes, int(cv), check_random_state(random_state))
    return [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
        for fold in range(int(cv))
    ]


def _one_fold(
    models: dict[str, Any], selector: Any, X: Any, y: Array, train: Array, test: Array
) -> list[float]:
    rows, asked = X[train], X[test]
    if selector is not None:
        chosen = clone(selector).fit(rows, y[train])
        rows, asked = chosen.transform(rows), chosen.transform(asked)
    return [
        float(np.mean(clone(model).fit(rows, y[train]).predict(asked) == y[test]))
        for model in models.values()
    ]
