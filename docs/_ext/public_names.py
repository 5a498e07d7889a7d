"""What is public: the names that packages list, with their first lines."""

import importlib
import inspect

#: Packages in the order of the data flow, with the words above their tables.
PACKAGES = {
    "labelsift": "The package",
    "labelsift.read": "Reading",
    "labelsift.encode": "Codes, cut points and missing values",
    "labelsift.select": "Selectors",
    "labelsift.learn": "Classifiers",
    "labelsift.evaluate": "Evaluation",
    "labelsift.evaluate.metrics": "Metrics",
    "labelsift.score": "Scores",
    "labelsift.papers": "Papers",
    "labelsift.report": "Reports",
    "labelsift.report.plots": "Plots",
    "labelsift.engine": "Where work runs",
}


def names_of(package):
    """Return the public names of a package; of a plain module, its own functions."""
    module = importlib.import_module(package)
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [
            name
            for name, thing in vars(module).items()
            if not name.startswith("_")
            and getattr(thing, "__module__", None) == package
        ]
    return sorted((n for n in listed if not n.startswith("__")), key=str.lower)


def first_line(package, name):
    """Return what the docstring of a name says first."""
    thing = getattr(importlib.import_module(package), name)
    if not callable(thing):
        return CONSTANTS[name]
    return inspect.getdoc(thing).split("\n\n")[0].replace("\n", " ")


CONSTANTS = {
    "ALIASES": "Further names: the selector and the settings that each stands for.",
    "SELECTORS": "Selectors by their names at the command line and in plans.",
    "CLASSIFIERS": "Classifiers by their names at the command line and in plans.",
    "SINGLE_LABEL": "Classifiers of one label that `aacc` uses, by name.",
    "METRICS": "Metrics by name: function, title, orientation, what they need.",
    "PAPERS": "Papers by the names that `labelsift paper` takes.",
    "ENGINES": "Names that `engine=` takes.",
}


def own_members(thing):
    """Return the names of the public members that labelsift itself defines."""
    found = []
    for name in dir(thing):
        if name.startswith("_"):
            continue
        try:
            member = inspect.getattr_static(thing, name)
        except AttributeError:
            continue
        if isinstance(member, property):
            member = member.fget
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        module = getattr(member, "__module__", None) or ""
        if inspect.isfunction(member) and module.startswith("labelsift"):
            found.append(name)
    return found


def table(package):
    """Return a table of the names of a package, in Markdown."""
    rows = ["| name | what it is |", "| :-- | :-- |"]
    for name in names_of(package):
        text = first_line(package, name).replace("``", "`").replace("|", "\\|")
        rows.append(f"| `{name}` | {text} |")
    return "\n".join(rows)


def page():
    """Return the page of all public names, in Markdown."""
    parts = [
        "# Public names",
        "Everything that may be imported, with the first line of its docstring. `make "
        "docs` builds a page of each, with parameters, cost, source and an example; "
        "`help(labelsift.select.Chi2)` shows the same. What is not listed here is "
        "private: see [how names change](versions.md).",
    ]
    parts += [
        f"## {title}: `{package}`\n\n{table(package)}"
        for package, title in PACKAGES.items()
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).resolve().parents[1].joinpath("api.md").write_text(page(), "utf-8")
