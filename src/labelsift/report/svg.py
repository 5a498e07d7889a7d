"""Write SVG by hand: escaped elements, scales with round ticks, labels kept apart.

Colours are class names only; the page's style sheet gives them, so one drawing
follows light, dark and paper. Text stays text.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

Attribute = str | int | float

_EMPTY = "(empty name)"
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def clean(text: object) -> str:
    """Return text that any HTML page can hold.

    Control characters, those that turn the direction of text, and lone surrogates
    become U+FFFD, line breaks and tabs a space; a name of nothing but blanks is called
    "(empty name)".
    """
    text = str(text)
    if text.isascii() and text.isprintable() and not text.isspace() and text:
        return text
    kept = "".join(
        " " if c in "\t\n\r\v\f" else "\ufffd" if _is_unwritable(c) else c for c in text
    )
    return kept if any(_is_visible(c) for c in kept) else _EMPTY


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in {"Cf", "Zs", "Zl", "Zp"}


def _is_unwritable(character: str) -> bool:
    if character in _TURNING:
        return True
    # "Cc" control, "Cs" lone surrogate; U+FFFE and U+FFFF are no characters
    return (
        unicodedata.category(character) in {"Cc", "Cs"}
        or ord(character) & 0xFFFE == 0xFFFE
    )


def shorten(text: object, limit: int) -> str:
    """Return at most ``limit`` characters, cut in the middle.

    Long names of one table mostly share their beginning, so both ends stay.
    """
    whole = clean(text)
    if len(whole) <= limit:
        return whole
    tail = (limit - 1) // 3
    return f"{whole[: limit - 1 - tail].rstrip()}…{whole[len(whole) - tail :].lstrip()}"


def isolate(text: str) -> str:
    """Wrap in Unicode isolates, so that right-to-left names move nothing else.

    ASCII moves nothing and stays as it is.
    """
    return text if text.isascii() else f"\u2068{text}\u2069"


def text_width(text: str, size: float) -> float:
    """Estimate the width of a line of a wide system font, in the unit of ``size``."""
    ems = 0.0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
            continue
        if unicodedata.east_asian_width(character) in "WF":
            ems += 1.0
        elif character in "ijlft.,:;|'!()[] ":
            ems += 0.36
        elif character in "mwMW@%<>=+~":
            ems += 0.9
        else:
            ems += 0.7 if character.isupper() else 0.62
    return ems * size


def fit_text(text: object, size: float, width: float) -> str:
    """Shorten a name until its estimated width fits, keeping 4 characters or more."""
    whole = clean(text)
    limit = min(len(whole), 4 + int(width / (0.3 * size)))  # none is narrower
    short = shorten(whole, limit)
    while limit > 4 and text_width(short, size) > width:
        limit -= 1
        short = shorten(whole, limit)
    return short


def number(value: float) -> str:
    """Format a coordinate: one decimal, no trailing zero, no minus zero."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def element(
    tag: str,
    attributes: dict[str, Attribute] | None = None,
    children: str | Sequence[str] = (),
) -> Markup:
    """Return one element; attribute values and plain-string children are escaped.

    Parameters
    ----------
    tag : str
        Element name, from this package only.
    attributes : dict, optional
        Names as written in SVG; floats are rounded to one decimal.
    children : str or sequence of str
        ``Markup`` is kept, any other string is escaped.
    """
    pairs = [
        f' {key}="{escape(number(value) if isinstance(value, float) else value)}"'
        for key, value in (attributes or {}).items()
    ]
    parts = [children] if isinstance(children, str) else children
    inner = "".join(str(escape(part)) for part in parts)
    closing = f">{inner}</{tag}>" if inner else "/>"
    return Markup(f"<{tag}{''.join(pairs)}{closing}")


def drawing(
    ident: str,
    width: float,
    height: float,
    title: str,
    description: str,
    children: Sequence[str],
    class_name: str = "",
) -> Markup:
    """Return an ``<svg role="img">`` with title and description for screen readers."""
    labels = [
        element("title", {"id": f"{ident}-title"}, title),
        element("desc", {"id": f"{ident}-desc"}, description),
    ]
    return element(
        "svg",
        {
            "role": "img",
            "class": f"figure {class_name}".strip(),
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "width": number(width),
            "height": number(height),
            "aria-labelledby": f"{ident}-title",
            "aria-describedby": f"{ident}-desc",
        },
        [*labels, *children],
    )


def label(
    text: str, x: float, y: float, font: float, class_name: str, transform: str = ""
) -> Markup:
    """Return a line of text that starts, is centred or ends at ``x`` by its class."""
    where: dict[str, Attribute] = {"class": class_name, "x": x, "y": y}
    if transform:
        where = {"class": class_name, "transform": transform}
    return element("text", {**where, "font-size": font}, text)


