"""Does SPEC with the Jaccard similarity select better, as its paper claims?

    python benchmarks/bench_spec_claim.py

Hamming loss of ML-kNN (k = 10) on 10, 20, ..., 90 % of the features, 10-fold, selection
inside the folds: filter-SPEC with Jaccard and with RBF similarity, wrapper-SPEC of both
orders and wrapper-Relief. The scores are as they come out; the last lines say where the
claim holds: Jaccard at least as good as the other, on average and at how many of the
nine sizes.
"""

import os
from pathlib import Path

import numpy as np
from measure import seconds

from labelsift.evaluate import cross_validate
from labelsift.learn import MLkNN
from labelsift.read import load_dataset
from labelsift.select import SPEC, ReliefF, WrapperSPEC

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LABELSIFT_SHARED", ROOT.parent / "shared")) / "data"
SELECTORS = {
    "SPEC-Jaccard": SPEC(),
    "SPEC-RBF": SPEC(similarity="rbf"),
    "wrapper-SPEC 1": WrapperSPEC(),
    "wrapper-SPEC 2": WrapperSPEC(order=2),
    "wrapper-Relief": ReliefF(problem="pairwise"),
}


def study(name):
    """Print the losses of one data set, and where the claim holds."""
    path = SHARED / f"{name}.arff.gz"
    if not path.is_file():
        print(f"{name} is absent: left out")
        return
    data = load_dataset(path)
    d = data.X.shape[1]
    grid = [max(1, int(share * d)) for share in np.arange(1, 10) / 10]
    spent, results = seconds(
        lambda: cross_validate(
            SELECTORS,
            {"ML-kNN": MLkNN()},
            data,
            grid=grid,
            metrics=["hamming_loss"],
            random_state=1,
        ),
        repeats=1,
        warmup=0,
    )
    n, q = data.Y.shape
    print(f"\n{name}: {n} x {d}, {q} labels; 10 folds, {spent:.0f} s")
    print(f"{'features':>16} " + " ".join(f"{size:>7}" for size in grid) + "    mean")
    losses = {}
    for selector in SELECTORS:
        losses[selector] = results.values(selector, "ML-kNN")[1].mean(axis=1)
        row = " ".join(f"{loss:7.4f}" for loss in losses[selector])
        print(f"{selector:>16} {row} {losses[selector].mean():7.4f}")
    print(f"{'all features':>16} {results.baseline('ML-kNN').mean():7.4f}")
    ours = losses.pop("SPEC-Jaccard")
    for other, loss in losses.items():
        at = int((ours <= loss).sum())
        holds = "holds" if ours.mean() <= loss.mean() else "does not hold"
        print(
            f"  no worse than {other}: {holds} "
            f"({ours.mean():.4f} against {loss.mean():.4f}; "
            f"at {at} of {len(grid)} sizes)"
        )


def main():
    for name in ("emotions", "yeast", "medical"):
        study(name)


if __name__ == "__main__":
    main()
