"""Transformation-based classifiers beside scikit-learn's, and what shared fits save.

Data: yeast of ``labelsift[demo]``.
"""

import numpy as np
from measure import peak_megabytes, report, seconds
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain as TheirChain
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from labelsift import load_dataset
from labelsift.learn import (
    SINGLE_LABEL,
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    RAkEL,
)

SCRIPT = """
from labelsift import load_dataset
from labelsift.learn import CalibratedLabelRanking
data = load_dataset("yeast")
X, Y = data.X[:1500], data.Y[:1500]
CalibratedLabelRanking().fit(X[:50], Y[:50]).predict(X[:50])
BASELINE
CalibratedLabelRanking().fit(X, Y).predict(data.X[1500:])
"""


def pairs_by_hand(X, Y, queries):
    """Return pairwise votes of one support vector machine a pair, in a plain loop."""
    q = Y.shape[1]
    votes = np.zeros((len(queries), q))
    for a in range(q):
        votes[:, a] += SVC().fit(X, Y[:, a]).predict(queries)
        for b in range(a + 1, q):
            rows = Y[:, a] != Y[:, b]
            targets = Y[rows, a]
            if targets.min() == targets.max():
                first = np.full(len(queries), targets[0])
            else:
                first = SVC().fit(X[rows], targets).predict(queries)
            votes[:, a] += first
            votes[:, b] += 1 - first
    return votes


def main():
    data = load_dataset("yeast")
    X, Y, queries = data.X[:1500], data.Y[:1500], data.X[1500:]

    def run(model, truth=Y):
        return model.fit(X, truth).predict(queries)

    ours, _ = seconds(lambda: run(BinaryRelevance(SVC())), repeats=1, warmup=0)
    theirs, _ = seconds(lambda: run(OneVsRestClassifier(SVC())), repeats=1, warmup=0)
    report("BinaryRelevance(SVC)", ours, theirs, peer="OneVsRestClassifier")

    ours, _ = seconds(lambda: run(ClassifierChain(GaussianNB())), repeats=3)
    theirs, _ = seconds(lambda: run(TheirChain(GaussianNB())), repeats=3)
    report("ClassifierChain(GaussianNB)", ours, theirs, peer="scikit-learn")

    ours, found = seconds(
        lambda: CalibratedLabelRanking().fit(X, Y).predict_proba(queries),
        repeats=1,
        warmup=0,
    )
    theirs, votes = seconds(lambda: pairs_by_hand(X, Y, queries), repeats=1, warmup=0)
    differ = (np.abs(found * Y.shape[1] - votes) > 1e-9).sum()
    report(
        f"CalibratedLabelRanking, 105 machines, {differ} of {votes.size} votes differ",
        ours,
        theirs,
        peer="plain loop",
        memory=peak_megabytes(SCRIPT),
    )

    twice = np.hstack([Y, Y])
    ours, _ = seconds(lambda: run(BinaryRelevance(), twice), repeats=1, warmup=0)
    theirs, _ = seconds(lambda: run(BinaryRelevance()), repeats=1, warmup=0)
    report("BinaryRelevance, every label twice", ours, theirs, peer="once")

    ours, _ = seconds(lambda: run(RAkEL(random_state=0)), repeats=1, warmup=0)
    report("RAkEL, 28 models", ours)

    classes = Y[:, 0]
    for name, build in SINGLE_LABEL.items():
        ours, _ = seconds(lambda b=build: run(b(), classes), repeats=1, warmup=0)
        report(f"{name} on one label", ours)


if __name__ == "__main__":
    main()
