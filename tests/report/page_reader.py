"""Read a page back with the standard library's parser, strictly."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img"}


class Node:
    """An element with its attributes, children and text."""

    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children = []

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, tag):
        return [node for node in self.walk() if node.tag == tag]

    def first(self, tag):
        return self.all(tag)[0]

    def by_id(self, ident):
        return next(n for n in self.walk() if n.attributes.get("id") == ident)

    @property
    def classes(self):
        return (self.attributes.get("class") or "").split()

    @property
    def text(self):
        parts = [c.text if isinstance(c, Node) else c for c in self.children]
        return " ".join("".join(parts).split())

    @property
    def plain(self):
        """The text without the signs that isolate its direction."""
        return self.text.replace("\u2068", "").replace("\u2069", "")


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.root = self.here = Node("#root", {}, None)

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} repeats an attribute"
        node = Node(tag, dict(attrs), self.here)
        self.here.children.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag, attrs):
        self.here.children.append(Node(tag, dict(attrs), self.here))

    def handle_endtag(self, tag):
        assert self.here.tag == tag, f"</{tag}> closes <{self.here.tag}>"
        self.here = self.here.parent

    def handle_data(self, data):
        self.here.children.append(data)


def read_page(text):
    """Return the root; every element must be closed in order."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is never closed"
    return reader.root
