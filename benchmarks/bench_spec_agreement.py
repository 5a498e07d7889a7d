"""SPEC beside the n x n matrices of the paper, with every option, on real data.

Prints the largest difference of each data set over all similarities, with and without
self-loops, empty similarities, criteria, powers and scalings. phi_3 and powers need the
eigenvectors of the n x n matrix, which is done up to 700 rows.
"""

import itertools
import os
from pathlib import Path

import numpy as np
from measure import seconds
from scipy import sparse

from labelsift.read import load_dataset
from labelsift.select import SPEC

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared")) / "data"
FILES = [
    "flags.arff.gz",
    "emotions.arff.gz",
    "birds-train.arff.gz",
    "medical.arff.gz",
    "enron.arff.gz",
    "yeast.arff.gz",
    "scene-train.arff.gz",
]
EIGEN_ROWS = 700


def similarity(Y, kind, empty, width):
    """Return the n x n similarities."""
    Y = Y.astype(float)
    weights = Y.mean(axis=0) if kind == "weighted_jaccard" else np.ones(Y.shape[1])
    both = (Y * weights) @ Y.T
    sizes = Y @ weights
    none = (sizes[:, None] + sizes) == 0
    if kind == "rbf":
        squared = np.rint(sizes[:, None] + sizes - 2 * both)
        if width == "median":
            upper = squared[np.triu_indices(len(Y), 1)]
            width = np.median(np.sqrt(upper[upper > 0]))
        return np.exp(-squared / (2 * width**2))
    if kind == "same_class":
        _, codes = np.unique(Y, axis=0, return_inverse=True)
        S = (codes[:, None] == codes).astype(float)
        S[none] *= empty
        return S / (codes[:, None] == codes).sum(axis=1)
    if kind == "cosine":
        scale = np.sqrt(sizes[:, None] * sizes)
    else:
        scale = sizes[:, None] + sizes - both
    S = np.divide(both, scale, out=np.zeros_like(both), where=scale > 0)
    S[none] = empty
    return S


def scaled(X, how):
    """Return the scaled features; constant ones only shifted."""
    spread = np.ptp(X, axis=0)
    if how == "zscore":
        return (X - X.mean(axis=0)) / np.where(spread > 0, X.std(axis=0), 1)
    if how == "minmax":
        return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1)
    return X


class Plain:
    """The matrices of one graph, and phi from them."""

    def __init__(self, S, loops, with_eigenvectors):
        W = S.copy()
        if not loops:
            np.fill_diagonal(W, 0)
        degree = W.sum(axis=1)
        self.kept = degree > 0
        self.W, self.degree = W[np.ix_(self.kept, self.kept)], degree[self.kept]
        if not with_eigenvectors:
            return
        root = np.sqrt(self.degree)
        trivial = root / np.linalg.norm(root)
        matrix = np.eye(len(root)) - self.W / root[:, None] / root
        values, vectors = np.linalg.eigh(matrix + 4 * np.outer(trivial, trivial))
        self.values, self.vectors = np.clip(values[:-1], 0, None), vectors[:, :-1]

    def phi(self, X, criterion, power, k):
        X = X[self.kept]
        total = self.degree @ X**2
        rest = 1 - (self.degree @ X) ** 2 / self.degree.sum() / total
        if criterion != "phi_3" and power == 1:
            first = 1 - (X * (self.W @ X)).sum(axis=0) / total
            return first if criterion == "phi_1" else first / rest
        unit = np.sqrt(self.degree)[:, None] * X / np.sqrt(total)
        energy = (self.vectors.T @ unit) ** 2
        if criterion != "phi_3":
            first = self.values**power @ energy
            return first if criterion == "phi_1" else first / rest
        gain = 2.0**power - self.values**power
        share, places, i = np.zeros(len(gain)), k - 1, 0
        while places > 0 and i < len(gain):
            j = np.searchsorted(self.values, self.values[i] + 1e-9, side="right")
            share[i:j] = min(1, places / (j - i))
            places, i = places - (j - i), j
        return (share * gain) @ energy


def differences(X, Y):
    """Yield the largest relative difference of each combination of options."""
    graphs = itertools.product(
        ["jaccard", "weighted_jaccard", "rbf", "cosine", "same_class"],
        [False, True],
        [0.0, 1.0],
        [1.0, "median"],
    )
    eigen = len(X) <= EIGEN_ROWS
    for kind, loops, empty, width in graphs:
        if (kind == "rbf" and empty) or (kind != "rbf" and width == "median"):
            continue
        plain = Plain(similarity(Y, kind, empty, width), loops, eigen)
        k = len(np.unique(Y[plain.kept], axis=0))
        for criterion, power, scale in itertools.product(
            ["phi_1", "phi_2", "phi_3"] if eigen else ["phi_1", "phi_2"],
            [1, 3] if eigen else [1],
            ["zscore", "minmax", "none"],
        ):
            with np.errstate(all="ignore"):
                want = plain.phi(scaled(X, scale), criterion, power, k)
            for data in (X, sparse.csr_array(X)) if scale == "zscore" else (X,):
                got = SPEC(
                    similarity=kind,
                    self_loops=loops,
                    empty_similarity=empty,
                    bandwidth=width,
                    criterion=criterion,
                    spectral_power=power,
                    scale=scale,
                ).fit(data, Y)
                usable = ~np.isnan(got.phi_)
                gap = np.abs(got.phi_ - want)[usable] / np.maximum(want[usable], 1)
                yield gap.max(initial=0.0)


def main():
    for name in FILES:
        path = SHARED / name
        if not path.is_file():
            print(f"{name} is absent: left out")
            continue
        data = load_dataset(path)
        X = data.X.toarray() if sparse.issparse(data.X) else np.array(data.X)
        Y = data.Y.toarray() if sparse.issparse(data.Y) else np.asarray(data.Y)
        spent, gaps = seconds(
            lambda X=X, Y=Y: list(differences(X, Y)), repeats=1, warmup=0
        )
        print(
            f"{data.name}: {len(gaps)} combinations, largest difference "
            f"{max(gaps):.1e} (target 1e-10), {spent:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
