"""The command line: `benchhealth <command>`; exit codes are part of the contract."""

import argparse
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from benchhealth.pipeline.keeping.log_file import handler
from benchhealth.pipeline.settings import Settings, now

LOCKED = 75
"""Another run holds the lock: sysexits' EX_TEMPFAIL."""

PORTS = range(65_536)
FILE = "FILE.html|FILE.pdf"
_SPACE = re.compile(r"\s")

Command = str | Callable[..., object]
"""A function that is given the settings and the options by their names, or where it is in `benchhealth.pipeline`; what
it needs is not imported before it runs. An exit code that it returns is that of the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Errors that a user can act on print one line, not a traceback."""
    command_line = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(command_line or ["serve"])
    logging.Formatter.converter = time.gmtime  # as every instant that the program stores
    if options.command not in _FOR_OTHERS:
        _restrict_permissions()
    try:
        settings = Settings.from_environment()
        logging.basicConfig(
            level=logging.INFO,
            format="%(asctime)s %(levelname)s %(message)s",
            datefmt="%Y-%m-%d %H:%M:%SZ",
            handlers=[handler(settings)],
        )
        compares_logs = options.command == "compare" and options.benchmark is None
        if settings.store or settings.generations:
            _use_shared_storage(options, settings)
        elif options.command in _READING and not (compares_logs or settings.is_chosen or settings.home.exists()):
            settings = _with_bundled_home(settings)
        return _run(settings, **{name: value for name, value in vars(options).items() if name != "command"})
    except KeyboardInterrupt:
        print("benchhealth: interrupted; what was written stays, the next run goes on from there", file=sys.stderr)
        return 130
    except Exception as problem:
        from benchhealth.pipeline import errors  # noqa: PLC0415  (imports every layer: not before it is needed)

        if not isinstance(problem, errors.USER_ERRORS):
            raise
        print(f"benchhealth: {errors.line(problem)}", file=sys.stderr)
        return LOCKED if isinstance(problem, errors.LOCKED) else 1


def _run(settings: Settings, *, run: Command, **options: object) -> int:
    code = function_of(run)(settings, **options)
    return code if isinstance(code, int) else 0


def function_of(run: Command) -> Callable[..., object]:
    """The function of a command, imported where it is only named."""
    if not isinstance(run, str):
        return run
    module, _, name = run.partition(":")
    function: Callable[..., object] = getattr(import_module(f"benchhealth.pipeline.{module}"), name)
    return function


def _restrict_permissions() -> None:
    """What is written from here on may be read by its group and by nobody else: imports are private."""
    os.umask(os.umask(0o077) | 0o027)


def _use_shared_storage(options: argparse.Namespace, settings: Settings) -> None:
    """Set up facts and generations that machines share; a command that reads a generation gets the newest."""
    from benchhealth.pipeline.remote import arrange, refresh  # noqa: PLC0415

    arrange(settings)
    if options.command in ("status", "export", "report", "check", "difference", "compare"):
        refresh(settings)


