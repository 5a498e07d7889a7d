"""The ranking metrics of one row, straight from their definitions."""


def ranks(scores, ties):
    """Return the rank of each label, 1 = best."""
    out = []
    for i, s in enumerate(scores):
        better = sum(t > s for t in scores)
        if ties == "first":
            tied = sum(t == s for t in scores[:i])
        elif ties == "mulan":
            tied = sum(t == s for t in scores[i + 1 :])
        else:
            tied = sum(t == s for t in scores) - 1
        out.append(better + tied + 1)
    return out


def one_error(truth, scores, ties):
    if ties == "max":
        top = [y for y, s in zip(truth, scores, strict=True) if s == max(scores)]
        return 0 if all(top) else 1
    return 1 - truth[ranks(scores, ties).index(1)]


def coverage(truth, scores, ties):
    place = ranks(scores, ties)
    return max(r for y, r in zip(truth, place, strict=True) if y) - 1


def average_precision(truth, scores, ties):
    place = ranks(scores, ties)
    relevant = [r for y, r in zip(truth, place, strict=True) if y]
    return sum(sum(o <= r for o in relevant) / r for r in relevant) / len(relevant)


def ranking_loss(truth, scores, ties):
    place = ranks(scores, "mulan")
    wrong = pairs = 0
    for i, y in enumerate(truth):
        for j, z in enumerate(truth):
            if y and not z:
                pairs += 1
                if scores[i] == scores[j]:
                    tie = {"first": 1, "max": 1, "half": 0.5}
                    wrong += tie[ties] if ties in tie else place[i] > place[j]
                else:
                    wrong += scores[i] < scores[j]
    return wrong / pairs
