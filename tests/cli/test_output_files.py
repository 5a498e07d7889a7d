"""What cannot be written is said before anything is read or computed."""

import os
import stat
import tempfile

import pytest

from labelsift.cli import main

PLAN = """\
sizes = [2, 4]

[data.one]
generate = { n_samples = 60, n_features = 8, n_informative = 3, n_labels = 3 }

[selectors.chi2]

[classifiers.mlknn]
"""
FILES = {
    "select --out": "select none.arff -m chi2 --k 2 --out",
    "select --report": "select none.arff -m chi2 --k 2 --report",
    "recommend --out": "recommend none.arff --out",
    "recommend --report": "recommend none.arff --report",
    "paper --page": "paper chi2 --quick --page",
}
FOLDERS = {
    "compare --out": "compare plan.toml --out",
    "compare --export": "compare plan.toml --export",
    "paper --out": "paper chi2 --quick --out",
    "demo --out": "demo --out",
}
OUTPUTS = {**FILES, **FOLDERS}


@pytest.fixture(autouse=True)
def plan(tmp_path, monkeypatch):
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "plan.toml"


@pytest.fixture
def refused(capsys, monkeypatch):
    def too_late(*_, **__):
        raise AssertionError("data were read first")

    monkeypatch.setattr("labelsift.read.load_dataset", too_late)
    monkeypatch.setattr("labelsift.evaluate.load_data", too_late)
    monkeypatch.setattr("labelsift.evaluate.plan_run.load_data", too_late)

    def call(words, *more):
        before = sorted(os.listdir())
        assert main([*words.split(), *map(str, more)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert sorted(os.listdir()) == before
        return err

    return call


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_dash_is_no_file_and_no_folder(command, refused):
    option = command.split()[1]
    kind = "a file name." if command in FILES else "the name of a folder."
    message = refused(OUTPUTS[command], "-")
    assert message.startswith(f"{option} -: ")
    assert message.endswith(f"give {kind}\n")


@pytest.mark.parametrize("command", OUTPUTS)
def test_where_no_file_can_be_made_is_said_first(command, refused):
    place = "/proc/no/x.csv" if command in FOLDERS else "/proc/x.csv"
    assert f"{command.split()[1]} {place}: " in refused(OUTPUTS[command], place)


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_folder_without_permission_is_said_first(
    command, refused, tmp_path, monkeypatch
):
    closed = tmp_path / "closed"
    closed.mkdir()

    real = tempfile.TemporaryFile

    def denied(*, dir):
        if dir == closed:
            raise PermissionError(13, "Permission denied", str(dir))
        return real(dir=dir)

    monkeypatch.setattr("labelsift.cli.output_files.TemporaryFile", denied)
    message = refused(OUTPUTS[command], closed / "x.csv")
    assert f"no permission to write into {closed}." in message


@pytest.mark.parametrize("command", FOLDERS)
def test_a_file_is_no_folder(command, refused, tmp_path):
    (tmp_path / "file").write_text("")
    for place in ("file", "file/further/down"):
        message = refused(FOLDERS[command], place)
        assert "file is a file; give the name of a folder." in message


@pytest.mark.parametrize("command", FILES)
def test_a_pipe_is_not_replaced_by_a_file(command, refused, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is a device or pipe; give a file" in refused(FILES[command], "pipe")
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


def test_the_default_folder_of_a_plan_is_checked_too(refused, tmp_path):
    (tmp_path / "plan-results").write_text("")
    assert "plan-results is a file; give the name" in refused("compare plan.toml")


def test_the_list_of_labels_and_the_page_are_kept_apart(refused):
    words = "recommend none.arff --out kept.arff --report kept.xml"
    assert refused(words) == "--out and --report name the same file.\n"


def test_what_a_paper_is_read_from_is_not_overwritten(refused, plan, tmp_path):
    (tmp_path / "plan.md").write_text("# My words\n")
    for name in ("plan.toml", "plan.md"):
        message = refused("paper plan.toml --full --page", name)
        assert "would overwrite the input" in message
    message = refused("paper plan.toml --full --out .")
    assert f"would overwrite the input {tmp_path / 'plan.md'}" in message


def test_looking_whether_a_file_can_be_made_leaves_none(refused, tmp_path):
    made = []
    real = tempfile.TemporaryFile

    def watched(**options):
        made.append(options)
        return real(**options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("labelsift.cli.output_files.TemporaryFile", watched)
        refused("select none.arff -m chi2 --k 2 --out x.csv --report", "-")
    assert [options["dir"].resolve() for options in made] == [tmp_path]
