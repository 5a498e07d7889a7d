"""Information measures of one feature and one class variable, slowly."""

from collections import Counter
from math import log2


def entropy(symbols):
    n = len(symbols)
    return -sum(c / n * log2(c / n) for c in Counter(symbols).values()) if n else 0.0


def information_gain(feature, classes):
    joint = list(zip(feature, classes, strict=True))
    return max(entropy(feature) + entropy(classes) - entropy(joint), 0.0)


def gain_ratio(feature, classes):
    own = entropy(feature)
    return information_gain(feature, classes) / own if own > 0 else 0.0


def symmetrical_uncertainty(feature, classes):
    both = entropy(feature) + entropy(classes)
    return 2 * information_gain(feature, classes) / both if both > 0 else 0.0


def chi_square(feature, classes):
    n = len(feature)
    bins, groups = Counter(feature), Counter(classes)
    joint = Counter(zip(feature, classes, strict=True))
    return sum(
        (joint[b, c] - nb * nc / n) ** 2 / (nb * nc / n)
        for b, nb in bins.items()
        for c, nc in groups.items()
    )


def bins(values, cuts):
    return [sum(v > cut for cut in cuts) for v in values]
