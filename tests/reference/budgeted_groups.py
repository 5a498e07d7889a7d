"""Budgeted selection in groups, slowly: every round starts from nothing."""

from reference.greedy import value


def best(method, columns, labels, picked, among):
    """Return the feature of the largest value, ties to the lower index, and it."""
    so_far = [columns[s] for s in picked]
    found = [(round(value(method, columns[f], so_far, labels), 9), -f) for f in among]
    return -max(found)[1], max(found)[0]


def step_1(method, columns, labels, group, price, budget, skip):
    """Return the picks of step 1 and the groups that were bought."""
    picked, owned, left = [], set(), budget
    while True:
        open_features = [f for f in range(len(columns)) if f not in picked]
        open_features = [f for f in open_features if len(set(columns[f])) > 1]
        if skip:
            open_features = [
                f for f in open_features if group[f] in owned or price[group[f]] <= left
            ]
        if not open_features:
            break
        f, _ = best(method, columns, labels, picked, open_features)
        if group[f] not in owned:
            if price[group[f]] > left:
                break
            left -= price[group[f]]
            owned.add(group[f])
        picked.append(f)
    return picked, owned


def step_2(method, columns, labels, picked, candidates, shadows):
    """Return what is added; ``shadows`` are the columns that candidates must beat."""
    picked, added, candidates = list(picked), [], list(candidates)
    while candidates:
        f, found = best(method, columns, labels, picked, candidates)
        so_far = [columns[s] for s in picked]
        rivals = [
            round(value(method, shadows[c], so_far, labels), 9) for c in candidates
        ]
        if found <= max(rivals):
            break
        picked.append(f)
        added.append(f)
        candidates.remove(f)
    return added
