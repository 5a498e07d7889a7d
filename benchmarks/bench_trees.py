"""RAkEL on trees of our own: one fit, and twenty sizes of a ranking at once.

    python benchmarks/bench_trees.py [emotions] [yeast] [scene] [medical]

Nine tenths of the rows train, chi-square ranks. CPU seconds of the fit on all columns
and the answers for the rest, of RAkEL on our trees, and on scikit-learn's grown anew
for each label set and pruned alike (the old route, ``SklearnTree``); of twenty sizes
together, and of the same one by one; the ratios, and peak memory of the twenty. From
these follows what RAkEL takes in ``labelsift paper chi2 --full``: 600 rankings a set.
"""

import os
import sys
import time
from pathlib import Path
from statistics import NormalDist

import numpy as np
from measure import peak_megabytes
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from labelsift.kernels import tree_answers
from labelsift.learn import RAkEL
from labelsift.read import load_dataset
from labelsift.select import Chi2

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared")) / "data"
RANKINGS = 600  # 10 x 10 folds, 6 selectors


class SklearnTree(ClassifierMixin, BaseEstimator):
    """Grown by scikit-learn, pruned as ours."""

    def fit(self, X, y):
        self.tree_ = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=0
        ).fit(X, y)
        self.classes_, tree = self.tree_.classes_, self.tree_.tree_
        self.shares = tree.value[:, 0, :]
        counts = np.rint(self.shares * tree.n_node_samples[:, None]).astype(np.int64)
        left, right = tree.children_left, tree.children_right
        n, errors = tree.n_node_samples, tree.n_node_samples - counts.max(axis=1)
        z = NormalDist().inv_cdf(0.75)
        is_leaf = tree_answers.prune(left, right, n, errors, 0.25, z)
        self.node_, _ = tree_answers.answering_nodes(left, right, is_leaf)
        return self

    def predict_proba(self, X):
        return self.shares[self.node_[self.tree_.apply(X)]]

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def table(name):
    """Return training rows, their labels, rows to ask about, and a ranking."""
    files = [SHARED / f"{name}.arff.gz"]
    if not files[0].is_file():
        files = [SHARED / f"{name}-{part}.arff.gz" for part in ("train", "test")]
    parts = [load_dataset(file) for file in files]
    X = parts[0].X
    if len(parts) > 1:
        X = np.vstack([part.X for part in parts])
    Y = np.vstack(
        [p.Y.toarray() if sparse.issparse(p.Y) else np.asarray(p.Y) for p in parts]
    )
    train = np.arange(X.shape[0]) % 10 != 0
    if sparse.issparse(X):
        X = sparse.csr_array(X)
    order = Chi2(aggregate="mean").fit(X[train], Y[train]).order_
    sizes = np.unique(np.linspace(1, X.shape[1], 20).round().astype(int))
    return X[train], Y[train], X[~train], order, sizes


def once(base, X, Y, asked):
    """Fit on all columns and ask, as an evaluation does."""
    model = RAkEL(base, random_state=0).fit(X, Y)
    return model.predict(asked), model.predict_proba(asked)


def together(X, Y, asked, order, sizes):
    """Return the answers of every size."""
    return list(RAkEL(random_state=0).prefix_answers(X, Y, order, sizes, asked))


def timed(call):
    """Return CPU seconds, and the result."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def main():
    total = 0.0
    for name in sys.argv[1:] or ["emotions", "yeast", "scene", "medical"]:
        if not any(SHARED.glob(f"{name}*.arff.gz")):
            print(f"{name} is absent: left out")
            continue
        X, Y, asked, order, sizes = table(name)
        once(None, X[:40], Y[:40], asked[:5])  # compiles
        ours, answers = timed(lambda: once(None, X, Y, asked))  # noqa: B023
        theirs, others = timed(lambda: once(SklearnTree(), X, Y, asked))  # noqa: B023
        path, found = timed(lambda: together(X, Y, asked, order, sizes))  # noqa: B023
        each = 0.0
        for size, (predictions, scores) in zip(sizes, found, strict=True):
            columns = np.sort(order[:size])
            used, (said, alone) = timed(
                lambda: once(None, X[:, columns], Y, asked[:, columns])  # noqa: B023
            )
            each += used
            assert (said == predictions).all()
            assert (alone == scores).all()
        peak = peak_megabytes(
            f"import sys\nsys.path.insert(0, {str(ROOT / 'benchmarks')!r})\n"
            "from bench_trees import table, together\n"
            f"X, Y, asked, order, sizes = table({name!r})\n"
            "together(X[:40], Y[:40], asked[:5], order, sizes[:2])\nBASELINE\n"
            "together(X, Y, asked, order, sizes)\n"
        )
        total += RANKINGS * path
        agree = (answers[0] == others[0]).mean()
        print(
            f"{name}: {X.shape[0]} x {X.shape[1]}, {Y.shape[1]} labels; one fit and "
            f"answers {ours:.2f} s, on scikit-learn's trees {theirs:.2f} s, ratio "
            f"{theirs / ours:.1f}x (predictions agree on {agree:.1%}); {len(sizes)} "
            f"sizes {path:.2f} s, one by one {each:.2f} s, ratio {each / path:.1f}x, "
            f"equal answers; peak memory beyond the data {peak:.0f} MB; "
            f"{RANKINGS} rankings {RANKINGS * path / 3600:.2f} CPU hours",
            flush=True,
        )
    print(f"RAkEL in the full protocol of these sets: {total / 3600:.1f} CPU hours")


if __name__ == "__main__":
    main()
