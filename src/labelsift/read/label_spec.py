"""Which columns are labels: a MULAN XML, a MEKA relation, names or a count."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from numbers import Integral
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn
from xml.parsers import expat

from labelsift.read.arff_text import repeated, shown, unescape
from labelsift.read.errors import ReadError
from labelsift.read.opener import split_name

LabelSpec = Sequence[str] | str | int | None
LABELS_NAMESPACE = "http://mulan.sourceforge.net/labels"
_COUNT = re.compile(r"(?:^|[\s:])-C\s+(-?\d{1,9})(?=\s|$)")
_RANDOM = re.compile(r"(?:^|[\s:])-R(?=\s|$)")
_SPLIT = re.compile(r"(?:^|[\s:])-split-number\s+(\d{1,9})(?=\s|$)")
_PARTS = ("-train", "-test", "-sparse", "_train", "_test")


class MekaOptions(NamedTuple):
    """What MEKA writes into the relation of a file.

    ``n_labels`` labels stand first, or last when it is negative; ``None`` where the
    relation does not say. ``shuffle`` (``-R``) and ``split_number`` (training rows at
    the start) ask MEKA's own evaluation for something; the rows are read as they are.
    ``filtered`` tells that Weka filters ran after the options were written, so that
    the count may be out of date.
    """

    name: str
    n_labels: int | None
    shuffle: bool
    split_number: int | None
    filtered: bool


def meka_options(relation: str) -> MekaOptions:
    """Return the options in a relation such as ``Yeast: -C 14 -split-number 1500``.

    The first ``-C`` counts, as in MEKA.
    """
    match = _COUNT.search(relation)
    count = int(match[1]) if match else None
    split = _SPLIT.search(relation)
    name = relation
    if match:
        name = relation[: match.start()].rstrip().removesuffix(":").rstrip()
    return MekaOptions(
        name=name,
        n_labels=count or None,
        shuffle=_RANDOM.search(relation) is not None,
        split_number=int(split[1]) if split else None,
        filtered=match is not None and "weka.filters" in relation[match.end() :],
    )


def xml_beside(path: Path) -> Path | None:
    """Return emotions.xml for emotions-train.arff.gz, Corel5k.xml for its sparse form.

    Parameters
    ----------
    path : Path
        The data file.
    """
    stem, _ = split_name(path.name)
    stems = [stem]
    for _ in _PARTS:
        ending = next((e for e in _PARTS if stem.lower().endswith(e)), None)
        if ending is None:
            break
        stem = stem[: -len(ending)]
        stems.append(stem)
    beside = (path.with_name(f"{candidate}.xml") for candidate in stems if candidate)
    return next((xml for xml in beside if xml.is_file()), None)


def label_names_from_xml(
    source: str | PathLike[str] | BinaryIO, *, path: str | None = None
) -> list[str]:
    """Return the label names of a MULAN XML file, in the order of the file.

    Labels may be nested to any depth: every ``<label name="...">`` counts. Entities
    cannot be declared, so a small file stays small and nothing else is opened.

    Parameters
    ----------
    source : path or binary file
    path : str, optional
        The name that errors give to a stream.

    Raises
    ------
    ReadError
        If the file is missing, not well-formed, or not a list of labels.
    """
    if isinstance(source, str | PathLike):
        path = fspath(source)
        try:
            content = Path(source).read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise ReadError(f"cannot open the label file: {reason}.", path) from error
    else:
        content = source.read()
        path = path or str(getattr(source, "name", "labels.xml"))
    names = _XmlLabels(path).parse(content)
    if not names:
        raise ReadError('expected <label name="..."> elements, found none.', path)
    twice = repeated(names)
    if twice is not None:
        raise ReadError(f"label {shown(twice)} is listed twice.", path)
    return names


class _XmlLabels:
    """Collects the labels while expat walks through the file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def parse(self, content: bytes) -> list[str]:
        try:
            return self.run(content, None)
        except expat.ExpatError as error:
            if (
                not content.lstrip().startswith(b"<?xml")
                or b"encoding" not in (content[:200].partition(b"?>")[0])
            ):
                try:
                    content.decode("utf-8")
                except UnicodeDecodeError:
                    return self.parse_latin(content)
            self.refuse(error)

    def parse_latin(self, content: bytes) -> list[str]:
        try:
            return self.run(content, "iso-8859-1")
        except expat.ExpatError as error:
            self.refuse(error)

    def refuse(self, error: expat.ExpatError) -> NoReturn:
        reason = expat.ErrorString(error.code)
        raise ReadError(
            f"not well-formed XML: {reason}.", self.path, error.lineno
        ) from error

    def run(self, content: bytes, encoding: str | None) -> list[str]:
        names: list[str] = []
        parser = expat.ParserCreate(encoding, namespace_separator=" ")
        first = True

        def fail(message: str) -> NoReturn:
            raise ReadError(message, self.path, parser.CurrentLineNumber)

        def start(tag: str, attributes: dict[str, str]) -> None:
            nonlocal first
            local = tag.rpartition(" ")[2]
            if first and local != "labels":
                fail(f"expected the root element <labels>, found <{local}>.")
            if not first and local == "label":
                if "name" not in attributes:
                    fail("expected a name attribute in <label>, found none.")
                names.append(attributes["name"])
            first = False

        def entity(*_: object) -> int:
            fail("entity declarations are refused; write the names out.")

        parser.StartElementHandler = start
        parser.EntityDeclHandler = entity
        parser.ExternalEntityRefHandler = entity
        try:
            parser.Parse(content, True)
        except (ReadError, expat.ExpatError):
            raise
        except (LookupError, ValueError) as error:  # of an encoding
            raise ReadError(f"cannot decode the XML: {error}.", self.path) from error
        return names


