"""The one real data set that an installation carries: MULAN's yeast."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from labelsift.read.dataset import Dataset
from labelsift.read.delimited import read_delimited
from labelsift.read.errors import ReadError
from labelsift.read.opener import open_data
from labelsift.read.table import to_dataset

YEAST_CSV_SHA256 = "fd17cb9b53acaaf5e82a9e0795e2667167775915c0e32c1f6fe0fadb0d3bd703"
_LABELS = tuple(f"Class{i}" for i in range(1, 15))
_REMEDY = (
    'Install it with  pip install "labelsift[demo]"  (it comes in the wheel of river '
    "0.26 or later)."
)


def find_yeast() -> Path | None:
    """Return where the yeast file of the installed ``river`` lies, or None.

    ``river`` itself is not imported.
    """
    try:
        spec = importlib.util.find_spec("river")
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "datasets" / "yeast.csv.gz"
        if path.is_file():
            return path
    return None


def load_yeast(path: Path | None = None) -> Dataset:
    """Return MULAN's yeast: 2417 genes, 103 features, 14 functional classes.

    Parameters
    ----------
    path : Path, optional
        The gzip CSV; default: the one in the installed ``river`` wheel.

    Returns
    -------
    Dataset
        Features Att1 to Att103, labels Class1 to Class14.

    Raises
    ------
    ReadError
        If the file is not there, or is not the file that is expected.
    """
    path = path or find_yeast()
    if path is None:
        raise ReadError(f"the embedded data set is not installed. {_REMEDY}", "yeast")
    with open_data(path, 1 << 24) as opened:
        digest = hashlib.sha256()
        while block := opened.stream.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != YEAST_CSV_SHA256:
        raise ReadError(
            f"this is not the yeast file that was expected. {_REMEDY}", str(path)
        )
    with open_data(path, 1 << 24) as opened:
        table = read_delimited(opened.stream, path=str(path))
    return to_dataset(
        table,
        _LABELS,
        path=str(path),
        name="yeast",
        source="MULAN yeast (Elisseeff and Weston 2001), in the wheel of river",
        licence="river: BSD-3-Clause; nothing stated for the data themselves",
    )
