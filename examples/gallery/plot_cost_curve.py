"""
What a sum of money tells about the labels
==========================================

Eight tests, two diagnoses. Three tests share the price of drawing blood. ``CSIG``
weighs what a test tells against what it costs; the curve says what each sum would
buy.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from labelsift.evaluate import cross_validate
from labelsift.learn import MLkNN
from labelsift.report.plots import cost_quality_curve
from labelsift.select import CSIG, InfoGain

rng = np.random.default_rng(3)
ill = rng.random((600, 2)) < (0.4, 0.3)
tests = pd.DataFrame(
    {
        "age": rng.integers(20, 90, 600) + 8.0 * ill[:, 0],
        "questions": rng.normal(size=600) + 0.5 * ill.sum(axis=1),
        "pulse": rng.normal(70, 9, 600) + 5 * ill[:, 1],
        "glucose": rng.normal(5, 1, 600) + 1.2 * ill[:, 0],
        "iron": rng.normal(15, 4, 600) - 5 * ill[:, 1],
        "hormone": rng.normal(2, 1, 600) + 1.5 * ill[:, 1],
        "ultrasound": rng.normal(size=600) + 1.0 * ill[:, 0],
        "scan": rng.normal(size=600) + 1.6 * ill[:, 0],
    }
)
diagnoses = pd.DataFrame(ill.astype(int), columns=["diabetic", "anaemic"])
costs = {
    "age": 0, "questions": 4, "pulse": 1, "glucose": 3, "iron": 5, "hormone": 22,
    "ultrasound": 40, "scan": 120,
}  # fmt: skip
selector = CSIG(
    costs,
    budget=40,
    cost_groups={"blood": (6.0, ["glucose", "iron", "hormone"])},
).fit(tests, diagnoses)
ax = cost_quality_curve(selector)
ax.set_title("what 40 buys, and what more would buy")

# %%
# Kept for 40, in the order of what each is worth:
kept = selector.get_support()
print([tests.columns[i] for i in selector.order_ if kept[i]], selector.total_cost_)

# %%
# Does it pay when diagnoses are predicted? Cross-validation, selecting inside each
# fold, against the price of what was kept. ``InfoGain`` knows no prices.
ranked = InfoGain(discretize="equal_width")
results = cross_validate(
    {"CSIG": CSIG(costs), "InfoGain": ranked},
    MLkNN(scale="minmax"), tests, diagnoses,
    grid="all", cv=5, metrics=["average_precision"],
)  # fmt: skip
ax = cost_quality_curve(results, costs)

plt.show()
