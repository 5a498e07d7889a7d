"""Formulas as MathML, which browsers draw themselves: no script, no network."""

from docutils.utils.math.latex2mathml import tex2mathml


def _inline(self, node):
    self.body.append(tex2mathml(node.astext(), as_block=False))
    raise _skip()


def _block(self, node):
    self.body.append('<div class="math">')
    self.body.append(tex2mathml(node.astext(), as_block=True))
    self.body.append("</div>\n")
    raise _skip()


def _skip():
    from docutils.nodes import SkipNode

    return SkipNode()


def setup(app):
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
