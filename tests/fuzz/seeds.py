"""Files to damage: small ones made here in every format, and real ones cut short."""

import bz2
import gzip
import io
import lzma
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.io import savemat

from fuzz import r_writer as r
from labelsift.read import Dataset
from labelsift.read.save import save_dataset

_MOST_TEXT = 24_000
_REAL_TEXTS = (
    "flags.arff.gz", "solar-flare_1.arff.gz", "sparseDataSet-train.arff.gz",
    "weka-labor.arff.gz", "weka-soybean.arff.gz", "weka-glass.arff.gz",
    "emotions.arff.gz", "yeast-test.arff.gz", "birds-test.arff.gz",
    "enron-test.arff.gz", "medical.arff.gz", "meka-Music-test.arff.gz",
    "meka-solar_flare.arff.gz", "meka-thyroid-L7.arff.gz", "Corel5k-test.arff.gz",
)  # fmt: skip
_REAL_BINARIES = ("lung_small.mat", "colon.mat")
_REAL_XML = ("flags.xml", "birds.xml", "yeast.xml", "emotions.xml")


@dataclass(frozen=True)
class Seed:
    """A file as it should be.

    ``kind`` is the format that ``load_dataset`` is told, or ``"xml"`` or ``"costs"``.
    """

    name: str
    kind: str
    content: bytes
    options: dict = field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        return self.kind in ("arff", "csv", "tsv", "svmlight", "xc", "xml", "costs")


def example(as_sparse=False):
    """Return a table with names in need of quotes, a gap, a nominal column, costs."""
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(12, 5)), 3) * (rng.random((12, 5)) < 0.7)
    X[:, 3] = rng.integers(0, 3, 12)
    Y = (rng.random((12, 3)) < 0.4).astype(np.uint8)
    if as_sparse:
        X, Y = sparse.csr_array(X), sparse.csr_array(Y)
    else:
        X[2, 1] = np.nan
    return Dataset(
        X,
        Y,
        ("size", "has, comma", "löud", "colour", "it's"),
        ("calm", "sad & slow", "50%"),
        (None, None, None, ("red", "sea green", "?!"), None),
        name="made up",
    )


def all_seeds(shared=None):
    """Return the seeds; ``shared`` is a folder of real files, or None."""
    seeds = [*_written(), *_texts(), *_matlab(), *_r_files(), *_packed()]
    return seeds + (_real(Path(shared)) if shared is not None else [])


def _written():
    from tempfile import TemporaryDirectory

    found = []
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for as_sparse in (False, True):
            data = example(as_sparse)
            shape = "sparse" if as_sparse else "dense"
            for ending, kind in (
                (".arff", "arff"), (".csv", "csv"), (".tsv", "tsv"), (".npz", "npz"),
                (".svm", "svmlight"), (".parquet", "parquet"),
            ):  # fmt: skip
                path = Path(folder) / f"{shape}{ending}"
                save_dataset(data, path)
                needs = {"labels": 3} if kind in ("csv", "tsv", "arff") else {}
                found.append(Seed(path.name, kind, path.read_bytes(), needs))
            xml = Path(folder) / f"{shape}.xml"
            found.append(Seed(xml.name, "xml", xml.read_bytes()))
    return found


def _texts():
    comma = b"a;b;y\n1,5;x;0\n2,25;y;1\n;z;1\n"
    numbers = b"1 2 3\n"
    quoted = b'"a ""b""",c,y\r\n1,"two\nlines",no\r\n2,three,yes\r\n'
    wide = ",".join(f"f{i}" for i in range(60)) + ",y\n"
    wide += "".join(
        f"{','.join(str(i * j % 7) for i in range(60))},1\n" for j in (1, 2)
    )
    return [
        Seed("comma.csv", "csv", comma, {"labels": ["y"]}),
        Seed("quoted.csv", "csv", quoted, {"labels": 1}),
        Seed("bare.csv", "csv", b"1.5,2,0\n2.5,3,1\n4,4,1\n", {"labels": 1}),
        Seed(
            "utf16.csv", "csv", "a,ö,y\n1,2,0\n3,4,1\n".encode("utf-16"), {"labels": 1}
        ),
        Seed("wide.csv", "csv", wide.encode(), {"labels": -1}),
        Seed("rows.svm", "svmlight", b"1,3 1:0.5 7:2 # c\n qid:3 2:1\n2 1:-4e3\n"),
        Seed(
            "zero.svm", "svmlight", b"a 0:1\nb 3:2.5\na,b 1:1\n", {"labels": ["a", "b"]}
        ),
        Seed("rows.xc", "xc", b"3 4 2\n0,1 0:1.5 3:2\n 1:1\n1 2:0.25\n"),
        Seed("one.xc", "xc", numbers + b"0 0:1\n"),
        Seed("costs.csv", "costs", b"feature,cost\na,1.5\nb,0\nc,22\n"),
    ]


