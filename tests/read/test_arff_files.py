"""Real MULAN, MEKA and Weka files: shapes as published, values as a peer reads them."""

import bz2
import gzip
import io
import warnings

import numpy as np
import pytest
from scipy import sparse

from labelsift.read.arff import read_arff
from labelsift.read.arff_writer import write_arff, write_mulan_xml
from labelsift.read.errors import ReadError
from labelsift.read.label_spec import label_names_from_xml
from shared_data import data_file


def text_of(name):
    path = data_file(name)
    opener = bz2.open if name.endswith(".bz2") else gzip.open
    with opener(path) as stream:
        return stream.read()


def load(name, xml=None, **options):
    if xml is not None:
        options["xml"] = data_file(xml)
    return read_arff(io.BytesIO(text_of(name)), path=name, **options)


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


# name, XML, n, d, q, positives (from the published cardinality), rows without a label,
# distinct label sets, nominal features, whether sparse
MULAN = [
    ("emotions", "emotions", 593, 72, 6, 1108, 0, 27, 0, False),
    ("emotions-train", "emotions", 391, 72, 6, 709, 0, 26, 0, False),
    ("emotions10-train", "emotions", 391, 72, 6, 709, 0, 26, 0, False),
    ("yeast", "yeast", 2417, 103, 14, 10241, 0, 198, 0, False),
    ("scene-train", "scene", 1211, 294, 6, 1286, 0, 14, 0, False),
    ("birds-train", "birds", 322, 260, 19, 341, 143, 89, 2, False),
    ("birds-test", "birds", 323, 260, 19, 313, 151, 84, 2, False),
    ("flags", "flags", 194, 19, 7, 658, 0, 54, 9, False),
    ("medical", "medical", 978, 1449, 45, 1218, 0, 94, 1449, True),
    ("enron", "enron", 1702, 1001, 53, 5750, 0, 753, 1001, True),
    ("enron-train", "enron", 1123, 1001, 53, 3803, 0, 545, 1001, True),
    ("tmc2007-500", "tmc2007-500", 28596, 500, 22, 61707, 0, 1341, 500, True),
    ("bibtex", "bibtex", 7395, 1836, 159, 17762, 0, 2856, 1836, True),
    ("Corel5k-sparse", "Corel5k", 5000, 499, 374, 17610, 0, 3175, 499, True),
    ("Corel5k-test", "Corel5k", 500, 499, 374, 1763, 0, 434, 499, False),
    ("delicious", "delicious", 16105, 500, 983, 306317, 14, 15806, 500, True),
    ("sparseDataSet-train", "sparseDataSet", 154, 499, 6, 263, 1, 24, 499, True),
    ("sparseDataSet-test", "sparseDataSet", 61, 499, 6, 67, 0, 7, 499, True),
]


@pytest.mark.parametrize(
    (
        "name",
        "xml",
        "n",
        "d",
        "q",
        "positives",
        "empty",
        "sets",
        "nominal",
        "is_sparse",
    ),
    MULAN,
)
def test_mulan_files_have_their_published_shape(
    name, xml, n, d, q, positives, empty, sets, nominal, is_sparse
):
    data = load(f"{name}.arff.gz", f"{xml}.xml")
    assert (data.n_samples, data.n_features, data.n_labels) == (n, d, q)
    assert sparse.issparse(data.X) == sparse.issparse(data.Y) == is_sparse
    labels = sparse.csr_array(data.Y)
    assert abs(int(labels.sum()) - positives) <= 1  # cardinality to 4 digits
    assert (labels.sum(axis=1) == 0).sum() == empty
    rows = np.split(labels.indices, labels.indptr[1:-1])
    assert len({row.tobytes() for row in rows}) == sets
    assert data.is_nominal.sum() == nominal


