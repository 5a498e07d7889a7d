"""Tables that the golden values were measured on, read by the simplest means."""

import csv
import gzip
import re

import numpy as np
from scipy.io import loadmat

from shared_data import data_file

ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\S+)\s+(.*)", re.IGNORECASE)


def weka_table(name):
    """Read a sample file of Weka; return X, class codes and which features are nominal.

    Missing values are NaN.
    """
    domains, rows, in_data = [], [], False
    with gzip.open(data_file(f"weka-{name}.arff.gz"), "rt") as lines:
        for line in (text.strip() for text in lines):
            if not line or line.startswith("%"):
                continue
            if in_data:
                rows.append(_cells(line))
            elif found := ATTRIBUTE.match(line):
                kind = found[2].strip()
                domains.append(_cells(kind[1:-1]) if kind.startswith("{") else None)
            else:
                in_data = line.lower().startswith("@data")
    table = np.array(
        [[_number(c, d) for c, d in zip(r, domains, strict=True)] for r in rows]
    )
    nominal = np.array([d is not None for d in domains[:-1]])
    return table[:, :-1], table[:, -1].astype(int), nominal


def mulan_table(name, n_labels):
    """Read a dense file whose attributes are numeric and whose labels come last."""
    with gzip.open(data_file(f"{name}.arff.gz"), "rt") as lines:
        text = lines.read().lower().partition("@data")[2]
    table = np.array([line.split(",") for line in text.split()], dtype=float)
    return table[:, :-n_labels], table[:, -n_labels:].astype(int)


def gene_table(name):
    """Return X and the classes of a MATLAB file, whatever it calls them."""
    table = {k.lower(): v for k, v in loadmat(data_file(f"{name}.mat")).items()}
    X = np.asarray(table.get("x", table.get("data")), dtype=float)
    return X, table.get("y", table.get("label")).ravel()


def _cells(line):
    cells = next(csv.reader([line], quotechar="'", skipinitialspace=True))
    return [cell.strip() for cell in cells]


def _number(cell, domain):
    if cell == "?":
        return np.nan
    return float(cell) if domain is None else domain.index(cell)
