"""Reading ARFF text whose content is known by hand."""

import io
import warnings

import numpy as np
import pytest
from scipy import sparse

from labelsift.read.arff import read_arff, read_arff_blocks
from labelsift.read.errors import ReadError

HEAD = """@relation 'made up: -C -2'
@attribute a numeric
@attribute color {red,green,blue}
@attribute l1 {0,1}
@attribute l2 {0,1}
@data
"""


def read(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    return read_arff(io.BytesIO(content), path="made-up.arff", **options)


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def assert_rows(data, X, Y):
    np.testing.assert_array_equal(dense(data.X), np.array(X, dtype=float))
    np.testing.assert_array_equal(dense(data.Y), np.array(Y))


def test_dense_rows_give_arrays_names_and_categories():
    data = read(HEAD + "1.5,green,0,1\n-2e1,red,1,0\n")
    assert_rows(data, [[1.5, 1], [-20, 0]], [[0, 1], [1, 0]])
    assert isinstance(data.X, np.ndarray)
    assert data.Y.dtype == np.uint8
    assert data.feature_names == ("a", "color")
    assert data.label_names == ("l1", "l2")
    assert data.categories == (None, ("red", "green", "blue"))
    assert (data.name, data.source) == ("made up", "made-up.arff")
    assert data.weights is None


def test_sparse_rows_give_csr_and_leave_out_the_first_value():
    data = read(HEAD + "{0 2.5, 1 blue,3 1}\n{}\n{ 2 1 }\n")
    assert sparse.issparse(data.X)
    assert sparse.issparse(data.Y)
    assert_rows(data, [[2.5, 2], [0, 0], [0, 0]], [[0, 1], [0, 0], [1, 0]])
    assert data.X.nnz == 2


def test_explicit_zeros_and_first_values_are_not_stored():
    data = read(HEAD + "{0 0, 1 red, 2 0}\n{0 -0.0}\n")
    assert data.X.nnz == 0
    assert data.Y.nnz == 0


def test_sparse_indices_may_come_in_any_order():
    data = read(HEAD + "{3 1,1 green,0 4}\n{0 1}\n")
    assert data.X.has_sorted_indices
    assert_rows(data, [[4, 1], [1, 0]], [[0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("rows", "is_sparse"),
    [("1,red,0,1\n{1 blue}\n2,green,1,1\n", False), ("{}\n1,blue,0,1\n{0 3}\n", True)],
)
def test_mixed_rows_keep_their_order_and_take_the_form_of_most(rows, is_sparse):
    data = read(HEAD + rows)
    assert sparse.issparse(data.X) == is_sparse
    assert sparse.issparse(data.Y) == is_sparse
    if is_sparse:
        assert_rows(data, [[0, 0], [1, 2], [3, 0]], [[0, 0], [0, 1], [0, 0]])
    else:
        assert_rows(data, [[1, 0], [0, 2], [2, 1]], [[0, 1], [0, 0], [1, 1]])


def test_a_label_domain_that_starts_with_one_is_one_where_left_out():
    head = HEAD.replace("l1 {0,1}", "l1 {1,0}")
    assert_rows(
        read(head + "1,red,0,1\n2,red,1,0\n"), [[1, 0], [2, 0]], [[0, 1], [1, 0]]
    )
    data = read(head + "{3 1}\n{2 0}\n{2 1}\n")
    assert sparse.issparse(data.Y)
    assert_rows(data, np.zeros((3, 2)), [[1, 1], [0, 0], [1, 0]])


@pytest.mark.parametrize(
    "domain",
    ["{f,t}", "{t,f}", "{FALSE,TRUE}", "{no, yes}", "{N,Y}", "{-1,1}", "{+1,-1}",
     "{absent,present}", "{ '0' , \"1\" }", "{0.0,1.0}"],
)  # fmt: skip
def test_labels_say_by_their_value_what_is_one(domain):
    values = domain.strip("{}").replace("'", "").replace('"', "").split(",")
    no, yes = sorted(
        (v.strip() for v in values),
        key=lambda v: (
            v.lower() in ("t", "true", "yes", "y", "1", "+1", "1.0", "present")
        ),
    )
    text = HEAD.replace("l2 {0,1}", f"l2 {domain}") + f"1,red,0,{yes}\n1,red,0,{no}\n"
    assert read(text).Y[:, 1].tolist() == [1, 0]


def test_numeric_labels_may_be_zero_or_one():
    text = HEAD.replace("l1 {0,1}", "l1 numeric").replace("l2 {0,1}", "l2 REAL")
    assert_rows(
        read(text + "1,red,0,1.0\n2,red,1e0,0\n"), [[1, 0], [2, 0]], [[0, 1], [1, 0]]
    )
    assert_rows(read(text + "{2 1}\n{}\n"), np.zeros((2, 2)), [[1, 0], [0, 0]])


def test_negative_value_makes_every_other_value_one():
    text = HEAD.replace("{0,1}", "{A,B,NEG}") + "1,red,A,NEG\n2,red,NEG,B\n"
    assert read(text, negative_value="NEG").Y.tolist() == [[1, 0], [0, 1]]
    assert read(text, positive_value="A").Y.tolist() == [[1, 0], [0, 0]]


def test_negative_value_holds_for_numeric_and_left_out_labels():
    text = HEAD.replace("{0,1}", "numeric")
    assert read(text + "1,red,3,5\n", negative_value="3").Y.tolist() == [[0, 1]]
    assert read(text + "1,red,3,5\n", positive_value="3").Y.tolist() == [[1, 0]]
    assert dense(read(text + "{2 3}\n", negative_value="3").Y).tolist() == [[0, 1]]
    text = HEAD.replace("{0,1}", "{A,NEG}") + "{2 NEG}\n"
    assert dense(read(text, negative_value="NEG").Y).tolist() == [[0, 1]]


def test_missing_values_are_nan_in_dense_and_sparse_rows():
    data = read(HEAD + "?,?,0,1\n{0 ?, 1 ? ,2 1}\n{0 1}\n{}\n")
    assert sparse.issparse(data.X)
    assert np.isnan(data.X.toarray()).tolist() == [[True, True]] * 2 + [[False] * 2] * 2


def test_a_quoted_question_mark_is_a_value():
    text = HEAD.replace("{red,green,blue}", "{'?',red}") + "1,'?',0,1\n1,?,0,1\n"
    assert read(text).X[0, 1] == 0
    assert np.isnan(read(text).X[1, 1])


def test_comments_and_blank_lines_may_stand_anywhere():
    text = "% first\n\n" + HEAD.replace("@data", "  % in the head\n\n@data % here")
    data = read(
        text + "\n% between\n1,red,0,1 % behind\n   \n \t% more\n2,blue,1,0\n\n"
    )
    assert_rows(data, [[1, 0], [2, 2]], [[0, 1], [1, 0]])
    data = read(text + "%\n{0 1} % behind\n%x\n{} %\n")
    assert_rows(data, [[1, 0], [0, 0]], np.zeros((2, 2)))


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends_of_all_systems_and_a_missing_last_one(end, last):
    text = (HEAD + "1,red,0,1\n2,blue,1,0").replace("\n", end) + (end if last else "")
    assert_rows(read(text), [[1, 0], [2, 2]], [[0, 1], [1, 0]])


def test_byte_order_mark_is_dropped():
    assert read(b"\xef\xbb\xbf" + (HEAD + "1,red,0,1\n").encode()).n_samples == 1


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_utf8_and_latin1_names_and_values(encoding):
    text = HEAD.replace("color", "coul\u00e9ur").replace("green", "vert\u00e9")
    data = read((text + "1,vert\u00e9,0,1\n").encode(encoding))
    assert data.feature_names == ("a", "coul\u00e9ur")
    assert data.X.tolist() == [[1, 1]]


def test_keywords_in_any_letter_case_and_types_of_all_spellings():
    text = (
        "@RELATION x\n@Attribute a REAL\n@ATTRIBUTE b Integer\n@attribute c NUMERIC\n"
        "@aTTribute l {0,1}\n@DATA\n1.5,2,3,1\n"
    )
    data = read(text, labels=1)
    assert data.X.tolist() == [[1.5, 2, 3]]
    assert data.name == "x"


def test_blanks_and_tabs_in_head_and_rows():
    text = (
        "  @relation\t'x y'\n@attribute\ta\t numeric  \n@attribute b{ x ,\ty }\n"
        "@attribute l\t{0, 1} \n@data\n 1\t, y ,\t0  \n2 x 1\n3\tx\t1\n"
    )
    data = read(text, labels=["l"])
    assert_rows(data, [[1, 1], [2, 0], [3, 0]], [[0], [1], [1]])
    assert data.name == "x y"
    data = read(
        text.partition("@data")[0] + "@data\n {\t0  5 ,1\ty , 2 1}\t\n{ }\n", labels=1
    )
    assert_rows(data, [[5, 1], [0, 0]], [[1], [0]])


def test_instance_weights_of_dense_and_sparse_rows():
    data = read(HEAD + "1,red,0,1, {5}\n2,red,0,1\n3,red,0,1,{ 0.5 }\n4,red,0,1 {2}\n")
    assert data.weights.tolist() == [5, 1, 0.5, 2]
    data = read(HEAD + "{0 1}, {5}\n{0 1}\n{} {2.5}\n")
    assert data.weights.tolist() == [5, 1, 2.5]
    data = read(HEAD + "{0 1}, {5}\n1,red,0,1, {2}\n{}\n")
    assert data.weights.tolist() == [5, 2, 1]


def test_quoted_values_with_blanks_commas_and_escapes():
    head = HEAD.replace(
        "{red,green,blue}", r"""{'a b', "c,d", 'it\'s', 'x\\y', '}', '%'}"""
    )
    rows = [r"'a b'", r'"c,d"', r"'it\'s'", r'"it\'s"', r"'x\\y'", r"'}'", r"'%'"]
    data = read(head + "".join(f"'1',{value},0,'1'\n" for value in rows))
    assert data.X[:, 1].tolist() == [0, 1, 2, 2, 3, 4, 5]
    assert data.X[:, 0].tolist() == [1] * 7
    data = read(head + "".join(f"{{1 {value}, 3 '1'}}\n" for value in rows))
    assert dense(data.X)[:, 1].tolist() == [0, 1, 2, 2, 3, 4, 5]


def test_escapes_in_names_count_inside_quotes_only():
    text = (
        "@relation r\n@attribute 'Swainson\\'s Thrush' {0,1}\n"
        "@attribute m\\'usica {0,1}\n"
        "@attribute \"two words\" numeric\n@attribute 'tab\\tnew\\u00e9' numeric\n"
        "@attribute c# numeric\n@attribute 1/2/01 numeric\n@attribute ?? numeric\n"
        "@attribute data numeric\n@attribute end numeric\n@attribute 00 numeric\n"
        "@data\n1,0,1,2,3,4,5,6,7,8\n"
    )
    data = read(text, labels=["m\\'usica", "Swainson's Thrush"])
    assert data.label_names == ("Swainson's Thrush", "m\\'usica")
    assert data.Y.tolist() == [[1, 0]]
    assert data.feature_names == (
        "two words", "tab\tnew\u00e9", "c#", "1/2/01", "??", "data", "end", "00"
    )  # fmt: skip


def test_nominal_codes_follow_the_header_not_the_value():
    text = HEAD.replace("{red,green,blue}", "{2,10,1}") + "1,10,0,1\n1,1,0,1\n"
    assert read(text).X[:, 1].tolist() == [1, 2]


def test_strings_dates_and_relations_are_dropped_with_one_warning():
    text = (
        "@relation r\n@attribute s STRING\n@attribute a numeric\n"
        "@attribute d date 'yyyy-MM-dd HH:mm'\n@attribute e date yyyy\n"
        "@attribute bag relational\n@attribute inner numeric\n@attribute a {x,y}\n"
        "@end bag\n@attribute l {0,1}\n@data\n"
        "'it\\'s',1,'2001-01-01 10:00',2001,'1,x\\n2,y',1\nplain,2,?,?,?,0\n"
        "{0 text, 1 3, 2 '2001-01-01 10:00', 5 1}\n"
    )
    with pytest.warns(
        UserWarning, match=r"4 of the attributes.*'s' \(string\)"
    ) as seen:
        data = read(text, labels=1)
    assert len(seen) == 1
    assert all(
        name in str(seen[0].message) for name in ("'d' (date)", "'e'", "'bag' (rel")
    )
    assert data.feature_names == ("a",)
    assert_rows(data, [[1], [2], [3]], [[1], [0], [1]])


def test_meka_puts_labels_first_or_last_and_options_do_not_reach_the_name():
    head = HEAD.replace("@attribute a numeric\n@attribute color {red,green,blue}\n", "")
    head = head.replace("@data\n", "@attribute a numeric\n@data\n")
    for options in ("-C 2", "-C 2 -R", "-C 2 -split-number 1"):
        data = read(head.replace("-C -2", options) + "1,0,7\n0,1,8\n")
        assert data.label_names == ("l1", "l2")
        assert_rows(data, [[7], [8]], [[1, 0], [0, 1]])
        assert data.name == "made up"


def test_xml_wins_over_the_relation_and_labels_over_both(tmp_path):
    xml = tmp_path / "x.xml"
    xml.write_text('<labels><label name="l2"/></labels>')
    text = HEAD + "1,red,0,1\n"
    assert read(text, xml=xml).label_names == ("l2",)
    assert read(text, xml=xml, labels=["l1"]).label_names == ("l1",)
    assert read(text).label_names == ("l1", "l2")


def test_a_count_that_weka_filters_may_have_made_stale_warns(tmp_path):
    text = HEAD.replace("-C -2", "-C -2 -I 0-weka.filters.unsupervised.Remove-R1")
    with pytest.warns(UserWarning, match=r"after its relation was given -C -2.*'l1'"):
        read(text + "1,red,0,1\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(text + "1,red,0,1\n", labels=1).label_names == ("l2",)


def test_no_label_at_all_on_request():
    data = read(HEAD + "1,red,0,1\n", labels=[])
    assert data.X.tolist() == [[1, 0, 0, 1]]
    assert data.Y.shape == (1, 0)
    assert sparse.issparse(read(HEAD + "{3 1}\n", labels=[]).Y)


def test_labels_need_not_be_neighbours_and_keep_the_order_of_the_file():
    data = read(HEAD + "1,red,0,1\n0,blue,1,0\n", labels=["l2", "a"])
    assert data.label_names == ("a", "l2")
    assert_rows(data, [[0, 0], [2, 1]], [[1, 1], [0, 0]])


@pytest.mark.parametrize("n_bytes", [1, 2, 3, 7, 64])
def test_blocks_of_any_size_give_the_same(n_bytes, monkeypatch):
    text = (
        b"\xef\xbb\xbf"
        + (HEAD + "1,red,0,1\r\n{1 'blue'}\r\n% c\r\n\r\n3,green,1,1, {2}").encode()
    )
    whole = read(text)
    monkeypatch.setattr("labelsift.read.arff_lines.BLOCK_BYTES", n_bytes)
    parts = read(text)
    np.testing.assert_array_equal(whole.X, parts.X)
    np.testing.assert_array_equal(whole.Y, parts.Y)
    assert parts.weights.tolist() == [1, 1, 2]


def test_attribute_weights_of_newer_weka_are_passed_over():
    text = HEAD.replace("a numeric", "a numeric {0.5}").replace("blue}", "blue} {2}")
    assert read(text + "1,red,0,1\n").X.tolist() == [[1, 0]]


def test_values_in_braces_may_be_parted_by_blanks_alone():
    text = HEAD.replace("{red,green,blue}", "{red green blue}")
    assert read(text + "1,blue,0,1\n").X.tolist() == [[1, 2]]


@pytest.mark.parametrize("is_sparse", [False, True])
def test_blocks_one_below_the_other_are_the_whole(is_sparse, monkeypatch):
    monkeypatch.setattr("labelsift.read.arff_lines.BLOCK_BYTES", 64)
    row = "{{0 {}, 3 1}}, {{2}}\n" if is_sparse else "{},blue,1,0\n"
    text = HEAD + "".join(row.format(i) for i in range(1, 41))
    whole = read(text)
    blocks = list(
        read_arff_blocks(io.BytesIO(text.encode()), path="x.arff", block_rows=7)
    )
    assert len(blocks) > 2
    assert all(7 <= block.n_samples <= 20 for block in blocks[:-1])
    for name in ("X", "Y"):
        stacked = np.vstack([dense(getattr(block, name)) for block in blocks])
        np.testing.assert_array_equal(stacked, dense(getattr(whole, name)))
    assert all(sparse.issparse(block.X) == is_sparse for block in blocks)
    if is_sparse:
        assert all((block.weights == 2).all() for block in blocks)


def test_blocks_of_a_faulty_file_end_in_its_error():
    stream = io.BytesIO((HEAD + "1,red,0,1\n1,red\n").encode())
    with pytest.raises(ReadError, match="line 8: expected 4 values, found 2"):
        list(read_arff_blocks(stream, path="x.arff"))
    with pytest.raises(ReadError, match="expected rows behind @data"):
        list(read_arff_blocks(io.BytesIO(HEAD.encode()), path="x.arff"))
    with pytest.raises(ValueError, match="block_rows must be at least 1"):
        list(read_arff_blocks(stream, path="x.arff", block_rows=0))


@pytest.mark.parametrize(
    "rows",
    [
        "1,red,0,1\n?,'blue',1,0, {2}\n\n% c\n0.12345678901234567, red ,0\t1\n",
        "{0 1,3 1}\n{}\n{3 1,1 'blue'}, {2}\n% c\n{0 ?}\n{0 3.141592653589793}",
        "1,red,0,1\n{0 1}\n2,red,0,1\n",
    ],
)
def test_plain_rows_never_need_the_slow_parser(rows, monkeypatch):
    expected = read(HEAD + rows)
    monkeypatch.setattr("labelsift.read.arff.parse_row", None)
    data = read(HEAD + rows)
    np.testing.assert_array_equal(dense(data.X), dense(expected.X))
