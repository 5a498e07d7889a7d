"""Neighbours by plain loops, with nominal columns and missing values."""

import math


def difference(x, y, nominal, low, high, both):
    """Return the difference of two values; ``both`` is that of two missing ones."""
    if nominal:
        return 0.0 if x == y else 1.0  # NaN equals nothing
    if math.isnan(x) and math.isnan(y):
        return both
    if math.isnan(x) or math.isnan(y):
        present = y if math.isnan(x) else x
        return max(present - low, high - present)
    return x - y


def squared_distances(train, query, nominal, scale):
    """Return the squared distance of one query to every training row."""
    d = len(train[0])
    out = []
    columns = []
    for f in range(d):
        values = [row[f] for row in train if not math.isnan(row[f])] or [0.0]
        columns.append((min(values), max(values)))
    for row in train:
        total = 0.0
        for f in range(d):
            low, high = columns[f]
            x, y = query[f], row[f]
            if nominal[f]:
                gap = difference(x, y, True, 0, 0, 0)
            elif scale == "minmax":
                width = high - low if high > low else math.inf
                x, y = (x - low) / width, (y - low) / width
                gap = difference(x, y, False, 0.0, 1.0, 1.0)
            else:
                gap = difference(x, y, False, low, high, high - low)
            total += gap * gap
        out.append(total)
    return out


def nearest(distances, k, leave_out=None):
    """Return the k nearest rows; equal distances by row."""
    order = sorted((d, j) for j, d in enumerate(distances) if j != leave_out)
    return [j for _, j in order[:k]]