MEKA = [
    ("meka-Enron.arff.bz2", 1702, 1001, 53, 5750, True),
    ("meka-Yeast.arff.bz2", 2417, 103, 14, 10241, False),
    ("meka-Scene.arff.bz2", 2407, 294, 6, 2585, False),
    ("meka-Imdb.arff.bz2", 120919, 1001, 28, 241803, True),
    ("meka-Music.arff.gz", 592, 71, 6, 1107, False),
    ("meka-Music-train.arff.gz", 491, 71, 6, 911, False),
    ("meka-Music-test.arff.gz", 101, 71, 6, 196, False),
]


@pytest.mark.parametrize(("name", "n", "d", "q", "positives", "is_sparse"), MEKA)
def test_meka_files_tell_their_labels_themselves(name, n, d, q, positives, is_sparse):
    data = load(name)
    assert (data.n_samples, data.n_features, data.n_labels) == (n, d, q)
    assert abs(int(data.Y.sum()) - positives) <= 6
    assert sparse.issparse(data.X) == is_sparse


def test_meka_and_mulan_enron_are_the_same_rows():
    meka, mulan = load("meka-Enron.arff.bz2"), load("enron.arff.gz", "enron.xml")
    assert (meka.X != mulan.X).nnz == 0
    order = [meka.label_names.index(name) for name in mulan.label_names]
    assert (meka.Y.toarray()[:, order] == mulan.Y.toarray()).all()


def test_meka_scene_is_train_then_test_of_mulan():
    meka = load("meka-Scene.arff.bz2")
    parts = [load(f"scene-{part}.arff.gz", "scene.xml") for part in ("train", "test")]
    np.testing.assert_array_equal(meka.X, np.vstack([part.X for part in parts]))
    np.testing.assert_array_equal(meka.Y, np.vstack([part.Y for part in parts]))


def test_a_label_domain_of_one_and_zero_gives_the_same_labels():
    first = load("emotions-train.arff.gz", "emotions.xml")
    second = load("emotions10-train.arff.gz", "emotions.xml")
    np.testing.assert_array_equal(first.Y, second.Y)
    np.testing.assert_array_equal(first.X, second.X)


def test_dense_and_sparse_corel_agree():
    whole = load("Corel5k-sparse.arff.gz", "Corel5k.xml")
    last = load("Corel5k-test.arff.gz", "Corel5k.xml")
    np.testing.assert_array_equal(whole.X[-500:].toarray(), last.X)
    np.testing.assert_array_equal(whole.Y[-500:].toarray(), last.Y)


def test_the_file_decides_the_order_of_labels_not_the_xml():
    data = load("yeast.arff.gz", "yeast.xml")
    assert data.label_names == tuple(f"Class{k}" for k in range(1, 15))
    listed = label_names_from_xml(data_file("yeast.xml"))
    assert listed != list(data.label_names)
    assert sorted(listed) == sorted(data.label_names)


def test_escaped_names_of_birds_and_bare_backslashes_of_delicious():
    birds = load("birds-train.arff.gz", "birds.xml")
    assert "Swainson's Thrush" in birds.label_names
    assert not any("\\" in name for name in birds.label_names)
    location = birds.categories[birds.feature_names.index("location")]
    assert location[:5] == ("2", "10", "1", "7", "5")  # codes go by place, not value
    delicious = load("delicious.arff.gz", "delicious.xml")
    for name in ("TAG_m\\'usica", "TAG_dise\\~no", "TAG_c#", "TAG_c++", "TAG_????"):
        assert name in delicious.label_names


def test_names_that_look_like_keywords_or_numbers_stay_names():
    bibtex = load("bibtex.arff.gz", "bibtex.xml")
    for name in ("data", "relation", "end", "class", "real", "date", "true"):
        assert name in bibtex.feature_names
    medical = load("medical.arff.gz", "medical.xml")
    for name in ("-", "/", "0;", "1/2/01", "and/or", "0", "00"):
        assert name in medical.feature_names
    assert medical.name == "MEDC"


