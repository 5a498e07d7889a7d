"""Write small R files (XDR serialisation, version 2): there is no R here."""

import struct

_SYMBOL, _PAIRS, _CHARS, _LOGICAL, _INTEGER, _REAL, _TEXT, _LIST = (
    1, 2, 9, 10, 13, 14, 16, 19,
)  # fmt: skip
_HAS_ATTRIBUTES, _HAS_TAG = 0x200, 0x400
_END = struct.pack(">i", 254)


def rda(**objects):
    """Return the bytes of ``save(...)``: a pair list of named objects."""
    body = b"".join(_pair(name, value) for name, value in objects.items())
    return b"RDX2\n" + _head() + body + _END


def rds(value):
    """Return the bytes of ``saveRDS(value)``."""
    return _head() + value


def real(values, **attributes):
    return _vector(_REAL, struct.pack(f">{len(values)}d", *values), values, attributes)


def integer(values, **attributes):
    packed = struct.pack(f">{len(values)}i", *values)
    return _vector(_INTEGER, packed, values, attributes)


def text(values, **attributes):
    return _vector(_TEXT, b"".join(map(_chars, values)), values, attributes)


def listed(values, **attributes):
    return _vector(_LIST, b"".join(values), values, attributes)


def _head():
    return b"X\n" + struct.pack(">iii", 2, 0x00030602, 0x00020300)


def _flags(kind, attributes):
    has_class = 0x100 if "class" in attributes else 0
    return struct.pack(">i", kind | has_class | (_HAS_ATTRIBUTES if attributes else 0))


def _vector(kind, packed, values, attributes):
    found = _flags(kind, attributes) + struct.pack(">i", len(values)) + packed
    if attributes:
        found += b"".join(_pair(k, v) for k, v in attributes.items()) + _END
    return found


def _pair(name, value):
    return struct.pack(">i", _PAIRS | _HAS_TAG) + _symbol(name) + value


def _symbol(name):
    return struct.pack(">i", _SYMBOL) + _chars(name)


def _chars(word):
    content = word.encode()
    return struct.pack(">ii", _CHARS | 0x40000, len(content)) + content
