"""Numbered names behave as the tuple of them does, without being one."""

import copy
import json
import operator
import pickle
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelsift.read import Dataset, load_dataset, numbered_names, read_blocks
from labelsift.read.numbered_names import NumberedNames, numbered

bounds = st.none() | st.integers(-15, 15)


@given(
    kind=st.sampled_from(["feature", "a1", ""]),
    start=st.integers(0, 12),
    count=st.integers(0, 12),
    cut=st.builds(slice, bounds, bounds, st.sampled_from([None, 1, 2, -1, -3])),
)
def test_every_use_is_that_of_the_tuple(kind, start, count, cut):
    wanted = tuple(f"{kind}{i}" for i in range(start, start + count))
    names = NumberedNames(kind, range(start, start + count))
    for lazy, plain in ((names, wanted), (names[cut], wanted[cut])):
        assert tuple(lazy) == plain
        assert len(lazy) == len(plain)
        assert lazy == plain
        assert plain == lazy
        assert lazy == list(plain)
        assert not lazy != plain
        assert lazy != (*plain, "more")
        assert hash(lazy) == hash(plain)
        assert repr(lazy) == repr(plain)
        assert list(reversed(lazy)) == list(reversed(plain))
        assert pickle.loads(pickle.dumps(lazy)) == plain
        assert copy.deepcopy(lazy) == plain
        assert operator.add(lazy, ("x",)) == (*plain, "x")
        assert operator.add(("x",), lazy) == ("x", *plain)
        assert np.array(lazy, dtype=object).tolist() == list(plain)
        for i in range(-len(plain), len(plain)):
            assert lazy[i] == plain[i]
        for name in (*wanted, f"{kind}99", f"{kind}0{start}", f"{kind}+1", kind, 3):
            assert (name in lazy) == (name in plain)
            assert lazy.count(name) == plain.count(name)
            for limits in ((), (2,), (1, 4), (-3, -1)):
                if (
                    name
                    in plain[slice(*(limits if len(limits) == 2 else (*limits, None)))]
                ):
                    assert lazy.index(name, *limits) == plain.index(name, *limits)
                else:
                    with pytest.raises(ValueError, match="none of the names"):
                        lazy.index(name, *limits)


def test_names_of_other_kinds_can_be_the_same():
    assert NumberedNames("a1", range(1)) == NumberedNames("a", range(10, 11))
    assert NumberedNames("a", range(3)) != NumberedNames("b", range(3))
    assert NumberedNames("a", range(3)) != "a0a1a2"


def test_an_index_beyond_the_names_is_an_error():
    names = NumberedNames("f", range(3))
    for place in (3, -4):
        with pytest.raises(IndexError, match=f"there are 3 names; found index {place}"):
            names[place]
    with pytest.raises(TypeError):
        names["f1"]


def test_many_names_are_shown_in_short_and_few_are_a_tuple():
    many = numbered("feature", 10_001, 1)
    assert isinstance(many, NumberedNames)
    assert repr(many) == "('feature1', 'feature2', ..., 'feature10001')"
    assert type(numbered("feature", 10_000)) is tuple


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.svm"
    path.write_text("a,b 1:0.5 9999999:2\nb 3:1\na 9999999:1 4:2\n")
    return path


def test_ten_million_columns_are_read_without_a_string_for_each(wide):
    start = time.process_time()
    data = load_dataset(wide)
    seconds = time.process_time() - start
    assert data.X.shape == (3, 9_999_999)
    assert data.take_features([0, 9_999_998]).feature_names == (
        "feature1",
        "feature9999999",
    )
    assert not data.is_nominal.any()
    assert seconds < 2  # a tenth of a second; with all strings it takes six


def test_blocks_have_the_names_of_the_whole(wide):
    blocks = read_blocks(str(wide), block_rows=2)
    assert blocks.feature_names == load_dataset(wide).feature_names
    assert [X.shape for X, _ in blocks] == [(2, 9_999_999), (1, 9_999_999)]


@pytest.mark.parametrize("ending", ["npz", "svm", "csv", "arff", "parquet"])
def test_every_format_keeps_them(tmp_path, monkeypatch, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    monkeypatch.setattr(numbered_names, "MADE_AT_ONCE", 0)
    source = tmp_path / "small.txt"
    source.write_text("2 3 2\n0 0:1.5 2:1\n1 1:2\n")
    data = load_dataset(source, format="xc")
    assert isinstance(data.feature_names, NumberedNames)
    assert isinstance(data.label_names, NumberedNames)
    target = tmp_path / f"kept.{ending}"
    data.save(target)
    labels = ["label0", "label1"] if ending in ("csv",) else None
    again = load_dataset(target, labels=labels)
    assert again.feature_names == ("feature0", "feature1", "feature2")
    assert again.label_names == ("label0", "label1")
    np.testing.assert_array_equal(
        np.asarray(again.X.todense() if hasattr(again.X, "todense") else again.X),
        data.X.todense(),
    )


def test_a_message_names_the_column():
    names = NumberedNames("label", range(2))
    with pytest.raises(ValueError, match="found 2 at row 0, label 'label1'"):
        Dataset([[1.0]], [[0, 2]], ["x"], names)
    with pytest.raises(ValueError, match="found 2 label names for 1 label"):
        Dataset([[1.0]], [[0]], ["x"], names)


def test_names_are_described_as_text():
    from labelsift.read.facts import dump_facts

    data = Dataset([[1.0, 2]], [[0]], NumberedNames("f", range(2)), ["y"])
    assert json.loads(dump_facts(data))["feature_names"] == ["f0", "f1"]
