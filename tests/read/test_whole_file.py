import os
from pathlib import Path

import pytest

from labelsift.read.whole_file import whole_file


def test_text_and_bytes_arrive_as_written(tmp_path):
    with whole_file(tmp_path / "a.csv") as file:
        file.write("é\r\n\n")
        assert not (tmp_path / "a.csv").exists()
    with whole_file(tmp_path / "b", binary=True) as file:
        file.write(b"\x00\n")
    assert (tmp_path / "a.csv").read_bytes() == "é\r\n\n".encode()
    assert (tmp_path / "b").read_bytes() == b"\x00\n"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there(tmp_path, failure):
    path = tmp_path / "a.csv"
    path.write_text("old")

    def fail():
        with whole_file(path) as file:
            file.write("new")
            raise failure

    with pytest.raises(failure):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_permissions_follow_the_old_file_or_the_umask(tmp_path):
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_text("")
    old.chmod(0o640)
    plain.write_text("")
    for path in (old, new):
        with whole_file(path) as file:
            file.write("x")
    assert old.stat().st_mode & 0o777 == 0o640
    assert new.stat().st_mode == plain.stat().st_mode


def test_a_missing_folder_is_an_error_that_names_it(tmp_path):
    with (
        pytest.raises(FileNotFoundError, match="absent"),
        whole_file(tmp_path / "absent" / "a"),
    ):
        pass


def test_the_message_names_the_file_that_was_asked_for(tmp_path):
    path = tmp_path / "no folder" / "x.html"
    with pytest.raises(OSError, match=r"no folder") as caught, whole_file(path):
        pass
    assert caught.value.filename == str(path)
    (tmp_path / "taken").mkdir()
    with (
        pytest.raises(OSError, match="taken") as caught,
        whole_file(tmp_path / "taken") as file,
    ):
        file.write("x")
    assert caught.value.filename == str(tmp_path / "taken")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_a_folder_that_is_read_only_is_named_without_the_temporary_name():
    if not Path("/proc/self").is_dir():
        pytest.skip("there is no /proc, where nobody can write")
    with pytest.raises(OSError, match=r"x\.html") as caught, whole_file("/proc/x.html"):
        pass
    assert ".part" not in str(caught.value)
