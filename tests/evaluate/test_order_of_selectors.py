"""Orders read from selectors of any origin, and what has none."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.feature_selection import VarianceThreshold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures

from labelsift.evaluate._order import kept_first, kept_of, order_of
from labelsift.select import Chi2


def fitted(**attributes):
    return SimpleNamespace(**attributes)


@pytest.mark.parametrize(
    ("selector", "order"),
    [
        (fitted(order_=[2, 0, 1]), [2, 0, 1]),
        (fitted(scores_=[1.0, np.nan, 3.0]), [2, 0, 1]),
        (fitted(feature_importances_=[0.2, 0.5, 0.3]), [1, 2, 0]),
        (fitted(ranking_=[3, 1, 1]), [1, 2, 0]),
        (fitted(scores_=[1.0, 2.0, 3.0], order_=[0, 1, 2]), [0, 1, 2]),
        (fitted(scores_=None, ranking_=[2, 3, 1]), [2, 0, 1]),
    ],
)
def test_the_best_come_first(selector, order):
    found, scores = order_of(selector, 3)
    assert found.tolist() == order
    if getattr(selector, "scores_", None) is not None:
        known = np.nan_to_num(selector.scores_, nan=-np.inf)
        assert scores.tolist() == known.tolist()


@pytest.mark.parametrize(
    ("selector", "error", "match"),
    [
        (fitted(scores_=[1.0, 2.0]), ValueError, r"scores_ has shape \(2,\)"),
        (fitted(scores_=np.ones((3, 1))), ValueError, "one score for each of the 3"),
        (fitted(order_=[0, 1, 1]), ValueError, "not a permutation of the 3 features"),
        (fitted(order_=[0, 1]), ValueError, "not a permutation"),
        (fitted(), TypeError, "has no ranking to cut"),
    ],
)
def test_what_is_no_order_is_refused(selector, error, match):
    with pytest.raises(error, match=match):
        order_of(selector, 3)


def test_kept_features_come_first_in_their_order():
    kept = fitted(get_support=lambda indices: [0, 2], order_=[2, 1, 0])
    order, _, n_kept = kept_first(kept, 3)
    assert (order.tolist(), n_kept) == ([2, 0, 1], 2)
    plain = fitted(get_support=lambda indices: [1])
    order, scores, n_kept = kept_first(plain, 3)
    assert (order.tolist(), scores, n_kept) == ([1, 0, 2], None, 1)
    with pytest.raises(TypeError, match="no get_support"):
        kept_of(fitted(), 3)
    with pytest.raises(ValueError, match="keeps no feature"):
        kept_of(fitted(get_support=lambda indices: []), 3)


X = np.array([[0, 3, 1, 5.0], [1, 3, 0, 5], [1, 3, 1, 4], [0, 3, 0, 4]])
Y = np.array([[0, 1], [1, 1], [1, 0], [0, 0]])


def test_columns_that_a_step_drops_rank_last():
    pipeline = make_pipeline(VarianceThreshold(), Chi2(2)).fit(X, Y)
    order, scores = order_of(pipeline, 4)
    inner = pipeline[-1]
    columns = np.array([0, 2, 3])
    assert order.tolist() == [*columns[inner.order_], 1]
    assert scores[columns].tolist() == inner.scores_.tolist()
    assert scores[1] == -np.inf
    assert kept_of(pipeline, 4).tolist() == sorted(columns[inner.order_[:2]].tolist())


def test_a_pipeline_of_one_step_is_that_step():
    alone = make_pipeline(Chi2(2)).fit(X, Y)
    assert order_of(alone, 4)[0].tolist() == alone[-1].order_.tolist()


def test_steps_that_do_not_name_their_columns_may_keep_all():
    same = make_pipeline(FunctionTransformer(), Chi2(2)).fit(X, Y)
    assert order_of(same, 4)[0].tolist() == same[-1].order_.tolist()
    fewer = make_pipeline(FunctionTransformer(lambda X: X[:, :2]), Chi2(1)).fit(X, Y)
    with pytest.raises(TypeError, match="it does not say which"):
        order_of(fewer, 4)
    made = make_pipeline(PolynomialFeatures(2), Chi2(2)).fit(X, Y)
    with pytest.raises(TypeError, match="first '1'"):
        order_of(made, 4)
