"""Tolerance-neighbourhood reducts, plainly: every round over all pairs of rows."""

import math

SLACK = 1e-12


def is_missing(value):
    return value is None or value != value


def scaled(column):
    known = [v for v in column if not is_missing(v)]
    if not known or max(known) == min(known):
        return [v if is_missing(v) else 0.0 for v in column]
    low, width = min(known), max(known) - min(known)
    return [v if is_missing(v) else (v - low) / width for v in column]


def deviation(column, nominal=False):
    known = [v for v in column if not is_missing(v)]
    if len(known) < 2:
        return 0.0
    if nominal:
        pairs = [(a != b) for a in known for b in known]
        return math.sqrt(sum(pairs) / len(pairs) / 2)
    mean = sum(known) / len(known)
    return math.sqrt(sum((v - mean) ** 2 for v in known) / len(known))


def neighborhoods(columns, chosen, metric, thresholds, nominal):
    """Return delta_B(i) for each row i, the features B being ``chosen``."""
    n = len(columns[0])

    def difference(c, i, j):
        a, b = columns[c][i], columns[c][j]
        if is_missing(a) or is_missing(b):
            return 0.0
        if nominal[c]:
            return float(a != b)
        return abs(a - b)

    def near(i, j):
        if metric == "manhattan":
            return all(difference(c, i, j) <= thresholds[c] + SLACK for c in chosen)
        if metric == "chebyshev":
            return all(
                difference(c, i, j) <= (0 if nominal[c] else thresholds) + SLACK
                for c in chosen
            )
        total = sum(difference(c, i, j) ** 2 for c in chosen)
        return math.sqrt(total) <= thresholds + SLACK

    return [{j for j in range(n) if near(i, j)} for i in range(n)]


def positive(neighbors, Y, quantifier, empty_labels):
    """Return the rows of the lower approximation (Def. 9)."""
    found = set()
    for i, mine in enumerate(neighbors):
        labels = [k for k in range(len(Y[i])) if Y[i][k]]
        if not labels:
            if empty_labels == "include":
                found.add(i)
            continue
        inside = [all(Y[j][k] for j in mine) for k in labels]
        if all(inside) if quantifier == "all" else any(inside):
            found.add(i)
    return found


def reduct(
    X,
    Y,
    metric="manhattan",
    lam=0.9,
    quantifier="all",
    empty_labels="exclude",
    scale=True,
    backward=False,
    tie_break="index",
    nominal=None,
    thresholds=None,
    epsilon=0.0,
    stop_on_no_gain=False,
):
    """Return the reduct, |POS| after each addition, POS of it and of all features."""
    n, d = len(X), len(X[0])
    if empty_labels == "drop":
        kept = [i for i in range(n) if any(Y[i])]
        X, Y, n = [X[i] for i in kept], [Y[i] for i in kept], len(kept)
    nominal = nominal or [False] * d
    columns = [[row[c] for row in X] for c in range(d)]
    if scale:
        columns = [columns[c] if nominal[c] else scaled(columns[c]) for c in range(d)]
    spread = [deviation(columns[c], nominal[c]) for c in range(d)]
    if thresholds is None and metric == "manhattan":
        thresholds = [s / lam for s in spread]
    elif thresholds is None:
        thresholds = sum(spread) / d / lam
    if metric == "manhattan":
        thresholds = [0 if nominal[c] else thresholds[c] for c in range(d)]

    def around(chosen):
        return neighborhoods(columns, chosen, metric, thresholds, nominal)

    def pos(chosen):
        if not chosen:
            return set()
        return positive(around(chosen), Y, quantifier, empty_labels)

    target = pos(list(range(d)))
    red, counts, now = [], [], set()
    enough = math.ceil(round((1 - epsilon) * len(target), 9))
    while now != target and len(now) < max(enough, 1) and len(red) < d:
        gains = {c: len(pos([*red, c])) for c in range(d) if c not in red}
        best = max(gains.values())
        if stop_on_no_gain and best == len(now):
            break
        tied = [c for c in gains if gains[c] == best]
        if tie_break == "standalone":
            figures = {c: len(pos([c])) for c in tied}
        elif tie_break == "discerned":
            before = around(red)
            # per row; with "any" only for labels that all features can make certain
            figures = {
                c: violations(
                    before,
                    around([*red, c]),
                    around(list(range(d))),
                    now,
                    Y,
                    quantifier,
                )
                for c in tied
            }
        else:
            figures = dict.fromkeys(tied, 0)
        chosen = max(tied, key=lambda c: (figures[c], -c))
        red.append(chosen)
        now = pos(red)
        counts.append(len(now))
    if backward:
        for c in list(red):
            rest = [f for f in red if f != c]
            if rest and pos(rest) >= now:
                red = rest
    return red, counts, now, target


def violations(before, after, final, decided, Y, quantifier):
    count = 0
    for i in range(len(Y)):
        if i in decided:
            continue
        own = [k for k in range(len(Y[i])) if Y[i][k]]
        for labels in [own] if quantifier == "all" else [[k] for k in own]:
            bad = {j for j in before[i] if not all(Y[j][k] for k in labels)}
            if labels and not bad & final[i]:
                count += len(bad - after[i])
    return count
