import numpy as np
import pytest
from scipy import sparse

from labelsift.encode.label_transform import to_class_problem
from labelsift.encode.labels import as_label_matrix

# totals: a 3, b 2, c 2
Y = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]])


def classes_of_rows(how, y=Y):
    problem = to_class_problem(as_label_matrix(y), how)
    return [
        list(
            zip(
                problem.classes[lo:hi].tolist(),
                problem.weights[lo:hi].tolist(),
                strict=True,
            )
        )
        for lo, hi in zip(problem.start[:-1], problem.start[1:], strict=True)
    ]


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_every_transformation_of_a_small_table(container):
    y = container(Y)
    assert classes_of_rows("copy", y) == [
        [(0, 1), (1, 1)],
        [(0, 1)],
        [],
        [(0, 1), (1, 1), (2, 1)],
        [(2, 1)],
    ]
    assert classes_of_rows("copy_weight", y) == [
        [(0, 1 / 2), (1, 1 / 2)],
        [(0, 1)],
        [],
        [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)],
        [(2, 1)],
    ]
    assert classes_of_rows("ignore", y) == [[], [(0, 1)], [], [], [(2, 1)]]
    assert classes_of_rows("select_max", y) == [
        [(0, 1)],
        [(0, 1)],
        [],
        [(0, 1)],
        [(2, 1)],
    ]
    # b and c are equally rare: the first of them
    assert classes_of_rows("select_min", y) == [
        [(1, 1)],
        [(0, 1)],
        [],
        [(1, 1)],
        [(2, 1)],
    ]


def test_label_sets_are_named_and_numbered_whatever_the_order_of_rows():
    names = {"label0": 0, "label1": 1, "label2": 2}
    problem = to_class_problem(as_label_matrix(Y), "label_powerset")
    sets = [problem.names[c] for c in problem.classes]
    expected = [
        "+".join(n for n, c in names.items() if row[c]) or "(no label)" for row in Y
    ]
    assert sets == expected
    again = to_class_problem(as_label_matrix(Y[::-1]), "label_powerset")
    assert again.names == problem.names
    assert (again.classes == problem.classes[::-1]).all()


def test_select_max_never_takes_a_label_that_the_row_does_not_have():
    y = np.array([[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]])
    assert classes_of_rows("select_max", y)[0] == [(1, 1)]
    assert classes_of_rows("select_min", y)[0] == [(2, 1)]


@pytest.mark.parametrize("how", ["copy", "ignore", "select_max", "label_powerset"])
def test_class_vector_is_taken_as_it_is(how):
    problem = to_class_problem(as_label_matrix(["b", "a", "b"]), how)
    assert problem.names == ("a", "b")
    assert problem.classes.tolist() == [1, 0, 1]


def test_unknown_transformation_is_named():
    with pytest.raises(ValueError, match="how must be one of label_powerset, copy"):
        to_class_problem(as_label_matrix(Y), "merge")
