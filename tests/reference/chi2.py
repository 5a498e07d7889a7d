"""Chi-square from the definition, pair by pair and cell by cell, in plain Python."""

import math


def chi2(feature, label):
    """Sum (O - E)^2 / E over the cells of values x {0, 1} that can be filled."""
    n = len(feature)
    total = 0.0
    for value in set(feature):
        row = sum(1 for f in feature if f == value)
        for side in (0, 1):
            column = sum(1 for y in label if y == side)
            if column == 0:
                continue
            expected = row * column / n
            observed = sum(
                1
                for f, y in zip(feature, label, strict=True)
                if f == value and y == side
            )
            total += (observed - expected) ** 2 / expected
    return total


def simplified(feature, label):
    """Return the statistic without the factor of the label."""
    n, p = len(label), sum(label)
    return chi2(feature, label) * p * (n - p) / n


def chi2_matrix(columns, labels, variant="full"):
    """Return features x labels, as a list of lists."""
    score = chi2 if variant == "full" else simplified
    return [[score(f, y) for y in labels] for f in columns]


def aggregate(row, how):
    """Return the mean, maximum or minimum of one feature's scores."""
    return {"mean": lambda r: math.fsum(r) / len(r), "max": max, "min": min}[how](row)


def equal_width_bin(x, low, high, bins):
    """Return floor((x - lo) / w), kept within the bins; one bin for a constant."""
    if high == low:
        return 0
    width = (high - low) / bins
    return max(0, min(math.floor((x - low) / width), bins - 1))
