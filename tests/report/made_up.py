"""Made-up results of any shape, to see what the report does with them."""

from __future__ import annotations

import numpy as np

from labelsift import Dataset
from labelsift.evaluate.metrics import METRICS
from labelsift.evaluate.records import ALL_FEATURES, Cell, Fold, Method, Ranking
from labelsift.evaluate.results import Results


def made_up(
    *,
    n=60,
    d=12,
    q=5,
    sizes=(2, 4, 8, 12),
    selectors=("Chi2 (mean)",),
    classifiers=("MLkNN",),
    metrics=("average_precision", "hamming_loss"),
    n_folds=5,
    feature_names=None,
    label_names=None,
    baseline=True,
    has_scores=True,
    has_auc=True,
    is_nan=lambda metric, fold, size: False,
    absent_from_test=(),
    warnings=None,
    costs=None,
    name="birds",
    seed=0,
):
    """Return results and the dataset they could be of."""
    rng = np.random.default_rng(seed)
    feature_names = feature_names or tuple(f"audio-ssd-{i:03d}" for i in range(d))
    label_names = label_names or tuple(f"Class{j + 1}" for j in range(q))
    truth = rng.random((n, d)) < 0.5
    Y = (rng.random((n, q)) < np.linspace(0.6, 0.1, q)).astype(np.uint8)
    X = truth + rng.random((n, d))
    X[:, 0] += Y[:, 0]
    dataset = Dataset(
        X,
        Y,
        feature_names,
        label_names,
        name=name,
        source=f"{name}.arff",
        loaded=f"load_dataset({name + '.arff'!r})",
        test_costs=costs,
    )
    folds = tuple(
        Fold(
            number=i,
            repeat=0,
            fold=i,
            seed=7,
            n_train=n - n // max(n_folds, 2),
            n_test=n // max(n_folds, 2),
            absent_from_train=(),
            everywhere_in_train=(),
            absent_from_test=tuple(absent_from_test) if i == 0 else (),
            rows_without_label=1,
            rows_with_all_labels=0,
        )
        for i in range(n_folds)
    )
    base = np.argsort(-rng.random(d))
    rankings = []
    for selector in selectors:
        for fold in folds:
            scores = np.empty(d)
            scores[base] = np.linspace(400, 3, d) + rng.normal(0, 20, d)
            order = np.argsort(-scores, kind="stable")
            rankings.append(
                Ranking(
                    selector, fold.number, order, scores if has_scores else None, 0.02
                )
            )
    cells = []
    luck = rng.normal(0, 0.01, n_folds)
    methods = [(s, c, k) for s in selectors for c in classifiers for k in sizes]
    if baseline:
        methods += [(ALL_FEATURES, c, d) for c in classifiers]
    for selector, classifier, size in methods:
        # all methods meet where everything is kept
        late = 0 if size == d else list((*selectors, ALL_FEATURES)).index(selector)
        for fold in folds:
            level = 0.72 + 0.06 * (1 - np.exp(-8 * size / d)) - 0.012 * late
            level -= 0.012 * size / d
            level += luck[fold.number] + (0 if size == d else rng.normal(0, 0.003))
            values = {}
            for metric in metrics:
                value = level if METRICS[metric].greater_is_better else 0.9 - level
                nan = is_nan(metric, fold.number, size)
                values[metric] = float("nan") if nan else float(value)
            positive = rng.integers(0, 6, q)
            cells.append(
                Cell(
                    selector,
                    classifier,
                    fold.number,
                    size,
                    values,
                    positive,
                    rng.integers(0, 5, q),
                    rng.integers(0, 5, q),
                    rng.random(q) if has_auc else None,
                    1,
                    (),
                    0.01,
                    0.002,
                )
            )
    results = Results(
        dataset=name,
        n_samples=n,
        feature_names=feature_names,
        label_names=label_names,
        label_counts=tuple(int(c) for c in Y.sum(axis=0)),
        metrics=tuple(metrics),
        sizes=tuple(sizes),
        selectors={
            s: Method("labelsift.select.chi2.Chi2", "Chi2(aggregate='max')", {})
            for s in selectors
        },
        classifiers={
            c: Method("labelsift.learn.mlknn.MLkNN", "MLkNN()", {}) for c in classifiers
        },
        folds=folds,
        rankings=tuple(rankings),
        cells=tuple(cells),
        settings={
            "splits": f"{n_folds} shuffled folds",
            "stratify": False,
            "n_repeats": 1,
            "random_state": 7,
            "baseline": baseline,
            "versions": {"python": "3.11.7", "labelsift": "0.1.0"},
        },
        warnings=warnings or {},
    )
    return results, dataset
