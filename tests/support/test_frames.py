from benchhealth.analytics.record.frames import SCHEMAS
from tests.support.frames import frames, result


def test_frames_of_rows_have_the_schemas_that_analytics_reads() -> None:
    made = frames([result("a", "m", 0.5), result("a/b", "m", 0.5)])
    assert made.result.collect_schema() == SCHEMAS["result"]
    assert made.snapshot["board_id"].to_list() == ["lab/a"]
