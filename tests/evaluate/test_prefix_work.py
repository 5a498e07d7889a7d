"""Trees that are grown for all prefixes together give what each gives alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from example_counts import examples
from labelsift.evaluate import METRICS, _prefix_work, cross_validate
from labelsift.evaluate._fold_tasks import MeasureTask, Table
from labelsift.evaluate._fold_work import measure_columns, try_task
from labelsift.evaluate._splits import Split
from labelsift.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
)
from labelsift.learn.entropy_tree import EntropyTree
from labelsift.learn.prefix_answers import answers_prefixes, takes_one_pass
from plan_tools import Spread, sorted_numbers

SEVERAL = {
    "RAkEL": RAkEL(),
    "soft": RAkEL(labelset_size=2, n_models=3, voting="soft", threshold=0.4, n_jobs=2),
    "disjoint": RAkEL(EntropyTree(min_samples_leaf=1), labelset_size=2, disjoint=True),
    "BR": BinaryRelevance(),
    "votes": BinaryRelevance(EntropyTree(confidence=None), scores="votes"),
    "LP": LabelPowerset(),
    "LP, sets": LabelPowerset(EntropyTree(confidence=0.5), scores="set"),
    "CLR": CalibratedLabelRanking(EntropyTree()),
}


def table(seed, missing=False, levels=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (60, 7)) / rng.choice([1.0, 3.0])
    X[rng.random(X.shape) < 0.05 * missing] = np.nan
    return X, (rng.random((60, 4)) < 0.4).astype(int)


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as context:
        yield context


def plain(patch, *arguments, **options):
    """Return the results with every prefix fitted by itself."""
    with patch.context() as inner:
        inner.setattr("labelsift.evaluate._fold_work.measure_prefixes", lambda *_: None)
        return cross_validate(*arguments, **options)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_the_same_numbers_as_each_alone(patch, container):
    X, Y = table(0)
    options = {"grid": "all", "cv": 2, "metrics": tuple(METRICS)}
    expected = plain(patch, Spread(), SEVERAL, container(X), Y, **options)
    done = []
    with patch.context() as inner:
        found = _prefix_work._measured
        inner.setattr(
            _prefix_work, "_measured", lambda *a: done.append(a[1].name) or found(*a)
        )
        together = cross_validate(Spread(), SEVERAL, container(X), Y, **options)
    assert sorted_numbers(together) == sorted_numbers(expected)
    assert together.warnings == expected.warnings
    assert sorted(done) == sorted([*SEVERAL] * 2)  # in each fold, and nothing failed


@examples(8)
@given(seed=st.integers(0, 2**32 - 1), missing=st.booleans())
def test_ties_and_missing_values(patch, seed, missing):
    X, Y = table(seed, missing, levels=2 + seed % 3)
    options = {"grid": [1, 2, 4, 7], "cv": 2, "random_state": seed % 1000}
    two = {"RAkEL": RAkEL(), "LP": LabelPowerset()}
    expected = plain(patch, Spread(), two, X, Y, **options)
    assert sorted_numbers(
        cross_validate(Spread(), two, X, Y, **options)
    ) == sorted_numbers(expected)


class Own(RAkEL):
    def predict(self, X):
        return 1 - super().predict(X)


class OwnTree(EntropyTree):
    pass


def test_who_answers_for_prefixes():
    assert all(answers_prefixes(one) for one in SEVERAL.values())
    others = [
        RAkEL(OwnTree()),
        RAkEL(EntropyTree(confidence=3.0)),
        Own(),
        BinaryRelevance(feature_lists={0: [1]}),
        ClassifierChain(),
        CalibratedLabelRanking(),
        EntropyTree(),
        MLkNN(),
    ]
    assert not any(answers_prefixes(one) for one in others)
    assert takes_one_pass(MLkNN())
    assert takes_one_pass(RAkEL())
    assert not takes_one_pass(Own())


def test_a_label_that_is_always_there_and_warnings_of_each_fit():
    X, Y = table(1)
    Y[:, 1], Y[:, 2] = 1, 0
    task = task_of(RAkEL(n_models=30), [1, 3, 7])
    rows = Table(X, Y, Y, ("hamming_loss", "one_error"))
    together = _prefix_work.measure_prefixes(rows, task)
    alone = [measure_columns(rows, task_of(task.classifier, [s]))[0] for s in (1, 3, 7)]
    for one, other in zip(together, alone, strict=True):
        assert one.fields["values"] == other.fields["values"]
        assert one.warnings == other.warnings
        assert sum(one.warnings.values()) > 0


def test_what_fails_is_found_one_by_one():
    X, Y = table(2)
    X[0, 5] = np.inf
    rows = Table(X, Y, Y, ("hamming_loss",))
    task = task_of(BinaryRelevance(), [2, 5, 6])
    assert _prefix_work.measure_prefixes(rows, task) is None
    first, second, third = try_task(rows, task)
    assert first.fields["values"]["hamming_loss"] <= 1
    assert second.fields["values"]["hamming_loss"] <= 1
    assert "infinity" in third.error


def task_of(classifier, sizes):
    split = Split(0, 0, 0, None, np.arange(40), np.arange(40, 60))
    order = np.array([3, 0, 6, 1, 2, 5, 4])
    columns = tuple(np.sort(order[:s]) for s in sizes)
    return MeasureTask("trees", classifier, split, 7, columns, order)
