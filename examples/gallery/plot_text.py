"""
Words for each subject
======================

Text is a huge sparse table, with a label for each subject. Nothing here is made
dense. ``presence`` asks whether a word occurs, and the maximum over the labels keeps
words that matter to one subject only, where the mean would prefer words that matter a
little to all.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from labelsift.report.plots import label_heat_map
from labelsift.select import InfoGain

subjects = {
    "sea": "wave salt harbour sail tide gull anchor",
    "kitchen": "flour salt oven spoon butter dough pan",
    "law": "court judge appeal statute verdict clause oath",
    "garden": "soil seed rose spade hedge bloom compost",
}
everyday = [f"word{i}" for i in range(3000)]
rng = np.random.default_rng(0)
texts, about = [], []
for _ in range(2000):
    own = rng.random(len(subjects)) < 0.35
    words = list(rng.choice(everyday, 40))
    for name, has in zip(subjects, own, strict=True):
        if has:
            words += list(rng.choice(subjects[name].split(), 4))
    texts.append(" ".join(words))
    about.append(own)
vectorizer = CountVectorizer()
X = vectorizer.fit_transform(texts)
Y = sparse.csr_array(np.array(about, dtype=int))
words = vectorizer.get_feature_names_out()

selector = InfoGain(24, discretize="presence", aggregate="max").fit(X, Y)
kept = selector.get_support(indices=True)
ax = label_heat_map(
    selector, words[kept], list(subjects), name="information gain (bits)"
)
ax.set_title(f"24 of {X.shape[1]} words")

plt.show()
