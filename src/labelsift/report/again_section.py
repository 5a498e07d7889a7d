"""Section "Do it again": Python lines, settings, checksum, files to take along."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from scipy import sparse

import labelsift
from labelsift.evaluate.records import Method
from labelsift.evaluate.results import Results
from labelsift.read import Dataset
from labelsift.read.catalog import known_set
from labelsift.report.choice import Contest
from labelsift.report.svg import clean, shorten
from labelsift.report.tables import Table, data_uri, to_csv, to_latex, to_markdown

_TITLES = {
    "stratify": "Stratified",
    "n_repeats": "Repetitions",
    "random_state": "Seed",
    "baseline": "All features measured too",
    "treatment": "Done to the data",
}
_FOR_TREATMENT = (
    ("np.", "import numpy as np"),
    ("dataclasses.", "import dataclasses"),
    ("inject_missing", "from labelsift.encode import inject_missing"),
    ("generate_test_costs", "from labelsift.score.cost import generate_test_costs"),
)
_WIDTH = 76
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


@dataclass(frozen=True)
class Link:
    """One file inside the page."""

    kind: str
    file: str
    uri: str


@dataclass(frozen=True)
class Download:
    """A table as CSV, LaTeX and Markdown; ``note`` says when rows were left out."""

    title: str
    links: tuple[Link, ...]
    note: str


def downloads(
    tables: Sequence[tuple[str, str, Table]], most_bytes: int
) -> list[Download]:
    """Return links for each table, given as title, file name without ending, table.

    ``most_bytes`` is the room for all of them; a file gets its even share, and what
    smaller files leave over. Rows that do not fit are left out and counted.
    """
    sizes = sorted(
        len(make(table)[0].encode())
        for _, _, table in tables
        for make in (to_csv, to_latex, to_markdown)
    )
    room = most_bytes * 3 / 4  # base64 makes 4 bytes of 3
    share = 0.0
    for i, size in enumerate(sizes):
        share = room / (len(sizes) - i)
        if size > share:
            break
        room -= size
        share = size
    return [_download(*each, int(share)) for each in tables]


def _download(title: str, stem: str, table: Table, most_bytes: int) -> Download:
    makers: tuple[tuple[str, str, str, Callable[..., tuple[str, int]]], ...] = (
        ("CSV", "csv", "text/csv", to_csv),
        ("LaTeX", "tex", "application/x-tex", to_latex),
        ("Markdown", "md", "text/markdown", to_markdown),
    )
    links, short = [], []
    for kind, ending, media_type, make in makers:
        text, n_rows = make(table, most_bytes)
        links.append(Link(kind, f"{stem}.{ending}", data_uri(text, media_type)))
        if n_rows < len(table.rows):
            short.append(f"{kind} holds the first {n_rows} of {len(table.rows)} rows")
    return Download(title, tuple(links), f" ({'; '.join(short)})" if short else "")


def checksum(dataset: Dataset) -> str:
    """Return SHA-256 of values, labels and names, whatever file they came from.

    Dense matrices are hashed as little-endian float64 (features) and uint8 (labels) in
    row order; sparse ones as row pointers, column indices and values.
    """
    digest = hashlib.sha256()
    for names in (dataset.feature_names, dataset.label_names):
        for name in names:
            code = name.encode("utf-8", "surrogatepass")
            digest.update(len(code).to_bytes(8, "little") + code)
    for matrix, kind in ((dataset.X, "<f8"), (dataset.Y, "u1")):
        digest.update(repr(tuple(map(int, matrix.shape))).encode())
        if sparse.issparse(matrix):
            rows = sparse.csr_array(matrix)
            rows.sort_indices()
            digest.update(np.ascontiguousarray(rows.indptr, "<i8").tobytes())
            digest.update(np.ascontiguousarray(rows.indices, "<i8").tobytes())
            digest.update(np.ascontiguousarray(rows.data, kind).tobytes())
            continue
        for start in range(0, matrix.shape[0], 1024):
            block = np.ascontiguousarray(matrix[start : start + 1024], kind)
            digest.update(block.tobytes())
    return digest.hexdigest()


def python_lines(dataset: Dataset, results: Results, best: Contest) -> str:
    """Return lines that load the data, measure again, and keep the chosen features."""
    methods = [*results.classifiers.values(), *results.selectors.values()]
    imports = {"from labelsift import load_dataset"}
    imports.add("from labelsift.evaluate import cross_validate")
    for method in methods:
        imports |= {import_line(one) for one in (method.estimator, *method.parts)}
    chosen = results.selectors[best.selector]
    treatment = results.settings.get("treatment_lines", [])
    imports |= {line for word, line in _FOR_TREATMENT if word in "\n".join(treatment)}
    lines = [
        *sorted(imports),
        "",
        load_line(dataset),
        *treatment,
        "results = cross_validate(",
        *_dictionary(results.selectors),
        *_dictionary(results.classifiers),
        "    data,",
        *_arguments(results),
        ")",
        *_keeping(chosen, best, best.selector in results.own_size),
    ]
    return "\n".join(clean(line) if line else "" for line in lines)


def _keeping(chosen: Method, best: Contest, is_own_size: bool) -> list[str]:
    """Return lines that fit the chosen method and keep its features."""
    start, last = f"selector = {chosen.text}", "selector"
    fit = "selector.fit(data.X, data.Y)"
    if chosen.estimator == "sklearn.pipeline.Pipeline":
        last = "selector[-1]"  # the steps before it keep the columns as they are
    if is_own_size:
        kept = f"{last}.get_support(indices=True)"
        return [start, fit, f"kept = data.take_features({kept})"]
    size = f"{last}.set_params(n_features_to_select={best.size})"
    kept = f"{last}.order_[:{best.size}]"
    return [start, size, fit, f"kept = data.take_features({kept})"]


def load_line(dataset: Dataset) -> str:
    """Return the line that reads a data set again, as far as it tells how."""
    if dataset.loaded:
        return f"data = {dataset.loaded}"
    known = known_set(dataset.name)
    shape = (dataset.n_samples, dataset.n_features, dataset.n_labels)
    if dataset.name == "yeast" or (known is not None and known.shape == shape):
        return f"data = load_dataset({dataset.name!r})"
    return f"data = ...  # {' '.join(dataset.name.split())}, as it was given"


def argument_lines(name: str, value: Any) -> list[str]:
    """Return the lines of one argument; only lists break, between their items."""
    text = repr(value) if isinstance(value, str) else " ".join(repr(value).split())
    pieces = [f"{name}={text},"]
    if isinstance(value, list) and value:
        pieces = [f"{item!r}," for item in value]
        pieces[0] = f"{name}=[{pieces[0]}"
        pieces[-1] = f"{pieces[-1][:-1]}],"
    lines = [f"    {pieces[0]}"]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) <= _WIDTH:
            lines[-1] += f" {piece}"
        else:
            lines.append(f"        {piece}")
    return lines


def import_line(estimator: str) -> str:
    """Return the line that imports an estimator from where it is public."""
    module, _, name = estimator.rpartition(".")
    # labelsift's estimators and scikit-learn's are public one level up
    parts = module.split(".")
    public = [part for part in parts if not part.startswith("_")]
    if parts[0] == "labelsift":
        public = public[:2]
    return f"from {'.'.join(public)} import {name}"


def _dictionary(methods: dict[str, Any], most: int = 12) -> list[str]:
    shown = list(methods.items())[:most]
    lines = [f"        {name!r}: {method.text}," for name, method in shown]
    if len(methods) > most:
        lines.append(f"        # and {len(methods) - most} more, listed below")
    return ["    {", *lines, "    },"]


def _arguments(results: Results) -> list[str]:
    settings = results.settings
    n_repeats = len({fold.repeat for fold in results.folds})
    pairs: dict[str, Any] = {
        "grid": _grid(results),
        "cv": len(results.folds) // n_repeats,
        "n_repeats": n_repeats,
        "stratify": settings.get("stratify", False),
        "metrics": list(results.metrics),
        "random_state": settings.get("random_state"),
        "baseline": results.has_baseline,
    }
    if results.own_size:
        pairs["own_size"] = list(results.own_size)
    how = str(settings.get("splits", ""))
    lines = []
    if not how.endswith((" shuffled folds", " iterative-stratified folds")):
        lines.append(f"    # the splits were: {how or 'not recorded'}")
    for name, value in pairs.items():
        lines += argument_lines(name, value)
    return lines


def _grid(results: Results) -> Any:
    """Return the sizes tried, for each classifier where they differ."""
    by_prefix = [s for s in results.selectors if s not in results.own_size]
    if not by_prefix:
        return None
    found: dict[str, Any] = {}
    for classifier in results.classifiers:
        sizes = results.sizes_of(by_prefix[0], classifier)
        is_all = sizes == tuple(range(1, results.n_features + 1))
        found[classifier] = "all" if is_all else list(sizes)
    kinds = list(found.values())
    return kinds[0] if all(kind == kinds[0] for kind in kinds) else found


def settings_list(dataset: Dataset, results: Results) -> list[tuple[str, str]]:
    """Return pairs of what was set and to what, data and versions included."""
    pairs = [("Data", dataset.source or dataset.name)]
    if dataset.licence:
        pairs.append(("Licence of the data", dataset.licence))
    pairs.append(("SHA-256 of values and names", checksum(dataset)))
    pairs += _methods("Selector", results.selectors)
    pairs += _methods("Classifier", results.classifiers)
    settings = dict(results.settings)
    known = settings.pop("versions", None)
    settings.pop("treatment_lines", None)
    pairs += [
        (_TITLES.get(key, key.replace("_", " ").capitalize()), _text(value))
        for key, value in settings.items()
    ]
    used = known if isinstance(known, dict) else versions()
    pairs.append(("Versions", ", ".join(f"{k} {v}" for k, v in used.items())))
    return [(clean(key), shorten(text, 500)) for key, text in pairs]


def _methods(kind: str, methods: dict[str, Any]) -> list[tuple[str, str]]:
    shown = [
        (f"{kind} {shorten(name, 60)}", method.text)
        for name, method in list(methods.items())[:30]
    ]
    if len(methods) > len(shown):
        shown.append((f"{kind}s left out", str(len(methods) - len(shown))))
    return shown


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_text(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of what computes."""
    found = {"labelsift": labelsift.__version__, "Python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
