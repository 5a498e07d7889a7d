"""Weka's small sample files, read by the simplest means: one class attribute, last."""

import csv
import gzip
import re

import numpy as np

from shared_data import data_file

ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\S+)\s+(.*)", re.IGNORECASE)


def weka_table(name):
    """Return X (NaN where missing), class codes and which features are nominal."""
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


def _cells(line):
    cells = next(csv.reader([line], quotechar="'", skipinitialspace=True))
    return [cell.strip() for cell in cells]


def _number(cell, domain):
    if cell == "?":
        return np.nan
    return float(cell) if domain is None else domain.index(cell)
