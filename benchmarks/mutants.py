"""Draw mutants of a module: its source with one small fault put in on purpose.

The faults are the operators of cosmic-ray: another arithmetic, bitwise or unary
operator, another comparison, a condition negated, ``and`` for ``or``, ``True`` for
``False``, a number one more or less, ``continue`` for ``break``, a loop that never
runs, a decorator gone, another exception caught. Left out, since no caller can see
them or since they change no behaviour:

- annotations, and what only type checkers read;
- the bare ``*`` and ``/`` of a parameter list;
- ``is`` for ``==`` and the like, whose answer depends on how Python stores numbers
  (``is`` for ``is not`` stays);
- bitwise operators for arithmetic ones, the reverse, and ``not`` or ``~`` for a minus:
  on real numbers these end in a type error at once, and would only swell the figure;
- what no longer compiles.

Docstrings, ``__all__`` and the wording of messages are strings; no operator touches
them, but what a message computes is mutated like anything else.
"""

import ast
import random
from dataclasses import asdict, dataclass
from functools import lru_cache

import cosmic_ray.ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

NEED_ARGUMENTS = ("VariableReplacer", "VariableInserter")
ARITHMETIC = {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"}
NO_SITE = {"name", "string", "newline", "endmarker", "fstring_string"}
NODES = {  # the only ones that these operators look at
    "ReplaceBinaryOperator": {"operator"},
    "ReplaceComparisonOperator": {"comparison"},
    "ReplaceUnaryOperator": {"factor", "not_test"},
}


@dataclass(frozen=True)
class Mutant:
    """One fault: which operator, at which of its sites, and the line that changes."""

    module: str
    operator: str
    occurrence: int
    line: int
    before: str
    after: str

    @property
    def key(self):
        """Name of the fault within its module."""
        return f"{self.operator}#{self.occurrence}"

    def source(self, original):
        """Return the source of the module with the fault in it."""
        return mutate_code(original, _operator(self.operator), self.occurrence)

    def as_dict(self):
        """Return the fields as a dictionary, for a file of results."""
        return asdict(self)


@lru_cache
def _operator(name):
    return get_operator(name)()


def _names():
    """Return the operators in use, by name."""
    return [
        name
        for name in sorted(operator_names())
        if _is_used(*name.split("/")[-1].split("_"))
    ]


def _is_used(kind, *change):
    if kind == "ReplaceBinaryOperator":
        return len(ARITHMETIC.intersection(change)) != 1
    if kind == "ReplaceComparisonOperator":
        return len({"Is", "IsNot"}.intersection(change)) != 1
    if kind == "ReplaceUnaryOperator":
        return change[-1] not in ("Not", "Invert") or change[0] == "Delete"
    return kind not in NEED_ARGUMENTS


def _spans_left_out(source):
    """Return (start, end) of what no mutant may touch, as (line, column) pairs."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        parts = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = node.args
            every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
            every += [a for a in (arguments.vararg, arguments.kwarg) if a]
            parts = [a.annotation for a in every] + [node.returns]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            parts = [node]
        spans += [
            ((p.lineno, p.col_offset), (p.end_lineno, p.end_col_offset))
            for p in parts
            if p is not None
        ]
    return spans


def _is_bare_marker(node):
    """Tell the ``*`` or ``/`` that stands alone in a parameter list."""
    parent = getattr(node, "parent", None)
    return getattr(node, "value", "") in ("*", "/", "**") and (
        parent is not None and parent.type in ("parameters", "param", "lambdef")
    )


def sites(source):
    """Return {(start, end): [(operator, occurrence), ...]} of what may be mutated."""
    nodes = [
        node
        for node in cosmic_ray.ast.ast_nodes(cosmic_ray.ast.get_ast(source))
        if node.type not in NO_SITE
    ]
    left_out = _spans_left_out(source)
    found = {}

    @lru_cache
    def of_types(*types):
        return [node for node in nodes if node.type in types]

    for name in _names():
        operator, occurrence = _operator(name), 0
        types = NODES.get(name.split("/")[-1].split("_")[0])
        for node in nodes if types is None else of_types(*sorted(types)):
            for start, end in operator.mutation_positions(node):
                inside = any(a <= start and end <= b for a, b in left_out)
                if not inside and not _is_bare_marker(node):
                    found.setdefault((start, end), []).append((name, occurrence))
                occurrence += 1
    return found


def draw(module, source, n_mutants, seed):
    """Draw mutants: sites first, evenly, then one fault of each site.

    An arithmetic operator has six replacements and a comparison five: drawn one by one,
    they would outweigh the numbers and the conditions. At most one fault of a site is
    drawn.
    """
    random_state = random.Random(f"{seed} {module}")
    places = sorted(sites(source).items())
    random_state.shuffle(places)
    drawn = []
    for (start, _), faults in places:
        if len(drawn) == n_mutants:
            break
        random_state.shuffle(faults)
        for name, occurrence in faults:
            mutated = mutate_code(source, _operator(name), occurrence)
            if _compiles(mutated) and ast.dump(ast.parse(mutated)) != ast.dump(
                ast.parse(source)
            ):
                before, after = _changed_line(source, mutated, start[0])
                drawn.append(Mutant(module, name, occurrence, start[0], before, after))
                break
    return drawn, len(places)


def _compiles(source):
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _changed_line(source, mutated, line):
    """Return the line of the fault, before and after, in ordinary spacing."""
    old, new = source.splitlines(), mutated.splitlines()
    for before, after in zip(old[line - 1 :], new[line - 1 :], strict=False):
        if before != after:
            return _spaced(before), _spaced(after)
    return _spaced(old[line - 1]), "(line removed)"


def _spaced(line):
    return " ".join(line.split())


def function_at(source, line):
    """Return (qualified name, first line) of the outermost function around a line.

    None for what runs when the module is imported: constants, defaults, decorators.
    """

    def search(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                found = search(node.body, f"{prefix}{node.name}.")
                if found:
                    return found
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
                node.body[0].lineno <= line <= node.end_lineno
            ):
                decorators = [d.lineno for d in node.decorator_list]
                return prefix + node.name, min([node.lineno, *decorators])
        return None

    return search(ast.parse(source).body, "")


def statement_lines(source, line):
    """Return the first and last line of the innermost statement or header at a line.

    A coverage map knows a statement of several lines by its first one only.
    """
    best = (line, line)
    width = None
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= node.end_lineno:
            continue
        if width is None or node.end_lineno - node.lineno < width:
            width, best = node.end_lineno - node.lineno, (node.lineno, node.end_lineno)
            inner = getattr(node, "body", None)
            if inner and not isinstance(inner, ast.expr):
                best = (node.lineno, max(node.lineno, inner[0].lineno - 1))
    return best