def choose_labels(
    names: Sequence[str],
    labels: LabelSpec,
    *,
    xml_names: Iterable[str] | None,
    meka: MekaOptions | None,
    raw_names: Sequence[str] | None = None,
    path: str | None = None,
) -> list[int]:
    """Return the columns that are labels, ascending: the file decides their order.

    ``labels`` wins over the XML, and the XML over the relation.

    Parameters
    ----------
    names : sequence of str
        All columns of the file.
    labels : sequence of str, str, int or None
        Names; or how many columns at the end, or at the start when negative. An empty
        list reads every column as a feature.
    xml_names : iterable of str or None
        Names from a MULAN XML.
    meka : MekaOptions or None
        Options of the relation.
    raw_names : sequence of str, optional
        The names as written, with their escapes; tried where ``names`` do not match.

    Raises
    ------
    TypeError
        If ``labels`` is none of these.
    ReadError
        If a name is not in the file, or nothing says which columns are labels.
    """
    total = len(names)
    if isinstance(labels, str):
        labels = [labels]
    if isinstance(labels, bool) or not (
        labels is None or isinstance(labels, Integral | Iterable)
    ):
        raise TypeError(
            f"labels must be names, a count or None; found {type(labels).__name__}."
        )
    if isinstance(labels, Integral):
        if labels == 0:
            raise ValueError("labels=0 names no column; labels=[] reads no label.")
        return _counted(-int(labels), total, f"labels={labels}", path)
    if labels is not None:
        wanted = list(labels)
        if not all(isinstance(name, str) for name in wanted):
            raise TypeError("labels must hold names only; a count stands alone.")
        return _named(wanted, names, raw_names, "labels=", path)
    if xml_names is not None:
        return _named(list(xml_names), names, raw_names, "the label XML", path)
    if meka is not None and meka.n_labels is not None:
        return _counted(
            meka.n_labels, total, f"-C {meka.n_labels} in the relation", path
        )
    raise ReadError(
        "nothing says which columns are labels: give labels= (names, or a count at the "
        "end, negative at the start) or a MULAN XML file beside the data.",
        path,
    )


def _counted(count: int, total: int, source: str, path: str | None) -> list[int]:
    """Return the first ``count`` columns, or the last where it is negative."""
    if abs(count) >= total:
        raise ReadError(
            f"{source} asks for {abs(count)} labels, but the file has {total} columns "
            "and at least one must be a feature.",
            path,
        )
    return list(range(count)) if count > 0 else list(range(total + count, total))


def _named(
    wanted: list[str],
    names: Sequence[str],
    raw_names: Sequence[str] | None,
    source: str,
    path: str | None,
) -> list[int]:
    place = {name: i for i, name in enumerate(names)}
    raw = {name: i for i, name in enumerate(raw_names or ())}
    chosen: dict[int, str] = {}
    missing: list[str] = []
    for name in wanted:
        at = place.get(name, raw.get(name))
        if at is None:
            at = place.get(_bare(name))
        if at is None:
            missing.append(name)
        elif at in chosen:
            raise ReadError(f"{source} names label {shown(name)} twice.", path)
        else:
            chosen[at] = name
    if missing:
        close = difflib.get_close_matches(missing[0], list(names)[:20000], n=1)
        hint = f"; did you mean {shown(close[0])}?" if close else "."
        others = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ReadError(
            f"{source} names {shown(missing[0])}{others}, but the file has no such "
            f"column{hint}",
            path,
        )
    if chosen and len(chosen) == len(names):
        raise ReadError(f"{source} makes every column a label; no feature left.", path)
    return sorted(chosen)


def _bare(name: str) -> str:
    """Return a name without the quotes and escapes that ARFF would need."""
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "'\"":
        name = name[1:-1]
    return unescape(name)
