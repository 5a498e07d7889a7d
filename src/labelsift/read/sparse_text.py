"""Read and write svmlight rows."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import inf, isinf
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

from labelsift._whole_numbers import EXACT
from labelsift._words import counted
from labelsift.read.dataset import Dataset, Matrix
from labelsift.read.errors import ReadError
from labelsift.read.facts import dataset_from, dump_facts, parse_facts
from labelsift.read.matrices import NAME_BYTES
from labelsift.read.numbered_names import numbered
from labelsift.read.rounding import refuse_texts

FACTS = "# labelsift "
LARGEST_INDEX = 2**31 - 1


def read_svmlight(
    stream: BinaryIO,
    *,
    path: str,
    name: str,
    source: str,
    max_bytes: int,
    labels: Sequence[str] | None = None,
    zero_based: bool | None = None,
    n_features: int | None = None,
) -> Dataset:
    """Read ``label,label index:value ...`` rows.

    Parameters
    ----------
    stream : BinaryIO
        The text; what follows ``#`` and ``qid:`` pairs is left out; a row may have no
        label.
    path, name, source : str
        For messages and for the data set.
    max_bytes : int
        Most bytes that the names of the features may take; bounds a stray index.
    labels : sequence of str, optional
        All labels, in order; default: those found, whole numbers in numeric order.
    zero_based : bool, optional
        Whether the first index is 0; default: if 0 occurs.
    n_features : int, optional
        Number of features; default: up to the largest index.

    Returns
    -------
    Dataset
        X and Y in CSR form. Features are named after their index in the file.

    Raises
    ------
    ReadError
        If a row is not in that form, or an index repeats or is out of range.
    """
    rows = SparseRows(path, text_labels=True)
    facts: dict[str, Any] | None = None
    for number, line in text_lines(stream):
        if number == 1 and line.startswith(FACTS):
            facts = parse_facts(line[len(FACTS) :], path)
            continue
        body = line.partition("#")[0]
        if body.strip():
            rows.add(body, number)
    if not len(rows):
        raise ReadError("there are no rows of data.", path)
    if facts is not None and labels is None and zero_based is None:
        d = len(facts["feature_names"])
        X = rows.features(0, d, f"the description names {counted(d, 'feature')}")
        Y = rows.labels([str(k) for k in range(len(facts["label_names"]))])
        return dataset_from(X, Y, facts, path)
    lowest, highest = rows.index_range()
    if zero_based is None:
        zero_based = lowest == 0
    first = 0 if zero_based else 1
    d = highest + 1 - first if n_features is None else n_features
    if d < 1:
        raise ReadError("no row has a feature.", path)
    refuse_wide(d, max_bytes, path)
    X = rows.features(first, d, f"{counted(d, 'feature')} from index {first}")
    names = rows.label_names() if labels is None else [str(label) for label in labels]
    if not names:
        raise ReadError("no row has a label.", path)
    described = {
        "feature_names": numbered("feature", d, first),
        "label_names": names,
        "name": name,
        "source": source,
    }
    return dataset_from(X, rows.labels(names), described, path)


def write_svmlight(dataset: Dataset, stream: BinaryIO) -> None:
    """Write zero-based rows under a comment that names features and labels.

    Parameters
    ----------
    dataset : Dataset
        What to write; numbers keep their bits, zeros are left out.
    stream : BinaryIO
        Where to.
    """
    X, Y = sparse.csr_array(dataset.X), sparse.csr_array(dataset.Y)
    stream.write(f"{FACTS}{dump_facts(dataset)}\n".encode())
    for i in range(dataset.n_samples):
        labels = ",".join(map(str, Y.indices[Y.indptr[i] : Y.indptr[i + 1]].tolist()))
        span = slice(X.indptr[i], X.indptr[i + 1])
        pairs = zip(X.indices[span].tolist(), X.data[span].tolist(), strict=True)
        row = " ".join(f"{j}:{float(value)!r}" for j, value in pairs if value != 0)
        # a row without anything would read as a blank line
        stream.write(f"{labels} {row or '0:0'}\n".encode())


class SparseRows:
    """Collects rows of ``label,label index:value ...``.

    Parameters
    ----------
    path : str
        For messages.
    text_labels : bool
        Whether labels may be any text rather than numbers from 0.
    """

    def __init__(self, path: str, *, text_labels: bool) -> None:
        self.path, self.text_labels = path, text_labels
        self.line_of = array("q")
        self.indices, self.values, self.ends = array("q"), array("d"), array("q", [0])
        self.label_codes, self.label_ends = array("q"), array("q", [0])
        self.codes: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.line_of)

    def add(self, line: str, number: int) -> None:
        """Take a line of text."""
        head, rest = "", line
        if not line[:1].isspace():
            parts = line.split(None, 1)
            if parts and ":" not in parts[0]:
                head, rest = parts[0], parts[1] if len(parts) == 2 else ""
        if "qid:" in rest:
            rest = " ".join(t for t in rest.split() if not t.startswith("qid:"))
        tokens = rest.replace(":", " : ").split()
        if len(tokens) % 3 or tokens[1::3].count(":") != len(tokens) // 3:
            bad = next((t for t in rest.split() if t.count(":") != 1), rest.strip())
            raise ReadError(
                f"expected index:value pairs; found {bad[:60]!r}.", self.path, number
            )
        try:
            found = list(map(int, tokens[::3]))
            values = list(map(float, tokens[2::3]))
            if "_" in rest:  # int("1_0") is 10
                raise ValueError
        except ValueError:
            raise self._bad_pair(rest, number) from None
        if inf in values or -inf in values:
            self._refuse_too_large(tokens[2::3], number)
        if values and not -EXACT < min(values) <= max(values) < EXACT:
            refuse_texts(found, tokens[2::3], self.path, number)
        if found and not 0 <= min(found) <= max(found) <= LARGEST_INDEX:
            raise ReadError(
                f"expected indices from 0 to {LARGEST_INDEX}; found "
                f"{min(found) if min(found) < 0 else max(found)}.",
                self.path,
                number,
            )
        if len(set(found)) < len(found):
            ordered = sorted(found)
            twice = next(a for a, b in pairwise(ordered) if a == b)
            raise ReadError(f"index {twice} occurs twice.", self.path, number)
        self.indices.extend(found)
        self.values.extend(values)
        self.ends.append(len(self.indices))
        if head:
            self._add_labels(head, number)
        self.label_ends.append(len(self.label_codes))
        self.line_of.append(number)

    def _add_labels(self, head: str, number: int) -> None:
        texts = head.split(",")
        if "" in texts:
            raise ReadError(f"a label is empty in {head[:60]!r}.", self.path, number)
        if self.text_labels:
            texts = [_plain_label(text) for text in texts]
            codes = [self.codes.setdefault(text, len(self.codes)) for text in texts]
        else:
            try:
                codes = [int(text) for text in texts]
            except ValueError:
                raise ReadError(
                    f"expected label numbers parted by commas; found {head[:60]!r}.",
                    self.path,
                    number,
                ) from None
            if not 0 <= min(codes) <= max(codes) <= LARGEST_INDEX:
                raise ReadError(
                    f"label out of range in {head[:60]!r}.", self.path, number
                )
        if len(set(codes)) < len(codes):
            raise ReadError(f"a label repeats in {head[:60]!r}.", self.path, number)
        self.label_codes.extend(codes)

    def _refuse_too_large(self, texts: list[str], number: int) -> None:
        for text in texts:
            if isinf(float(text)) and "inf" not in text.lower():
                raise ReadError(
                    f"{text!r} is too large for a number.", self.path, number
                )

    def _bad_pair(self, rest: str, number: int) -> ReadError:
        for pair in rest.split():
            index, _, value = pair.partition(":")
            try:
                int(index), float(value)
                fine = "_" not in pair
            except ValueError:
                fine = False
            if not fine:
                break
        return ReadError(
            f"expected whole-number:number; found {pair[:60]!r}.", self.path, number
        )

    def index_range(self) -> tuple[int, int]:
        """Return the smallest and the largest index, 0 and -1 without any."""
        if not self.indices:
            return 0, -1
        found = np.frombuffer(self.indices, dtype=np.int64)
        return int(found.min()), int(found.max())

    def features(self, first: int, d: int, said: str) -> Matrix:
        """Return X of ``d`` columns whose indices start with ``first``."""
        indices = np.frombuffer(self.indices, dtype=np.int64) - first
        bad = (indices < 0) | (indices >= d)
        if bad.any():
            raise self._out_of_range(int(np.argmax(bad)), self.indices, self.ends, said)
        data = np.frombuffer(self.values, dtype=np.float64)
        X = _csr(data.copy(), indices, self.ends, d)
        X.eliminate_zeros()
        return X

    def label_names(self) -> list[str]:
        """Return the labels found, whole numbers in numeric order."""
        return sorted_names(self.codes)

    def labels(self, names: list[str]) -> Matrix:
        """Return Y with these labels as columns."""
        place = {name: k for k, name in enumerate(names)}
        unknown = next((text for text in self.codes if text not in place), None)
        if unknown is not None:
            at = self.label_codes.index(self.codes[unknown])
            row = int(
                np.searchsorted(np.frombuffer(self.label_ends, np.int64), at, "right")
            )
            raise ReadError(
                f"label {unknown!r} is not among the {len(names)} labels listed.",
                self.path,
                self.line_of[row - 1],
            )
        position = np.array([place[text] for text in self.codes], dtype=np.int64)
        codes = np.frombuffer(self.label_codes, dtype=np.int64)
        return self._zero_one(position[codes] if len(codes) else codes, len(names))

    def label_matrix(self, q: int) -> Matrix:
        """Return Y of labels that are numbers below ``q``."""
        codes = np.frombuffer(self.label_codes, dtype=np.int64)
        if (codes >= q).any():
            raise self._out_of_range(
                int(np.argmax(codes >= q)), self.label_codes, self.label_ends,
                f"the first line says {counted(q, 'label')}, from 0",
            )  # fmt: skip
        return self._zero_one(codes, q)

    def _zero_one(self, codes: np.ndarray[Any, Any], q: int) -> Matrix:
        return _csr(np.ones(len(codes), dtype=np.uint8), codes, self.label_ends, q)

    def _out_of_range(self, at: int, found: Any, ends: Any, said: str) -> ReadError:
        row = int(np.searchsorted(np.frombuffer(ends, np.int64), at, "right")) - 1
        return ReadError(
            f"{found[at]} is out of range: {said}.", self.path, self.line_of[row]
        )


def sorted_names(texts: Iterable[str]) -> list[str]:
    """Return labels in order, whole numbers in numeric order."""
    try:
        return sorted(texts, key=int)
    except ValueError:
        return sorted(texts)


def _csr(data: Any, indices: Any, ends: Any, width: int) -> Matrix:
    ends = np.frombuffer(ends, dtype=np.int64)
    small = np.int32 if max(width, int(ends[-1])) <= LARGEST_INDEX else np.int64
    matrix = sparse.csr_array(
        (data, indices.astype(small), ends.astype(small)), shape=(len(ends) - 1, width)
    )
    matrix.sort_indices()
    return matrix


def text_lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line."""
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
    return enumerate(text, 1)


def _plain_label(text: str) -> str:
    """Return ``3`` for ``3.0`` and ``+3``: other tools write classes as floats."""
    try:
        number = float(text)
        if number == int(number) and "_" not in text:
            return str(int(number))
    except (ValueError, OverflowError):
        pass
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def refuse_wide(width: int, max_bytes: int, path: str) -> None:
    """Refuse more columns than their names may take room."""
    if width * NAME_BYTES > max_bytes:
        raise ReadError(
            f"{width} columns would take {width * NAME_BYTES} bytes for their names "
            f"alone, more than the limit of {max_bytes}; if the file is honest, allow "
            "more with max_bytes=.",
            path,
        )
