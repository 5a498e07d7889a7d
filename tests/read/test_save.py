import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from labelsift import Dataset, ReadError, load_dataset
from shared_data import data_file

NAN = np.nan
X = np.array([[0.1, 0, 2], [1 / 3, NAN, NAN], [-0.0, 1e300, 0], [5e-324, 7, 1]])
Y = np.array([[0, 1], [1, 1], [0, 0], [1, 0]])
FULL = (".npz", ".parquet", ".svm", ".svmlight", ".svm.gz")


def made(x=X, y=Y, **facts):
    given_facts = {
        "test_costs": [0, 1.5, 2],
        "weights": [1, 2, 0.1, 1],
        "name": "made",
        "source": "by hand",
        "licence": "none",
    } | facts
    names = ("a", 'b, "quoted" \u00e4', "kind")
    return Dataset(
        x, y, names, ("l 1", "0"), (None, None, ("z", "y", "x")), **given_facts
    )


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def same(one, two):
    np.testing.assert_array_equal(dense(one.X), dense(two.X))
    np.testing.assert_array_equal(dense(one.Y), dense(two.Y))
    assert one.feature_names == two.feature_names
    assert one.label_names == two.label_names
    assert one.categories == two.categories


@pytest.mark.parametrize("ending", FULL)
@pytest.mark.parametrize("sparsely", [False, True])
def test_round_trip_keeps_everything(tmp_path, ending, sparsely):
    data = made(sparse.csr_array(X), sparse.csr_array(Y)) if sparsely else made()
    path = tmp_path / f"made{ending}"
    data.save(path)
    again = load_dataset(path)
    same(data, again)
    for key in ("name", "source", "licence"):
        assert getattr(again, key) == getattr(data, key)
    assert again.test_costs.tolist() == data.test_costs.tolist()
    assert again.weights.tolist() == data.weights.tolist()
    assert os.listdir(tmp_path) == [path.name]


def test_npz_keeps_the_container_and_the_sign_of_zero(tmp_path):
    made().save(tmp_path / "a.npz")
    again = load_dataset(tmp_path / "a.npz")
    assert np.signbit(again.X[2, 0])
    thin = made(sparse.csr_array(X), sparse.csr_array(Y))
    thin.save(tmp_path / "b.npz")
    again = load_dataset(tmp_path / "b.npz")
    assert sparse.issparse(again.X)
    assert sparse.issparse(again.Y)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".tsv.bz2", ".csv.xz"])
def test_csv_keeps_values_and_names(tmp_path, ending):
    data = made(test_costs=None, weights=None)
    path = tmp_path / f"made{ending}"
    data.save(path)
    again = load_dataset(path, labels=["l 1", "0"])
    np.testing.assert_array_equal(again.X[:, :2], X[:, :2])
    assert np.signbit(again.X[2, 0])
    # text categories come back in sorted order, the same words in the same rows
    assert again.categories[2] == ("x", "y", "z")
    np.testing.assert_array_equal(again.X[:, 2], [0, NAN, 2, 1])
    assert again.Y.tolist() == Y.tolist()
    assert again.feature_names == data.feature_names


@pytest.mark.parametrize("ending", [".arff", ".arff.gz", ".arff.bz2", ".arff.xz"])
@pytest.mark.parametrize("sparsely", [False, True])
def test_arff_keeps_everything_and_writes_its_labels_beside(tmp_path, ending, sparsely):
    data = made(sparse.csr_array(X), sparse.csr_array(Y)) if sparsely else made()
    path = tmp_path / f"made{ending}"
    with pytest.warns(UserWarning, match="test costs are not kept"):
        data.save(path)
    assert sorted(os.listdir(tmp_path)) == [f"made{ending}", "made.xml"]
    again = load_dataset(path)
    same(data, again)
    assert again.source.endswith("ARFF, labels from made.xml")
    assert again.weights.tolist() == data.weights.tolist()
    (tmp_path / "made.xml").unlink()
    same(data, load_dataset(path))  # the relation counts the labels as well


def test_a_label_list_of_another_file_is_not_written_over_by_a_failure(tmp_path):
    (tmp_path / "made.xml").write_text("old")
    bad = made(np.full((4, 3), np.inf), test_costs=None)
    with pytest.raises(ValueError, match=r"finite|infinite"):
        bad.save(tmp_path / "made.arff")
    assert (tmp_path / "made.xml").read_text() == "old"
    assert os.listdir(tmp_path) == ["made.xml"]


