"""
A comparison from a plan: stability, and time against quality
=============================================================

A plan is a text file of data, selectors, classifiers and folds. What was measured is
kept in one file as it comes, and the plots take the whole comparison.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from labelsift import Dataset
from labelsift.evaluate import ResultStore, read_plan, run_plan
from labelsift.report.plots import selection_stability, time_against_quality

PLAN = """
sizes = [3, 6]
metrics = ["average_precision"]
[folds]
n_splits = 3
[data.songs]
path = "songs.npz"
[data.genes]
path = "genes.npz"
[selectors.chi2]
[selectors.spec]
[selectors.mlmrmr]
[selectors.mljmi]
[selectors.rrelieff_ml]
settings = { n_neighbors = 5 }
[classifiers.brknn]
"""


def save_data_set(path, seed, n_rows):
    """Write rows with five columns that matter and fifteen that do not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 20))
    noise = 0.7 * rng.normal(size=(n_rows, 4))
    Y = (X[:, :5] @ rng.normal(size=(5, 4)) + noise > 0.5) * 1
    Dataset(X, Y, [f"f{i}" for i in range(20)], list("abcd")).save(path)


with tempfile.TemporaryDirectory() as folder:
    save_data_set(Path(folder, "songs.npz"), 0, 80)
    save_data_set(Path(folder, "genes.npz"), 1, 200)
    plan = Path(folder, "plan.toml")
    plan.write_text(PLAN, "utf-8")
    with ResultStore(Path(folder, "results.sqlite")) as store:
        comparison = run_plan(read_plan(plan), store)

ax = selection_stability(comparison)

# %%
# What each method reaches, and how long it takes. The bold ones are beaten by no other
# in both.
ax = time_against_quality(comparison)

plt.show()
