"""Names that a registry lists as one, with what each would be here: a curator's material, nobody is merged by it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.addresses import slug
from benchhealth.ingest.names.identity import NameRefusedError, printable
from benchhealth.ingest.rows import ListedName
from benchhealth.ingest.run.facts import Rejection, as_line

ENTITIES = ("model", "benchmark")


class Named(NamedTuple):
    """One name that a registry lists: a row of the schema NAME_FACT."""

    source_row: str
    entity: str
    listed: str
    name: str
    key: str


def listed_names(names: Sequence[ListedName], model_of: Callable[[str], str]) -> tuple[list[Named], list[Rejection]]:
    """The names with their `key`: the model_id that `model_of` gives, or the benchmark's name in the form of an id.

    Of one entry each key is kept once. `model_of` may raise NameRefusedError. Raises ValueError for an entity that is
    none of ENTITIES.
    """
    accepted: dict[tuple[str, str, str], Named] = {}
    unfit: list[Rejection] = []
    for raw in names:
        if raw.entity not in ENTITIES:
            raise ValueError(f"{raw.row}: entity {raw.entity!r}")
        shown = printable(raw.name)
        key, problem = "", raw.reject
        if not problem:
            try:
                key = model_of(raw.name) if raw.entity == "model" else slug(raw.name)
            except NameRefusedError as error:
                problem = str(error)
        named = Named(raw.row, raw.entity, printable(raw.listed), shown, key)
        first = accepted.get((raw.entity, named.listed, key))
        if not problem and not key:
            problem = "no name"
        elif not problem and first is not None:
            problem = f"excluded: the same name as {first.source_row}"
        if problem:
            unfit.append(Rejection(raw.row, problem, as_line(raw.listed, raw.name)))
        else:
            accepted[raw.entity, named.listed, key] = named
    return list(accepted.values()), unfit
