"""
What lam does to a rough set
============================

``ToleranceRoughSet`` keeps the fewest features that tell apart the rows with
different labels, and ``lam`` says how far apart is far. Small ``lam``: wide
neighbourhoods, few rows can be told apart. Large ``lam``: few features are enough.
``lam_path`` codes the table once for all values. A twentieth of the values is
missing, and stays missing.
"""

import matplotlib.pyplot as plt
import numpy as np

from labelsift import load_dataset
from labelsift.encode import inject_missing
from labelsift.report.plots import lam_sweep
from labelsift.select import ToleranceRoughSet

data = load_dataset("yeast")
X = inject_missing(data.X, 0.05, random_state=0)[:500]
lams = np.arange(0.3, 2.01, 0.1).round(1)
fitted = ToleranceRoughSet().lam_path(X, data.Y[:500], lams=lams)
ax = lam_sweep(fitted)
ax.set_title("500 rows of yeast, 5 % of the values missing")

plt.show()
