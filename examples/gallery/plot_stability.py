"""
Do the folds agree on what to keep
==================================

A choice that changes with every sample explains nothing. Nogueira's measure is 1
where every fold keeps the same set and 0 where they agree no more than by chance; it
has a confidence interval. Here: three selectors, from few rows to many.
"""

import matplotlib.pyplot as plt
import numpy as np

from labelsift import load_dataset
from labelsift.evaluate import nogueira
from labelsift.select import SPEC, Chi2, ReliefF

data = load_dataset("yeast")
rng = np.random.default_rng(0)
sizes = (100, 200, 400, 800)
colours = ("#0072B2", "#D55E00", "#009E73")
fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
for shift, (selector, colour) in enumerate(
    zip((Chi2(15), SPEC(15), ReliefF(15)), colours, strict=True)
):
    found = []
    for size in sizes:
        choices = []
        for _ in range(8):
            rows = rng.choice(data.n_samples, size, replace=False)
            selector.fit(data.X[rows], data.Y[rows])
            choices.append(selector.get_support(indices=True))
        found.append(nogueira(choices, data.n_features))
    value = np.array([f.value for f in found])
    ends = np.array([[f.value - f.low, f.high - f.value] for f in found]).T
    places = np.arange(len(sizes)) + 0.06 * (shift - 1)
    name = type(selector).__name__
    ax.errorbar(places, value, ends, color=colour, marker="os^"[shift], label=name)
ax.set_xticks(range(len(sizes)), [str(size) for size in sizes])
ax.set_ylim(0, 1)
ax.set_xlabel("rows drawn from yeast, eight times each")
ax.set_ylabel("stability of the 15 features kept")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)

plt.show()
