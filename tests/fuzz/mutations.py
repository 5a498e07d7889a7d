"""Ways to damage a file, from a flipped bit to a header that lies."""

import bz2
import gzip
import io
import lzma
import re
import struct
import zipfile
import zlib

_NUMBERS = (
    b"1e309", b"-1e309", b"1e-400", b"99999999999999999999", b"-1", b"nan", b"inf",
    b"0x10", b"1_0", b"1e", b"+", b"4294967296", b"2147483648", b"9" * 400, b"1.5.2",
    b"0." + b"0" * 400 + b"1", b"\xd9\xa1", b"-0", b"1,5",
)  # fmt: skip
_TOKENS = (
    b"?", b"'", b'"', b"{", b"}", b"%", b"\\", b"\\u", b"\0", b"\r", b"\n", b"\r\n",
    b"\t", b",", b";", b":", b"|", b"@data", b"@attribute x real\n", b"@relation",
    b"@attribute a {", b"{0 1}", b"{0 1,", b"NA", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\x1b[31m", b"<label name='x'/>", b"<!ENTITY a 'b'>", b"#", b"qid:", b"1:1",
    b"\xe2\x80\xae", b" ", b"-C 9999", b"-C -99", b"date", b"string", b"relational\n",
    b"@end a\n", b"\xed\xa0\x80", b"../../etc/passwd",
)  # fmt: skip
_WORDS = (0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 0x10000, 100)
_LONGS = (0, 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
_TOKEN = re.compile(rb"[-+\w.]+")


def damaged(seed, others, rng):
    """Return a damaged copy of a seed's bytes; ``others`` are there to splice from."""
    content = seed.content
    roll = rng.random()
    if roll < 0.25 and seed.kind in _INSIDE:
        content = _INSIDE[seed.kind](content, rng)
    else:
        for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
            ways = _TEXT_WAYS if seed.is_text and rng.random() < 0.8 else _WAYS
            content = rng.choice(ways)(content, rng)
            if rng.random() < 0.08:
                content = _spliced(content, rng.choice(others).content, rng)
    if rng.random() < 0.06:
        content = rng.choice((gzip.compress, bz2.compress, lzma.compress))(content)
        if rng.random() < 0.7:
            content = rng.choice((_flipped, _cut, _removed, _doubled))(content, rng)
    return content


def _place(content, rng):
    return rng.randrange(len(content)) if content else 0


def _flipped(content, rng):
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if found:
            found[_place(found, rng)] ^= 1 << rng.randrange(8)
    return bytes(found)


def _overwritten(content, rng):
    found = bytearray(content)
    if found:
        start = _place(found, rng)
        for i in range(start, min(start + rng.randrange(1, 12), len(found))):
            found[i] = rng.choice((0, 0xFF, 0x20, 0x0A, rng.randrange(256)))
    return bytes(found)


def _cut(content, rng):
    at = _place(content, rng)
    return content[:at] if rng.random() < 0.8 else content[at:]


def _removed(content, rng):
    at = _place(content, rng)
    return content[:at] + content[at + rng.choice((1, 2, 5, 40)) :]


def _doubled(content, rng):
    at = _place(content, rng)
    size = rng.choice((1, 3, 10, 100))
    times = rng.choice((1, 1, 1, 50))
    return content[:at] + content[at : at + size] * times + content[at:]


def _spliced(content, other, rng):
    at = _place(other, rng)
    piece = other[at : at + rng.choice((3, 30, 300))]
    here = _place(content, rng)
    return content[:here] + piece + content[here + rng.choice((0, len(piece))) :]


def _lying(content, rng):
    """Overwrite what may be a size with a size that is not so."""
    long = rng.random() < 0.3
    number = rng.choice(_LONGS if long else _WORDS)
    packed = struct.pack(rng.choice("<>") + ("Q" if long else "I"), number)
    at = _place(content, rng)
    if rng.random() < 0.5:
        at -= at % 4
    return content[:at] + packed + content[at + len(packed) :]


def _inserted(content, rng):
    at = _place(content, rng)
    return content[:at] + rng.choice(_TOKENS) + content[at:]


def _other_number(content, rng):
    at = _place(content, rng)
    found = _TOKEN.search(content, at)
    if found is None:
        return _inserted(content, rng)
    return content[: found.start()] + rng.choice(_NUMBERS) + content[found.end() :]


def _other_lines(content, rng):
    lines = content.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(4)
    if way == 0:
        lines[i], lines[j] = lines[j], lines[i]
    elif way == 1:
        lines.insert(j, lines[i])
    elif way == 2:
        del lines[i]
    else:
        half = len(lines[i]) // 2
        lines[i] = lines[i][:half] + lines[j][len(lines[j]) // 2 :]
    return b"\n".join(lines)


_WAYS = (_flipped, _overwritten, _cut, _removed, _doubled, _lying, _lying)
_TEXT_WAYS = (_flipped, _cut, _removed, _doubled, _inserted, _inserted, _other_number,
              _other_number, _other_lines)  # fmt: skip


def _inside_npz(content, rng):
    """Damage one array of an archive, and pack it again with a right checksum."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(members))
    if rng.random() < 0.5:
        members[name] = _lying_npy(members[name], rng)
    else:
        members[name] = rng.choice(_WAYS)(members[name], rng)
    if rng.random() < 0.1:
        del members[rng.choice(sorted(members))]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, part in members.items():
            archive.writestr(name, part)
    return stream.getvalue()


def _lying_npy(part, rng):
    """Change a number or a type in the text of an ``.npy`` header, length kept."""
    end = part.find(b"\n") + 1
    head = part[:end]
    if rng.random() < 0.3:
        head = head.replace(
            b"<f8", rng.choice((b"<f4", b"|O8", b"<c8", b"<U2", b"<i8"))
        )
    else:
        found = list(re.finditer(rb"\d+", head[10:]))
        spot = rng.choice(found) if found else None
        if spot is not None:
            number = rng.choice((b"0", b"1", b"7", b"999999999", b"9" * 19))
            head = head[: 10 + spot.start()] + number + head[10 + spot.end() :]
    return head[: end - 1].ljust(end - 1)[: end - 1] + b"\n" + part[end:]


def _inside_mat(content, rng):
    """Damage what a compressed variable holds, or a plain file's header fields."""
    parts, at = [content[:128]], 128
    while at + 8 <= len(content):
        kind, size = struct.unpack_from("<II", content, at)
        body = content[at + 8 : at + 8 + size]
        if kind == 15 and rng.random() < 0.6:
            inner = rng.choice((_flipped, _lying, _lying, _cut, _overwritten))(
                zlib.decompress(body), rng
            )
            body = zlib.compress(inner)
            size = len(body)
        parts.append(struct.pack("<II", kind, size) + body)
        at += 8 + len(body)
    return b"".join(parts) if len(parts) > 1 else _lying(content, rng)


def _inside_text_head(content, rng):
    """Lie in the first lines: the counts and names on which the rest is built."""
    cut = min(len(content), rng.choice((20, 120, 600)))
    way = rng.choice(_TEXT_WAYS)
    return way(content[:cut], rng) + content[cut:]


_INSIDE = {
    "npz": _inside_npz,
    "mat": _inside_mat,
    "arff": _inside_text_head,
    "csv": _inside_text_head,
    "xc": _inside_text_head,
}
