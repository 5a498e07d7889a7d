"""What holds for any ARFF text: kernel and careful parser agree, nothing crashes."""

import io
import math
import struct
import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numba import config
from scipy import sparse

from example_counts import examples
from labelsift.read import arff_store
from labelsift.read.arff import read_arff
from labelsift.read.arff_writer import write_arff, write_mulan_xml
from labelsift.read.dataset import Dataset
from labelsift.read.errors import ReadError
from labelsift.read.label_spec import label_names_from_xml


def read(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of dropped attributes
        return read_arff(io.BytesIO(content), path="any.arff", **options)


def read_with_care_only(text, **options):
    """Read every row by the plain Python parser, which serves as the reference."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("add_dense", "add_sparse"):
            patch.setattr(arff_store.RowStore, name, lambda self, data, at, lines: at)
        return read(text, **options)


def outcome(reader, text, **options):
    """Return what a reader makes of a text, in a form that can be compared."""
    try:
        data = reader(text, **options)
    except ReadError as error:
        return "error", str(error), error.line
    parts = []
    for matrix in (data.X, data.Y):
        full = matrix.toarray() if sparse.issparse(matrix) else matrix
        parts.append((sparse.issparse(matrix), full.shape, (full + 0.0).tobytes()))
    weights = None if data.weights is None else data.weights.tolist()
    return parts, weights, data.feature_names, data.label_names


# numbers ----------------------------------------------------------------------------


def numbers_read(texts):
    rows = "".join(f"{text},0\n" for text in texts)
    head = "@relation 'n: -C -1'\n@attribute a numeric\n@attribute l {0,1}\n@data\n"
    return read(head + rows).X[:, 0]


def assert_reads_as_float(texts):
    expected = np.array([float(text) for text in texts])
    np.testing.assert_array_equal(
        numbers_read(texts).view(np.uint64), expected.view(np.uint64)
    )


def is_held(text):
    """Whether a float64 holds what is written, if that is a whole number."""
    is_whole = text.lstrip("+-").isdecimal()
    return not is_whole or int(float(text)) == int(text)


def test_every_form_of_a_number_is_rounded_as_python_rounds_it():
    rng = np.random.default_rng(0)
    size = 20 if config.DISABLE_JIT else 5000
    bits = rng.integers(0, 2**64, size, dtype=np.uint64).view(np.float64)
    texts = [repr(float(v)) for v in bits[np.isfinite(bits)]]
    for v in rng.normal(0, 1, size):
        texts += [repr(float(v)), f"{v:.6f}", f"{v:.20f}", f"{v:.3e}", f"{v:.30e}"]
    for _ in range(size):
        digits = "".join(map(str, rng.integers(0, 10, rng.integers(1, 25))))
        cut = rng.integers(0, len(digits) + 1)
        power = rng.integers(-330, 285)
        texts.append(f"{digits[:cut]}.{digits[cut:]}e{power}")
        texts.append(digits[:cut] + "." + digits[cut:])
    assert_reads_as_float(texts)


def test_numbers_half_way_between_two_doubles_are_rounded_to_even():
    rng = np.random.default_rng(1)
    size = 10 if config.DISABLE_JIT else 2000
    texts = []
    for bits in rng.integers(0x3C00 << 48, 0x4400 << 48, size):
        low, high = struct.unpack("<dd", struct.pack("<qq", bits, bits + 1))
        # exact: both have at most 53 bits, and so does the last place of their mean
        numerator, denominator = (low).as_integer_ratio()
        other, below = (high).as_integer_ratio()
        common = max(denominator, below) * 2
        middle = numerator * (common // denominator) + other * (common // below)
        middle //= 2
        shift = (
            common.bit_length() - 1
        )  # middle / 2**shift = middle * 5**shift / 10**shift
        digits = str(middle * 5**shift)
        texts += [f"{digits}e-{shift}", f"{digits}1e-{shift + 1}"]
    assert_reads_as_float(texts)


@pytest.mark.parametrize(
    "text",
    ["0", "-0", "+0.0", "0e999", "1.", ".5", "-.5e+3", "00012", "9007199254740993",
     "9007199254740992", "1e22", "1e23", "8.5e22", "123456789012345678901234567890",
     "0.000000000000000000000000000000000000000000012345", "4.9e-324", "2.4e-324",
     "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
     "1e-400", "999999999999999999", "9999999999999999999", "1" + "0" * 308, "5e-1",
     "1e0000000000000000000000001", "0." + "0" * 400 + "1", "18446744073709551615"],
)  # fmt: skip
def test_numbers_at_the_edges(text):
    both = [text, "-" + text.lstrip("+-")]
    if is_held(text):
        assert_reads_as_float(both)
        return
    for each in both:  # a whole number is a count or a name: none may become another
        with pytest.raises(ReadError, match="float64 cannot hold"):
            numbers_read([each])
        assert_reads_as_float([f"{each}.0"])


DECIMALS = st.from_regex(
    r"[+-]?[0-9]{0,22}\.?[0-9]{1,22}(e[+-]?[0-9]{1,3})?", fullmatch=True
)


@given(st.lists(DECIMALS))
def test_any_finite_number_is_rounded_as_python_rounds_it(texts):
    finite = [t for t in texts if math.isfinite(float(t)) and is_held(t)]
    if finite:
        assert_reads_as_float(finite)


# any text ---------------------------------------------------------------------------

HEAD = (
    "@relation 'r: -C -2'\n@attribute a numeric\n@attribute c {red,'b c',1,\u00e9}\n"
    "@attribute s string\n@attribute l {1,0}\n@attribute m numeric\n@data\n"
)
NUMBERS = st.sampled_from(["0", "1", "-1.5", "?", "1e3", "'2'", "x", "", "1e999", "07"])
VALUES = st.sampled_from(
    ["red", "'b c'", '"b c"', "1", "?", "b", "'r\\ed'", "\u00e9", "%", "'", "", "}"]
)
ZERO_ONE = st.sampled_from(["0", "1", "1", "0", "'1'", "?", "2", "1.0", "-0"])
SEPARATORS = st.sampled_from([",", ",", ",", ", ", "\t", " ,", " ", ",,", ""])
WEIGHTS = st.sampled_from(["", "", "", ", {2}", "{3}", " {x}", ",", " % c", "{", "\r"])


@st.composite
def dense_row(draw):
    cells = [draw(s) for s in (NUMBERS, VALUES, VALUES, ZERO_ONE, ZERO_ONE)]
    text = cells[0]
    for cell in cells[1:]:
        text += draw(SEPARATORS) + cell
    return text + draw(WEIGHTS)


@st.composite
def sparse_row(draw):
    parts = []
    for a in draw(st.lists(st.integers(-1, 5), max_size=5)):
        value = draw((NUMBERS, VALUES, VALUES, ZERO_ONE, ZERO_ONE)[min(max(a, 0), 4)])
        parts.append(f"{a}{draw(st.sampled_from([' ', ' ', chr(9), '']))}{value}")
    text = "{"
    for i, part in enumerate(parts):
        text += (draw(SEPARATORS) if i else "") + part
    return text + draw(st.sampled_from(["}", "}", " }", "", ",}"])) + draw(WEIGHTS)


GOOD = "1,red,x,0,1"
ROWS = st.lists(
    st.one_of(
        dense_row(), sparse_row(), st.sampled_from(["", "% c", " \t", "1,red,x,0,1"])
    ),
    max_size=4,
)


@examples(100)
@given(rows=ROWS, ended=st.booleans())
@example(rows=["{3 1, 3 1}", "{}"], ended=True)
@example(rows=["{0 ?,1 'b c',2 ?,4 1}", "{4 0, 0 1}"], ended=False)
def test_kernel_and_careful_parser_make_the_same_of_any_rows(rows, ended):
    text = HEAD + "\n".join(rows) + ("\n" if ended else "")
    assert outcome(read, text) == outcome(read_with_care_only, text)


GOOD_FILES = [
    HEAD + "1,red,x,0,1\n-2.5e-3,'b c',?,1,0\n% c\n?,1,'y z',1,0, {2}\n",
    HEAD + "{0 1,1 'b c',4 1}\n{}\n{3 0, 0 ?}, {2}\n{1 \u00e9,2 'it\\'s',4 1}\n",
    HEAD + "1,red,x,0,1\n{0 5}\n2,1,x,0,0\n",
    "@relation x\n\n@attribute 'it\\'s' {0,1}\n@attribute b real\n@attribute d date\n"
    "@attribute r relational\n@attribute q numeric\n@end r\n@data\n0,1,2,'3'\n",
]


@st.composite
def damaged(draw):
    """A good file with a few bytes cut out, doubled or changed."""
    content = bytearray(draw(st.sampled_from(GOOD_FILES)).encode())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        what = draw(st.integers(0, 3))
        if what == 0:
            del content[at : at + draw(st.integers(1, 20))]
        elif what == 1:
            content[at:at] = draw(st.binary(min_size=1, max_size=4))
        elif what == 2:
            stop = at + draw(st.integers(1, 20))
            content[at:at] = content[at:stop]
        else:
            content[at:at] = draw(
                st.sampled_from([b"{", b"}", b"'", b'"', b"\\", b",", b"\n", b"%", b"?",
                                 b"\t", b"@data\n", b"@attribute ", b" nan", b"1e400"])
            )  # fmt: skip
    return bytes(content)


@examples(100)
@given(content=damaged(), labels=st.sampled_from([None, 1, -1, ["l"]]))
def test_damaged_files_are_read_alike_or_refused(content, labels):
    fast = outcome(read, content, labels=labels)
    assert fast == outcome(read_with_care_only, content, labels=labels)


@examples(50)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_read(content):
    outcome(read, content, labels=1)
    head = b"@relation r\n@attribute a numeric\n@attribute b {0,1}\n@data\n"
    outcome(read, head + content, labels=1)


@examples(50)
@given(st.binary(max_size=200), st.integers(0, 200))
def test_any_xml_is_refused_or_read(content, at):
    good = b"<?xml version='1.0'?><labels xmlns='u'><label name='a&amp;'/></labels>"
    for text in (content, good[:at] + content + good[at:], good[:at]):
        try:
            names = label_names_from_xml(io.BytesIO(text), path="x")
        except ReadError:
            continue
        assert names


# writing and reading back -------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
FLOATS = st.floats(allow_nan=True, allow_infinity=False)


@st.composite
def datasets(draw):
    names = draw(st.lists(TEXTS, min_size=3, max_size=6, unique=True))
    q = draw(st.integers(1, 2))
    d = len(names) - q
    n = draw(st.integers(1, 4))
    categories = draw(
        st.lists(
            st.one_of(
                st.none(),
                st.lists(TEXTS, min_size=1, max_size=4, unique=True).map(tuple),
            ),
            min_size=d,
            max_size=d,
        )
    )
    X = np.zeros((n, d))
    for j, known in enumerate(categories):
        cell = FLOATS
        if known is not None:
            cell = st.one_of(st.integers(0, len(known) - 1), st.just(math.nan))
        X[:, j] = draw(st.lists(cell, min_size=n, max_size=n))
    Y = np.array(draw(st.lists(st.lists(st.integers(0, 1), min_size=q, max_size=q),
                               min_size=n, max_size=n)), dtype=np.uint8)  # fmt: skip
    weights = draw(
        st.none() | st.lists(st.floats(0, 1e300), min_size=n, max_size=n).map(np.array)
    )
    relation = draw(TEXTS.filter(lambda t: "-C" not in t))
    return Dataset(
        X, Y, names[:d], names[d:], categories, weights=weights, name=relation
    )


@examples(50)
@given(data=datasets(), as_sparse=st.booleans(), given_sparse=st.booleans())
def test_what_is_written_reads_back_the_same(data, as_sparse, given_sparse):
    if given_sparse:
        data = Dataset(
            sparse.csr_array(data.X), sparse.csr_array(data.Y), data.feature_names,
            data.label_names, data.categories, weights=data.weights, name=data.name,
        )  # fmt: skip
    stream = io.BytesIO()
    write_arff(data, stream, sparse=as_sparse)
    back = read(stream.getvalue())
    assert sparse.issparse(back.X) == as_sparse
    for first, second in ((data.X, back.X), (data.Y, back.Y)):
        full = [m.toarray() if sparse.issparse(m) else m for m in (first, second)]
        np.testing.assert_array_equal(*full)
        if not as_sparse and not given_sparse and full[0].dtype == np.float64:
            known = ~np.isnan(full[0])  # the sign of zero, too
            np.testing.assert_array_equal(*(np.signbit(m[known]) for m in full))
    assert back.feature_names == data.feature_names
    assert back.label_names == data.label_names
    assert back.categories == data.categories
    assert back.name == (data.name.rstrip().removesuffix(":").rstrip() or "any")
    if data.weights is None:
        assert back.weights is None
    else:
        assert back.weights.tolist() == data.weights.tolist()


@given(
    st.lists(TEXTS, min_size=1, max_size=5, unique=True).filter(
        lambda names: not any(c < " " or c in "\ufffe\uffff" for t in names for c in t)
    )
)
def test_label_names_survive_xml(names):
    q = len(names)
    data = Dataset(np.zeros((1, 1)), np.zeros((1, q)), ["f" * 9], names)
    stream = io.BytesIO()
    write_mulan_xml(data, stream)
    assert label_names_from_xml(io.BytesIO(stream.getvalue()), path="x") == names
