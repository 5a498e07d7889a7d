"""What the folders of the package really import, as a table and a picture.

Run it to write `docs/architecture.svg` and the table in `docs/architecture.md` anew.
"""

import ast
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "labelsift"
ORDER = [
    "kernels", "_words", "_whole_numbers", "_sklearn", "_docstrings", "engine", "read",
    "encode", "statistics", "score", "select", "learn", "evaluate", "papers", "report",
    "cli",
]  # fmt: skip
HOLDS = {
    "kernels": "numba loops and the thread pool: arrays in, arrays out",
    "_words": "numbers with their nouns, for messages and pages",
    "_whole_numbers": "whole numbers that a float64 cannot hold",
    "_sklearn": "the few private names of scikit-learn that are used, in one place",
    "_docstrings": "summary, parameters and sources, read out of docstrings",
    "engine": "where work runs: here, in processes, on Dask",
    "read": "every file format, to one `Dataset`, or rows in blocks",
    "encode": "the check of `y`, cut points, discrete codes, missing values",
    "statistics": "what is gathered from rows: `update(block)`, `merge(other)`",
    "score": "from statistics to numbers: pure functions",
    "select": "one file a method: scikit-learn transformers",
    "learn": "one file a multi-label classifier",
    "evaluate": "folds, metrics, plans, the runner, comparisons, recommendations",
    "papers": "the experiments of the five papers: plans and claims",
    "report": "results to one HTML file, tables and plots",
    "cli": "the command line",
}
START, END = "<!-- imports: written by docs/_ext/import_graph.py -->", "<!-- end -->"


def folder_of(path):
    """Return the folder of the package in which a module lies."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports():
    """Return, for each folder, the other folders of the package that it imports."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        here = folder_of(path)
        if here in ("__init__", "__main__"):
            continue
        own = found.setdefault(here, set())
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module == "labelsift":
                names = [f"labelsift.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            for name in names:
                parts = name.split(".")
                if parts[0] == "labelsift" and len(parts) > 1 and parts[1] in ORDER:
                    own.add(parts[1])
        own.discard(here)
    return {name: found[name] for name in ORDER if name in found}


def table(found):
    """Return the folders, what they hold and import, in Markdown."""
    rows = ["| folder | holds | imports |", "| :-- | :-- | :-- |"]
    for name, others in found.items():
        inside = ", ".join(other for other in ORDER if other in others)
        rows.append(f"| `{name}` | {HOLDS[name]} | {inside or 'nothing'} |")
    return "\n".join(rows)


def picture(found):
    """Return the same as a triangle of dots: rows import columns."""
    names, step, left, top = list(found), 30, 120, 96
    width, height = left + step * len(names) + 20, top + step * len(names) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        "<title>Which folder imports which</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for i, name in enumerate(names):
        y, x = top + step * i + step / 2, left + step * i + step / 2
        if i % 2 == 0:
            parts.append(
                f'<rect x="8" y="{y - step / 2}" width="{width - 16}" height="{step}" '
                'fill="#f3f5f7"/>'
            )
        parts.append(
            f'<text x="{left - 10}" y="{y + 4}" text-anchor="end" fill="#222222">'
            f"{escape(name)}</text>"
            f'<text transform="translate({x + 4} {top - 8}) rotate(-60)" '
            f'fill="#222222">{escape(name)}</text>'
        )
    for i, name in enumerate(names):
        y = top + step * i + step / 2
        x = left + step * i + step / 2
        parts.append(
            f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" fill="#c9d1d9"/>'
        )
        for j, other in enumerate(names):
            if other in found[name]:
                colour = "#0072B2" if j < i else "#D55E00"
                parts.append(
                    f'<circle cx="{left + step * j + step / 2}" cy="{y}" r="6" '
                    f'fill="{colour}"><title>{name} imports {other}</title></circle>'
                )
    return "\n".join([*parts, "</svg>", ""])


def with_table(page, found):
    """Return the page with the table of these imports."""
    head, rest = page.split(START)
    return f"{head}{START}\n{table(found)}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    there = imports()
    file = ROOT / "docs" / "architecture.md"
    file.write_text(with_table(file.read_text("utf-8"), there), "utf-8")
    file.with_suffix(".svg").write_text(picture(there), "utf-8")
