"""
Which features serve which labels
=================================

A mean over the labels hides that most features serve a few labels only. Selectors
that score each label keep the whole table, and the heat map puts rows and columns
that are alike side by side.
"""

import matplotlib.pyplot as plt

from labelsift import load_dataset
from labelsift.report.plots import label_heat_map
from labelsift.select import Chi2

data = load_dataset("yeast")
selector = Chi2(25, aggregate="max").fit(data.X, data.Y)
ax = label_heat_map(
    selector,
    [data.feature_names[i] for i in selector.get_support(indices=True)],
    data.label_names,
    name="chi-square",
)
ax.set_title("25 features of yeast by the label that they serve best")

# %%
# The same as numbers: the three best features of each of the first four labels.
scores = selector.scores_per_label_
for label in range(4):
    best = (-scores[:, label]).argsort(kind="stable")[:3]
    print(data.label_names[label], [data.feature_names[i] for i in best])

plt.show()