def _matlab():
    data = example()
    X, Y = np.nan_to_num(data.X), data.Y
    many = {
        "pair": {"X": X, "Y": Y},
        "class": {"fea": X, "gnd": Y[:, [0]] + 1},
        "sparse": {"X": sparse.csc_array(X), "Y": sparse.csc_array(Y.astype(float))},
        "struct": {"data": {"X": X, "Y": Y}},
        "small": {"X": (X > 0), "Y": Y.astype(np.int16)},
    }
    found = []
    for name, variables in many.items():
        for packed in (False, True):
            stream = io.BytesIO()
            savemat(stream, variables, do_compression=packed)
            found.append(Seed(f"{name}-{packed}.mat", "mat", stream.getvalue()))
    stream = io.BytesIO()
    savemat(stream, {"X": X, "Y": Y.astype(float)}, format="4")
    found.append(Seed("four.mat", "mat", stream.getvalue()))
    return [*found, Seed("seven.mat", "mat", _hdf5(X, Y))]


def _hdf5(X, Y):
    import h5py

    stream = io.BytesIO()
    columns = sparse.csc_array(X)
    with h5py.File(stream, "w") as file:
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = X.shape[0]
        for name, part in zip(
            ("data", "ir", "jc"),
            (columns.data, columns.indices, columns.indptr),
            strict=True,
        ):
            group.create_dataset(name, data=part)
        file.create_dataset("Y", data=Y.T, compression="gzip", chunks=(2, 6))
    return stream.getvalue()


def _r_files():
    values = [float(v) for v in range(12)]
    matrix = r.real(values, dim=r.integer([4, 3]))
    factor = {"levels": r.text(["no", "yes"]), "class": r.text(["factor"])}
    y = r.integer([1, 2, 2, 1], **factor)
    rows = {"class": r.text(["data.frame"]), "row.names": r.integer([-(2**31), -4])}
    names = r.text(["a", "b", "y", ".labelcount"])
    columns = [r.real(values[:4]), r.integer([3, 1, 2, 2]), r.integer([0, 1, 1, 0])]
    frame = r.listed([*columns, r.integer([0, 1, 1, 0])], names=names, **rows)
    label_rows = {"class": r.text(["data.frame"]), "row.names": r.text(["y"])}
    index = r.listed([r.integer([3])], names=r.text(["index"]), **label_rows)
    parts = {"names": r.text(["dataset", "labels"]), "class": r.text(["mldr"])}
    pair = r.listed([matrix, y], names=r.text(["x", "y"]))
    return [
        Seed("list.rda", "rdata", r.rda(khan=pair)),
        Seed("mldr.rda", "rdata", r.rda(news=r.listed([frame, index], **parts))),
        Seed("frame.rda", "rdata", r.rda(one=frame), {"labels": ["y"]}),
        Seed("list.rds", "rdata", r.rds(pair)),
    ]


def _packed():
    """Return whole compressed files, to be damaged as they are."""
    data = b"@relation 'x: -C -1'\n@attribute a real\n@attribute y {0,1}\n@data\n"
    data += b"".join(b"%d.5,%d\n" % (i, i % 2) for i in range(60))
    return [
        Seed("x.arff.gz", "arff", gzip.compress(data)),
        Seed("x.arff.bz2", "arff", bz2.compress(data)),
        Seed("x.arff.xz", "arff", lzma.compress(data)),
        Seed("x.arff.gz.gz", "arff", gzip.compress(gzip.compress(data))),
    ]


def _real(shared):
    found = []
    for name in _REAL_TEXTS:
        path = shared / name
        if path.is_file():
            content = _first_rows(gzip.decompress(path.read_bytes()))
            labels = [] if name.startswith(("weka", "solar", "meka-s", "meka-t")) else 2
            options = {} if name.startswith("meka-M") else {"labels": labels}
            found.append(Seed(name[:-3], "arff", content, options))
            if path.stat().st_size < 6000:
                found.append(Seed(name, "arff", path.read_bytes(), options))
    for name in (*_REAL_BINARIES, *_REAL_XML):
        path = shared / name
        if path.is_file():
            kind = "xml" if name.endswith(".xml") else "mat"
            found.append(Seed(name, kind, path.read_bytes()))
    path = shared / "thyroid-test-costs.csv"
    if path.is_file():
        found.append(Seed(path.name, "costs", path.read_bytes()))
    return found


def _first_rows(content):
    """Return some rows of a long file, and not all attributes of a wide one."""
    head, mark, rows = content.partition(b"@data")
    if not mark:
        head, mark, rows = content.partition(b"@DATA")
    room = max(_MOST_TEXT - len(head), 6000)
    kept = rows[:room]
    return head + mark + kept[: kept.rfind(b"\n") + 1]
