import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.formats.folders import join_files, split_files
from benchhealth.ingest.rows import PayloadError

NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=20)
DOCUMENTS = st.dictionaries(NAMES, st.recursive(st.text() | st.integers(), st.lists, max_leaves=4), min_size=1)


@given(DOCUMENTS, st.sampled_from([None, 2]))
def test_json_files_come_back_under_their_names(documents: dict[str, object], indent: int | None) -> None:
    texts = [(name, json.dumps(document, indent=indent).encode()) for name, document in documents.items()]
    assert split_files(join_files(texts)) == texts


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"{}\n==> a <==\n{}", b"==> a <==\n1\n==> a <==\n2", b"==> a <==\n\xff", b"<html></html>"]
)
def test_what_no_files_were_joined_into_is_refused(body: bytes) -> None:
    with pytest.raises(PayloadError):
        split_files(body)
