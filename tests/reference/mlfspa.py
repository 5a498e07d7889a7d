"""Positive regions of equivalence classes, plainly; no rows are left out."""


def blocks(X, chosen):
    found = {}
    for i, row in enumerate(X):
        found.setdefault(tuple(row[c] for c in chosen), []).append(i)
    return list(found.values())


def positive(X, Y, chosen, quantifier, empty_labels="exclude"):
    """Return the certain rows; none without features."""
    if not chosen:
        return set()
    certain = set()
    for block in blocks(X, chosen):
        sets = [{k for k, v in enumerate(Y[i]) if v} for i in block]
        for i, own in zip(block, sets, strict=True):
            if quantifier == "powerset":
                fits = all(other == own for other in sets)
            elif not own:
                fits = empty_labels == "include"
            elif quantifier == "all":
                fits = all(own <= other for other in sets)
            else:
                fits = any(all(k in other for other in sets) for k in own)
            if fits:
                certain.add(i)
    return certain


def mixed_pairs(X, Y, chosen, inside):
    """Count pairs of different label sets in one block that has a row of ``inside``."""
    count = 0
    for block in blocks(X, chosen):
        if inside.intersection(block):
            count += sum(
                list(Y[a]) != list(Y[b]) for a in block for b in block if a < b
            )
    return count


def reduct(X, Y, quantifier, empty_labels="exclude", tie_break="index", backward=False):
    """Return the reduct, |POS| after each addition, and POS of all features."""
    d = len(X[0])
    if empty_labels == "drop":
        rows = [i for i in range(len(X)) if any(Y[i])]
        X, Y = [X[i] for i in rows], [Y[i] for i in rows]

    def pos(chosen):
        return positive(X, Y, chosen, quantifier, empty_labels)

    target, red, counts = pos(list(range(d))), [], []
    while pos(red) != target:
        left = [c for c in range(d) if c not in red]
        gains = {c: len(pos([*red, c])) for c in left}
        tied = [c for c in left if gains[c] == max(gains.values())]
        waiting = target - pos(red)
        if tie_break == "standalone":
            figure = {c: len(pos([c])) for c in tied}
        elif tie_break == "discerned":
            before = {frozenset(b) for b in blocks(X, red) if waiting & set(b)}
            rows = set().union(*before)
            figure = {c: -mixed_pairs(X, Y, [*red, c], rows) for c in tied}
        else:
            figure = dict.fromkeys(tied, 0)
        red.append(max(tied, key=lambda c: (figure[c], -c)))
        counts.append(len(pos(red)))
    if backward:
        now = pos(red)
        for c in list(red):
            rest = [f for f in red if f != c]
            if rest and pos(rest) >= now:
                red = rest
    return red, counts, target
