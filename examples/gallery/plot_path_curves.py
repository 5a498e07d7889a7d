"""
How many features are enough
============================

A ranking says which features come first; cross-validation says how many of them to
keep. ``performance_path`` selects anew on the training rows of each fold and measures
every number of features in one pass, since all prefixes of a ranking share their
distances. The band is one standard deviation over the folds.
"""

import matplotlib.pyplot as plt

from labelsift import load_dataset
from labelsift.evaluate import performance_path
from labelsift.learn import MLkNN
from labelsift.report.plots import path_curves
from labelsift.select import MLMRMR, SPEC, Chi2

data = load_dataset("yeast")
X, Y = data.X[:800], data.Y[:800]
path = performance_path(
    {"chi-square, best label": Chi2(aggregate="max"), "SPEC": SPEC(), "mRMR": MLMRMR()},
    MLkNN(scale="minmax"),
    X,
    Y,
    cv=3,
    metrics=["average_precision", "hamming_loss"],
    dataset_name="800 rows of yeast",
)
ax = path_curves(path, "average_precision")

# %%
# How many to take: the best mean, or the fewest within one standard error of it.
for name in path.selectors:
    best = path.best_size(name, metric="average_precision")
    enough = path.best_size(name, metric="average_precision", rule="one_se")
    print(f"{name}: best with {best} features, within a standard error with {enough}")

plt.show()