def test_csv_takes_its_labels_from_a_label_list(tmp_path):
    data = made(test_costs=None, weights=None)
    data.save(tmp_path / "made.arff")
    data.save(tmp_path / "made.csv")
    for option in ({"xml": tmp_path / "made.xml"}, {"labels": tmp_path / "made.xml"}):
        again = load_dataset(tmp_path / "made.csv", **option)
        assert again.label_names == data.label_names
        assert again.Y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    "name", ["birds-train", "flags", "medical", "enron-test", "sparseDataSet-train"]
)
def test_real_sets_survive_every_exact_format(tmp_path, name):
    data = load_dataset(data_file(f"{name}.arff.gz"))
    for ending in (".arff", ".npz", ".parquet", ".svm"):
        data.save(tmp_path / f"x{ending}")
        same(data, load_dataset(tmp_path / f"x{ending}"))


def test_same_data_gives_the_same_compressed_bytes(tmp_path):
    data = made(test_costs=None, weights=None)
    for name in ("one.csv.gz", "two.csv.gz"):
        data.save(tmp_path / name)
    one, two = ((tmp_path / n).read_bytes() for n in ("one.csv.gz", "two.csv.gz"))
    assert one == two


def test_what_csv_loses_is_said(tmp_path):
    with pytest.warns(
        UserWarning, match="test costs and instance weights are not kept"
    ):
        made().save(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("names", "kinds", "match"),
    [
        (("a", "l"), (None, None), "'l' is both a feature and a label"),
        (("a", " b"), (None, None), "blanks of the name ' b'"),
        (("a", "b"), (("?", "x"), None), "cannot keep the value '\\?' of 'a'"),
        (("a", "b"), ((" x", "y"), None), "cannot keep the value ' x'"),
    ],
)
def test_what_csv_cannot_hold_is_refused_and_the_old_file_stays(
    tmp_path, names, kinds, match
):
    path = tmp_path / "a.csv"
    path.write_text("old")
    data = Dataset(np.zeros((2, 2)), np.eye(2), names, ("l", "m"), kinds)
    with pytest.raises(ValueError, match=match):
        data.save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_names_that_are_all_numbers_are_refused_in_csv(tmp_path):
    data = Dataset(np.zeros((2, 2)), np.eye(2), ("7", "5"), ("3", "9"))
    with pytest.raises(ValueError, match="every name is a number"):
        data.save(tmp_path / "a.csv")


def test_unknown_ending_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in one of .*\.npz"):
        made().save(tmp_path / "a.mat")
    with pytest.raises(ValueError, match="compressed by itself"):
        made().save(tmp_path / "a.npz.gz")


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.npz").write_bytes(b"")
    (tmp_path / "link.npz").symlink_to(tmp_path / "real.npz")
    made().save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    same(load_dataset(tmp_path / "real.npz"), made())


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)


@given(st.data())
def test_any_names_and_values_survive_npz_parquet_and_svmlight(tmp_path_factory, data):
    n, d = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    names = data.draw(st.lists(texts, min_size=d + 2, max_size=d + 2, unique=True))
    kinds = data.draw(
        st.lists(
            st.none() | st.lists(texts, min_size=2, max_size=2, unique=True).map(tuple),
            min_size=d,
            max_size=d,
        )
    )
    numbers = st.floats(allow_infinity=False) | st.just(0.0)
    columns = [
        data.draw(
            st.lists(
                numbers if kind is None else st.sampled_from([0.0, 1.0, NAN]),
                min_size=n,
                max_size=n,
            )
        )
        for kind in kinds
    ]
    y = data.draw(st.lists(st.tuples(*[st.integers(0, 1)] * 2), min_size=n, max_size=n))
    made = Dataset(
        np.array(columns).T, np.array(y), tuple(names[:d]), tuple(names[d:]), kinds
    )
    folder = tmp_path_factory.mktemp("any")
    for ending in (".npz", ".parquet", ".svm"):
        made.save(folder / f"x{ending}")
        same(made, load_dataset(folder / f"x{ending}"))


def test_tampered_descriptions_are_read_errors(tmp_path):
    path = tmp_path / "a.svm"
    made().save(path)
    text = path.read_text()
    for old, new in [
        ('"labelsift":1', '"labelsift":9'),
        ('"l 1","0"', '"l 1"'),
        ('"a",', ""),
        ('"categories"', '"cat"'),
        ('{"2":["z","y","x"]}', '{"9":["z"]}'),
        ('"test_costs":[0.0', '"test_costs":[-1'),
        ('"feature_names":["a"', '"feature_names":[1'),
        ("# labelsift {", "# labelsift {{"),
    ]:
        assert old in text, old
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(ReadError):
            load_dataset(path)


def test_names_travel_with_the_picked_columns(tmp_path):
    names = tuple(f"gene{j}" for j in range(10))
    data = Dataset(np.arange(40.0).reshape(4, 10), Y, names, ("k", "l"))
    data.take_features([7, 2, 5]).save(tmp_path / "picked.csv")
    again = load_dataset(tmp_path / "picked.csv", labels=["k", "l"])
    assert again.feature_names == ("gene7", "gene2", "gene5")
    assert again.X.tolist() == data.X[:, [7, 2, 5]].tolist()
