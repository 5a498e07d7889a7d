"""The experiments of five papers: plans, claims and a page each, and nothing else.

>>> from labelsift.papers import PAPERS
>>> PAPERS["chi2"].title
'Chi-square for several labels (Guo and Li 2014)'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from labelsift.evaluate import Claims, Plan, read_claims, read_plan

__all__ = ["PAPERS", "Paper"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Paper:
    """The files of an experiment: what is run, what is claimed, and the words.

    Parameters
    ----------
    name : str
        Start of the file names.
    folder : Path
        Where they are: ``NAME.toml``, a plan; and, where there is one,
        ``NAME.quick.toml``, a small plan with the same names of methods;
        ``NAME.claims.toml``; and ``NAME.md``.

    Examples
    --------
    >>> PAPERS["chi2"].plan(quick=True).folds.n_splits
    3
    """

    name: str
    folder: Path = _FOLDER

    def plan(self, *, quick: bool = False) -> Plan:
        """Return the plan of the whole protocol, or the small one."""
        return read_plan(self.plan_path(quick=quick))

    def plan_path(self, *, quick: bool = False) -> Path:
        """Return the file of a plan."""
        return self.folder / f"{self.name}{'.quick' if quick else ''}.toml"

    def claims(self, plan: Plan | None = None) -> Claims:
        """Return the claims, checked against a plan; none where there is no file."""
        path = self.folder / f"{self.name}.claims.toml"
        return read_claims(path, plan) if path.is_file() else Claims(())

    @property
    def page(self) -> str:
        """The page in Markdown: citation, method, readings; empty if there is none."""
        path = self.folder / f"{self.name}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    @property
    def title(self) -> str:
        """The heading of the page, or the name."""
        first = self.page.lstrip().partition("\n")[0]
        return first.removeprefix("#").strip() or self.name


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        name: Paper(name)
        for name in ("chi2", "spectral", "incomplete", "cost", "rrspfs", "all")
        if (_FOLDER / f"{name}.toml").is_file()
    }
)
"""The papers by the name that ``labelsift paper`` takes."""
