"""Greedy selection by mutual information, from the definitions, slowly.

Features and labels are sequences of symbols; everything is an entropy of joint symbols,
and every round starts from nothing.
"""

from collections import Counter
from itertools import combinations
from math import log2

RANKINGS = ("mlmim", "fimf")
MEANS = ("mlmim", "fimf", "mlmrmr", "lrfs", "mljmi", "mdmr", "mlcmim")


def entropy(*columns):
    joint = Counter(zip(*columns, strict=True))
    n = sum(joint.values())
    return -sum(c / n * log2(c / n) for c in joint.values())


def information(a, b):
    return entropy(a) + entropy(b) - entropy(a, b)


def conditional(a, b, given):
    return entropy(a, given) + entropy(b, given) - entropy(a, b, given) - entropy(given)


def three_way(a, b, c):
    """Return what a and b tell twice: positive for redundancy, negative for synergy."""
    return information(a, b) - conditional(a, b, c)


def relevance(f, labels):
    return sum(information(f, label) for label in labels)


def label_pairs(f, labels):
    return sum(three_way(f, one, other) for one, other in combinations(labels, 2))


def interaction(f, s, labels):
    return sum(three_way(f, s, label) for label in labels)


def mean(values):
    return sum(values) / len(values) if values else 0.0


def value(method, f, picked, labels, n_pair_labels=10):
    """Return the criterion of column f given the columns picked so far."""
    told = relevance(f, labels)
    if method == "mlmim":
        return told
    if method == "fimf":
        ranked = sorted(
            range(len(labels)), key=lambda i: (-round(entropy(labels[i]), 12), i)
        )
        some = [labels[i] for i in sorted(ranked[:n_pair_labels])]
        return told - label_pairs(f, some)
    if method == "mlmrmr":
        return told - mean([information(f, s) for s in picked])
    if method == "ami":
        return told - sum(information(f, s) for s in picked)
    if method == "scls":
        share = sum(information(f, s) / entropy(f) for s in picked)
        return told * (1 - share)
    if method == "lrfs":
        if len(labels) > 1:
            told = sum(
                conditional(f, one, other)
                for i, one in enumerate(labels)
                for j, other in enumerate(labels)
                if i != j
            )
        return told - mean([information(f, s) for s in picked])
    if method == "d2f":
        return told - sum(interaction(f, s, labels) for s in picked)
    if method == "pmu":
        return (
            told
            - label_pairs(f, labels)
            - sum(interaction(f, s, labels) for s in picked)
        )
    if method == "mljmi":
        if not picked:
            return told
        return mean(
            [
                sum(
                    information(list(zip(f, s, strict=True)), label) for label in labels
                )
                for s in picked
            ]
        )
    if method == "mdmr":
        return told - mean(
            [
                information(f, s) - sum(conditional(f, label, s) for label in labels)
                for s in picked
            ]
        )
    if method == "mlcmim":
        if not picked:
            return told
        return sum(min(conditional(f, label, s) for s in picked) for label in labels)
    raise ValueError(method)


def select(method, columns, labels, rounds=None, **settings):
    """Return (order of the picks, value of each); constant columns never enter.

    Values closer to the best than rounding can tell go to the lower index.
    """
    left = [f for f, column in enumerate(columns) if len(set(column)) > 1]
    rounds = len(left) if rounds is None else min(rounds, len(left))
    close = 1e-10 if method in MEANS else 1e-8
    order, trace = [], []
    for _ in range(rounds):
        picked = [columns[f] for f in order]
        values = [value(method, columns[f], picked, labels, **settings) for f in left]
        best = min(i for i, v in enumerate(values) if v >= max(values) - close)
        trace.append(values[best])
        order.append(left.pop(best))
    return order, trace
