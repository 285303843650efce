"""What a registry lists as one and is held apart here becomes a candidate, and nothing else."""

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.names.claimed_aliases import claimed_aliases
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import benchmark, frames, result


def listed(entity: str, entry: str, *keys: str) -> list[dict[str, str]]:
    return [
        {"entity": entity, "listed": entry, "name": key.upper(), "key": key, "source_id": "registry"} for key in keys
    ]


def held() -> Frames:
    return frames(
        [
            result("wood-quiz", "alder-7b", 0.5),
            result("wood-quiz", "alder-7b-chat", 0.6),
            result("lab-woodquiz", "alder-7b", 0.5),
            result("wood-quiz/hard", "alder-7b", 0.3),
            result("leaf", "alder-7b", 0.4, kind="model"),
        ],
        [
            benchmark("wood-quiz", name="Wood Quiz"),
            benchmark("lab-woodquiz", name="WoodQuiz"),
            benchmark("wood-quiz/hard", name="Wood Quiz: hard"),
            benchmark("leaf", name="Leaf Bench"),
        ],
        listed_names=[
            *listed("model", "alder/Alder-7B", "alder-7b", "alder-7b-chat", "alder-7b-unheard-of"),
            *listed("model", "alder/Alder-8B", "alder-7b"),
            *listed("benchmark", "wood-quiz", "wood-quiz", "woodquiz", "wood-quiz-hard"),
            *listed("benchmark", "leaf-bench", "leaf-bench", "leaf"),
        ],
    )


def test_pairs_that_a_registry_lists_as_one_stand_by_how_many_results_they_touch() -> None:
    table = claimed_aliases(held())
    assert table.schema == PUBLISHED["claimed_alias"]
    assert table.select("entity", "id", "other_id", "n_results", "n_other_results").rows() == [
        ("model", "alder-7b", "alder-7b-chat", 4, 1),
        ("benchmark", "wood-quiz", "lab-woodquiz", 2, 1),
    ]
    assert table["listed"].to_list() == ["alder/Alder-7B", "wood-quiz"]
    assert table["other_names"].to_list() == [["ALDER-7B-CHAT"], ["WOODQUIZ"]]


def test_without_a_registry_there_are_no_candidates() -> None:
    assert claimed_aliases(frames([result("a", "m", 0.5)])).is_empty()


def test_nothing_is_merged_by_a_claim() -> None:
    assert set(held().result.collect()["model_id"]) == {"alder-7b", "alder-7b-chat"}
