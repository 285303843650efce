"""An address with a former id of a model leads to the model."""

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published.models import former_ids

ROWS = [
    ("timm", "resnet18", "resnet18.tv-in1k", None),
    ("timm", "levit_128", "levit-128.fb-dist-in1k", None),
    ("aider", "deepseek-chat", "deepseek-v2.5-1210", None),
    ("eci", "deepseek-chat", "deepseek-v3.2", None),
]


def test_a_former_id_is_the_model_of_that_published_name_if_it_is_one() -> None:
    ids = former_ids(pl.DataFrame(ROWS, schema=PUBLISHED["alias"], orient="row"))
    assert ids["resnet18"] == "resnet18.tv-in1k"
    assert ids["levit-128"] == ids["timm-levit-128"] == "levit-128.fb-dist-in1k"
    assert "deepseek-chat" not in ids, "two models went by it"
    assert ids["aider-deepseek-chat"] == "deepseek-v2.5-1210"
