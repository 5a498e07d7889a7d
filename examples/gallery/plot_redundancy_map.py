"""
Features that repeat each other
===============================

A ranking keeps all features that say the same. A search that takes off redundancy
leaves copies out. Both maps show the absolute correlations among the 15 features
kept, with like features side by side.
"""

import matplotlib.pyplot as plt

from labelsift import load_dataset
from labelsift.evaluate import redundancy
from labelsift.report.plots import redundancy_map
from labelsift.select import MLMIM, MLMRMR

data = load_dataset("yeast")
fig, both = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
for ax, selector in zip(both, (MLMIM(15), MLMRMR(15)), strict=True):
    selector.fit(data.X, data.Y)
    kept = selector.get_support(indices=True)
    redundancy_map(data.X, kept, data.feature_names, ax=ax)
    mean = redundancy(data.X, kept)
    ax.set_title(f"{type(selector).__name__}: mean correlation {mean:.2f}")

plt.show()
