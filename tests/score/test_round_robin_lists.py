"""Pooled scores and the lists of each problem, before lists are merged."""

import numpy as np

from labelsift.score.round_robin import pooled_scores, ranked_lists, round_robin


def test_scores_are_pooled_by_rows():
    scores = np.array([[0.5, 0.25], [0.25, 0.75]])
    assert pooled_scores(scores, np.array([1, 3])).tolist() == [1.25 / 4, 2.5 / 4]
    assert pooled_scores(scores[:, :1], np.array([1])).tolist() == [0.5, 0.25]
    assert pooled_scores(scores[:, :0], np.zeros(0, dtype=int)).tolist() == [0.0, 0.0]


def test_without_problems_the_order_is_by_column():
    found = round_robin(np.zeros((3, 0)), np.zeros(0, dtype=int), "level")
    assert found.tolist() == [0, 1, 2]


def test_wide_tables_are_ranked_problem_by_problem():
    d = 60_001
    scores = np.random.default_rng(0).integers(0, 50, (d, 3)) / 50
    by_pool = np.arange(d)[::-1].copy()
    lists = ranked_lists(scores, by_pool)
    for problem in range(3):
        order = np.argsort(-scores[by_pool, problem], kind="stable")
        np.testing.assert_array_equal(lists[problem], by_pool[order])
