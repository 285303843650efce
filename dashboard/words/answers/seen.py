"""The words of the answer to: have models seen the items?"""

from benchhealth.analytics.answers.seen import FEWEST_MODELS
from benchhealth.analytics.contamination.findings import FLAGGED_AT, SMALL_ENOUGH
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import NOBODY, WITHHELD, Names, Wording, until
from benchhealth.dashboard.words.numbers import month_of, percent
from benchhealth.dashboard.words.text import count

_HIGHER = {
    "twin": "higher than a twin of new items predicts",
    "cutoff_break": "higher on items from before the end of their training",
    "anomaly": "higher than benchmarks that they cannot have seen predict",
}
_NO_PROOF = "That nothing was found is no proof that nothing was seen."


def wording(row: Row, _names: Names) -> Wording:
    """What is documented, who stands out, or what would have been missed."""
    if row["case"].startswith(("documented", "declared")):
        return _on_record(row)
    wording = _test_outcome(row) if row["kind"] is not None else _untested(row)
    incident = incident_note(row)
    return Wording(wording.number, f"{wording.sentence}; {incident}", wording.more) if incident else wording


def incident_note(row: Row) -> str:
    """Where an unknown is to be read beside an incident that may bear on it; empty where none is on record."""
    return f"see the incident of {month_of(row['on_day'])}" if row["on_day"] else ""


def _untested(row: Row) -> Wording:
    """That nobody tested it, and whether the answers are withheld."""
    could = _could_have_seen(row)
    if row["case"] == "withheld":
        return Wording(
            "answers withheld",
            "Nobody has tested whether models have seen its items; its answers are not public",
            could,
        )
    sentence = f"No report, no declaration and no test of {FEWEST_MODELS} models or more is on record"
    return Wording(NOBODY, sentence, (*could, _NO_PROOF))


def _on_record(row: Row) -> Wording:
    """What reports document or developers declare, and beside it who stands out."""
    more = (*_test_beside(row), *_could_have_seen(row))
    total = count(row["n"] or 0, "report")
    if row["case"] in ("documented", "documented_little") and row["value"] is None:
        return Wording(f"{total}, share {WITHHELD}", f"{total} on record, the share of the items is {WITHHELD}", more)
    if row["case"] in ("documented", "documented_little"):
        share, whose = percent(row["value"]), f" ({row['said_by']})" if row["said_by"] else ""
        extent = f"the largest share in {total}" if (row["n"] or 0) > 1 else f"{total} is on record"
        sentence = f"A report documents {share} of the items in training data{whose}; {extent}"
        return Wording(f"{share} documented, {total}", sentence, more)
    if row["case"] == "documented_unmeasured":
        verb = "documents" if row["n"] == 1 else "document"
        return Wording(total, f"{total} {verb} items in training data, without a share", more)
    models = count(row["count"] or 0, "model")
    data_named = "the test itself" if row["case"] == "declared" else "it, or data that hold it,"
    return Wording(models, f"The developers of {models} name {data_named} among their training data", more)


def _test_beside(row: Row) -> tuple[str, ...]:
    if row["tested"] is None:
        return ()
    return (
        f"In a test beside it {row['flagged'] or 'none'} of {count(row['tested'], 'model')} stand out{until(row)}.",
    )


def _test_outcome(row: Row) -> Wording:
    """What a test found, or what it would have missed."""
    tested, higher = f"{row['n']:,} tested models", _HIGHER[row["kind"]]
    counted = f"{row['count']:,} of {count(row['n'], 'model')} stand out"
    if row["case"] == "stand_out":
        standing_out = f"{row['count']:,} of {tested}"
        sentence = f"{standing_out} score{'s' * (row['count'] == 1)} {higher}, at {FLAGGED_AT:.0%} false discoveries"
        return Wording(counted, sentence, _could_have_seen(row))
    none = f"None of {tested} scores {higher}"
    if row["missed"] is None:
        sentence = f"{none}, but one that knew all items would have been missed as well"
        return Wording(f"{counted}; knowing all items would be missed", sentence, (*_could_have_seen(row), _NO_PROOF))
    missed = percent(row["missed"])
    if row["case"] == "nothing_found":
        sentence = f"{none}: one that knew {missed} of the items would have been shown, one that knew less would not"
        return Wording(f"{counted}; knowing {missed} or more would show", sentence, (*_could_have_seen(row), _NO_PROOF))
    sentence = f"{none}, but one that knew less than {missed} of the items would have been missed"
    limit = f"A test that misses a leak of {percent(SMALL_ENOUGH)} is too weak to say that nothing was found."
    return Wording(f"{counted}; knowing less than {missed} would be missed", sentence, (limit, *_could_have_seen(row)))


def _could_have_seen(row: Row) -> tuple[str, ...]:
    if not row["second"]:
        return ()
    models = count(round(row["second"]), "model")
    return (f"{models} could have seen them, as the items were public before training ended.",)
