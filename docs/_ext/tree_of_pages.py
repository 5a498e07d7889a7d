"""The tree of pages comes from the links of index.md; pages of names from __all__.

So the pages hold no directives that only Sphinx understands, and read the same on a
forge. Links from pages to files outside docs/ become links to the file's own text.
"""

import importlib
import re
from pathlib import Path

import public_names

LINK = re.compile(r"\]\(([\w/.-]+)\.(?:md|rst)\)")
STUBS = "generated"


def write_stubs(app):
    """Write a page for each public name."""
    folder = Path(app.srcdir) / STUBS
    folder.mkdir(exist_ok=True)
    expected = set()
    for package in public_names.PACKAGES:
        module = importlib.import_module(package)
        for name in public_names.names_of(package):
            thing, path = getattr(module, name), f"{package}.{name}"
            title = f"{name}\n{'=' * len(name)}\n\n"
            if isinstance(thing, type):
                members = ", ".join(public_names.own_members(thing))
                body = f".. autoclass:: {path}\n"
                if members:
                    body += f"   :members: {members}\n"
            elif callable(thing):
                body = f".. autofunction:: {path}\n"
            else:
                body = f".. autodata:: {path}\n   :no-value:\n"
            text = f":orphan:\n\n{title}.. currentmodule:: {package}\n\n{body}"
            file = folder / f"{path}.rst"
            expected.add(file)
            if not file.exists() or file.read_text("utf-8") != text:
                file.write_text(text, "utf-8")
    for file in set(folder.glob("*.rst")) - expected:
        file.unlink()


def toctree(pages, caption=None):
    """Return a hidden table of contents, as MyST writes it."""
    options = [":hidden:"] + ([f":caption: {caption}"] if caption else [])
    return "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])


def complete(app, docname, source):
    """Add to a page what only Sphinx needs."""
    text = source[0]
    if docname == "index":
        seen = {"index"}
        for section in re.split(r"^## ", text, flags=re.M)[1:]:
            pages = [p for p in dict.fromkeys(LINK.findall(section)) if p not in seen]
            seen |= set(pages)
            if pages:
                text += toctree(pages, section.split("\n")[0])
        papers = sorted((Path(app.srcdir) / "papers").glob("*.md"))
        papers = [f"papers/{p.stem}" for p in papers]
        if papers := [p for p in papers if p not in seen]:
            text += toctree(papers, "The papers' experiments")
        source[0] = text
    elif docname == "api":
        for package in public_names.PACKAGES:
            head, mark, rest = text.partition(f": `{package}`\n")
            table, nxt, after = rest.partition("\n## ")
            table = re.sub(
                r"^\| `(\w+)` \|",
                rf"| [`\1`]({STUBS}/{package}.\1.rst) |",
                table,
                flags=re.M,
            )
            text = head + mark + table + nxt + after
        source[0] = text


def outside(app, doctree, docname):
    """Turn links to files outside docs/ into plain words with the path."""
    from docutils import nodes

    root = Path(app.srcdir).parent
    for node in list(doctree.findall(nodes.reference)):
        target = node.get("refuri", "")
        if target.startswith("../"):
            path = (Path(app.srcdir) / docname).parent / target
            shown = str(path.resolve().relative_to(root))
            words = nodes.literal(shown, shown)
            if node.astext() == shown:
                node.replace_self(words)
            else:
                node.replace_self(
                    nodes.inline("", "", *node.children, nodes.Text(f" ({shown})"))
                )


def setup(app):
    """Connect all of it."""
    app.connect("builder-inited", write_stubs)
    app.connect("source-read", complete)
    app.connect("doctree-resolved", outside)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
