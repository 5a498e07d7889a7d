"""Data sets known by name: what was published of them, and where they are had."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
from scipy import sparse

from labelsift.read.catalog_sets import KNOWN_SETS, KnownFile, KnownSet
from labelsift.read.dataset import Dataset, Matrix
from labelsift.read.embedded import find_yeast, load_yeast
from labelsift.read.errors import ReadError
from labelsift.read.opener import COMPRESSED_SUFFIXES

DATA_FOLDER = "LABELSIFT_DATA"
"""Environment variable: a folder with data files of one's own."""

CACHE_FOLDER = "LABELSIFT_CACHE"
"""Environment variable: where downloads are kept instead of the user's cache."""

_TIMEOUT = 20  # seconds without an answer

Read = Callable[..., Dataset]


def catalog() -> tuple[KnownSet, ...]:
    """Return every data set that ``load_dataset`` knows by name.

    Returns
    -------
    tuple of KnownSet
        With the published rows, features, labels and cardinality.
    """
    return tuple(KNOWN_SETS.values())


def known_set(name: object) -> KnownSet | None:
    """Return the set of this name, or None.

    Parameters
    ----------
    name : object
        Any letter case; anything but a str is no name.
    """
    return KNOWN_SETS.get(name.lower()) if isinstance(name, str) else None


def load_known(known: KnownSet, read: Read, split: str | None = None) -> Dataset:
    """Load a data set by name: installed, from one's own folder, or downloaded.

    Parameters
    ----------
    known : KnownSet
        Which.
    read : callable
        ``read(path, xml=..., negative_value=...)`` for one file.
    split : {"train", "test"}, optional
        Only the rows of the published split.

    Returns
    -------
    Dataset
        Checked against the published rows, features and labels.

    Raises
    ------
    ReadError
        If it is nowhere and cannot be downloaded, or is not what was published.
    """
    if split not in (None, "train", "test"):
        raise ValueError(f'split must be "train" or "test"; found {split!r}.')
    if split is not None and known.train_rows is None:
        raise ValueError(f"no split of {known.name!r} is published.")
    if known.name == "yeast" and find_yeast() is not None:
        whole = load_yeast()
    else:
        paths, xml = _locate(known)
        parts = [
            read(path, xml=xml, negative_value=known.negative_value) for path in paths
        ]
        whole = replace(_joined(parts, known.name), name=known.name)
    found = (whole.n_samples, whole.n_features, whole.n_labels)
    if found != known.shape:
        raise ReadError(
            f"expected {known.name!r} to have (rows, features, labels) = "
            f"{known.shape}, as published; found {found}. Is it another version?",
            whole.source,
        )
    if split is None or known.train_rows is None:
        return whole
    is_train = np.zeros(whole.n_samples, dtype=bool)
    is_train[slice(*known.train_rows)] = True
    picked = np.flatnonzero(is_train if split == "train" else ~is_train)
    return replace(whole.take_rows(picked), name=f"{known.name}-{split}")


def _locate(known: KnownSet) -> tuple[list[Path], Path | None]:
    folder = os.environ.get(DATA_FOLDER)
    if folder:
        found = _in_folder(known, Path(folder))
        if found is not None:
            return found
    if not known.files:
        raise ReadError(_remedy(known, "no download of it is verified"), known.name)
    return _download(known)


def _in_folder(known: KnownSet, folder: Path) -> tuple[list[Path], Path | None] | None:
    if not folder.is_dir():
        raise ReadError(
            f"the environment variable {DATA_FOLDER} must name a folder; this "
            f"{'is a file' if folder.exists() else 'does not exist'}.",
            str(folder),
        )
    xml = None
    if known.xml is not None:
        xml = _present(folder, known.xml.name)
        if xml is None:
            return None
    for stem in known.stems:
        for suffix in known.suffixes:
            whole = _present(folder, stem + suffix)
            if whole is not None:
                return [whole], xml
    if known.halves_join:
        halves = [
            _present(folder, f"{known.stems[0]}-{part}.arff")
            for part in ("train", "test")
        ]
        present = [path for path in halves if path is not None]
        if len(present) == 2:
            return present, xml
    return None


def _present(folder: Path, name: str) -> Path | None:
    for ending in ("", *COMPRESSED_SUFFIXES):
        path = folder / f"{name}{ending}"
        if path.is_file():
            return path
    return None


def _download(known: KnownSet) -> tuple[list[Path], Path | None]:
    paths = [_fetch(known, file) for file in known.files]
    return paths, None if known.xml is None else _fetch(known, known.xml)


def _fetch(known: KnownSet, file: KnownFile) -> Path:
    import pooch

    folder = os.environ.get(CACHE_FOLDER) or pooch.os_cache("labelsift")
    reason = ""
    for url in file.urls:
        try:
            path = pooch.retrieve(
                url,
                known_hash=f"sha256:{file.sha256}",
                fname=file.name,
                path=folder,
                downloader=_downloader(),
            )
        # pooch passes on whatever the network library, the disk or its check raise
        except Exception as error:
            text = shorten(str(error), 120, placeholder=" ...")
            reason = f"{type(error).__name__}: {text}"
        else:
            return Path(path)
    raise ReadError(
        _remedy(known, f"it could not be downloaded ({reason})"), known.name
    )


def _downloader() -> Any:
    import pooch

    return pooch.HTTPDownloader(timeout=_TIMEOUT)


def _remedy(known: KnownSet, why: str) -> str:
    names = [f"{known.stems[0]}{known.suffixes[0]}"]
    if known.xml is not None:
        names.append(known.xml.name)
    installed = ""
    if known.name == "yeast":
        installed = "It comes with river: python -m pip install river. Or get "
    return (
        f"the set is known but not on this computer, and {why}. {installed or 'Get '}"
        f"{' and '.join(names)} from {known.home}, put them into a folder, plain or "
        f"packed, and set the environment variable {DATA_FOLDER} to that folder."
    )


def _joined(parts: list[Dataset], name: str) -> Dataset:
    first = parts[0]
    if len(parts) == 1:
        return first
    for other in parts[1:]:
        for what in ("feature_names", "label_names", "categories"):
            if getattr(other, what) != getattr(first, what):
                raise ReadError(
                    f"the parts of {name!r} differ in {what}.", other.source
                )
    return replace(
        first,
        X=_stacked([part.X for part in parts]),
        Y=_stacked([part.Y for part in parts]),
        source=" and ".join(part.source for part in parts),
    )


def _stacked(parts: list[Matrix]) -> Matrix:
    if sparse.issparse(parts[0]):
        return sparse.vstack(parts, format="csr")
    return np.vstack(parts)
