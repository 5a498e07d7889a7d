"""Every fault of a file is a ReadError that says where it is and what is wrong."""

import gzip
import io

import pytest

from labelsift.read.arff import read_arff
from labelsift.read.errors import ReadError

HEAD = """@relation 'made up: -C -2'
@attribute a numeric
@attribute color {red,green,blue}
@attribute l1 {0,1}
@attribute l2 {0,1}
@data
"""
GOOD = "1,red,0,1\n"


def refused(text, **options):
    content = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(ReadError) as caught:
        read_arff(io.BytesIO(content), path="bad.arff", **options)
    assert caught.value.path == "bad.arff"
    return caught.value


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1,red,0", "expected 4 values, found 3"),
        ("1,red,0,1,1", "expected 4 values, found 5"),
        ("1,red,0,1,", "value 5 of 4 is empty"),
        ("1,,0,1", "value 2 of 4 is empty"),
        (",red,0,1", "value 1 of 4 is empty"),
        ("1,red,0,1,{x}", "weight of 0 or more in braces, found 'x'"),
        ("1,red,0,1,{-1}", "weight of 0 or more in braces, found '-1'"),
        ("1,red,0,1,{1", "braces around the weight are not closed"),
        ("1,red,0,1,{1} 2", "end of the line behind the weight, found '2'"),
        ("1,light red,0,1", "found 5; a value that holds blanks"),
        ("1,pink,0,1", "'pink' is not a value of attribute 'color', which has {red"),
        ("1,Red,0,1", "'Red' is not a value"),
        ("x,red,0,1", "attribute 'a' is numeric, found 'x'"),
        ("nan,red,0,1", "is numeric, found 'nan'; write ? for a missing value"),
        ("Infinity,red,0,1", "is numeric, found 'Infinity'"),
        ("-inf,red,0,1", "is numeric, found '-inf'"),
        ("1_000,red,0,1", "is numeric, found '1_000'"),
        ("0x10,red,0,1", "is numeric, found '0x10'"),
        ("\u0661,red,0,1", "is numeric, found"),
        ("1e,red,0,1", "is numeric, found '1e'"),
        (".,red,0,1", "is numeric, found '.'"),
        ("1.2.3,red,0,1", "is numeric, found '1.2.3'"),
        ("'',red,0,1", "is numeric, found ''"),
        ("1e999,red,0,1", "'1e999' is too large"),
        ("1,red,?,1", r"label 'l1' is missing (?); a missing label is not 0"),
        ("1,red,2,1", "'2' is not a value of label 'l1', which has {0, 1}"),
        ("1,red,nan,1", "'nan' is not a value of label 'l1'"),
        ("1,'red,0,1", 'quote that opens "\'red,0,1" is not closed'),
        ("1,'red'x,0,1", "expected a separator behind \"'red'\""),
        ("1,red},0,1", "found '}'"),
        ("{0 1", "expected } at the end of a sparse row"),
        ("{0 1,", "expected } at the end of a sparse row"),
        ("{0 1,}", "expected an index behind the last comma"),
        ("{,0 1}", "expected a value, found ','"),
        ("{4 1}", "index 4 is out of range: the file has 4 attributes"),
        ("{99999999999999999999 1}", "is out of range"),
        ("{-1 1}", "index of an attribute, from 0 to 3, found '-1'"),
        ("{1.0 red}", "index of an attribute, from 0 to 3, found '1.0'"),
        ("{0 1,0 2}", "index 0 ('a') occurs twice"),
        ("{3 1,0 1,3 0}", "index 3 ('l2') occurs twice"),
        ("{0 0,0 0}", "index 0 ('a') occurs twice"),
        ("{0}", "expected a value behind index 0, found none"),
        ("{0 }", "expected a value behind index 0, found none"),
        ("{0 1} 3", "expected the end of the line behind }, found '3'"),
        ("{0 1},", "expected a weight in braces behind the row, found nothing"),
        ("{2 ?}", "label 'l1' is missing"),
        ("{1 pink}", "'pink' is not a value of attribute 'color'"),
        ("{1 'red}", "is not closed on its line"),
        ("{0 'x\\'}", "is not closed on its line"),
        ("{0 1 2}", "behind index 2, found none"),
    ],
)
@pytest.mark.parametrize("good_rows", [0, 3])
def test_a_bad_row_is_named_by_line(row, words, good_rows):
    error = refused(HEAD + GOOD * good_rows + row + "\n" + GOOD)
    assert words in str(error)
    assert error.line == 7 + good_rows
    assert str(error).startswith(f"bad.arff line {7 + good_rows}: ")


