"""Where the Python API finds its facts: a home, the bundled facts, or a dashboard at an address; and one's own results
held against them."""

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from benchhealth.api.embedded import Embedded
from benchhealth.api.errors import InvalidError, NotReadyError
from benchhealth.api.in_memory import polars_of
from benchhealth.api.questions import Facts
from benchhealth.api.served import Served
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.report.checked.content import on_model
from benchhealth.dashboard.report.plain import text
from benchhealth.ingest.own_results.imports import ImportRefused
from benchhealth.pipeline.night import assess, import_results, init
from benchhealth.pipeline.settings import Settings
from benchhealth.pipeline.shipped import embedded_home
from benchhealth.warehouse.places.location import DATABASE
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, NoGeneration, open_current


def open_facts(where: str | Path | None = None, *, address: str = "") -> Facts:
    """The facts of a home (its folder), of a dashboard (its address), else those of $BENCHHEALTH_HOME or `var/`.

    Where that holds no generation the bundled facts are taken, from a folder of the user's cache, which is filled the
    first time: in some seconds with the tables that an installed wheel has, in about a minute in a checkout. What is
    opened stays one generation for as long as it lives, but for that of an address. `address` is where a dashboard over
    the home answers: replies then lead to its pages.
    Raises NotReadyError for a folder without a generation, UnreachableError for what is no address.

    >>> import benchhealth as bh
    >>> bh.open(HOME).generation.startswith("gen-")
    True
    """
    if isinstance(where, str) and where.lower().startswith(("http://", "https://")):
        return Served(where)
    try:
        view = View(open_current(home_of(where)))
    except NoGeneration as missing:
        raise NotReadyError(str(missing)) from missing
    return Embedded(lambda: view, f"{address.rstrip('/')}/" if address else "")


def home_of(where: str | Path | None) -> Path:
    """The home: this folder, else that of the settings, else one of the bundled facts, made where it is missing."""
    if where is not None:
        return Path(where).expanduser().absolute()
    settings = Settings.from_environment()
    if (settings.home / PUBLISHED_FOLDER / CURRENT).exists():
        return settings.home
    return embedded_home(settings)


def check(results: pl.DataFrame, model: str | None = None, *, where: str | Path | None = None) -> str:
    """Results of your own, held against every second measurement, as `benchhealth check` prints them.

    `results` has the columns of a table that `benchhealth import` takes: benchmark_id, model, score, unit, and more
    where known, as n_items, dated_on and released_on. A frame of pandas is taken as well.
    They are assessed in a copy of the home that is gone afterwards, which takes as long as `benchhealth assess` (about
    a minute): nothing is kept and nothing is sent. `model` is needed where the frame has several. Raises InvalidError
    where a row is no result, naming it.
    """
    results = polars_of(results)
    names = results["model"].unique().to_list() if "model" in results.columns else []
    if model is None and len(names) != 1:
        raise InvalidError("say which model: the frame should have a column `model`, of one model where none is named")
    home = home_of(where)
    if where is not None and not (home / DATABASE).exists():
        raise NotReadyError(f"{home} holds no facts of its own, which results could be held against")
    with TemporaryDirectory(prefix="benchhealth-") as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy, symlinks=True, ignore=shutil.ignore_patterns("raw", PUBLISHED_FOLDER, "*.lock"))
        table = Path(folder) / "results.csv"
        results.write_csv(table)
        settings = replace(Settings.from_environment(), home=copy, store=None, generations=None, log=None)
        if not (home / DATABASE).exists():
            init(settings)
        try:
            import_results(settings, table)
        except ImportRefused as refused:
            raise InvalidError(str(refused).replace(f"{table}: ", "")) from refused
        assess(settings, as_of=None)
        with closing(open_current(copy)) as generation:
            try:
                return text(on_model(View(generation), model or str(names[0])))
            except ParameterError as unknown:
                raise InvalidError(str(unknown)) from unknown
