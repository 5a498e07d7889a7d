"""Iterative stratification as printed (Sechidis et al. 2011, algorithm 1), plainly.

Where the paper breaks ties at random, the first candidate is taken. Demands are exact
fractions.
"""

from fractions import Fraction

import numpy as np


def stratify(Y, n_splits):
    n, q = Y.shape
    share = Fraction(1, n_splits)
    demand = [n * share for _ in range(n_splits)]
    label_demand = [
        [int(Y[:, i].sum()) * share for i in range(q)] for _ in range(n_splits)
    ]
    fold = [-1] * n
    rest = set(range(n))
    while rest:
        sizes = {i: sum(int(Y[r, i]) for r in rest) for i in range(q)}
        sizes = {i: size for i, size in sizes.items() if size}
        if not sizes:
            break
        label = min(sizes, key=lambda i: (sizes[i], i))
        for row in sorted(r for r in rest if Y[r, label]):
            best = max(label_demand[j][label] for j in range(n_splits))
            candidates = [j for j in range(n_splits) if label_demand[j][label] == best]
            most = max(demand[j] for j in candidates)
            chosen = next(j for j in candidates if demand[j] == most)
            fold[row] = chosen
            rest.remove(row)
            demand[chosen] -= 1
            for i in range(q):
                label_demand[chosen][i] -= int(Y[row, i])
    for row in sorted(rest):
        chosen = max(range(n_splits), key=lambda j: (demand[j], -j))
        fold[row] = chosen
        demand[chosen] -= 1
    return np.array(fold)
