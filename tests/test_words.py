"""A number with its noun reads right where there is one."""

import numpy as np
import pytest

from labelsift.evaluate import cross_validate
from labelsift.learn import BRkNN
from labelsift.read import Dataset
from labelsift.report import write_report, write_selection
from labelsift.select import Chi2


def test_one_of_everything_is_singular(tmp_path):
    X = np.arange(30.0).reshape(-1, 1)
    data = Dataset(X, (X > 9).astype(int), ["tempo"], ["calm"])
    assert repr(data) == "Dataset('data': 30 rows, 1 feature, 1 label)"
    selector = Chi2(1).fit(data.X, data.Y)
    assert repr(selector.scores_per_label_) == "ScoreTable(1 feature x 1 label)"
    results = cross_validate(Chi2(), BRkNN(3), data, grid=[1], cv=2)
    assert repr(results).endswith(": 1 selector x 1 classifier x 1 size x 2 folds)")
    pages = [
        write_selection(selector, data, tmp_path / "kept.html"),
        write_report(results, data, tmp_path / "report.html"),
    ]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "1 features" not in text
        assert "1 labels" not in text


def test_one_bad_value_is_one():
    with pytest.raises(ValueError, match=r"\(1 such value\)"):
        Chi2().fit(np.array([[1.0], [np.inf]]), [0, 1])
    with pytest.warns(UserWarning, match="but X has 1 feature; all are kept"):
        Chi2(2).fit(np.array([[1.0], [2.0]]), [0, 1])
