import os
import subprocess
import sys

import polars as pl
from polars.testing import assert_series_equal

from benchhealth.dashboard.words.columns import texts

TWO_READERS = """
import threading
import polars as pl
from benchhealth.dashboard.words.columns import texts

frame = pl.DataFrame({"a": [str(n) for n in range(200)], "b": range(200)})

def said():
    for _ in range(300):
        frame.select(texts(frame["a"], str.upper), y=texts(frame.to_struct("y"), "{a} {b}".format_map))

def shown():
    for _ in range(300):
        frame.to_pandas()

threads = [threading.Thread(target=work, daemon=True) for work in (said, shown)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_each_value_is_said_and_a_null_stays_one() -> None:
    texts_made = texts(pl.Series("name", ["a", None, ""]), lambda name: f"<{name}>")
    assert_series_equal(texts_made, pl.Series("name", ["<a>", None, "<>"]))


def test_a_struct_is_said_by_its_fields() -> None:
    sizes = pl.DataFrame({"gap": [1.0, None], "n": [3, 4]}).to_struct("size")
    assert texts(sizes, lambda size: f"{size['gap']} of {size['n']}").to_list() == ["1.0 of 3", "None of 4"]


def test_of_nothing_nothing_is_said() -> None:
    assert texts(pl.Series("name", [], dtype=pl.String), str).dtype == pl.String


def test_one_reader_s_texts_and_another_s_table_do_not_wait_for_each_other() -> None:
    """With `map_elements` in place of `texts` this stops for good within a second."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "1"}
    subprocess.run([sys.executable, "-c", TWO_READERS], env=environment, check=True, timeout=60)
