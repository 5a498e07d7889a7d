"""
Which differences between methods count
=======================================

Five selectors on twelve made-up data sets, ranked on each. Methods under one thick
bar are no further apart than the critical difference of Nemenyi's test: the data
cannot tell them apart.
"""

import matplotlib.pyplot as plt
import numpy as np

from labelsift.evaluate import cross_validate, friedman
from labelsift.learn import BRkNN
from labelsift.report.plots import critical_difference_diagram
from labelsift.select import MLMRMR, SPEC, Chi2, InfoGain, RReliefFML

selectors = {
    "chi-square": Chi2(),
    "information gain": InfoGain(),
    "SPEC": SPEC(),
    "mRMR": MLMRMR(),
    "RReliefF": RReliefFML(n_neighbors=5),
}


def data_set(seed):
    """Return 90 rows: columns that matter, copies of them, and noise."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(90, 3))
    Y = (causes @ rng.normal(size=(3, 4)) + 0.5 * rng.normal(size=(90, 4)) > 0.3) * 1
    copies = causes[:, [0, 0, 1]] + 0.2 * rng.normal(size=(90, 3))
    return np.hstack([rng.normal(size=(90, 14)), causes, copies]), Y


rows = []
for seed in range(12):
    X, Y = data_set(seed)
    results = cross_validate(
        selectors, BRkNN(5), X, Y, grid=[3], cv=3, metrics=["average_precision"]
    )
    rows.append(
        [
            results.values(name, "BRkNN", "average_precision")[1].mean()
            for name in selectors
        ]
    )
found = friedman(rows, list(selectors))
ax = critical_difference_diagram(found)
print(f"Friedman's test: p = {found.p_value:.4f}")

plt.show()