def test_a_file_cut_off_in_its_last_row():
    text = HEAD + GOOD * 5
    for length in range(len(HEAD) + 1, len(text)):
        if text[:length].endswith(("0,1", "0,1\n")):
            continue  # whole rows
        error = refused(text[:length])
        assert error.line == 7 + text[len(HEAD) : length].count("\n")


@pytest.mark.parametrize(
    ("label", "row", "words"),
    [
        ("numeric", "1,red,0,2", "label 'l2' must be 0 or 1, found '2'"),
        ("numeric", "1,red,0,0.5", "must be 0 or 1, found '0.5'"),
        ("numeric", "1,red,0,?", "label 'l2' is missing"),
        ("numeric", "{3 7}", "must be 0 or 1, found '7'"),
    ],
)
def test_numeric_labels_must_be_zero_or_one(label, row, words):
    error = refused(HEAD.replace("l2 {0,1}", f"l2 {label}") + GOOD + row)
    assert words in str(error)
    assert error.line == 8


@pytest.mark.parametrize(
    ("domain", "options", "words"),
    [
        ("{0,1,2}", {}, "{0, 1, 2}, which do not say what is 1: give negative_value="),
        ("{A,NEG}", {}, "give negative_value="),
        ("{-1,0,1}", {}, "which do not say what is 1"),
        ("{A,NEG}", {"negative_value": "neg"}, "no value 'neg' (negative_value)"),
        ("{A,NEG}", {"positive_value": "B"}, "no value 'B' (positive_value)"),
        ("{A,B,C}", {"positive_value": "A", "negative_value": "B"}, "the value 'C'"),
        ("numeric", {"negative_value": "NEG"}, "negative_value='NEG' is no number"),
        ("string", {}, "label 'l2' is of type string"),
        ("date", {}, "label 'l2' is of type date"),
    ],
)
def test_labels_of_unclear_values_are_refused_with_the_remedy(domain, options, words):
    error = refused(HEAD.replace("l2 {0,1}", f"l2 {domain}"), labels=1, **options)
    assert words in str(error)


