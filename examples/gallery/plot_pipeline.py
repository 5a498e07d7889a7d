"""
In a pipeline, with the number of features searched
===================================================

Selectors are scikit-learn transformers: they keep the names of data frames, and their
settings can be searched. ``PrefixSearchCV`` does for the number of features what
``GridSearchCV`` does, in one fit a fold instead of one for each number.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift import load_dataset
from labelsift.evaluate import PrefixSearchCV
from labelsift.evaluate.metrics import average_precision
from labelsift.learn import BRkNN
from labelsift.select import Chi2

data = load_dataset("yeast")
X = pd.DataFrame(data.X, columns=data.feature_names)
Y = pd.DataFrame(data.Y, columns=data.label_names)
X, X_test, Y, Y_test = train_test_split(X[:1500], Y[:1500], random_state=0)

scaled = StandardScaler().set_output(transform="pandas")
search = PrefixSearchCV(Chi2(), BRkNN(10), metric="average_precision", cv=3)
pipe = make_pipeline(scaled, search).fit(X, Y)
print(f"{search.best_n_features_} features chosen, on the training rows only")
print(f"test: {average_precision(Y_test, pipe.predict_proba(X_test)):.3f}")

# %%
# What was chosen, by score:
selector = Chi2(search.best_n_features_).fit(X, Y)
best = selector.order_[:15]
fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
ax.barh(X.columns[best][::-1], selector.scores_[best][::-1], color="#0072B2")
ax.set_xlabel("chi-square, mean over the labels")
ax.set_title(f"the first 15 of {search.best_n_features_} features")
ax.spines[["top", "right"]].set_visible(False)

plt.show()
