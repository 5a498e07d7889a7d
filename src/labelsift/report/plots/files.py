"""Write axes as a file that is the same each time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labelsift.read.whole_file import whole_file
from labelsift.report.plots._arguments import told
from labelsift.report.plots._axes import DETACHED

_KINDS = ("svg", "pdf", "png")


@contextmanager
def detached() -> Iterator[None]:
    """Draw new figures without pyplot: none stays open, no screen is needed."""
    token = DETACHED.set(True)
    try:
        yield
    finally:
        DETACHED.reset(token)


def save_plot(ax: Any, path: str | os.PathLike[str]) -> Path:
    """Write the figure of some axes; the same figure gives the same bytes.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        What a function of this package returned.
    path : str or path-like
        Ends in .svg, .pdf or .png. The file appears only when it is whole. Text stays
        text in SVG and PDF: it can be searched, and set in another font.

    Returns
    -------
    Path
        The path.

    Examples
    --------
    >>> from labelsift.report.plots import redundancy_map
    >>> ax = redundancy_map([[0, 1], [1, 0], [1, 1]])
    >>> save_plot(ax, "map.pdf").name
    'map.pdf'
    """
    if not hasattr(ax, "figure") or not hasattr(ax.figure, "savefig"):
        raise TypeError(f"ax must be what a plot returned; found {told(ax)}.")
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path must be the name of a file; found {told(path)}.")
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in _KINDS:
        raise ValueError(
            f"{target}: plots are saved as .svg, .pdf or .png; found the ending "
            f"{target.suffix!r}."
        )
    import matplotlib

    settings: Any = {
        "svg.hashsalt": "labelsift",
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
    }
    date = {"svg": "Date", "pdf": "CreationDate"}.get(kind)
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # the names of the data may hold characters that matplotlib's font lacks
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        with whole_file(target, binary=True) as file:
            ax.figure.savefig(
                file, format=kind, metadata={date: None} if date else None, dpi=150
            )
    return target