def test_the_xml_wins_over_the_stale_count_of_medical():
    data = load("medical.arff.gz", "medical.xml")
    assert data.label_names[0].startswith("Class-")
    with pytest.warns(UserWarning, match="may be the wrong ones"):
        stale = load("medical.arff.gz")
    assert stale.label_names[0] == "-"


def test_multi_target_files_need_and_take_a_negative_value():
    with pytest.raises(ReadError, match=r"line 3: label .* give negative_value="):
        load("meka-thyroid-L7.arff.gz")
    data = load("meka-thyroid-L7.arff.gz", negative_value="NEG")
    assert (data.n_samples, data.n_features, data.n_labels) == (9172, 29, 7)
    assert np.isnan(data.X).sum() == 14629
    assert data.is_nominal.sum() == 22
    solar = load("meka-solar_flare.arff.gz", negative_value="0")
    assert solar.Y.shape == (323, 3)


def test_carriage_returns_comments_and_blanks_of_solar_flare():
    data = load("solar-flare_1.arff.gz", labels=[])
    assert data.X.shape == (323, 13)
    assert data.is_nominal.sum() == 10
    assert not np.isnan(data.X).any()


LIAC = [
    ("emotions.arff.gz", 6),
    ("yeast-test.arff.gz", 14),
    ("flags.arff.gz", 7),
    ("meka-thyroid-L7.arff.gz", []),
    ("weka-labor.arff.gz", []),
    ("weka-soybean.arff.gz", []),
    ("weka-segment-test.arff.gz", []),
    ("solar-flare_1.arff.gz", []),
    ("sparseDataSet-train.arff.gz", 6),
    ("enron-test.arff.gz", 53),
    ("meka-Enron.arff.bz2", -53),
]


@pytest.mark.parametrize(("name", "labels"), LIAC)
def test_values_equal_those_of_liac_arff(name, labels):
    arff = pytest.importorskip("arff", reason="liac-arff is not installed")
    text = text_of(name).decode()
    ours = read_arff(io.BytesIO(text.encode()), path=name, labels=labels)
    is_sparse = sparse.issparse(ours.X)
    theirs = arff.loads(text, return_type=arff.LOD if is_sparse else arff.DENSE)
    columns = {
        attribute: (j, kind) for j, (attribute, kind) in enumerate(theirs["attributes"])
    }
    rows = theirs["data"]
    for names, matrix in ((ours.feature_names, ours.X), (ours.label_names, ours.Y)):
        expected = np.zeros((len(rows), len(names)))
        for place, attribute in enumerate(names):
            j, kind = columns[attribute]
            code = {value: i for i, value in enumerate(kind)}
            for i, row in enumerate(rows):
                value = row.get(j, 0.0) if is_sparse else row[j]
                if value is None:
                    value = np.nan
                elif isinstance(value, str):
                    value = code[value]
                expected[i, place] = value
        np.testing.assert_array_equal(dense(matrix), expected)


@pytest.mark.parametrize(
    ("name", "xml"),
    [
        ("birds-train.arff.gz", "birds.xml"),
        ("flags.arff.gz", "flags.xml"),
        ("medical.arff.gz", "medical.xml"),
        ("emotions.arff.gz", "emotions.xml"),
        ("delicious.arff.gz", "delicious.xml"),
    ],
)
def test_real_files_survive_writing_with_their_xml(name, xml, tmp_path):
    data = load(name, xml)
    stream, copy = io.BytesIO(), tmp_path / "copy.xml"
    write_arff(data, stream)
    with copy.open("wb") as file:
        write_mulan_xml(data, file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = read_arff(io.BytesIO(stream.getvalue()), path="copy", xml=copy)
    for field in ("feature_names", "label_names", "categories", "name"):
        assert getattr(back, field) == getattr(data, field)
    np.testing.assert_array_equal(dense(back.X), dense(data.X))
    np.testing.assert_array_equal(dense(back.Y), dense(data.Y))
    assert sparse.issparse(back.X) == sparse.issparse(data.X)
