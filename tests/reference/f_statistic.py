"""Multi-label F-statistic, from Kong et al. 2012."""

import numpy as np


def f_statistic(X, Y):
    n = len(X)
    members = [X[Y[:, k] == 1] for k in range(Y.shape[1])]
    members = [rows for rows in members if len(rows)]
    q = len(members)
    mean = sum(rows.sum(axis=0) for rows in members) / sum(map(len, members))
    between = sum(len(rows) * (rows.mean(axis=0) - mean) ** 2 for rows in members)
    within = sum(((rows - rows.mean(axis=0)) ** 2).sum(axis=0) for rows in members)
    return max(n - q, 1) / max(q - 1, 1) * np.asarray(between) / np.asarray(within)
