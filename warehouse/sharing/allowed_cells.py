"""Cells that leave where an allowed source prints that very score, or says what they were made of."""

from benchhealth.warehouse.sharing.marks import is_stated


def of_domain_group() -> str:
    """The group of a benchmark, which curators made of its domain: it leaves where that may leave."""
    return f"CASE WHEN {is_stated('benchmark', 'benchmark_id', 'domain')} THEN domain_group END"


def of_position() -> dict[str, str]:
    """What a row says of other models, or of one side's score: as far as an allowed source prints that very score.

    An error may be of another source than the score, so it leaves where no other source has a result of the model.
    """
    printed = "(benchmark_id, {}, {}) IN (FROM @open_score)"
    not_sealed = "(benchmark_id, {}) NOT IN (FROM @sealed_pair)"
    cells = {"error": f"CASE WHEN {not_sealed.format('model_id')} THEN error END"}
    for clock in ("then", "now"):
        rival, best = f"rival_{clock}", f"best_{clock}"
        is_printed = printed.format(rival, best)
        cells |= {column: f"CASE WHEN {is_printed} THEN {column} END" for column in (rival, best, f"behind_{clock}")}
        both_printed = f"{is_printed} AND {not_sealed.format('model_id')} AND {not_sealed.format(rival)}"
        cells[f"behind_{clock}_error"] = f"CASE WHEN {both_printed} THEN behind_{clock}_error END"
    for side in ("self", "other"):
        is_printed = printed.format("model_id", f"{side}_score")
        cells[f"{side}_score"] = f"CASE WHEN {is_printed} THEN {side}_score END"
        cells[f"{side}_error"] = f"CASE WHEN {is_printed} AND {not_sealed.format('model_id')} THEN {side}_error END"
    both_printed = " AND ".join(printed.format("model_id", f"{side}_score") for side in ("self", "other"))
    cells |= {column: f"CASE WHEN {both_printed} THEN {column} END" for column in ("self_above", "quoted")}
    cells["self_above_error"] = (
        f"CASE WHEN {both_printed} AND {not_sealed.format('model_id')} THEN self_above_error END"
    )
    return cells


def of_history() -> dict[str, str]:
    """The best scores of the table `verdict_history` and whose they are, each where an allowed source prints it."""
    ends = {"": ("best", "best_model"), "_end": ("best_end", "best_model_end")}
    return {
        column: f"CASE WHEN (benchmark_id, best_model{end}, best{end}) IN (FROM @open_step) THEN {column} END"
        for end, columns in ends.items()
        for column in columns
    }
