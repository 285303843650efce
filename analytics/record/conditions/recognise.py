"""The condition of each result: what two results must share to be compared.

Tools, search and agents help a model; training on the task, examples in the prompt (where they are told apart) and
several attempts help it; a subset, another judge or another version of the test is another test. How much effort a
model spends is none of these. The curated table `condition` says how each is
recognised; what a row does not say is not guessed.
"""

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, FLAG, TEXT, by_type

CONDITION = by_type(
    (TEXT, "benchmark_id condition kind"),
    (FLAG, "is_reference"),
    (TEXT, "field pattern"),
    (COUNT, "n_items"),
    (TEXT, "note source_url"),
)
"""A word of a condition and the rows that have it: those in whose `field` the regular expression `pattern` is found,
whatever the case; without a field every row of the benchmark of which nothing else of this `kind` is known.

`benchmark_id` is that of a whole benchmark, or `EVERY_BENCHMARK`. Parts follow their whole in all but the subset, which
they are. `{}` in a word stands for the first group of the pattern, in small letters. `is_reference`: the benchmark is
judged by results that have it; of several versions by the last to begin that has a top five. `n_items` is the number of
items of a subset."""

EVERY_BENCHMARK = "*"
KINDS = ("help", "tuning", "shots", "attempts", "subset", "judge", "version")
"""What a word of a condition is about, in the order in which the words are written."""

FILE_AND_DAY = "seen"
"""What a pattern may look at beside the columns: `<source_id>: <day>`, on which the file said it, as YYYY-MM-DD."""

FIELDS = ("setting", "published_name", "model_id", "source_id", "reporter")
"""The columns of a result that a pattern may look at."""

PRINTED = "printed"
"""What a pattern may look at beside the columns: `<source_id>: <published_name> = <score_published>`, one number."""

UNSTATED = "as reported"
"""The condition of a result that states none; as the word of a rule: whatever is stated of this kind does not count."""
LONGEST_SETTING = 120
"""Letters that are kept of what a source writes in its own words of a setting."""

EXCLUDED = "excluded"
"""The condition of a row that is no result of this test: withdrawn, or of another test or model; `note` says why."""

_SOURCE = "source_id"
_READ = (*FIELDS, "benchmark_id", "observed_at", "score", "score_published", "n_items")
_KEY = "condition_key"


def id_with_rules(benchmark_id: pl.Expr) -> pl.Expr:
    """The `benchmark_id` of the table `with_parts` that holds the rules for a benchmark: all parts share one."""
    return benchmark_id.str.replace("/.*$", "/")


def with_parts(table: pl.DataFrame) -> pl.DataFrame:
    """The table with the rules for parts (`<benchmark>/`): those of the whole, but for the subset."""
    inherited = table.filter((pl.col("benchmark_id") != EVERY_BENCHMARK) & (pl.col("kind") != "subset"))
    return pl.concat([table, inherited.with_columns(pl.col("benchmark_id") + "/")])