def _with_bundled_home(settings: Settings) -> Settings:
    """The settings with the bundled facts as the home, for a machine without a home."""
    from benchhealth.pipeline.shipped import embedded_home  # noqa: PLC0415

    return replace(settings, home=embedded_home(settings))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchhealth", description="Is this AI benchmark still measuring anything?")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('benchhealth')}")
    parser.epilog = "without a command: serve; where no home is, of the bundled facts"
    commands = parser.add_subparsers(metavar="COMMAND")

    _add(commands, "init", "night:init", "first generation from the bundled snapshot; no network")

    ingest = _add(commands, "ingest", "night:ingest", "pull from the upstreams")
    ingest.add_argument(
        "--source", dest="keys", action="append", metavar="KEY", help="only this source; may be repeated"
    )
    ingest.add_argument("--history", action="store_true", help="every dated version that the upstream keeps")
    _add_mirror_option(ingest)

    assess = _add(commands, "assess", "night:assess", "recompute everything and publish a generation")
    assess.add_argument("--as-of", type=date.fromisoformat, metavar="DATE", help="as things were known on that day")

    past = _add(commands, "backcast", "backcast:backcast", "what would have been said at the ends of past months, once")
    past.add_argument("--months", type=_months, default=24, metavar="N", help="so many; those that are entered stay")
    past.epilog = "example: benchhealth backcast --months 24, then benchhealth assess"

    _add_mirror_option(_add(commands, "nightly", "night:nightly", "ingest, assess, publish"))

    imported = _add(
        commands, "import", "night:import_results", "results of your own: CSV, Every Eval Ever, lm-evaluation-harness"
    )
    imported.add_argument("path", type=Path, metavar="PATH", help="a file, or a folder of .csv and .json files")

    check = _add(
        commands,
        "check",
        "answering.check:check",
        "one model against every second measurement of what it was tested on",
    )
    check.epilog = "results of your own must be imported first: benchhealth import FILE, then benchhealth check MODEL"
    check.add_argument("model", metavar="MODEL", help="its id or its name, of your own or public")
    _add_output_option(check, FILE, "write the page too; may be repeated")

    _add_question_commands(commands)

    status = _add(commands, "status", "status:show", "sources, freshness, runs; 3 where a hand is needed")
    status.add_argument("--json", dest="as_json", action="store_true", help="for programs")

    doctor = _add(
        commands,
        "doctor",
        "doctor.command:doctor",
        "what is wrong with the home and how to mend it; 3 where anything is",
    )
    doctor.add_argument("--repair", action="store_true", help="do what is safe: links, leftovers, permissions")
    doctor.add_argument("--json", dest="as_json", action="store_true", help="for programs")

    alert = _add(commands, "alert", "alert:alert", "tell BENCHHEALTH_WEBHOOK what needs a hand and was not told yet")
    why = alert.add_mutually_exclusive_group()
    why.add_argument("--test", action="store_true", help="send a message in any case")
    why.add_argument("--unit", metavar="NAME", help="say that this unit of the system failed, and what needs a hand")

    _add_export_commands(commands)

    report = _add(commands, "report", "report:write", "a health report to print")
    about = report.add_mutually_exclusive_group(required=True)
    about.add_argument(
        "--benchmark", dest="benchmark_ids", nargs="+", default=(), metavar="ID", help="two pages on each"
    )
    about.add_argument("--domain", metavar="NAME", help="two pages on the curated benchmarks of a domain, as code")
    _add_output_option(report, FILE, "may be repeated", required=True)

    backup = _add(
        commands,
        "backup",
        "keeping.backup:backup",
        "facts, raw bodies and the generation in service in one file, read back",
    )
    backup.add_argument(
        "--to", dest="destination", required=True, metavar="FILE|DIR", help="a folder gets a file with the time"
    )

    restore = _add(commands, "restore", "keeping.restore:restore", "the home as it was when a backup was made")
    restore.add_argument("--from", dest="source", type=Path, required=True, metavar="FILE|DIR", help="or the newest in")
    restore.add_argument("--replace", action="store_true", help="move what is there aside; nothing is deleted")

    bundle = _add(commands, "bundle", "night:bundle", "rewrite the bundled facts from the warehouse")
    bundle.add_argument("--to", dest="folder", type=Path, required=True, metavar="DIR")

    _add_serving_commands(commands)
    return parser


def _add_serving_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that answer until they are stopped."""
    agents = _add(
        commands,
        "mcp",
        "answering.agents:run",
        "tools for agents (Model Context Protocol), over standard input and output",
    )
    agents.add_argument("--from", dest="where", metavar="HOME|URL", help="another home, or a dashboard's address")
    agents.add_argument("--address", type=_address, metavar="URL", help="where pages of the same home are, for links")
    agents.add_argument("--port", type=_port, metavar="N", help="over HTTP instead, at /mcp of this port")
    agents.add_argument("--host", default="127.0.0.1")
    agents.epilog = "example: benchhealth mcp --from https://bench.example.org"

    serve = _add(commands, "serve", _serve, "the dashboard")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=_port, default=8501)


def _add_export_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that write open data: of now, and as it was at the end of a month."""
    export = _add(commands, "export", _export, "every table as open data")
    export.add_argument("--to", type=Path, required=True, metavar="DIR")
    export.add_argument("--format", dest="kind", choices=("parquet", "csv", "eee"), default="parquet")

    edition = _add(
        commands,
        "edition",
        "export.edition.command:run",
        "what was known at a month's end, as files that are kept for ever",
    )
    edition.add_argument("--month", metavar="YYYY-MM", help="else the last that is over")
    edition.add_argument("--to", type=Path, metavar="DIR", help="write its files there too")
    edition.add_argument(
        "--push", dest="address", metavar="s3://BUCKET/PREFIX", help="send it there; without --month all"
    )
    edition.add_argument("--doi", help="note where this month's was deposited, for who cites it")
    edition.epilog = "example: benchhealth edition --month 2026-08 --to edition-2026-08"


