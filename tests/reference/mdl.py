"""Supervised cut points, slowly, straight from the papers."""

from collections import Counter
from math import lgamma, log, log2


def entropy(classes):
    n = len(classes)
    return -sum(c / n * log2(c / n) for c in Counter(classes).values())


def cut_points(values, classes, *, encoding="default", criterion="fayyad_irani"):
    rows = sorted((v, c) for v, c in zip(values, classes, strict=True) if v == v)
    return _cuts(rows, encoding, criterion)


def _cuts(rows, encoding, criterion):
    classes = [c for _, c in rows]
    places = [i for i in range(1, len(rows)) if rows[i - 1][0] < rows[i][0]]
    if not places:
        return []

    def left_over(i):
        left, right = classes[:i], classes[i:]
        return (len(left) * entropy(left) + len(right) * entropy(right)) / len(rows)

    # rounding: the first of equal minima wins
    at = min(places, key=lambda i: (round(left_over(i), 10), i))
    gain = entropy(classes) - left_over(at)
    if gain <= 1e-12:
        return []
    n_cuts = len(rows) - 1 if encoding == "default" else len(places)
    accept = {"fayyad_irani": _fayyad_irani, "kononenko": _kononenko}[criterion]
    if not accept(classes, at, gain, n_cuts):
        return []
    middle = (rows[at - 1][0] + rows[at][0]) / 2
    return [
        *_cuts(rows[:at], encoding, criterion),
        middle,
        *_cuts(rows[at:], encoding, criterion),
    ]


def _fayyad_irani(classes, at, gain, n_cuts):
    parts = classes, classes[:at], classes[at:]
    whole, left, right = (len(set(part)) * entropy(part) for part in parts)
    delta = log2(3 ** len(set(classes)) - 2) - (whole - left - right)
    return gain > (log2(n_cuts) + delta) / len(classes) + 1e-12


def _kononenko(classes, at, gain, n_cuts):
    k = len(set(classes))

    def length(part):
        n = len(part)
        distribution = _ln_choose(n + k - 1, k - 1)
        arrangement = lgamma(n + 1) - sum(lgamma(c + 1) for c in Counter(part).values())
        return (distribution + arrangement) / log(2)

    after = log2(n_cuts) + length(classes[:at]) + length(classes[at:])
    return length(classes) > after * (1 - 1e-10)


def _ln_choose(n, k):
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
