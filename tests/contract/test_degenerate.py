"""Every method on every odd table: a right answer, or one message that says what to do.

Nothing else: no warning of numpy, no exception but ``ValueError`` and ``TypeError``.
"""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning

from contract.degenerate import ROUNDED, SAME_AS_PLAIN, plain, tables
from labelsift import encode
from labelsift.encode.extremes import refuse_huge, refuse_tiny
from labelsift.learn import CLASSIFIERS
from labelsift.select import SELECTORS

DISCRETIZERS = [name for name in encode.__all__ if name.endswith("Discretizer")]
TABLES = tables()
ABOUT = ("X", "y", "feature", "label", "row", "sample", "column", "array", "class")


def attempt(work):
    """Return the answer, or None where it was refused in a fair message."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        try:
            return work()
        except (ValueError, TypeError) as error:
            refusal = error
    text = str(refusal)
    assert type(refusal) in (ValueError, TypeError), type(refusal)
    assert 12 < len(text) < 500, text
    assert "\n" not in text, text
    assert any(word in text for word in ABOUT), text
    return None


def check_each(found):
    """Fail with all cases that went wrong, not only the first."""
    wrong = []
    for case, work in found:
        try:
            work()
        except Exception as error:
            wrong.append(f"{case}: {type(error).__name__}: {str(error)[:300]}")
    assert not wrong, "\n".join(wrong)


def refuse_rounding(work):
    with pytest.raises(
        ValueError, match=r"would be rounded: column .* at row .*Subtra"
    ):
        work()


def same(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_selectors(name):
    make, (X0, Y0) = SELECTORS[name], plain()
    usual = attempt(lambda: make().fit(X0, Y0))
    assert usual is not None

    def fit_and_transform(case, X, Y):
        if case in ROUNDED:
            return refuse_rounding(lambda: make().fit(X, Y))
        fitted = attempt(lambda: make().fit(X, Y))
        if fitted is not None:
            assert not np.isnan(fitted.scores_).any()
            assert sorted(fitted.order_) == list(range(fitted.n_features_in_))
            kept = attempt(lambda: fitted.transform(X))
            assert kept.shape[1] == fitted.get_support().sum()
            if case in SAME_AS_PLAIN:
                same(fitted.scores_, usual.scores_)
        elif case in SAME_AS_PLAIN and case != "texts of numbers":
            raise AssertionError("refused")
        return None

    check_each(
        (case, lambda case=case, X=X, Y=Y: fit_and_transform(case, X, Y))
        for case, (X, Y) in TABLES.items()
    )
    check_each(
        (f"transform {case}", lambda X=X: attempt(lambda: usual.transform(X)))
        for case, (X, _) in TABLES.items()
    )


@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_classifiers(name):
    make, (X0, Y0) = CLASSIFIERS[name], plain()
    usual = attempt(lambda: make().fit(X0, Y0))
    expected = usual.predict_proba(X0)

    def fit_and_predict(case, X, Y):
        if case in ROUNDED:
            refuse_rounding(lambda: usual.predict_proba(X))
            return refuse_rounding(lambda: make().fit(X, Y))
        fitted = attempt(lambda: make().fit(X, Y))
        if fitted is not None:
            scores = attempt(lambda: fitted.predict_proba(X))
            assert np.isfinite(scores).all()
            assert scores.min() >= 0
            assert scores.max() <= 1
            assert len(attempt(lambda: fitted.predict(X))) == len(scores)
            if case in SAME_AS_PLAIN:
                same(scores, expected)
        elif case in SAME_AS_PLAIN and case != "texts of numbers":
            raise AssertionError("refused")
        return None

    check_each(
        (case, lambda case=case, X=X, Y=Y: fit_and_predict(case, X, Y))
        for case, (X, Y) in TABLES.items()
    )
    check_each(
        (f"predict {case}", lambda X=X: attempt(lambda: usual.predict_proba(X)))
        for case, (X, _) in TABLES.items()
    )


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_encoders(name):
    make, (X0, Y0) = getattr(encode, name), plain()
    usual = attempt(lambda: make().fit(X0, Y0))
    expected = usual.transform(X0)

    def fit_and_transform(case, X, Y):
        if case in ROUNDED:
            return refuse_rounding(lambda: make().fit(X, Y))
        fitted = attempt(lambda: make().fit(X, Y))
        if fitted is not None:
            codes = attempt(lambda: fitted.transform(X))
            if codes is not None:
                values = codes.data if sparse.issparse(codes) else np.asarray(codes)
                assert not (values < -1).any()
            if case in SAME_AS_PLAIN and "labels" not in case:
                same(codes, expected)
        return None

    check_each(
        (case, lambda case=case, X=X, Y=Y: fit_and_transform(case, X, Y))
        for case, (X, Y) in TABLES.items()
    )


# what is too large or too small ---------------------------------------------------


@pytest.mark.parametrize("as_table", [np.array, sparse.csr_array, sparse.csc_array])
def test_the_first_huge_value_is_named(as_table):
    X = np.zeros((4, 3))
    X[3, 1], X[1, 2], X[2, 1] = -2e101, 1e300, 5.0
    with pytest.raises(
        ValueError, match=r"-2e\+101 at row 3, column 'b' \(2 beyond 1e\+100.*Divide"
    ):
        refuse_huge(as_table(X), "'a' 'b' 'c'".split().__getitem__)
    X[3, 1], X[1, 2] = 1e100, -1e100
    refuse_huge(as_table(X), str)


@pytest.mark.parametrize("as_table", [np.array, sparse.csr_array, sparse.csc_array])
def test_a_column_of_tiny_values_is_named(as_table):
    X = np.ones((4, 3))
    X[:, 1] = [0, 3e-120, -4e-320, 0]
    X[:, 2] = [0, 1e-300, 1, 0]
    with pytest.raises(ValueError, match=r"column 1 of X .* beyond 3e-120 \(1 such"):
        refuse_tiny(as_table(X), str)
    X[0, 1] = -1e-100
    refuse_tiny(as_table(X), str)
    refuse_tiny(as_table(np.zeros((4, 3))), str)


def test_the_answer_does_not_depend_on_the_unit_where_it_is_given():
    X, Y = plain()
    chosen = SELECTORS["spec"]().fit(X, Y)
    for factor in (2.0**-300, 2.0**300):
        scaled = clone(chosen).fit(X * factor, Y)
        same(scaled.scores_, chosen.scores_)
        assert (scaled.order_ == chosen.order_).all()


def test_a_block_may_hold_tiny_values_by_chance():
    X, Y = plain()
    X[0] = 1e-120
    selector = SELECTORS["spec"]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of one label set so far
        for row in range(len(X)):
            selector.partial_fit(X[row : row + 1], Y[row : row + 1])
    same(selector.scores_, SELECTORS["spec"]().fit(X, Y).scores_)
