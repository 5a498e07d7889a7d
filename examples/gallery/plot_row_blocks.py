"""
More rows than memory
=====================

``fit_blocks`` reads a file a block at a time, and its scores are those of ``fit`` to
the last bit. The picture asks how many rows it takes until the ranking no longer
changes: the rank correlation with the scores of all rows.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import spearmanr

from labelsift import load_dataset
from labelsift.read import read_blocks
from labelsift.select import Chi2

data = load_dataset("yeast")
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "yeast.npz")
    data.save(path)
    blocks = read_blocks(path, block_rows=200)
    whole = Chi2().fit_blocks(blocks)
    parts = list(blocks)
assert (whole.scores_ == Chi2().fit(data.X, data.Y).scores_).all()

rows, likeness = [], []
for count in range(1, len(parts) + 1):
    scores = Chi2().fit_blocks(parts[:count]).scores_
    rows.append(sum(len(X) for X, _ in parts[:count]))
    likeness.append(spearmanr(scores, whole.scores_).statistic)
fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
ax.plot(rows, likeness, "o-", color="#0072B2")
ax.set_ylim(min(0.5, np.min(likeness)), 1.02)
ax.set_xlabel("rows read")
ax.set_ylabel("rank correlation with all rows")
ax.spines[["top", "right"]].set_visible(False)

plt.show()
