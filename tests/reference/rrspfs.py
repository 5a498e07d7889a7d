"""RRSPFS, slowly, straight from its description."""

from itertools import combinations

from reference.information import bins, gain_ratio
from reference.mdl import cut_points


def pair_scores(X, classes, *, mdl):
    """Return names, sizes and gain ratios (one list a pair)."""
    names, sizes, scores = [], [], []
    for a, b in combinations(sorted(set(classes)), 2):
        rows = [i for i, c in enumerate(classes) if c in (a, b)]
        pair = [classes[i] for i in rows]
        ratios = []
        for feature in zip(*X, strict=True):
            values = [feature[i] for i in rows]
            if mdl:
                values = bins(values, cut_points(values, pair, encoding="better"))
            ratios.append(gain_ratio(values, pair))
        names.append(f"{a} vs {b}")
        sizes.append(len(rows))
        scores.append(ratios)
    return names, sizes, scores


def pooled(sizes, scores):
    d = len(scores[0])
    return [
        sum(n * s[f] for n, s in zip(sizes, scores, strict=True)) / sum(sizes)
        for f in range(d)
    ]


def merged(sizes, scores, mode):
    R = [round(r, 12) for r in pooled(sizes, scores)]
    d = len(R)
    lists = [
        sorted(range(d), key=lambda f: (-round(s[f], 12), -R[f], f)) for s in scores
    ]
    order = []
    while len(order) < d:
        if mode == "level":
            level = min(
                place
                for ranked in lists
                for place, f in enumerate(ranked)
                if f not in order
            )
            found = {ranked[level] for ranked in lists} - set(order)
        else:
            found = set()
            for ranked in lists:
                left = [f for f in ranked if f not in order and f not in found]
                found.update(left[:1])
        order += sorted(found, key=lambda f: (-R[f], f))
    return order
