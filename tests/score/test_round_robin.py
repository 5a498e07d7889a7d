"""Lists of features, one a subproblem, and what comes of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labelsift.score import round_robin as module
from labelsift.score.ranking import rounded
from labelsift.score.round_robin import (
    first_places,
    pooled_scores,
    ranked_lists,
    round_robin,
)


def lists_one_by_one(scores, by_pool):
    place = {int(f): i for i, f in enumerate(by_pool)}
    return [
        sorted(range(len(by_pool)), key=lambda f: (-column[f], place[f]))
        for column in rounded(scores).T
    ]


def sums_one_by_one(scores, sizes):
    sums = []
    for row in scores.tolist():
        total = 0.0
        for size, score in zip(sizes.tolist(), row, strict=True):
            total += size * score
        sums.append(total / max(int(sizes.sum()), 1))
    return sums


def table(seed):
    rng = np.random.default_rng(seed)
    d, s = int(rng.integers(1, 9)), int(rng.integers(1, 14))
    scores = rng.integers(0, 4, (d, s)) / 3 * (rng.random((d, s)) < rng.random())
    scores *= 1 + 1e-14 * rng.integers(-3, 4, (d, s))  # equal but for rounding
    return scores, rng.integers(1, 50, s), rng.permutation(d)


@pytest.mark.parametrize("cells", [1, 400_000])
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_lists_places_and_sums(cells, seed):
    scores, sizes, by_pool = table(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS_A_BLOCK", cells)
        for each in (scores, np.asfortranarray(scores)):
            lists = ranked_lists(each, by_pool)
            assert lists.dtype == np.int32
            assert lists.tolist() == lists_one_by_one(scores, by_pool)
            best = np.argsort(lists, axis=1).min(axis=0)
            assert first_places(each, by_pool).tolist() == best.tolist()
            assert pooled_scores(each, sizes).tolist() == sums_one_by_one(scores, sizes)


def test_equal_scores_take_the_order_of_the_pool():
    scores = np.array([[0.5, 0.0], [0.5 + 1e-15, 0.2], [0.0, 0.0], [0.7, 0.0]])
    by_pool = np.array([2, 0, 1, 3])
    assert ranked_lists(scores, by_pool).tolist() == [[3, 0, 1, 2], [1, 2, 0, 3]]
    assert first_places(scores, by_pool).tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("mode", ["level", "next"])
def test_pooled_scores_may_be_given(mode):
    scores, sizes, _ = table(4)
    pooled = pooled_scores(scores, sizes)
    once = round_robin(scores, sizes, mode, pooled=pooled)
    assert (once == round_robin(scores, sizes, mode)).all()
    assert sorted(once) == list(range(len(scores)))


def test_without_subproblems_every_score_is_zero():
    nothing = np.zeros((3, 0)), np.zeros(0, dtype=np.int64)
    assert pooled_scores(*nothing).tolist() == [0.0, 0.0, 0.0]
    assert round_robin(*nothing, "level").tolist() == [0, 1, 2]
