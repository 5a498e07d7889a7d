"""Tables and figures of a paper over the values of a setting."""

import pytest

from labelsift.evaluate import PlanError, ResultStore, run_plan
from labelsift.evaluate.claims_file import parse_claims
from labelsift.evaluate.plan import parse_plan
from labelsift.report.paper_tables import paper_figures

PLAN = """\
metrics = ["average_precision", "hamming_loss"]
folds = { n_splits = 3 }

[data.one]
generate = { n_samples = 80, n_features = 12, n_informative = 4, n_labels = 3 }
missing = { rate = 0.05 }

[selectors.wide]
method = "tolerance_rough_set"
sizes = "own"
grid = { lam = [2, 0.5] }

[selectors.far]
method = "tolerance_rough_set"
sizes = "own"
settings = { metric = "euclidean" }
grid = { lam = [1.0] }

[selectors.gain]
sizes = "own"
steps = [
    "sklearn.impute:SimpleImputer",
    { method = "info_gain", settings = { n_features_to_select = 4 } },
]

[classifiers.mlknn]
steps = ["sklearn.impute:SimpleImputer", "mlknn"]
"""
CLAIMS = """\
[[tables]]
title = "Over lam"
kind = "sweep"
setting = "lam"
metrics = ["hamming_loss"]
"""


@pytest.fixture(scope="module")
def found():
    plan = parse_plan(PLAN)
    with ResultStore.in_memory() as store:
        comparison = run_plan(plan, store)
    claims = parse_claims(CLAIMS, plan)
    return comparison.results[0], paper_figures(comparison, claims.tables)


def test_features_kept_and_metrics_stand_by_the_value_of_the_setting(found):
    results, (kept, loss) = found
    assert kept.title == "Over lam"
    names = ("lam", "wide", "far", "gain", "all features")
    assert tuple(column.title for column in kept.table.columns) == names

    def mean(name):
        each = results.kept_by_itself(name)
        return f"{sum(each) / 3:.1f}"

    rows = [[cell.text for cell in row] for row in kept.table.rows]
    assert rows == [
        ["0.5", mean("wide (lam 0.5)"), "", "", ""],
        ["1", "", mean("far (lam 1.0)"), "", ""],
        ["2", mean("wide (lam 2)"), "", "", ""],
        ["\u2013", "", "", "4.0", ""],
    ]
    by_lam = {row[0].text: row for row in loss.table.rows}
    values = {
        name: float(results.values(name, "mlknn", "hamming_loss")[1].mean())
        for name in (*results.selectors, "all features")
    }
    assert by_lam["2"][1].raw == pytest.approx(values["wide (lam 2)"])
    assert by_lam["1"][2].raw == pytest.approx(values["far (lam 1.0)"])
    assert by_lam["\u2013"][3].raw == pytest.approx(values["gain"])
    assert by_lam["\u2013"][4].raw == pytest.approx(values["all features"])
    best = [cell.raw for row in loss.table.rows for cell in row if cell.is_best]
    assert best == pytest.approx([min(values.values())] * len(best))


def test_the_figure_names_the_setting_and_what_it_shows(found):
    _, (kept, loss) = found
    wide, narrow = kept.picture
    for drawing in (wide, narrow):
        assert "Features kept against lam" in drawing
        assert "is better" not in drawing
        assert "number of features" not in drawing
    assert "Hamming loss (lower is better)" in loss.picture[0]
    assert "best" in loss.picture[0]
    assert loss.caption == (
        "one, mlknn: mean over 3 folds. wide and far over lam; level: the others."
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [('setting = "lam"\n', ""), ('kind = "sweep"', 'kind = "best"')],
)
def test_a_sweep_and_a_setting_go_together(old, new):
    with pytest.raises(PlanError, match='"sweep" needs setting = the name of a sett'):
        parse_claims(CLAIMS.replace(old, new))


def test_a_setting_that_no_method_has_shows_nothing(found):
    plan = parse_plan(PLAN)
    claims = parse_claims(CLAIMS.replace('"lam"', '"epsilon"'), plan)
    with ResultStore.in_memory() as store:
        comparison = run_plan(plan, store)
    assert paper_figures(comparison, claims.tables) == []


def test_metrics_come_one_after_the_other_over_all_data():
    text = PLAN + "\n[data.two]\ngenerate = { n_samples = 80, n_features = 9 }\n"
    plan = parse_plan(text)
    with ResultStore.in_memory() as store:
        comparison = run_plan(plan, store)
    claims = parse_claims(CLAIMS.replace('metrics = ["hamming_loss"]\n', ""), plan)
    shown = [
        f.caption.partition(":")[0] for f in paper_figures(comparison, claims.tables)
    ]
    captions = ["one", "two", *["one, mlknn", "two, mlknn"] * 2]
    assert shown == captions
