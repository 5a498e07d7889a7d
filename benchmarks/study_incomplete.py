"""The protocol for incomplete data: what each way of selecting is worth.

5 % of the feature values are deleted at random; in each of 10 folds features are
selected on the training rows and a classifier is fitted on them, with what is missing
replaced by the mean of the training rows. The tolerance rough sets select before that,
all others after it. Five metrics, as mean over folds and seeds.

Sizes are each method's own; "impute, InfoGain" gets as many features as the Manhattan
reduct of that fold, so that only the choice differs. The sweep over ``lam`` uses
ML-kNN, the table of methods RAkEL and ML-kNN.

``python benchmarks/study_incomplete.py [SETS] [--seeds N] [--folds N] [--sweep]``
reads the sets by name (LABELSIFT_DATA).
"""

import argparse
import warnings

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold

from labelsift import load_dataset
from labelsift.encode import inject_missing
from labelsift.evaluate.metrics import measure
from labelsift.learn import MLkNN, RAkEL
from labelsift.select import MLFSDM, MLFSIE, MLFSPA, InfoGain, ToleranceRoughSet

METRICS = (
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
)
SETS = ("emotions", "birds", "yeast", "scene")


def dense(values):
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values)


def folds(name, seed, n_folds):
    """Yield training and test tables of each fold: with gaps, and filled."""
    data = load_dataset(name)
    X = inject_missing(dense(data.X).astype(float), 0.05, random_state=seed)
    Y = dense(data.Y).astype(int)
    for train, test in KFold(n_folds, shuffle=True, random_state=seed).split(X):
        filler = SimpleImputer(keep_empty_features=True).fit(X[train])
        yield (
            X[train],
            filler.transform(X[train]),
            Y[train],
            filler.transform(X[test]),
            Y[test],
            data.is_nominal,
        )


def judged(classifier, columns, fold):
    """Return the five metrics of a classifier on these columns."""
    _, filled, y, filled_test, y_test, _ = fold
    low, high = filled.min(axis=0), filled.max(axis=0)
    width = np.where(high > low, high - low, 1)
    x, x_test = (filled - low) / width, (filled_test - low) / width
    fitted = classifier.fit(x[:, columns], y)
    values = measure(
        METRICS,
        y_test,
        predictions=fitted.predict(x_test[:, columns]),
        scores=fitted.predict_proba(x_test[:, columns]),
    )
    return [values[name] for name in METRICS]


def choices(fold):
    """Return the columns that each method keeps in a fold."""
    gaps, filled, y, _, _, nominal = fold
    kept = {}
    for metric in ("manhattan", "euclidean"):
        for tie in ("discerned", "index"):
            selector = ToleranceRoughSet(
                metric=metric, tie_break=tie, categorical_features=nominal
            )
            kept[f"{metric}, {tie}"] = selector.fit(gaps, y).get_support(indices=True)
    for selector in (MLFSIE(), MLFSPA(), MLFSDM()):
        found = selector.fit(filled, y).get_support(indices=True)
        kept[type(selector).__name__] = found
    size = len(kept["manhattan, discerned"])
    ranked = InfoGain(size, discretize="equal_width").fit(filled, y)
    kept["impute, InfoGain"] = ranked.get_support(indices=True)
    kept["all features"] = np.arange(gaps.shape[1])
    return kept


def show(title, rows):
    print(
        f"\n{title}\n{'':24}{'kept':>7}{'HL':>8}{'OE':>8}{'Cov':>8}{'RL':>8}{'AP':>8}"
    )
    for name, values in rows.items():
        size, *figures = np.nanmean(values, axis=0)
        text = "".join(f"{figure:8.4f}" for figure in figures)
        print(f"{name:24}{size:7.1f}{text}", flush=True)


def methods_part(name, seeds, n_folds):
    found = {"RAkEL": {}, "ML-kNN": {}}
    for seed in range(seeds):
        for fold in folds(name, seed, n_folds):
            for method, columns in choices(fold).items():
                for learner in found:
                    classifier = (
                        RAkEL(random_state=0) if learner == "RAkEL" else MLkNN()
                    )
                    row = [len(columns), *judged(classifier, columns, fold)]
                    found[learner].setdefault(method, []).append(row)
    for learner, rows in found.items():
        show(f"{name}, {learner}, {seeds} seeds x {n_folds} folds", rows)


def sweep_part(name, seeds, n_folds):
    found = {}
    for seed in range(seeds):
        for fold in folds(name, seed, n_folds):
            for metric in ("manhattan", "euclidean"):
                path = ToleranceRoughSet(
                    metric=metric, categorical_features=fold[5]
                ).lam_path(fold[0], fold[2], lams=np.arange(1, 11) / 5)
                for fitted in path:
                    columns = fitted.get_support(indices=True)
                    row = [len(fitted.reduct_), *judged(MLkNN(), columns, fold)]
                    key = f"{metric} lam {fitted.lam:.1f}"
                    found.setdefault(key, []).append(row)
    show(f"{name}, ML-kNN over lam, {seeds} seeds x {n_folds} folds", found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--sweep", action="store_true", help="also over lam")
    given = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    for name in given.sets:
        methods_part(name, given.seeds, given.folds)
        if given.sweep:
            sweep_part(name, 1, given.folds)


if __name__ == "__main__":
    main()
