"""What was written of earlier work is read back whole, or not at all."""

import json

import numpy as np
import pytest

from labelsift.evaluate._remember import _parts, read_measured, read_ranked

RANKED = {
    "order": [2, 0, 1],
    "scores": [1.0, 0.5, 3.0],
    "seconds": 0.25,
    "n_kept": 2,
    "warnings": {"a warning": 2},
}


def test_a_ranking_comes_back():
    found = read_ranked(json.dumps(RANKED), 3, own_size=True)
    assert found.order.tolist() == [2, 0, 1]
    assert found.scores.tolist() == [1.0, 0.5, 3.0]
    assert (found.seconds, found.n_kept) == (0.25, 2)
    plain = read_ranked(json.dumps({**RANKED, "scores": None}), 3)
    assert (plain.scores, plain.n_kept) == (None, None)


@pytest.mark.parametrize(
    "change",
    [
        {"order": [0, 1, 1]},
        {"order": [0, 1]},
        {"order": None},
        {"scores": [1.0]},
        {"n_kept": 0},
        {"n_kept": 4},
        {"n_kept": None},
        {"seconds": "soon"},
        {"warnings": []},
    ],
)
def test_a_damaged_ranking_is_none(change):
    assert read_ranked(json.dumps({**RANKED, **change}), 3, own_size=True) is None


@pytest.mark.parametrize("text", [None, "", "{", "[1]", "3"])
def test_what_is_no_object_is_none(text):
    assert read_ranked(text, 3) is None
    assert read_measured(text, 2, ["hamming_loss"]) is None


def test_tasks_of_another_kind_have_no_key():
    with pytest.raises(TypeError, match="str has no key to be remembered by"):
        _parts("task")


def measured():
    from labelsift.evaluate._remember import _COUNTS

    return {
        "values": {"hamming_loss": 0.25, "one_error": 0.5},
        **{name: [1, 2] for name in _COUNTS},
        "auc": [0.5, 1.0],
        "rows_without_prediction": 3,
        "constant_labels": [1],
        "seconds_fit": 0.5,
        "seconds_predict": 0.125,
        "warnings": {},
    }


def test_a_measurement_comes_back_with_the_metrics_asked_for():
    found = read_measured(json.dumps(measured()), 2, ["one_error"])
    assert found.fields["values"] == {"one_error": 0.5}
    assert found.fields["auc"].tolist() == [0.5, 1.0]
    assert found.fields["constant_labels"] == (1,)
    assert found.fields["seconds_fit"] == 0.5
    none = read_measured(json.dumps({**measured(), "auc": None}), 2, [])
    assert none.fields["auc"] is None
    assert none.fields["values"] == {}


@pytest.mark.parametrize(
    "change",
    [
        {"auc": [0.5]},
        {"values": {}},
        {"constant_labels": ["a"]},
        {"seconds_fit": None},
        {"warnings": 1},
    ],
)
def test_a_damaged_measurement_is_none(change):
    text = json.dumps({**measured(), **change})
    assert read_measured(text, 2, ["hamming_loss"]) is None


def test_numbers_survive_to_the_last_bit():
    value = np.nextafter(1.0, 2.0)
    text = json.dumps({**RANKED, "seconds": value})
    assert read_ranked(text, 3).seconds == value