def test_a_label_that_is_left_out_but_not_zero():
    head = HEAD.replace("{0,1}", "numeric")
    options = {"negative_value": "1", "positive_value": "2"}
    data = read_arff(io.BytesIO(f"{head}{{2 1,3 2}}\n".encode()), path="x", **options)
    assert data.Y.toarray().tolist() == [[0, 1]]
    error = refused(head + "{2 1,3 2}\n{2 2}\n", **options)
    assert "label 'l2' is left out, which means 0" in str(error)
    assert error.line == 8


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("\n\n", 1, "the file is empty"),
        (HEAD, 6, "expected rows behind @data, found none"),
        (HEAD + "\n% only a comment\n", 8, "expected rows behind @data, found none"),
        (HEAD.replace("@data\n", ""), 5, "expected a line @data, found the end"),
        ("a,b,c\n1,2,3\n", 1, "expected @relation, @attribute or @data, found 'a,b,c'"),
        ("@relation x\n@data\n1\n", 2, "expected at least one @attribute"),
        ("@relation x\n@relation y\n@data\n", 2, "a second @relation"),
        ("@relation x\n@inputs a\n@data\n1\n", 2, "found '@inputs'"),
        ("@relation 'x\n@data\n", 1, "is not closed on its line"),
        ("@relation 'x' y\n@data\n", 1, "behind the relation's name, found 'y'"),
        ("@attribute\n@data\n", 1, "expected a name behind @attribute"),
        ("@attribute a\n@data\n", 1, "type of attribute 'a' (numeric,"),
        ("@attribute a b numeric\n@data\n", 1, "needs quotes"),
        ("@attribute a numeric x\n@data\n", 1, "behind the type of attribute 'a'"),
        ("@attribute a {x,y\n@data\n", 1, "braces of attribute 'a' are not closed"),
        ("@attribute a {x,'y}\n@data\n", 1, "is not closed on its line"),
        ("@attribute a {x,y} z\n@data\n", 1, "behind the type of attribute 'a'"),
        ("@attribute a {}\n@data\n", 1, "expected the values of a nominal attribute"),
        ("@attribute a {x,,y}\n@data\n", 1, "expected a value, found ','"),
        ("@attribute a {x,y,}\n@data\n", 1, "behind the last comma"),
        ("@attribute a {x,y,x}\n@data\n", 1, "the value 'x' is listed twice"),
        (
            "@attribute a {x y,z}\n@data\n",
            1,
            "put a value that holds a blank in quotes",
        ),
        ("@attribute a numeric\n@attribute 'a' {x}\n@data\n", 2, "on line 1 already"),
        ("@attribute a relational\n@data\n", 2, "expected @end a before @data"),
        ("@attribute a relational\n@end b\n@data\n", 2, "expected @end a, found"),
        ("@end b\n@data\n", 1, "found '@end'"),
        ("@attribute a numeric\n@data 1\n@data\n", 2, "nothing behind @data"),
    ],
)
def test_a_bad_head_is_named_by_line(text, line, words):
    error = refused(text, labels=1)
    assert words in str(error)
    assert error.line == line


def test_labels_that_the_file_lacks_are_named_with_a_likeness():
    error = refused(HEAD + GOOD, labels=["l1", "colour"])
    assert "labels= names 'colour', but the file has no such column" in str(error)
    assert "did you mean 'color'?" in str(error)


def test_without_any_word_on_labels_the_remedy_is_told():
    error = refused(HEAD.replace(": -C -2", "") + GOOD)
    assert "give labels=" in str(error)


@pytest.mark.parametrize("place", [3, len(HEAD) + 3])
def test_nul_bytes_and_utf16_are_no_text(place):
    content = (HEAD + GOOD).encode()
    error = refused(content[:place] + b"\0" + content[place:])
    assert "NUL byte" in str(error)
    assert error.line == 1 + content[:place].count(b"\n")
    assert "UTF-16" in str(refused((HEAD + GOOD).encode("utf-16")))


def test_an_enormous_line_is_refused(monkeypatch):
    monkeypatch.setattr("labelsift.read.arff_lines.MAX_LINE_BYTES", 1000)
    monkeypatch.setattr("labelsift.read.arff_lines.BLOCK_BYTES", 100)
    error = refused(HEAD + GOOD + "1," * 600)
    assert "a line is longer than 1000 bytes" in str(error)
    assert error.line == 8


def test_bytes_that_are_not_utf8_match_no_value():
    text = HEAD.replace("red", "r\u00e9d").encode()
    error = refused(text + "1,r\u00e9d,0,1\n".encode("latin-1"))
    assert "is not a value of attribute 'color'" in str(error)
    str(error).encode()  # can be printed


def test_a_gzip_that_is_cut_short():
    whole = gzip.compress((HEAD + GOOD * 1000).encode())
    with pytest.raises(ReadError, match="the file breaks off"):
        read_arff(gzip.open(io.BytesIO(whole[:-20])), path="bad.arff")


def test_wrong_options_are_errors_of_the_caller():
    for options, error in (
        ({"negative_value": 0}, TypeError),
        ({"positive_value": "1", "negative_value": "1"}, ValueError),
        ({"labels": 0}, ValueError),
        ({"labels": 1.5}, TypeError),
        ({"labels": True}, TypeError),
        ({"labels": [1, 2]}, TypeError),
    ):
        with pytest.raises(error):
            read_arff(io.BytesIO((HEAD + GOOD).encode()), path="x", **options)