def with_condition(results: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """The results with `condition`, and `n_items` of the condition's subset where the source states none.

    In each kind the first rule that fits counts: those for the benchmark before those for every one; then what the
    benchmark says of rows without a word; then what is known of the source. The words of all kinds are joined by
    commas. A row of which nothing is said repeats another of its source where model, benchmark, reporter and score are
    the same: then what is said of that one, if it is one thing, holds for both. Not on a board of which something is
    known: there one score of pass@1 and of pass@10 is two results. `table` is the curated table of conditions, in its
    order.
    """
    rows = results.select(_READ).with_row_index("place").with_columns(id_with_rules(pl.col("benchmark_id")).alias(_KEY))
    rules = with_parts(table)
    patterns, plain = rules.filter(pl.col("pattern").is_not_null()), rules.filter(pl.col("pattern").is_null())
    general = patterns.filter(pl.col("benchmark_id") == EVERY_BENCHMARK)
    recognised = (
        rows.pipe(_with, _by_own_rules(rows, patterns.filter(pl.col("benchmark_id") != EVERY_BENCHMARK)), "place")
        .pipe(_with, _by_field(rows, general.filter(pl.col("field") != _SOURCE), "setting"), "setting")
        .pipe(_with, _by_field(rows, general.filter(pl.col("field") == _SOURCE), _SOURCE), _SOURCE)
        .pipe(_repeated)
        .pipe(_with, _usual(plain), _KEY)
        .with_columns(
            pl.coalesce(f"named {kind}", f"setting {kind}", f"repeated {kind}", f"usual {kind}", f"{_SOURCE} {kind}")
            .replace(UNSTATED, None)
            .alias(kind)
            for kind in KINDS
        )
        .select("n_items", _KEY, *KINDS)
    )
    words = pl.concat_str(KINDS, separator=", ", ignore_nulls=True)
    is_excluded = pl.any_horizontal(pl.col(kind).eq_missing(EXCLUDED) for kind in KINDS)
    columns = _with_items(recognised, rules).select(
        "n_items", condition=pl.when(is_excluded).then(pl.lit(EXCLUDED)).otherwise(words.replace("", UNSTATED))
    )
    return results.drop("condition", strict=False).with_columns(columns.get_columns())


def _with(rows: pl.DataFrame, words: pl.DataFrame, on: str) -> pl.DataFrame:
    return rows.join(words, on=on, how="left", maintain_order="left")


def _by_own_rules(rows: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """`named <kind>` of the rows that a rule for their own benchmark fits, by `place`."""
    printed = pl.format("{}: {} = {}", "source_id", "published_name", "score_published")
    file_and_day = pl.format("{}: {}", "source_id", pl.col("observed_at").dt.strftime("%Y-%m-%d"))
    of_ruled = rows.join(rules.select(pl.col("benchmark_id").alias(_KEY)).unique(), on=_KEY, how="semi")
    ruled = of_ruled.select("place", _KEY, *FIELDS, printed.alias(PRINTED), file_and_day.alias(FILE_AND_DAY))
    by_benchmark = {
        str(key): of_benchmark for (key,), of_benchmark in rules.group_by("benchmark_id", maintain_order=True)
    }
    parts_named = [pl.DataFrame(schema={"place": pl.UInt32(), **{f"named {kind}": TEXT for kind in KINDS}})]
    for (key,), of_key in ruled.group_by(_KEY):
        parts_named.append(of_key.select("place", *_words(by_benchmark[str(key)], "named")))
    return pl.concat(parts_named)


def _repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows, as they are ordered, with `repeated <kind>`, the words of the row that a silent one repeats."""
    by_kind = {kind: pl.coalesce(f"named {kind}", f"setting {kind}") for kind in KINDS}
    every_word = (*by_kind.values(), *(pl.col(f"{_SOURCE} {kind}") for kind in KINDS))
    is_silent = pl.all_horizontal(word.is_null() for word in every_word)
    result = [_SOURCE, "benchmark_id", "model_id", "reporter", "rounded"]
    words = [word.alias(f"repeated {kind}") for kind, word in by_kind.items()]
    rounded = rows.lazy().filter(pl.col("score").is_not_null()).with_columns(rounded=pl.col("score").round(4))
    stated = rounded.filter(~is_silent).select(*result, *words).unique().collect()
    one_thing = stated.filter(~stated.select(result).is_duplicated())
    silent = rounded.filter(is_silent).select("place", *result).collect()
    return _with(rows, silent.join(one_thing, on=result).drop(result), "place")


def _by_field(rows: pl.DataFrame, rules: pl.DataFrame, field: str) -> pl.DataFrame:
    """`<field> <kind>` of each value of a field, by rules for all benchmarks."""
    return rows.select(field).unique().select(field, *_words(rules, field))


def _words(rules: pl.DataFrame, prefix: str) -> list[pl.Expr]:
    """For each kind the words of the first of these rules that fits a row."""
    fitting: dict[str, list[pl.Expr]] = {kind: [] for kind in KINDS}
    for kind, *rule in rules.select("kind", "condition", "field", "pattern").iter_rows():
        fitting[kind].append(_word(*rule))
    return [pl.coalesce(*words, pl.lit(None, TEXT)).alias(f"{prefix} {kind}") for kind, words in fitting.items()]


def _word(condition: str, field: str, pattern: str) -> pl.Expr:
    any_case = f"(?i){pattern}"
    word: pl.Expr = pl.lit(condition)
    if "{}" in condition:
        word = pl.format(condition, pl.col(field).str.extract(any_case, 1).str.to_lowercase().str.strip_chars())
    return pl.when(pl.col(field).str.contains(any_case)).then(word)


def _usual(rules: pl.DataFrame) -> pl.DataFrame:
    """`usual <kind>` of each benchmark: what a row has of which nothing else is known."""
    usual = [pl.col("condition").filter(pl.col("kind") == kind).first().alias(f"usual {kind}") for kind in KINDS]
    return rules.group_by(pl.col("benchmark_id").alias(_KEY)).agg(usual)


def _with_items(recognised: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    sizes = table.filter(pl.col("n_items").is_not_null()).unique(["benchmark_id", "kind", "condition"])
    for kind, rules in ((str(key), of_kind) for (key,), of_kind in sizes.group_by("kind")):
        items = rules.select(pl.col("benchmark_id").alias(_KEY), pl.col("condition").alias(kind), items="n_items")
        recognised = (
            recognised.join(items, on=[_KEY, kind], how="left", maintain_order="left")
            .with_columns(n_items=pl.coalesce("n_items", "items"))
            .drop("items")
        )
    return recognised
