"""Label transformations and their scores, slowly, from the definitions."""

from fractions import Fraction
from math import log2


def entries(Y, transformation, min_count=6):
    """Return (row, class, weight) of every copy of a row."""
    found = []
    sets = [tuple(row) for row in Y]
    for i, row in enumerate(Y):
        labels = [c for c, has in enumerate(row) if has]
        if transformation == "lp":
            found.append((i, sets[i], Fraction(1)))
        elif transformation == "ppt":
            if sets.count(sets[i]) >= min_count:
                found.append((i, sets[i], Fraction(1)))
        else:
            for c in labels:
                weight = Fraction(1, len(labels)) if transformation == "ela" else 1
                found.append((i, c, Fraction(weight)))
    return found


def score_of_column(column, copies, score):
    """Return the score of one discrete column for weighted classes."""
    cells, rows, columns, n = {}, {}, {}, Fraction(0)
    for i, c, weight in copies:
        value = column[i]
        cells[value, c] = cells.get((value, c), 0) + weight
        rows[value] = rows.get(value, 0) + weight
        columns[c] = columns.get(c, 0) + weight
        n += weight
    if score == "chi2":
        total = Fraction(0)
        for value, size in rows.items():
            for c, count in columns.items():
                expected = size * count / n
                total += (cells.get((value, c), 0) - expected) ** 2 / expected
        return float(total)

    def entropy(counts):
        return -sum(float(k / n) * log2(k / n) for k in counts.values() if k > 0)

    of_feature, of_class = entropy(rows), entropy(columns)
    gain = of_feature + of_class - entropy(cells)
    if score == "info_gain":
        return gain
    both = of_feature + of_class
    return 2 * gain / both if both > 0 else 0.0


def label_transform(X, Y, transformation, score, min_count=6):
    """Return the score of each column of a discrete table; ``br`` takes the mean."""
    if transformation == "br":
        per_label = [
            label_transform(X, [[row[c]] for row in Y], "lp", score)
            for c in range(len(Y[0]))
        ]
        return [sum(scores) / len(scores) for scores in zip(*per_label, strict=True)]
    copies = entries(Y, transformation, min_count)
    return [score_of_column(column, copies, score) for column in zip(*X, strict=True)]
