"""What an edition is, said once: for its card and page, for the list of editions, and for *Data*."""

from collections.abc import Sequence

ABOUT_EDITIONS = (
    "What was known at the end of a month: tables, charts, answers and reports. Each address answers with the same "
    "bytes for as long as this dashboard is kept, so a paper can cite it."
)
"""A sentence on what editions are, printed above a list of them."""

HASH = "SHA-256 of its manifest, which has the hash of every file."
"""A sentence on what the hash of an edition is the hash of."""

NO_EDITIONS = (
    "None is kept here yet. A nightly run keeps that of the month before, if this home was in use by the end of it. "
    "`benchhealth edition` makes one of any month on record."
)
"""What is said in place of a list without editions."""

CITE_IT = "If you use this edition, please cite it, and the sources that each row names."
LICENCES = "Rows are under the licences of their sources, which README.md lists."


def description(benchmarks: str, month: str, sources: str) -> str:
    """What an edition holds; `benchmarks` and `sources` are numbers with their nouns, `month` is as `June 2026`."""
    return (
        f"Is this AI benchmark still measuring anything? What was known of {benchmarks} at the end of {month} from "
        f"{sources}, and what follows from it: how much room is left, whether the order at the top is more than "
        "chance, whether it holds on a second measurement, who measured what, and until when each of that is known. "
        "Indicators and verdicts are inferences of benchhealth; results are as their sources print them."
    )


def reading_guide(manifest: str, ended_on: str) -> tuple[str, ...]:
    """How its files are read, in markdown, a line each: the `manifest` has the hashes, `ended_on` is the day."""
    return (
        "`tables/` holds Parquet, rows by their key; `charts/` figures of Plotly; `answers/` the answer to each",
        "question about a curated benchmark, in words and numbers; `reports/` two pages on each and on each domain.",
        "`croissant.json` and `datapackage.json` describe every column.",
        f"`{manifest}` has the hash of every file (`sha256sum -c {manifest}`). An edition never changes: what was",
        f"found wrong later is in a later one. It was computed of what was known at the end of {ended_on};",
        "one that was made later than that is what the later program says of the same day.",
    )


def licences(folders: Sequence[str]) -> tuple[str, ...]:
    """The terms of its rows in markdown, a line each; `folders` are those of sources with terms apart."""
    listed = ", ".join(f"`{name}`" for name in folders)
    apart = (f"Rows of {listed} are under the licence of that source alone, in a folder of its own.",)
    return (
        "Each row leads to its sources; `snapshot` and `fact_source` name them. Of sources that may not be passed on",
        "there are no rows, scores or names of models in here.",
        *(apart if folders else ()),
    )