def segment(x1: float, y1: float, x2: float, y2: float, class_name: str) -> Markup:
    """Return a straight line."""
    ends: dict[str, Attribute] = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", {"class": class_name, **ends})


def rectangle(
    x: float,
    y: float,
    width: float,
    height: float,
    class_name: str,
    children: Sequence[str] = (),
) -> Markup:
    """Return a filled box, with its tip as a ``title`` child."""
    box: dict[str, Attribute] = {"x": x, "y": y, "width": width, "height": height}
    return element("rect", {"class": class_name, **box}, children)


def polyline(points: Sequence[tuple[float, float]], class_name: str) -> Markup:
    """Return an open line through the points."""
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polyline", {"class": class_name, "points": path})


def polygon(points: Sequence[tuple[float, float]], class_name: str) -> Markup:
    """Return a closed area."""
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polygon", {"class": class_name, "points": path})


def marker(shape: int, x: float, y: float, size: float, class_name: str) -> Markup:
    """Return the mark of series number ``shape``; the first six look unlike."""
    s = size
    corners = {
        1: [(-s, -s), (s, -s), (s, s), (-s, s)],
        2: [(0, -1.3 * s), (1.2 * s, 0.9 * s), (-1.2 * s, 0.9 * s)],
        3: [(0, -1.4 * s), (1.4 * s, 0), (0, 1.4 * s), (-1.4 * s, 0)],
        4: [(0, 1.3 * s), (1.2 * s, -0.9 * s), (-1.2 * s, -0.9 * s)],
        5: [
            (-1.5 * s, -0.6 * s),
            (1.5 * s, -0.6 * s),
            (1.5 * s, 0.6 * s),
            (-1.5 * s, 0.6 * s),
        ],
    }.get(shape % 6)
    if corners is None:
        return element("circle", {"class": class_name, "cx": x, "cy": y, "r": s * 1.1})
    return polygon([(x + dx, y + dy) for dx, dy in corners], class_name)


def round_ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers that lie within [low, high], about ``wanted`` of them."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low]
    raw = (high - low) / max(wanted, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def tick_decimals(ticks: Sequence[float]) -> int:
    """Return the fewest decimals that tell the ticks apart, at most 6."""
    for decimals in range(7):
        if all(abs(round(t, decimals) - t) < 1e-9 * max(1.0, abs(t)) for t in ticks):
            return decimals
    return 6


def linear_scale(
    low: float, high: float, start: float, end: float
) -> Callable[[float], float]:
    """Map [low, high] to [start, end]; a single value goes to the middle."""
    if high <= low:
        return lambda value: (start + end) / 2
    return lambda value: start + (value - low) / (high - low) * (end - start)


def log_scale(
    low: float, high: float, start: float, end: float
) -> Callable[[float], float]:
    """Map [low, high], both above 0, to [start, end] by their logarithms."""
    inner = linear_scale(math.log(low), math.log(high), start, end)
    return lambda value: inner(math.log(value))


def spread_apart(
    wanted: Sequence[float], heights: Sequence[float], low: float, high: float
) -> list[float]:
    """Move label centres as little as needed so that none overlap.

    Parameters
    ----------
    wanted : sequence of float
        Where each centre would like to be, in any order.
    heights : sequence of float
        Height of each label, its gap included.
    low, high : float
        The labels stay within; when they cannot, they start at ``low``.

    Returns
    -------
    list of float
        Centres in the order given. The order along the axis is that of ``wanted``.

    Notes
    -----
    Labels that touch join into a block placed at the mean of its wishes, as in
    isotonic regression; O(n²) for n labels.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    blocks: list[tuple[list[int], float, float]] = []  # members, height, top
    for i in order:
        members, height = [i], heights[i]
        top = wanted[i] - height / 2
        while blocks and blocks[-1][2] + blocks[-1][1] > top:
            before, before_height, _ = blocks.pop()
            members, height = before + members, before_height + height
            top = _best_top(members, wanted, heights)
        blocks.append((members, height, top))
    placed = [0.0] * len(wanted)
    floor = low
    remaining = sum(height for _, height, _ in blocks)
    for members, height, top in blocks:
        start = max(floor, min(top, high - remaining))
        floor, remaining = start + height, remaining - height
        for i in members:
            placed[i] = start + heights[i] / 2
            start += heights[i]
    return placed


def _best_top(
    members: Sequence[int], wanted: Sequence[float], heights: Sequence[float]
) -> float:
    total, offset = 0.0, 0.0
    for i in members:
        total += wanted[i] - offset - heights[i] / 2
        offset += heights[i]
    return total / len(members)
