"""A maker that only the published name says: of the closed list, one, and never a host's."""

from datetime import datetime

import polars as pl

from benchhealth.analytics.record.frames import MODEL_CLAIM
from benchhealth.analytics.record.names.owners import MAKER, owned
from benchhealth.analytics.record.words import WORD
from tests.support.curated_facts import curated

OWNERS = {"Cohere": "Cohere", "CohereLabs": "Cohere", "xAI": "xAI", "Hugging Face": "Hugging Face", "Anonymous": None}
WORDS = pl.DataFrame(
    [("organisation", spelling, word, None) for spelling, word in OWNERS.items()], schema=WORD, orient="row"
)
MAKERS = pl.DataFrame([("xAI", r"^grok-(?:\d|beta)", "served", "https://docs.x.ai")], schema=MAKER, orient="row")
SEEN = datetime(2026, 3, 1)


def makers(*printed: tuple[str, str, str], owners: dict[str, str] | None = None) -> dict[str, str]:
    rows = [(*row, SEEN, "https://example.org") for row in printed]
    columns = ["model_id", "published_name", "source_id", "observed_at", "source_url"]
    claims = pl.DataFrame(
        [(model_id, maker, "epoch") for model_id, maker in (owners or {}).items()],
        schema={name: MODEL_CLAIM[name] for name in ("model_id", "organisation", "source_id")},
        orient="row",
    ).match_to_schema(MODEL_CLAIM, missing_columns="insert")
    claims_made = owned(pl.DataFrame(rows, schema=columns, orient="row"), claims, WORDS, MAKERS)
    assert claims_made.schema == MODEL_CLAIM
    return dict(claims_made.select("model_id", "organisation").iter_rows())


def test_the_owner_of_a_repository_and_a_team_are_makers() -> None:
    transcribe = ("cohere-transcribe", "CohereLabs/cohere-transcribe-03-2026", "open-asr")
    grok = ("grok-4.20-beta", "xAI: Grok 4.20 (Beta, C)", "forecastbench")
    assert makers(transcribe, grok) == {"cohere-transcribe": "Cohere", "grok-4.20-beta": "xAI"}
    before = [("grok", "XAI Grok", "vectara"), ("grok-x", "XAI-Grok X", "vectara"), ("y", "XAI y", "squad")]
    assert makers(*before) == {"grok": "xAI", "grok-x": "xAI"}, "before the name, in one source's way of printing"
    assert makers(transcribe, owners={"cohere-transcribe": "Somebody"}) == {}, "a source says who made it"


def test_persons_hosts_and_two_owners_are_none() -> None:
    assert makers(("a", "somebody/a", "open-llm"), ("b", "huggingface/b", "lmarena-daily")) == {}
    assert makers(("c", "xAI: c", "squad"), ("d", "Anonymous: d", "forecastbench")) == {}
    assert makers(("e", "cohere/e", "open-llm"), ("e", "xai/e", "open-llm")) == {}


def test_what_is_served_and_never_passed_on_is_its_makers() -> None:
    beta, like = ("grok-beta", "Grok Beta", "livebench"), ("grokking-7b", "grokking-7b", "open-llm")
    assert makers(beta, like, ("somebody/grok-1-copy", "somebody/grok-1-copy", "open-llm")) == {"grok-beta": "xAI"}


def test_an_id_that_fits_goes_before_a_slash_in_the_name() -> None:
    assert makers(("grok-2-mini/240813", "Grok-2-mini/240813", "boards-2024")) == {"grok-2-mini/240813": "xAI"}


def test_what_the_keepers_of_the_imagenet_testbed_trained_is_theirs() -> None:
    pattern = curated().maker.filter(organisation="Taori et al.")["pattern"].item()
    trained = (
        *("resnet18-50k-94-epochs", "resnet101-0-epochs", "resnet50-aws-baseline", "resnet50-with-zoom-blur-aws"),
        *("resnet50-imagenet-100percent-batch64-original-images", "resnet50-lstsq", "identity32-one-nn"),
        "resnet50-imagenet-subsample-125-classes-batch64-original-images",
    )
    of_others = ("resnet50-trained-on-sin", "resnet50-swav", "efficientnet-b3", "bit-m-r50x1-ilsvrc2012", "resnet50")
    fits = pl.DataFrame({"model_id": [*trained, *of_others]}).filter(pl.col("model_id").str.contains(pattern))
    assert fits["model_id"].to_list() == list(trained)
