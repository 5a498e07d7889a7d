"""Cost-sensitive selection, slowly, straight from its description."""

from itertools import combinations
from math import inf, sqrt

from reference.information import entropy, information_gain


def normalized_gain(feature, label):
    both = entropy(feature) + entropy(label)
    gain = information_gain(feature, label)
    return gain / both if gain > 1e-14 else 0.0  # less is rounding of independence


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    m = mean(values)
    return sqrt(mean([(v - m) ** 2 for v in values]))


def relevance(X, Y):
    columns, labels = list(zip(*X, strict=True)), list(zip(*Y, strict=True))
    return [[normalized_gain(f, y) for y in labels] for f in columns]


def scores(X, Y, costs, standardize="features"):
    gains = relevance(X, Y)
    total = [sum(row) for row in gains]
    k = len(gains[0])
    if standardize == "labels" and k > 1:
        scaled = []
        for row in gains:
            m, s = mean(row), deviation(row)
            scaled.append((k - 1) * m / max(s, 1e-12) if m > 0 else -inf)
    else:
        s = deviation(total)
        scaled = [(t - mean(total)) / s if s > 1e-15 else 0.0 for t in total]
    low, high = min(costs), max(costs)
    paid = [(c - low) / (high - low) if high > low else 0.0 for c in costs]
    return [a - b for a, b in zip(scaled, paid, strict=True)], paid


def best_set(value, cost_of_set, budget, n_most):
    """Try every set."""
    d = len(value)
    best, best_value = set(), 0.0
    for size in range(min(n_most, d) + 1):
        for chosen in combinations(range(d), size):
            worth = sum(value[f] for f in chosen)
            if worth > best_value + 1e-12 and cost_of_set(set(chosen)) <= budget + 1e-9:
                best, best_value = set(chosen), worth
    return best, best_value
