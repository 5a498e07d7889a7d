"""Which columns are labels, and what a MULAN XML may hold."""

import io

import pytest

from labelsift.read.errors import ReadError
from labelsift.read.label_spec import (
    choose_labels,
    label_names_from_xml,
    meka_options,
)

NAMES = ["a", "b", "c", "d"]


def names_of(text):
    content = text if isinstance(text, bytes) else text.encode()
    return label_names_from_xml(io.BytesIO(content), path="x.xml")


@pytest.mark.parametrize(
    ("relation", "n_labels", "name", "split", "shuffle"),
    [
        ("IMDB: -C 28", 28, "IMDB", None, False),
        ("Music: -C -6", -6, "Music", None, False),
        ("Scene: -C 6 -R", 6, "Scene", None, True),
        ("Yeast: -C 14 -split-number 1500", 14, "Yeast", 1500, False),
        ("x:-C 3", 3, "x", None, False),
        ("-C 3", 3, "", None, False),
        ("x: -C 0", None, "x", None, False),
        ("no options -c 3", None, "no options -c 3", None, False),
        ("A-C 3", None, "A-C 3", None, False),
        ("x: -C 3.5", None, "x: -C 3.5", None, False),
    ],
)
def test_meka_options(relation, n_labels, name, split, shuffle):
    options = meka_options(relation)
    assert options.n_labels == n_labels
    assert options.name == name
    assert options.split_number == split
    assert options.shuffle == shuffle
    assert not options.filtered


def test_filters_behind_the_count_are_noticed():
    assert meka_options("M: -C 45 -I 0-weka.filters.Remove-R1-45").filtered
    assert not meka_options("weka.filters.x: -C 45").filtered


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (1, [3]),
        (3, [1, 2, 3]),
        (-1, [0]),
        (-3, [0, 1, 2]),
        ("c", [2]),
        (["d", "a"], [0, 3]),
        (("b",), [1]),
        ([], []),
    ],
)
def test_names_and_counts_give_columns_in_file_order(labels, columns):
    assert choose_labels(NAMES, labels, xml_names=["b"], meka=None) == columns


def test_xml_wins_over_meka():
    meka = meka_options("x: -C 2")
    assert choose_labels(NAMES, None, xml_names=["d"], meka=meka) == [3]
    assert choose_labels(NAMES, None, xml_names=None, meka=meka) == [0, 1]
    meka = meka_options("x: -C -1")
    assert choose_labels(NAMES, None, xml_names=None, meka=meka) == [3]


def test_names_match_as_read_then_as_written_then_without_quotes():
    names, raw = ["it's", "b"], ["it\\'s", "b"]
    for wanted in ("it's", "it\\'s", "'it\\'s'", '"it\'s"'):
        chosen = choose_labels(
            names, None, xml_names=[wanted], meka=None, raw_names=raw
        )
        assert chosen == [0]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (4, "asks for 4 labels, but the file has 4 columns"),
        (-9, "asks for 9 labels"),
        (["a", "a"], "names label 'a' twice"),
        (["x", "y"], "names 'x' and 1 more, but the file has no such column"),
        (NAMES, "makes every column a label"),
        (None, "nothing says which columns are labels"),
    ],
)
def test_labels_that_do_not_fit_are_read_errors(labels, words):
    with pytest.raises(ReadError, match=r"^f\.arff: ") as caught:
        choose_labels(NAMES, labels, xml_names=None, meka=None, path="f.arff")
    assert words in str(caught.value)


def test_nested_labels_at_any_depth_with_and_without_namespace():
    deep = "<label name='root'>" * 1
    deep += "".join(f"<label name='{i}'>" for i in range(2000)) + "</label>" * 2001
    plain = f"<labels><label name='a'/>{deep}<label name='z'></label></labels>"
    names = names_of(plain)
    assert names == ["a", "root", *map(str, range(2000)), "z"]
    space = plain.replace(
        "<labels>", '<labels xmlns="http://mulan.sourceforge.net/labels">'
    )
    assert names_of(space) == names
    prefixed = '<m:labels xmlns:m="http://x"><m:label name="q"/></m:labels>'
    assert names_of(prefixed) == ["q"]


def test_entities_of_xml_itself_and_encodings():
    assert names_of("<labels><label name='a &amp; &#233; &lt;'/></labels>") == [
        "a & \u00e9 <"
    ]
    text = "<labels><label name='\u00e9'/></labels>"
    text = f"<?xml version='1.0' encoding='iso-8859-1'?>{text}"
    assert names_of(text.encode("latin-1")) == ["\u00e9"]
    assert names_of("<labels><label name='\u00e9'/></labels>".encode("latin-1")) == [
        "\u00e9"
    ]
    assert names_of("<labels><label name='\u00e9'/></labels>".encode("utf-16")) == [
        "\u00e9"
    ]
    assert names_of("<labels>\r\n<label name='a'/>\r\n</labels>\r\n") == ["a"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not well-formed XML"),
        ("<labels><label name='a'>", "not well-formed XML"),
        ("<labels></labels>", "found none"),
        ("<labels><label/></labels>", "expected a name attribute"),
        ("<html><label name='a'/></html>", "expected the root element <labels>"),
        ("<labels><label name='a'/><label name='a'/></labels>", "'a' is listed twice"),
        ("<labels><label name='&x;'/></labels>", "not well-formed XML"),
        (
            "<!DOCTYPE labels [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>"
            "<labels><label name='&b;'/></labels>",
            "entity declarations are refused",
        ),
        (
            "<!DOCTYPE labels [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
            "<labels><label name='a'/>&x;</labels>",
            "entity declarations are refused",
        ),
        (
            "<!DOCTYPE labels [<!ENTITY % x SYSTEM 'file:///etc/hostname'> %x;]>"
            "<labels><label name='a'/></labels>",
            "entity declarations are refused",
        ),
        (
            "<?xml version='1.0' encoding='no-such'?><labels/>",
            "cannot decode the XML",
        ),
    ],
)
def test_xml_that_is_no_list_of_labels(text, words):
    with pytest.raises(ReadError) as caught:
        names_of(text)
    assert words in str(caught.value)
    assert caught.value.path == "x.xml"


def test_an_xml_file_by_path_and_one_that_is_missing(tmp_path):
    path = tmp_path / "l.xml"
    path.write_text("<labels>\n<label name='a'>\n</labels>")
    with pytest.raises(ReadError) as caught:
        label_names_from_xml(path)
    assert (caught.value.path, caught.value.line) == (str(path), 3)
    with pytest.raises(ReadError, match="cannot open the label file"):
        label_names_from_xml(tmp_path / "none.xml")
    with pytest.raises(ReadError, match="cannot open the label file"):
        label_names_from_xml(tmp_path)
