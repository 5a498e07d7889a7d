"""InfoGain with supervised cuts: gene expression and 45 labels of text.

The files lie in the folder given, in LABELSIFT_DATA or in ../shared/data of the clone:

    python benchmarks/bench_info_gain.py FOLDER
"""

import sys
import time

import measure
import numpy as np
from sklearn.feature_selection import mutual_info_classif

from labelsift.encode import MDLDiscretizer
from labelsift.read import load_dataset
from labelsift.select import InfoGain


def plain_gain(X, y, n_features):
    """Cut with our discretiser, then count and sum with numpy, feature by feature."""
    codes = MDLDiscretizer(encoding="better").fit(X, y).transform(X)
    classes, target = np.unique(y, return_inverse=True)
    gains = np.empty(n_features)

    def entropy(counts):
        share = counts[counts > 0] / counts.sum()
        return -(share * np.log2(share)).sum()

    for f in range(n_features):
        table = np.zeros((int(codes[:, f].max()) + 1, len(classes)))
        np.add.at(table, (codes[:, f], target), 1)
        gains[f] = entropy(table.sum(0)) + entropy(table.sum(1)) - entropy(table)
    return gains


def main(folder):
    """Print every figure."""
    genes = load_dataset(folder / "nci9.mat")
    X, Y = np.asarray(genes.X, dtype=float), np.asarray(genes.Y)
    y = Y.argmax(axis=1)
    ours, fitted = measure.seconds(lambda: InfoGain().fit(X, y))
    start = time.process_time()
    InfoGain().fit(X, y)
    cpu = time.process_time() - start
    plain, gains = measure.seconds(
        lambda: plain_gain(X, y, X.shape[1]), repeats=1, warmup=0
    )
    measure.report(
        f"InfoGain (MDL), nci9 {X.shape[0]} x {X.shape[1]}, {y.max() + 1} classes",
        ours,
        plain,
        peer="counting with numpy",
        target="< 1 s",
    )
    print(f"  processor time {cpu:.2f} s; largest difference", end=" ")
    print(f"{np.abs(gains - fitted.scores_).max():.1e}")

    text = load_dataset(folder / "medical.arff.gz")
    nominal = text.is_nominal
    ours, fitted = measure.seconds(
        lambda: InfoGain(categorical_features=nominal).fit(text.X, text.Y)
    )
    start = time.process_time()
    InfoGain(categorical_features=nominal).fit(text.X, text.Y)
    cpu = time.process_time() - start
    memory = measure.peak_megabytes(
        "from pathlib import Path\n"
        "from labelsift.read import load_dataset\n"
        "from labelsift.select import InfoGain\n"
        f"data = load_dataset(Path({str(folder)!r}) / 'medical.arff.gz')\n"
        "InfoGain(categorical_features=data.is_nominal[:9])"
        ".fit(data.X[:, :9], data.Y)\n"
        "BASELINE\n"
        "InfoGain(categorical_features=data.is_nominal).fit(data.X, data.Y)"
    )
    dense_y = text.Y.toarray() if hasattr(text.Y, "toarray") else text.Y

    def one_label():
        return mutual_info_classif(
            text.X, dense_y[:, 0], discrete_features=True, random_state=0
        )

    peer, first = measure.seconds(one_label, repeats=1, warmup=0)
    measure.report(
        f"InfoGain, medical {text.n_samples} x {text.n_features} x {text.n_labels}",
        ours,
        peer * text.n_labels,
        peer="scikit-learn, one label x 45,",
        memory=memory,
        target="< 1 s",
    )
    table = np.asarray(fitted.scores_per_label_)
    print(f"  processor time {cpu:.2f} s; largest difference", end=" ")
    print(f"{np.abs(first / np.log(2) - table[:, 0]).max():.1e}")
    cuts, _ = measure.seconds(lambda: InfoGain().fit(text.X, text.Y))
    print(f"  the same with the 0/1 features cut by MDL: {cuts:.3f} s")


if __name__ == "__main__":
    main(measure.data_folder(*sys.argv[1:2]))
