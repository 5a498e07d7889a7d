import numpy as np
import pytest
import scipy.io

from labelsift import ReadError, load_dataset
from labelsift.read import catalog as module
from labelsift.read.catalog import catalog, known_set


@pytest.fixture
def refused(monkeypatch, tmp_path):
    """No network: every download is refused, and counted."""
    tried = []

    def downloader(url, output_file, pooch):
        tried.append(url)
        raise ConnectionError("refused")

    monkeypatch.setattr(module, "_downloader", lambda: downloader)
    monkeypatch.setenv("LABELSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    return tried


def test_the_table_is_consistent():
    names = [known.name for known in catalog()]
    assert len(set(names)) == len(names)
    assert {"emotions", "yeast", "scene", "birds", "medical", "enron"} <= set(names)
    for known in catalog():
        assert 0 < known.cardinality < known.n_labels
        for file in known.files:
            assert len(file.sha256) == 64
            assert all(url.startswith("https://") for url in file.urls)
        if known.train_rows is not None:
            assert 0 <= known.train_rows[0] < known.train_rows[1] <= known.n_samples
    assert known_set("Emotions").name == "emotions"
    assert known_set(3) is None


def test_offline_says_what_to_do(refused):
    with pytest.raises(ReadError) as caught:
        load_dataset("emotions")
    text = str(caught.value)
    assert "could not be downloaded (ConnectionError: refused)" in text
    assert "emotions.arff and emotions.xml" in text
    assert "LABELSIFT_DATA" in text
    assert refused


def test_a_set_without_checksum_is_never_downloaded(refused):
    with pytest.raises(
        ReadError, match=r"no download of it is verified.*mediamill\.arff"
    ):
        load_dataset("mediamill")
    assert not refused


def test_a_set_with_classes_may_be_any_table(monkeypatch, tmp_path):
    known = known_set("GCM")
    assert known.shape == (190, 16063, 14)
    small = module.KnownSet(
        "gcm", 4, 2, 3, 1.0, known.home, known.stems, suffixes=known.suffixes
    )
    monkeypatch.setitem(module.KNOWN_SETS, "gcm", small)
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path))
    with pytest.raises(ReadError, match=r"Get GCM\.mat from the data of Tan"):
        load_dataset("gcm")
    X, Y = [[0, 1], [1, 0], [2, 5], [3, 4]], np.eye(3)[[0, 1, 2, 0]]
    load_dataset((X, Y)).save(tmp_path / "gcm.npz")
    assert load_dataset("gcm").Y.tolist() == Y.tolist()
    scipy.io.savemat(tmp_path / "GCM.mat", {"X": X[::-1], "Y": [[1], [3], [2], [1]]})
    found = load_dataset("gcm")  # the first of the endings wins
    assert found.X.tolist() == X[::-1]
    assert (found.name, found.Y.sum(axis=0).tolist()) == ("gcm", [2, 1, 1])


def test_other_content_than_the_checksum_is_refused(monkeypatch, tmp_path):
    def downloader(url, output_file, pooch):
        with open(output_file, "wb") as stream:
            stream.write(b"version https://git-lfs.github.com/spec/v1\n")

    monkeypatch.setattr(module, "_downloader", lambda: downloader)
    monkeypatch.setenv("LABELSIFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    with pytest.raises(ReadError, match=r"could not be downloaded .*hash"):
        load_dataset("emotions")


def test_a_data_folder_that_is_not_there_is_named(monkeypatch, refused, tmp_path):
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path / "none"))
    with pytest.raises(ReadError, match="LABELSIFT_DATA must name a folder; this does"):
        load_dataset("emotions")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path / "file"))
    with pytest.raises(ReadError, match="LABELSIFT_DATA must name a folder; this is a"):
        load_dataset("emotions")


def test_yeast_says_that_it_can_be_installed(monkeypatch, refused):
    monkeypatch.setattr(module, "find_yeast", lambda: None)
    with pytest.raises(ReadError, match=r"pip install river\. Or get yeast\.arff and"):
        load_dataset("yeast")
    with pytest.raises(ReadError) as caught:
        load_dataset("emotions")
    assert "river" not in str(caught.value)


def test_the_split_of_the_embedded_set():
    train, test = (load_dataset("yeast", split=s) for s in ("train", "test"))
    assert (train.n_samples, test.n_samples) == (1500, 917)
    assert train.Y.sum() / 1500 == pytest.approx(4.2280)  # published with the split
    assert test.Y.sum() / 917 == pytest.approx(4.2519, abs=5e-5)
    assert test.name == "yeast-test"
    with pytest.raises(ValueError, match='"train" or "test"'):
        load_dataset("yeast", split="all")
    with pytest.raises(ValueError, match="no split"):
        load_dataset("flags", split="train")


def test_a_file_of_the_same_name_wins(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "yeast").write_text("a,y\n1,0\n")
    assert load_dataset("yeast", labels=1).n_samples == 1
