import shutil

import numpy as np
import pytest

from labelsift import ReadError, load_dataset
from labelsift.read import catalog as module
from labelsift.read.catalog import known_set
from shared_data import data_file

SETS = [
    "emotions", "scene", "birds", "flags", "medical", "enron", "bibtex", "delicious",
    "corel5k", "tmc2007-500", "thyroid",
]  # fmt: skip

LOCAL = {"thyroid-L7.arff": "meka-thyroid-L7.arff"}


@pytest.fixture
def folder(monkeypatch):
    path = data_file("emotions.arff.gz").parent
    monkeypatch.setenv("LABELSIFT_DATA", str(path))
    return path


@pytest.mark.parametrize("name", SETS)
def test_known_sets_have_the_published_figures(folder, name):
    known = known_set(name)
    data = load_dataset(name)
    found = data.describe()
    assert (found.n_samples, found.n_features, found.n_labels) == known.shape
    assert found.cardinality == pytest.approx(known.cardinality, abs=1e-3)
    assert data.name == name


@pytest.mark.parametrize(
    ("name", "train", "test"),
    [("emotions", 1.8133, 1.9752), ("scene", 1.0619, 1.0861), ("birds", 1.0590, 0.9690),
     ("medical", 1.2553, 1.2403), ("corel5k", None, 3.5260)],
)  # fmt: skip
def test_published_splits(folder, name, train, test):
    for split, cardinality in (("train", train), ("test", test)):
        found = load_dataset(name, split=split).describe().cardinality
        if cardinality is not None:
            assert found == pytest.approx(cardinality, abs=5e-5)


def test_halves_are_joined_where_the_whole_is_absent(folder, monkeypatch, tmp_path):
    for name in ("emotions-train.arff.gz", "emotions-test.arff.gz", "emotions.xml"):
        shutil.copy(folder / name, tmp_path)
    whole = load_dataset("emotions")
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path))
    joined = load_dataset("emotions")
    np.testing.assert_array_equal(whole.X, joined.X)
    np.testing.assert_array_equal(whole.Y, joined.Y)


def test_another_version_of_a_set_is_not_taken_for_it(folder, monkeypatch, tmp_path):
    shutil.copy(folder / "emotions-train.arff.gz", tmp_path / "emotions.arff.gz")
    shutil.copy(folder / "emotions.xml", tmp_path)
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path))
    with pytest.raises(ReadError, match=r"\(593, 72, 6\).*found \(391, 72, 6\)"):
        load_dataset("emotions")


def test_checksums_are_those_of_the_files(monkeypatch, tmp_path):
    """Downloads whose content is right are read; here the content comes from disk."""
    import gzip

    source = data_file("emotions.arff.gz").parent
    asked = []

    def downloader(url, output_file, pooch):
        name = url.rsplit("/", 1)[1]
        asked.append(name)
        content = (
            (source / name).read_bytes()
            if name.endswith(".xml")
            else gzip.decompress((source / f"{LOCAL.get(name, name)}.gz").read_bytes())
        )
        with open(output_file, "wb") as stream:
            stream.write(content)

    monkeypatch.setattr(module, "_downloader", lambda: downloader)
    monkeypatch.setenv("LABELSIFT_CACHE", str(tmp_path))
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    for known in module.catalog():
        if known.files:
            paths, xml = module._download(known)
            assert all(path.is_file() for path in paths)
            assert (xml is None) == (known.xml is None)
    assert load_dataset("emotions").n_samples == 593
    count = len(asked)
    load_dataset("emotions")
    assert len(asked) == count  # from the cache


def test_xml_is_found_for_parts_of_a_set():
    train = load_dataset(data_file("emotions-train.arff.gz"))
    assert train.n_samples == 391
    assert train.source.endswith("ARFF, labels from emotions.xml")
    sparse = load_dataset(data_file("Corel5k-sparse.arff.gz"))
    assert sparse.n_labels == 374
    given = load_dataset(
        data_file("emotions10-train.arff.gz"), labels=data_file("emotions.xml")
    )
    np.testing.assert_array_equal(given.Y, train.Y)


def test_meka_files_need_no_xml():
    data = load_dataset(data_file("meka-Music.arff.gz"))
    assert (data.n_samples, data.n_features, data.n_labels) == (592, 71, 6)
    assert data.name == "meka-Music"
