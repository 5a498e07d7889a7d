"""
A table with gaps, nothing filled in
====================================

Most tools drop rows with gaps or fill them in. In a tolerance rough set a missing
value agrees with every value. The curves say how many rows are told apart with each
feature that is added: the more is missing, the more features it takes, and the fewer
rows can be told apart at all.
"""

import matplotlib.pyplot as plt
import numpy as np

from labelsift import load_dataset
from labelsift.encode import inject_missing
from labelsift.select import ToleranceRoughSet

data = load_dataset("yeast")
fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
looks = (("#0072B2", "-"), ("#009E73", "--"), ("#E69F00", "-."), ("#D55E00", ":"))
for share, (colour, line) in zip((0.0, 0.05, 0.1, 0.2), looks, strict=True):
    X = inject_missing(data.X[:400], share, random_state=0)
    fitted = ToleranceRoughSet(lam=0.9).fit(X, data.Y[:400])
    certain = 100 * np.array(fitted.dependency_)
    ax.plot(
        np.arange(1, len(certain) + 1), certain, line, color=colour,
        label=f"{share:.0%} missing: {len(fitted.reduct_)} features",
    )  # fmt: skip
ax.set_xlabel("features added")
ax.set_ylabel("rows certain (%)")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, loc="lower right")

plt.show()
