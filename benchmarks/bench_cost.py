"""CSIG against InfoGain at equal size: average precision and total test cost.

Emotions, yeast and scene with their published training and test parts; costs drawn from
three distributions, ten draws each; ML-kNN (k = 10) on the features kept. The files lie
in the folder given, in LABELSIFT_DATA or in ../shared/data of the clone:

    python benchmarks/bench_cost.py FOLDER
"""

import sys
from functools import cache

import measure
import numpy as np

from labelsift.evaluate.metrics import average_precision
from labelsift.learn import MLkNN
from labelsift.read import load_dataset
from labelsift.score import generate_test_costs
from labelsift.select import CSIG, InfoGain

DRAWS = 10
DISTRIBUTIONS = ("uniform", "normal", "pareto")


def main(folder):
    """Print one line for each data set and distribution, and who wins where."""
    print(
        "data      costs      kept of d    average precision      total cost, share"
        "      CSIG wins"
    )
    print(
        "                                  CSIG       InfoGain    CSIG      InfoGain"
        "   of 10 draws"
    )
    for name in ("emotions", "yeast", "scene"):
        compare(folder, name)


def compare(folder, name):
    """Print the lines of one data set."""
    train = load_dataset(folder / f"{name}-train.arff.gz")
    test = load_dataset(folder / f"{name}-test.arff.gz")
    rank = {
        discretize: InfoGain(discretize=discretize).fit(train.X, train.Y)
        for discretize in ("equal_width", "mdl")
    }

    @cache
    def precision(columns):
        kept = list(columns)
        model = MLkNN(scale="minmax").fit(train.X[:, kept], train.Y)
        scores = np.asarray(model.predict_proba(test.X[:, kept]))
        return average_precision(test.Y, scores)

    for distribution in DISTRIBUTIONS:
        rows = []
        for draw in range(DRAWS):
            costs = generate_test_costs(
                train.n_features, distribution, random_state=draw
            )
            ours = CSIG(costs).fit(train.X, train.Y)
            mine = ours.get_support(indices=True)
            theirs = np.sort(rank["equal_width"].order_[: len(mine)])
            by_mdl = np.sort(rank["mdl"].order_[: len(mine)])
            rows.append(
                (
                    len(mine),
                    precision(tuple(mine)),
                    precision(tuple(theirs)),
                    ours.cost_share_,
                    ours.cost_of(theirs) / costs.sum(),
                    precision(tuple(by_mdl)),
                    ours.cost_of(by_mdl) / costs.sum(),
                )
            )
        table = np.array(rows)
        kept, ap, other_ap, share, other_share, mdl_ap, mdl_share = table.mean(axis=0)
        better = int((table[:, 1] > table[:, 2]).sum())
        cheaper = int((table[:, 3] < table[:, 4]).sum())
        print(
            f"{name:<10}{distribution:<10}{kept:5.1f} of {train.n_features:<5}"
            f"{ap:8.3f} ±{table[:, 1].std():.3f}{other_ap:9.3f}{share:11.1%}"
            f"{other_share:10.1%}     {better:2d} in precision, {cheaper:2d} in cost"
            f"   (InfoGain with MDL: {mdl_ap:.3f}, {mdl_share:.1%})"
        )
    everything = precision(tuple(range(train.n_features)))
    seconds, _ = measure.seconds(lambda: CSIG(costs).fit(train.X, train.Y), repeats=3)
    plain, _ = measure.seconds(
        lambda: InfoGain(discretize="equal_width").fit(train.X, train.Y), repeats=3
    )
    measure.report(
        f"{name:<10}all features: {everything:.3f}; one fit of CSIG",
        seconds,
        plain,
        peer="InfoGain",
    )


if __name__ == "__main__":
    main(measure.data_folder(*sys.argv[1:2]))
