"""The discernibility matrix written out, and Johnson's rule on it."""

from reference.mlfspa import positive


def entries(X, Y, pairs="different"):
    """Return {(i, j): features in which they differ} for pairs to be told apart."""
    d = len(X[0])
    certain = positive(X, Y, list(range(d)), "powerset")
    found = {}
    for i in range(len(X)):
        for j in range(i + 1, len(X)):
            if list(Y[i]) == list(Y[j]):
                continue
            if pairs == "certain" and not {i, j} & certain:
                continue
            found[i, j] = {c for c in range(d) if X[i][c] != X[j][c]}
    return found


def reduct(X, Y, pairs="different", backward=True):
    """Return the features kept, those added, and the entries hit after each."""
    matrix = list(entries(X, Y, pairs).values())
    to_hit = [entry for entry in matrix if entry]
    added, hits, left = [], [], to_hit
    while left:
        counts = [sum(c in entry for entry in left) for c in range(len(X[0]))]
        added.append(counts.index(max(counts)))
        left = [entry for entry in left if added[-1] not in entry]
        hits.append(len(to_hit) - len(left))
    kept = list(added)
    for c in added if backward else []:
        rest = set(kept) - {c}
        if all(entry & rest for entry in to_hit):
            kept.remove(c)
    return kept, added, hits, len(matrix), len(matrix) - len(to_hit)
