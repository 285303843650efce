"""What the settings say about where facts lie."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchhealth.pipeline.remote import arrange
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import location_of, place
from tests.pipeline.conftest import settings_of

KEYS = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    place(tmp_path, None)


@pytest.mark.parametrize(
    ("data", "keys", "reached"),
    [
        ("s3://bucket/facts", KEYS, True),
        (None, KEYS, True),
        (None, {}, False),
        ("/srv/facts", KEYS, False),
    ],
)
def test_a_lake_has_the_keys_of_the_bucket_that_its_files_may_be_in(
    home: Path, data: str | None, keys: dict[str, str], reached: bool
) -> None:
    arrange(replace(settings_of(home, home), store="ducklake:postgres:dbname=x", store_data=data, aws=keys))
    lake = location_of(home)
    assert isinstance(lake, Lake)
    assert (lake.access is not None) == reached
