import json
import sqlite3
import subprocess
import sys

import pytest

from labelsift.evaluate.store import Entry, ResultStore, StoreError


def entry(key, content='{"a": 1}', error=None, seconds=1.0):
    return Entry(key, "ranking", "d", "m", "M()", 0, 1, None, seconds, error, content)


def test_what_is_put_is_there_after_opening_again(tmp_path):
    path = tmp_path / "r.sqlite"
    with ResultStore(path) as store:
        store.begin("a = 1")
        store.put([entry("k1"), entry("k2", None, "ValueError: no"), entry("k3", "x")])
        store.put([entry("k3", "y")])
    with ResultStore(path) as store:
        assert store.get(["k1", "k2", "k3", "k4"]) == {"k1": '{"a": 1}', "k3": "y"}
        assert len(store) == 2
        assert store.begin("b = 2") == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.sqlite"]


def test_text_that_is_none_any_more_is_said_in_one_line(tmp_path):
    with ResultStore(tmp_path / "r.sqlite") as store:
        store.begin("")
        store.put([entry("k")])
    connection = sqlite3.connect(tmp_path / "r.sqlite")
    connection.execute("UPDATE result SET content = CAST(x'7bff00' AS TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"are damaged .* another name") as caught:
        with ResultStore(tmp_path / "r.sqlite") as store:
            store.get(["k"])
    assert "{" not in str(caught.value)


def test_plan_versions_and_errors_can_be_read_with_sqlite_alone(tmp_path):
    with ResultStore(tmp_path / "r.sqlite") as store:
        store.begin("a = 1")
        store.put([entry("k", None, "ValueError: no")])
    connection = sqlite3.connect(tmp_path / "r.sqlite")
    started, plan, versions = connection.execute(
        "SELECT started, plan, versions FROM run"
    ).fetchone()
    assert (started[4], plan) == ("-", "a = 1")
    assert {"labelsift", "numpy", "scikit-learn"} <= set(json.loads(versions))
    query = "SELECT dataset, method, fold, error FROM result"
    assert connection.execute(query).fetchall() == [("d", "m", 1, "ValueError: no")]
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_many_keys_are_found(tmp_path):
    with ResultStore(tmp_path / "r.sqlite") as store:
        store.put([entry(str(i), str(i)) for i in range(1300)])
        keys = [str(i) for i in range(1300)]
        assert store.get(keys) == dict(zip(keys, keys, strict=True))


def test_times_are_means_over_what_did_not_fail(tmp_path):
    with ResultStore(tmp_path / "r.sqlite") as store:
        store.put([entry("a", seconds=1.0), entry("b", seconds=3.0)])
        store.put([entry("c", None, "no", None)])
        assert store.mean_seconds() == {("d", "ranking", "M()", None): 2.0}


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path):
    path = tmp_path / "r.sqlite"
    first = ResultStore(path)
    with pytest.raises(StoreError, match="another process is writing"):
        ResultStore(path)
    code = (
        "import sys\n"
        "from labelsift.evaluate.store import ResultStore\n"
        "try: ResultStore(sys.argv[1])\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True
    )
    assert "r.sqlite: another process is writing" in done.stdout
    first.close()
    ResultStore(path).close()


def test_other_files_are_refused_and_left_alone(tmp_path):
    path = tmp_path / "r.sqlite"
    path.write_text("not a database, " * 100)
    with pytest.raises(StoreError, match="no readable SQLite file"):
        ResultStore(path)
    assert path.read_text() == "not a database, " * 100
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE result (key)")
    other.close()
    before = (tmp_path / "other.sqlite").read_bytes()
    with pytest.raises(StoreError, match="holds no results of labelsift"):
        ResultStore(tmp_path / "other.sqlite")
    assert (tmp_path / "other.sqlite").read_bytes() == before
    with pytest.raises(StoreError, match="there is no such folder"):
        ResultStore(tmp_path / "none" / "r.sqlite")


def test_a_later_version_and_a_missing_table_are_named(tmp_path):
    path = tmp_path / "r.sqlite"
    ResultStore(path).close()
    for change, message in (
        ("DROP TABLE result", "damaged"),
        ("PRAGMA user_version = 2", "have version 2, this labelsift reads version 1"),
    ):
        connection = sqlite3.connect(path)
        connection.execute(change)
        connection.close()
        with pytest.raises(StoreError, match=message):
            ResultStore(path)


def test_a_transaction_that_fails_leaves_nothing(tmp_path):
    with ResultStore(tmp_path / "r.sqlite") as store:
        with pytest.raises(sqlite3.Error):
            store.put([entry("a"), entry(object())])
        assert store.get(["a"]) == {}
        store.put([entry("a")])
        assert len(store) == 1


def test_a_full_disk_keeps_what_is_there_and_says_what_to_do(tmp_path):
    path = tmp_path / "r.sqlite"
    with ResultStore(path) as store:
        store.put([entry("k1", "kept")])
        [pages] = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(OSError, match="full; what is kept stays, and the same"):
            store.put([entry(str(i), "x" * 4000) for i in range(9)])
        assert store.get(["k1", "0"]) == {"k1": "kept"}
    with ResultStore(path) as store:
        store.put([entry("0", "now")])
        assert store.get(["k1", "0"]) == {"k1": "kept", "0": "now"}