def _add_question_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that answer a question about two scores."""
    difference = _add(
        commands,
        "difference",
        "answering.difference:of_scores",
        "whether two scores on a benchmark differ by more than chance",
    )
    difference.add_argument("benchmark", metavar="BENCHMARK", help="its id or its name")
    difference.add_argument("scores", nargs=2, metavar="SCORE", help="as published, in percent where it is a share")
    difference.add_argument(
        "--n", dest="items", default="", metavar="N[,N]", help="items of both or of each; else those of the test"
    )
    difference.add_argument("--shots", default="", metavar="N[,N]", help="examples in the prompt of both or of each")
    difference.epilog = "example: benchhealth difference MMLU-Pro 71.2 72.4 --shots 5"
    compare = _add(
        commands,
        "compare",
        "answering.difference:compare",
        "whether two models differ on a benchmark, item by item where known",
    )
    compare.add_argument("first", metavar="A", help="a model, by its id or its name; or a log of a harness")
    compare.add_argument("second", nargs="?", metavar="B", help="another, or its log; else the best of the others")
    compare.add_argument(
        "--on", dest="benchmark", metavar="BENCHMARK", help="its id or its name; none where A and B are logs"
    )
    compare.epilog = 'example: benchhealth compare gpt-5.5 claude-opus-4-7 --on "SWE-bench Verified"'
    audit = _add(
        commands, "audit", "answering.audit:run", "the card of anybody's leaderboard; nothing is imported, nothing sent"
    )
    audit.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="a CSV, or logs of a harness, one a model")
    audit.add_argument("--missing", choices=("wrong", "complete"), default="wrong", help="what a missing cell counts")
    _add_output_option(audit, "FILE.html|.pdf|.md|.json", "write the card too; may be repeated")
    audit.epilog = "example: benchhealth audit board.csv --output card.html --output card.md"


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: Command, summary: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=summary)
    parser.set_defaults(command=name, run=run)
    return parser


def _add_output_option(parser: argparse.ArgumentParser, files: str, text: str, *, required: bool = False) -> None:
    """Where else to write: every file that is named is written."""
    parser.add_argument(
        "--output", dest="outputs", action="append", type=Path, metavar=files, default=[], required=required, help=text
    )


def _add_mirror_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mirror", type=_address, metavar="URL", help="reach https://HOST/PATH as URL/HOST/PATH")


def _address(text: str) -> str:
    with suppress(ValueError):  # brackets or a port that are none
        url = urlsplit(text)
        if url.scheme in ("http", "https") and url.hostname and url.port != 0 and not _SPACE.search(text):
            return text
    raise argparse.ArgumentTypeError(f"{text!r} is no address of the form http://HOST/PATH or https://HOST/PATH")


def _port(text: str) -> int:
    with suppress(ValueError):
        if int(text) in PORTS:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from {PORTS[0]} to {PORTS[-1]}")


def _months(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number of months")


def _export(settings: Settings, *, to: Path, kind: str) -> None:
    from benchhealth.pipeline.export import eee, tables  # noqa: PLC0415

    if kind == "eee":
        eee.export(settings, to=to)
    else:
        tables.export(settings, to=to, kind=kind)


def _serve(settings: Settings, *, host: str, port: int) -> None:
    from benchhealth.dashboard.serving.server import serve  # noqa: PLC0415
    from benchhealth.pipeline.remote import follow  # noqa: PLC0415

    serve(
        settings.home,
        port,
        host,
        settings.report_url,
        now,
        hosts=settings.hosts,
        login=settings.login,
        follower=follow(settings),
    )


_READING = ("check", "export", "report", "difference", "compare", "serve")
"""Commands that read a generation and nothing else of a home."""
_FOR_OTHERS = ("check", "export", "report", "bundle", "audit")
"""Commands that write to a path of the user's choice."""

if __name__ == "__main__":
    sys.exit(main())
