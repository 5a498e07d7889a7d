"""The tree of pages comes from the links of index.md; pages of names from __all__.

So the pages hold no directives that only Sphinx understands, and read the same on a
forge. Links to files outside docs/ become the names of these files.
"""

import importlib
import re
from pathlib import Path

import public_names

LINK = re.compile(r"\]\(([\w/.-]+)\.(?:md|rst)\)")
OUTSIDE = re.compile(r"(?<!!)\[([^\]]*)\]\(((?:\.\./)+)([^)]*)\)")
GALLERY, PICTURES = "../examples/gallery/README.rst", "gallery/index.rst"
STUBS = "generated"


def homes():
    """Return where each public name has its page, the first package that lists it."""
    first, found = {}, {}
    for package in public_names.PACKAGES:
        module = importlib.import_module(package)
        for name in public_names.names_of(package):
            path = f"{package}.{name}"
            thing = getattr(module, name)
            key = id(thing) if callable(thing) else path
            found[path] = first.setdefault(key, path)
    return found


def write_stubs(app):
    """Write a page for each public name."""
    folder = Path(app.srcdir) / STUBS
    folder.mkdir(exist_ok=True)
    expected = set()
    for path in set(homes().values()):
        package, _, name = path.rpartition(".")
        thing = getattr(importlib.import_module(package), name)
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


def without_outside(text, docname):
    """Return a page whose links to files outside docs/ are the names of these files."""
    depth = docname.count("/")
    text = text.replace(f"({'../' * depth}{GALLERY})", f"({'../' * depth}{PICTURES})")

    def name_of(match):
        words, up, path = match.groups()
        if up.count("../") <= depth:
            return match.group()
        return f"`{path}`" if words.strip("`") == path else f"{words} (`{path}`)"

    return OUTSIDE.sub(name_of, text)


def complete(app, docname, source):
    """Add to a page what only Sphinx needs."""
    text = source[0]
    if docname == "index":
        text = text.replace(GALLERY, PICTURES)
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
    elif docname == "api":
        places = homes()

        def linked(match):
            path = f"{package}.{match.group(1)}"
            return f"| [`{match.group(1)}`]({STUBS}/{places[path]}.rst) |"

        for package in public_names.PACKAGES:
            head, mark, rest = text.partition(f": `{package}`\n")
            table, following, after = rest.partition("\n## ")
            table = re.sub(r"^\| `(\w+)` \|", linked, table, flags=re.M)
            text = head + mark + table + following + after
    if not docname.startswith((STUBS, "gallery")):
        text = without_outside(text, docname)
    source[0] = text


def setup(app):
    """Connect all of it."""
    app.connect("builder-inited", write_stubs)
    app.connect("source-read", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
