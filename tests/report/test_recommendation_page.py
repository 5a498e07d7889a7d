"""The page of a recommendation: structure, safety, and what it says."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from labelsift.evaluate import recommend
from labelsift.learn import BRkNN, MLkNN
from labelsift.read import Dataset
from labelsift.report import write_recommendation
from labelsift.select import SPEC, Chi2
from report.page_reader import read_page

ODD = ["<script>alert(1)</script>", "a & b", "größe", "=SUM(A1)", "\u202eback"]
SMALL = {"cv": 4, "inner_cv": 3, "selectors": {"chi2 & <i>": Chi2(), "spec": SPEC()}}


def data(strength, n=120, d=10, name="songs <b>"):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n, d)), rng.integers(0, 2, (n, 3))
    X[:, [1, 4, 6]] += strength * Y
    names = [*ODD, *(f"c{i}" for i in range(d - len(ODD)))]
    return Dataset(X, Y, names, ["calm", "<u>sad", "angry"], name=name)


def read(found, dataset, tmp_path, **options):
    path = found.report(tmp_path / "page.html", date="2026-01-31", **options)
    text = path.read_text(encoding="utf-8")
    return text, read_page(text)


@pytest.fixture(scope="module")
def kept():
    dataset = data(3.0)
    return recommend(dataset, **SMALL), dataset


def section(page, ident):
    return page.by_id(ident).plain


def test_the_verdict_comes_first_and_every_section_is_there(kept, tmp_path):
    found, dataset = kept
    _, page = read(found, dataset, tmp_path, command="labelsift recommend s.arff")
    answers = [n for n in page.walk() if "answer" in n.classes]
    assert answers[0].plain.startswith("Keep 3 of 10 features: Hamming loss 0.")
    assert "\u2212" in answers[0].plain
    idents = [node.attributes["id"] for node in page.all("section")]
    parts = ["verdict", "curve", "features", "methods", "labels", "trust", "again"]
    assert idents == parts
    assert section(page, "curve").count("new rows") == 1
    assert "keep 3" in section(page, "curve")
    assert "chi2 & <i>" in section(page, "methods")
    assert "of 4" in section(page, "methods")
    assert "labelsift recommend s.arff" in section(page, "again")
    assert "cv=4" in section(page, "again")
    assert "data = ... # songs <b>, as it was given" in section(page, "again")
    links = [a.attributes["href"][1:] for a in page.first("nav").all("a")]
    assert links == parts[1:]


def test_names_are_escaped_and_nothing_is_loaded(kept, tmp_path):
    text, page = read(*kept, tmp_path)
    assert "<script>alert" not in text
    assert "<u>sad" not in text
    assert "songs <b>" not in text
    assert "http-equiv" in text
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text
    for node in page.walk():
        for name in ("src", "href"):
            target = node.attributes.get(name) or "#"
            assert target[0] == "#" or target.startswith("data:")
    assert len(text.encode()) < 500_000
    levels = [int(n.tag[1]) for n in page.walk() if re.fullmatch("h[1-6]", n.tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [n.attributes["id"] for n in page.walk() if "id" in n.attributes]
    assert len(ids) == len(set(ids))


def test_the_features_come_with_labels_and_folds(kept, tmp_path):
    found, dataset = kept
    _, page = read(found, dataset, tmp_path)
    rows = page.by_id("features-table").all("tr")[1:]
    assert len(rows) == 3
    names = [row.all("th")[0].plain if row.all("th") else row.plain for row in rows]
    assert {"a & b", "\ufffdback", "c1"} == set(names)
    assert all("100\u00a0%" in row.text or "100 %" in row.text for row in rows)
    labels = page.by_id("labels-table").plain
    assert "<u>sad" in labels
    assert "F1, kept" in labels


def test_noise_is_said_in_one_sentence_with_the_figures_below(tmp_path):
    dataset = data(0.0)
    found = recommend(dataset, **SMALL)
    _, page = read(found, dataset, tmp_path)
    answer = next(n for n in page.walk() if "answer" in n.classes).plain
    assert answer == "No selection can be justified: no feature predicts the labels."
    caveat = next(n for n in page.walk() if "caveat" in n.classes).plain
    assert caveat.startswith("With all 10 features Hamming loss is 0.")
    assert "keep 10" not in section(page, "curve")
    assert "No feature predicts the labels" in section(page, "trust")
    assert len(page.by_id("features-table").all("tr")) == 11


def test_what_was_left_out_and_not_searched_is_said(tmp_path):
    dataset = data(3.0, n=200)
    found = recommend(dataset, **{**SMALL, "time_limit": 1e-4, "max_samples": 100})
    _, page = read(found, dataset, tmp_path)
    trust = section(page, "trust")
    assert "spec: it would have taken about" in trust
    assert "100 of 200 rows" in trust
    assert "Left out" in section(page, "methods")


def test_several_classifiers_costs_and_one_feature(tmp_path):
    dataset = data(3.0)
    two = {"near": MLkNN(5), "br": BRkNN(5)}
    found = recommend(dataset, classifiers=two, **SMALL)
    _, page = read(found, dataset, tmp_path)
    assert "Classifier" in page.by_id("methods-table").plain
    assert "the classifier chosen inside" in section(page, "labels")
    single = dataset.take_features([1])
    found = recommend(single, **SMALL)
    _, page = read(found, single, tmp_path)
    assert "There is one feature" in section(page, "features")


def test_given_splits_and_grids_do_not_stand_in_the_way(tmp_path):
    dataset = data(3.0)
    rows = np.arange(120)
    splits = [(rows[rows % 3 != i], rows[rows % 3 == i]) for i in range(3)]
    settings = {**SMALL, "cv": splits, "grid": np.array([1, 3, 5])}
    found = recommend(dataset, **settings)
    of_file = replace(dataset, loaded="load_dataset('songs.csv', labels=3)")
    _, page = read(found, dataset, tmp_path, data=of_file)
    again = section(page, "again")
    assert "data = load_dataset('songs.csv', labels=3)" in again
    assert "# cv: as given" in again
    assert "# grid: as given" in again
    assert "given splits" in again


def test_other_data_are_refused_and_a_pickle_needs_them(kept, tmp_path):
    found, dataset = kept
    with pytest.raises(ValueError, match="10 features, the data has 4"):
        write_recommendation(
            found, dataset.take_features([0, 1, 2, 3]), tmp_path / "page.html"
        )
    assert not (tmp_path / "page.html").exists()
