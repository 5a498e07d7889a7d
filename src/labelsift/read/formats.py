"""Which format a file has, by its name and by its first bytes."""

from __future__ import annotations

import re

from labelsift.read.errors import ReadError

FORMATS = (
    "arff", "csv", "tsv", "parquet", "npz", "mat", "svmlight", "xc", "rdata",
)  # fmt: skip
"""Names that ``format=`` takes."""

_BY_SUFFIX = {
    ".arff": "arff",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".npz": "npz",
    ".mat": "mat",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".xc": "xc",
    ".rda": "rdata",
    ".rdata": "rdata",
    ".rds": "rdata",
}
_BY_MAGIC = (
    (b"PK\x03\x04", "npz"),
    (b"PK\x05\x06", "npz"),
    (b"PAR1", "parquet"),
    (b"\x89HDF\r\n\x1a\n", "mat"),
    (b"MATLAB 5.0 MAT-file", "mat"),
    (b"MATLAB 7.3 MAT-file", "mat"),
    (b"RDX", "rdata"),
    (b"RDA", "rdata"),
    (b"X\n\x00\x00\x00", "rdata"),
)
_FOREIGN = (
    (b"%PDF", "a PDF document"),
    (b"<?xml", "an XML file; name the data file, and this one with xml="),
    (b"<labels", "an XML file; name the data file, and this one with xml="),
    (b"<!DOCTYPE html", "a web page; the download went wrong"),
    (b"<html", "a web page; the download went wrong"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the file it stands for"),
    (b"\x80\x04\x95", "a Python pickle, which is not safe to load; save as .npz"),
    (b"\x93NUMPY", "one bare array; save X and Y together with numpy.savez"),
)
_ARFF = re.compile(rb"^[ \t]*@relation\b", re.IGNORECASE | re.MULTILINE)
_EXTREME = re.compile(r"\s*\d+[ \t]+\d+[ \t]+\d+[ \t]*$")
_PAIRS = re.compile(r"(\S*[^\s:])?(\s+(qid:\d+|\d+:\S+))+\s*$|\d+:\S+(\s+\d+:\S+)*\s*$")


def format_of(suffix: str, head: bytes, path: str, asked: str | None = None) -> str:
    """Return the format of a file, one of ``FORMATS``.

    Parameters
    ----------
    suffix : str
        Its name's ending in lower case, without compression.
    head : bytes
        The first bytes, decompressed.
    path : str
        For messages.
    asked : str, optional
        What the user says; believed.

    Raises
    ------
    ReadError
        If the content is binary and of no known format.
    ValueError
        If ``asked`` is not known.
    """
    if asked is not None:
        if asked not in FORMATS:
            raise ValueError(f"format={asked!r} is not one of {', '.join(FORMATS)}.")
        return asked
    for magic, found in _BY_MAGIC:
        if head.startswith(magic):
            return found
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, what in _FOREIGN:
        if start[: len(magic)].lower() == magic.lower():
            raise ReadError(f"this is {what}.", path)
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(
            f"binary content of no known format; known are {', '.join(FORMATS)} "
            "(say which with format=).",
            path,
        )
    if _ARFF.search(head):
        return "arff"
    lines = head.decode("latin-1").splitlines() or [""]
    first = next((x for x in lines if x.strip() and not x.startswith("#")), "")
    if _EXTREME.match(first):
        return "xc"
    return "svmlight" if _PAIRS.match(first.partition("#")[0]) else "csv"
