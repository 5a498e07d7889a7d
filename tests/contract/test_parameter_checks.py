"""Settings that passed are not checked again; others are, each time."""

from weakref import WeakKeyDictionary

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils._param_validation import InvalidParameterError

from labelsift import _sklearn
from labelsift.learn import MLkNN
from labelsift.select import SPEC, Chi2

X = np.arange(40.0).reshape(10, 4) % 7
Y = np.arange(20).reshape(10, 2) % 2 ^ (np.arange(10) < 4)[:, None]


@pytest.fixture
def checks(monkeypatch):
    """Count scikit-learn's checks of parameters, from an empty memory."""
    calls = []
    monkeypatch.setattr(_sklearn, "_known", WeakKeyDictionary())
    plain = BaseEstimator._validate_params

    def counted(self):
        calls.append(type(self).__name__)
        plain(self)

    monkeypatch.setattr(BaseEstimator, "_validate_params", counted)
    return calls


def test_equal_settings_are_checked_once(checks):
    for _ in range(3):
        SPEC(2).fit(X, Y)
        MLkNN(3).fit(X, Y)
    clone(SPEC(2)).fit(X, Y)
    assert checks == ["SPEC", "MLkNN"]
    SPEC(3).fit(X, Y)
    Chi2(2).fit(X, Y)
    assert checks == ["SPEC", "MLkNN", "SPEC", "Chi2"]


def test_a_setting_that_equals_a_good_one_but_is_of_another_type_is_checked(checks):
    SPEC(spectral_power=1).fit(X, Y)
    for name, bad in (("spectral_power", 1.0), ("self_loops", 0)):
        with pytest.raises(InvalidParameterError, match=f"'{name}'"):
            SPEC(**{name: bad}).fit(X, Y)
    assert len(checks) == 3


def test_a_wrong_setting_is_refused_each_time(checks):
    selector = SPEC(2).fit(X, Y)
    selector.scale = "no such"
    for _ in range(2):
        with pytest.raises(InvalidParameterError, match="'scale' parameter of SPEC"):
            selector.fit(X, Y)
    assert len(checks) == 3


def test_arrays_among_the_settings_are_checked_each_time(checks):
    for mask in ([0], [1], ["wrong"]):
        model = MLkNN(3, categorical_features=mask)
        if mask == ["wrong"]:
            with pytest.raises(ValueError, match="categorical_features holds names"):
                model.fit(X, Y)
        else:
            model.fit(X, Y)
    assert checks == ["MLkNN"] * 3


def test_a_subclass_is_checked_by_its_own_rules(checks):
    class Strict(SPEC):
        _parameter_constraints = SPEC._parameter_constraints | {
            "scale": [_sklearn.StrOptions({"none"})]
        }

    SPEC().fit(X, Y)
    with pytest.raises(InvalidParameterError, match="'scale' parameter of Strict"):
        Strict().fit(X, Y)
    assert len(checks) == 2
