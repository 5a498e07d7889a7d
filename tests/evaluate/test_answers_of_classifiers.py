"""What classifiers of all kinds return, in one form; what is refused, in words."""

import numpy as np
import pytest
from scipy import sparse

from labelsift.evaluate._outputs import can_score, predictions_of, scores_of

X = np.zeros((3, 2))
P = np.array([[0.2, 0.9], [0.7, 0.1], [0.5, 0.5]])


class Fixed:
    """Answers what it was given."""

    def __init__(self, *, predict=None, classes=None, **methods):
        self.predict = lambda X: predict
        if classes is not None:
            self.classes_ = classes
        for name, answer in methods.items():
            setattr(self, name, lambda X, answer=answer: answer)


def two_columns(p):
    return np.column_stack([1 - p, p])


@pytest.mark.parametrize(
    ("classifier", "expected"),
    [
        (Fixed(predict_proba=P), P),
        (Fixed(predict_proba=sparse.csr_array(P)), P),
        (Fixed(decision_function=P - 0.5), P - 0.5),
        (Fixed(predict_proba=P, decision_function=P - 0.5), P),
        (Fixed(predict_proba=[two_columns(P[:, 0]), two_columns(P[:, 1])]), P),
        (Fixed(decision_function=(P[:, 0], P[:, 1])), P),
        (Fixed(), None),
    ],
)
def test_scores_are_one_column_a_label(classifier, expected):
    found = scores_of(classifier, X, 2)
    assert can_score(classifier) == (expected is not None)
    if expected is None:
        assert found is None
    else:
        np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ([np.array([1]), np.array([0, 1])], [1.0, 1.0, 1.0]),
        ([np.array([0]), np.array([0, 1])], [0.0, 0.0, 0.0]),
        ([np.array([0, 1]), np.array([0, 1])], [1.0, 1.0, 1.0]),
        (None, [1.0, 1.0, 1.0]),
    ],
)
def test_a_label_of_one_class_in_training(classes, expected):
    lone = np.ones((3, 1))
    found = scores_of(
        Fixed(predict_proba=[lone, two_columns(P[:, 1])], classes=classes), X, 2
    )
    assert found[:, 0].tolist() == expected
    np.testing.assert_allclose(found[:, 1], P[:, 1])


@pytest.mark.parametrize("classes", [None, np.array([0]), np.array([1])])
def test_one_label_alone(classes):
    both = Fixed(predict_proba=two_columns(P[:, 0]), classes=np.array([0, 1]))
    assert scores_of(both, X, 1).ravel().tolist() == P[:, 0].tolist()
    lone = Fixed(predict_proba=np.ones((3, 1)), classes=classes)
    value = 0.0 if classes is not None and classes[0] == 0 else 1.0
    assert scores_of(lone, X, 1).ravel().tolist() == [value] * 3
    lone.n_labels_in_ = 1  # then the column is that of the label
    assert scores_of(lone, X, 1).ravel().tolist() == [1.0] * 3
    flat = Fixed(predict=np.array([0, 1, 1]))
    assert predictions_of(flat, X, 1).tolist() == [[0], [1], [1]]


@pytest.mark.parametrize(
    ("classifier", "match"),
    [
        (Fixed(predict_proba=[P[:, 0]]), "1 array for 2 labels"),
        (Fixed(predict_proba=[P, np.ones((2, 2))]), r"shape \(2,\) for label 1"),
        (Fixed(predict_proba=[P, np.ones((3, 3))]), r"shape \(3, 3\) for label 1"),
        (Fixed(predict_proba=P[:, :1]), r"shape \(3, 1\); expected \(3, 2\)"),
    ],
)
def test_scores_of_another_shape_are_refused(classifier, match):
    with pytest.raises(ValueError, match=rf"^Fixed.predict_proba returned .*{match}"):
        scores_of(classifier, X, 2)


def test_predictions_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"Fixed.predict returned shape \(3,\)"):
        predictions_of(Fixed(predict=np.zeros(3)), X, 2)
