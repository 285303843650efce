"""The list of five names and scores in one cell, which people typed."""

from benchhealth.ingest.sources.saturation_annotations import parse
from tests.support.work_limits import at_most

HEAD = (
    "ID,Name,Released Date,top5_models_extracted,top model 1,top model 2,top model 3,top model 4,top model 5,"
    "Saturation Index,Quantity of test samples,Metric\n"
)


def models(listed: str) -> list[str]:
    body = f'{HEAD}1,Grove,3/5/2021,"{listed}",9,8,7,6,5,0.9,12,Accuracy\n'
    return [row.model for row in parse(body.encode(), "annotations.csv").rows]


def test_names_are_read_whatever_stands_between_them() -> None:
    assert models("Alder 2: 9; Birch-4: 8;  Cedar 7   Dogwood: 6; Elm (high): 5") == [
        "Alder 2",
        "Birch-4",
        "Cedar",
        "Dogwood",
        "Elm (high)",
    ]


def test_a_list_of_blanks_takes_no_time() -> None:
    with at_most(1.0):
        assert models(f"Alder 9  {'x' * 900}{' ' * 900}(")[0] == "Alder"
