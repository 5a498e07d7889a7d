"""Neighbour-based classifiers, slowly, from their published definitions."""


def neighbors(X, x, k, leave_out=None):
    """Return the k nearest rows; equal distances by row."""
    order = sorted(
        (sum((float(a) - float(b)) ** 2 for a, b in zip(x, row, strict=True)), j)
        for j, row in enumerate(X)
        if j != leave_out
    )
    return [j for _, j in order[:k]]


def label_counts(Y, near):
    return [sum(Y[j][label] for j in near) for label in range(len(Y[0]))]


def mlknn(X, Y, queries, k, s):
    """Return scores by the formulas of Zhang & Zhou, 2007."""
    n, L = len(Y), len(Y[0])
    counts = [label_counts(Y, neighbors(X, X[i], k, leave_out=i)) for i in range(n)]
    out = []
    for x in queries:
        c = label_counts(Y, neighbors(X, x, k))
        scores = []
        for label in range(L):
            with_label = [i for i in range(n) if Y[i][label]]
            without = [i for i in range(n) if not Y[i][label]]
            prior = (s + len(with_label)) / (2 * s + n)
            share = []
            for group in (with_label, without):
                same = sum(counts[i][label] == c[label] for i in group)
                total = s * (k + 1) + len(group)
                share.append((s + same) / total if total else 0.0)
            a, b = prior * share[0], (1 - prior) * share[1]
            scores.append(a / (a + b) if a + b > 0 else prior)
        out.append(scores)
    return out


def dmlknn(X, Y, queries, k, s, delta, cells):
    """Return scores by the formulas of Younes et al.; ``cells`` times s in totals."""
    n, L = len(Y), len(Y[0])
    counts = [label_counts(Y, neighbors(X, X[i], k, leave_out=i)) for i in range(n)]
    out = []
    for x in queries:
        c = label_counts(Y, neighbors(X, x, k))
        similar = [
            i
            for i in range(n)
            if all(abs(a - b) <= delta for a, b in zip(counts[i], c, strict=True))
        ]
        scores = []
        for label in range(L):
            present = sum(row[label] for row in Y)
            same = [i for i in similar if counts[i][label] == c[label]]
            v1 = sum(Y[i][label] for i in same)
            v0 = len(same) - v1
            prior = (s + present) / (2 * s + n)
            total1, total0 = s * cells + present, s * cells + n - present
            a = prior * (s + v1) / total1 if total1 else 0.0
            b = (1 - prior) * (s + v0) / total0 if total0 else 0.0
            scores.append(a / (a + b) if a + b > 0 else prior)
        out.append(scores)
    return out


def brknn(X, Y, queries, k):
    """Return the shares of neighbours with each label."""
    return [[c / k for c in label_counts(Y, neighbors(X, x, k))] for x in queries]


def weka_search(distances, k, leave_out=None):
    """Return (heap rows, overflow rows) of one pass with a bounded max-heap.

    Written from the description of the search: a closer row replaces the top; one as
    far as the top overflows; a replaced top overflows if the new top is as far, and
    otherwise empties the overflow.
    """
    heap, overflow = [], []  # heap[0] is the top; the children of i: 2i + 1, 2i + 2

    def rise(i):
        while i and heap[(i - 1) // 2][0] < heap[i][0]:
            heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
            i = (i - 1) // 2

    def remove_top():
        top, last = heap[0], heap.pop()
        if heap:
            heap[0], i = last, 0
            while True:
                children = [c for c in (2 * i + 1, 2 * i + 2) if c < len(heap)]
                if not any(heap[i][0] < heap[c][0] for c in children):
                    break
                left = heap[children[0]][0] > heap[children[-1]][0]
                down = children[0] if left else children[-1]
                heap[i], heap[down] = heap[down], heap[i]
                i = down
        return top

    for j, d in enumerate(distances):
        if j == leave_out:
            continue
        if len(heap) < k:
            heap.append((d, j))
            rise(len(heap) - 1)
        elif d < heap[0][0]:
            top = remove_top()
            heap.append((d, j))
            rise(len(heap) - 1)
            if top[0] == heap[0][0]:
                overflow.append(top[1])
            else:
                overflow = []
        elif d == heap[0][0]:
            overflow.append(j)
    out = []
    while heap:
        out.append(remove_top()[1])
    return out[::-1], sorted(overflow)
