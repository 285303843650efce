"""The methods of the Methods page, by group in its order: the docstrings of their functions are its texts."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchhealth.analytics.aging import events, hazards, item_age, lives, map_months, stock, survival
from benchhealth.analytics.churn import board_card, census, churn, dwell, noise, rank
from benchhealth.analytics.contamination import calibration, declared_leakage, exposure, findings, tail
from benchhealth.analytics.contamination.anomaly import fresh
from benchhealth.analytics.contamination.cutoff import break_at, cutoff
from benchhealth.analytics.contamination.table import overall
from benchhealth.analytics.corroboration import classes, field, running_bests
from benchhealth.analytics.difference import two_scores
from benchhealth.analytics.forecast import chance, closed, held, record, scale, series, skill
from benchhealth.analytics.forecast.table import forecasts
from benchhealth.analytics.goodhart import (
    advances,
    concentration,
    correlation,
    cost,
    decoupling,
    judges,
    openness,
    premium,
    pressure,
    same_sources,
    selection,
)
from benchhealth.analytics.items import design_effects, measures
from benchhealth.analytics.measurers import blind_spots, differing_numbers, order_rerun, parties
from benchhealth.analytics.models import pair, position, summary
from benchhealth.analytics.multi_task import stability
from benchhealth.analytics.record import frontier
from benchhealth.analytics.record.conditions import recognise, references, standing
from benchhealth.analytics.renewal import kinds
from benchhealth.analytics.renewal.table import static_dynamic
from benchhealth.analytics.saturation import leader, weights
from benchhealth.analytics.statistics import (
    best_of_n,
    errors,
    false_discovery,
    range_restriction,
    rank_agreement,
    regression,
    robust_line,
)
from benchhealth.analytics.statistics.item_response import two_parameter
from benchhealth.analytics.statistics.series import break_test, serial
from benchhealth.analytics.statistics.survival import aalen_johansen, cox, kaplan_meier, waits
from benchhealth.analytics.statistics.units import (
    clustered_mean,
    clustered_share,
    clustered_tau,
    least_p,
    line,
    paired,
    rank_sets,
    settling,
    ties,
)
from benchhealth.analytics.twins import expected, gap, pairs, residuals, tables, uncertainty
from benchhealth.analytics.verdict import ceilings, history, replay
from benchhealth.analytics.verdict.known_then import ledger, revisions
from benchhealth.warehouse.forecasts import issued


class Method(NamedTuple):
    """A method under its anchor: title, formula in LaTeX, and the function whose docstring is its text."""

    anchor: str
    title: str
    formula: str | None
    function: Callable[..., object]


BY_GROUP: Mapping[str, tuple[Method, ...]] = {
    "The record": (
        Method("standing", "Which rows stand", None, standing.standing),
        Method("conditions", "Conditions", None, recognise.with_condition),
        Method("references", "The condition that a benchmark is judged by", None, references.references),
        Method("history", "Dates of results", None, frontier.history_of),
        Method("curve", "The running best", None, frontier.frontier),
        Method("weights", "Open and closed weights", None, weights.weights_lag),
        Method("waits", "Waits that are not over", None, waits.median_wait),
        Method("ceilings", "Ceilings that a condition makes", None, ceilings.condition_headroom),
        Method("corroboration", "Who measured the best scores", None, classes.compared_pairs),
        Method("by_others", "What others measured, and what makers claim", None, running_bests.reporter_frontiers),
        Method("claim_checks", "How far claims run ahead", None, field.claim_checks),
        Method("position", "A model against the best of its day", None, position.positions),
        Method("model_position", "A model over all benchmarks", None, summary.summaries),
        Method("measuring_parties", "Who measured models that are not its own", None, parties.measuring_parties),
        Method("blind_spots", "What nobody independent measured", None, blind_spots.blind_spots),
        Method("differing_numbers", "Why numbers of one model differ", None, differing_numbers.differing_numbers),
        Method("told_apart", "Whether two models differ on a benchmark", None, pair.told_apart),
    ),
    "Errors and ranks": (
        Method("errors", "Standard errors", r"e = \sqrt{\frac{p\,(1-p)}{n}}", errors.true_error),
        Method("wilson", "Interval of a share", None, errors.wilson_low),
        Method("rank", "Ranks", None, rank.ranks),
        Method(
            "rank_intervals",
            "Ranks that errors leave open",
            r"1 + \#\{j : s_j - s_i > c\,e_{ij}\} \;\text{ to }\; n - \#\{j : s_i - s_j > c\,e_{ij}\},"
            r"\quad e_{ij} = \sqrt{e_i^2+e_j^2}",
            rank_sets.rank_intervals,
        ),
        Method("critical_values", "The difference that two models must show", None, rank_sets.critical_values),
        Method("leader", "The true score of the model that leads", None, leader.leader_interval),
    ),
    "Churn at the top": (
        Method("churn", "Churn between two days", None, churn.churn),
        Method("turnover", "Turnover", r"\frac{|T_1 \setminus T_2|}{|T_1|}", rank_agreement.turnover),
        Method("noise", "Exchange by noise alone", None, noise.expected_exchanges),
        Method("renames", "Renames", None, churn.renames),
        Method(
            "kendall_tau",
            "Kendall's tau",
            r"\tau_b = \frac{C - D}{\sqrt{(C+D+T_x)(C+D+T_y)}}",
            rank_agreement.kendall_tau,
        ),
        Method(
            "rbo",
            "Rank-biased overlap",
            r"\mathrm{RBO} = A_k\,p^k + \frac{1-p}{p}\sum_{d=1}^{k} A_d\,p^d",
            rank_agreement.rank_biased_overlap,
        ),
        Method("dwell", "Time at the top", None, dwell.dwell),
        Method("volatility", "Movement by rank", None, dwell.volatility),
        Method("stability", "Boards of many tasks", r"\text{sensitivity} = \tfrac{1 - \tau_b}{2}", stability.stability),
        Method("diversity", "Diversity of tasks", None, stability.diversities),
        Method(
            "kendall_w",
            "Kendall's W with ties",
            r"W = \frac{12\,S}{m^2(n^3-n) - m\sum_j T_j},\quad T_j = \sum_g (t_g^3 - t_g)",
            stability.kendall_diversity,
        ),
        Method("first_place", "What first place depends on", None, stability.first_places),
    ),
    "Twins": (
        Method("twins", "Twins", r"\text{gap} = \overline{\text{original} - \text{twin}}", tables.tables),
        Method(
            "line", "The line through a twin", r"\text{twin} = a + b \cdot \text{original}", regression.least_squares
        ),
        Method("probit", "The probit scale", r"\Phi^{-1}(p)", regression.probit),
        Method("twin_pairs", "How the two sides of a twin are matched", None, pairs.matched_pairs),
        Method(
            "residuals", "Models off the expectation", r"r_i = \text{twin}_i - \text{expected}_i", residuals.residuals
        ),
        Method(
            "twin_scale",
            "The scale on which a twin is straight",
            r"\operatorname{logit}\frac{\text{twin}-\text{floor}}{\text{ceiling}-\text{floor}} = a + "
            r"b\,\operatorname{logit}\frac{\text{original}-\text{floor}}{\text{ceiling}-\text{floor}}",
            expected.straight,
        ),
        Method("twin_fit", "Whether a line fits a twin", None, robust_line.fit_of),
        Method("twin_response", "Where a score lies about its expectation", None, expected.response),
        Method(
            "errors_in_both",
            "A line with errors in both scores, families and shared items",
            r"b = \frac{S_{xy}}{S_{xx} - \overline{e_x^2}}",
            line.shared_line,
        ),
        Method(
            "mean_gap",
            "The error of a mean gap",
            r"\mathrm{Var}(\bar d) = \sigma^2_{\text{families}} + \sigma^2_{\text{items}} + \sigma^2_{\text{items}'} "
            r"- \sigma^2_{\text{models}\times\text{items}}",
            uncertainty.mean_gap,
        ),
        Method("twin_gaps", "What a gap can be called, and what a twin could show", None, gap.gaps),
        Method("gap_cause", "The three gaps between test sets", None, gap.gap_cause),
        Method("power", "How likely a leak is to be flagged", None, gap.powers),
        Method("twin_groups", "Groups of models", None, residuals.groups),
        Method("shrink", "Shrunk means", None, residuals.shrink),
        Method("twin_ages", "A gap over time", None, uncertainty.ages),
        Method(
            "robustness",
            "Effective robustness",
            r"\rho_i = \text{twin}_i - \Phi\!\left(a + b\,\Phi^{-1}(\text{original}_i)\right)",
            residuals.effective_robustness,
        ),
    ),
    "Contamination": (
        Method("contamination", "The risk of contamination", None, overall),
        Method("contamination_exposure", "Who could have seen what", None, exposure.exposures),
        Method("contamination_levels", "From tests to levels of risk", None, findings.judged),
        Method("contamination_break", "A break at the end of training data", None, break_at.break_at),
        Method("contamination_placebo", "Breaks where nothing can break", None, cutoff.placebo_calibration),
        Method("contamination_fresh", "Benchmarks against fresh ones", None, fresh.boards),
        Method("contamination_residuals", "A model against the line through all others", None, fresh.leave_out),
        Method("contamination_tail", "How far off a model can lie by itself", None, tail.tail),
        Method("contamination_calibration", "Tests where the truth is known", None, calibration.calibrate),
        Method("declared_leakage", "Whether declared leakage shows", None, declared_leakage.declared_leakage),
    ),
    "Transfer and aging": (
        Method("transfer", "Transfer of rankings to other benchmarks", None, pairs.transfers),
        Method("clustered_tau", "Kendall's tau over families of models", None, clustered_tau.clustered_tau),
        Method("lives", "The life of a benchmark", None, lives.lives),
        Method("survival", "How long benchmarks last", None, survival.survival),
        Method(
            "kaplan_meier",
            "Survival with censoring and late entry",
            r"S(t) = \prod_{t_i \le t} \left(1 - \frac{d_i}{n_i}\right)",
            kaplan_meier.kaplan_meier,
        ),
        Method(
            "aalen_johansen",
            "Ends that compete",
            r"F_k(t) = \sum_{t_i \le t} S(t_{i-1})\,\frac{d_{ki}}{n_i}",
            aalen_johansen.aalen_johansen,
        ),
        Method("half_life", "Half-life", r"\min\{t : S(t) \le \tfrac{1}{2}\}", kaplan_meier.half_life),
        Method("verdict_history", "Since when a stage holds", None, history.history_by_date),
        Method("life_events", "What happened to a benchmark", None, events.life_events),
        Method("stage_stock", "How many were in each stage", None, stock.stage_stock),
        Method("life_years", "Births and ends of a year", None, stock.life_years),
        Method("standstill", "Spells within error", None, stock.standstills),
        Method("standstill_curve", "How long best scores stand", None, stock.standstill_curve),
        Method("replay", "The rules on earlier days", None, replay.replay),
        Method("verdict_then", "What was known then", None, ledger.verdicts_then),
        Method("verdict_revision", "What was taken back", None, revisions.revisions),
        Method("hazard", "Which benchmarks die faster", None, hazards.hazards),
        Method(
            "cox",
            "Proportional hazards",
            r"h(t \mid x) = h_0(t)\,e^{\beta x},\quad \ell(\beta) = \sum_{i\,\text{died}} \Big(\beta x_i - "
            r"\log \sum_{j\,\text{at risk}} e^{\beta x_j}\Big)",
            cox.cox,
        ),
        Method("map_month", "The map through the years", None, map_months.map_months),
        Method("item_age", "Scores by the age of the items", None, item_age.item_age),
    ),
    "Many tests": (
        Method(
            "false_discoveries",
            "Many tests at once",
            r"q_{(i)} = \min_{j \ge i} \frac{m\,p_{(j)}}{j}",
            false_discovery.benjamini_hochberg,
        ),
    ),
    "Shared items": (
        Method(
            "paired",
            "Models that answered the same items",
            r"\mathrm{Var}(a-b) = \mathrm{Var}(a) + \mathrm{Var}(b) - 2\,\mathrm{Cov}(a,b)",
            paired.difference_variances,
        ),
        Method("clustered", "Items that come in clusters", None, clustered_mean.clustered_variances),
        Method("difference", "Whether two scores differ", None, two_scores.difference),
        Method("joint_ranks", "Ranks of all models at once", None, rank_sets.joint_critical_value),
        Method("tiers", "Tiers of a board", None, ties.tiers),
        Method("board_cards", "Who is tied, and what would settle it", None, board_card.board_cards),
        Method("order_census", "How much of the printed order exists", None, census.order_census),
        Method("order_rerun", "Whether a second measurement gives the same order", None, order_rerun.order_reruns),
        Method("first_chances", "Who would be first again", r"H = -\sum_i p_i \log_2 p_i", ties.first_chances),
        Method("items_to_settle", "Items that would settle it", r"n = z^2\,\sigma^2 / d^2", settling.items_to_settle),
        Method("recount_margin", "How much grading decides", r"\lceil d\,n \rceil", settling.recount_margin),
        Method("items_solved", "How many models solve each item", r"n\,(1-c)^m", measures.none_by_guessing),
        Method(
            "two_parameters",
            "Difficulty and discrimination of items",
            r"c + (1-c)/(1+e^{-(a\theta+d)})",
            two_parameter.fit_drawn,
        ),
        Method(
            "items_information",
            "How sharply a test distinguishes neighbours",
            r"\sum_i P_i'^2/(P_i(1-P_i))",
            two_parameter.Items.information,
        ),
        Method("wrong_keys", "Items whose key may be wrong", None, measures.agreement),
        Method("against_ability", "Items that run against ability", None, measures.share_in_rasch_worlds),
        Method("patterns", "Patterns of answers that fit badly", None, measures.patterns),
        Method("subsets", "Whether fewer items keep the order", None, measures.of_subsets),
        Method("design_effects", "What shared items do to errors", None, design_effects.design_effects),
        Method("slope_spread", "How steep items are", None, line.slope_spread),
        Method("twin_line", "How sure a twin's slope is", None, uncertainty.twin_line),
        Method("fading", "Whether gains fade on the twin", None, gap.fading_p),
        Method("carried", "What few independent units can show", r"p \ge 2^{-n}", least_p.limited_p),
    ),
    "Forecasts": (
        Method(
            "forecasts",
            "Two forecasts",
            r"h_0 + (1 - h_0)\,\bar{s},\quad \bar{s} = \frac{\sum_i 2^{-a_i} s_i}{\sum_i 2^{-a_i}}",
            forecasts,
        ),
        Method("forecast_known", "What was known when", None, series.known_results),
        Method("forecast_stronger", "Who is a stronger model", None, scale.scale_at_origins),
        Method("forecast_elsewhere", "A model judged by its scores elsewhere", None, scale.capability_elsewhere),
        Method("forecast_chance", "The chance that a stronger model is tested", None, chance.chances),
        Method("forecast_interval", "What earlier steps closed, and its interval", None, closed.predict_closed),
        Method("forecast_regrade", "Scores that are lowered", None, scale.regrades),
        Method(
            "forecast_skill",
            "Whether forecasts had skill",
            r"1 - \frac{\text{error}}{\text{error of reference}}",
            skill.skills,
        ),
        Method("forecast_record", "The record of forecasts issued", None, record.forecast_record),
        Method("forecast_backcast", "Backcast forecasts", None, record.forecast_backcast),
        Method("forecast_held", "How often backcast forecasts held", None, held.forecast_held),
        Method("forecast_ledger", "The ledger of forecasts", None, issued.issue),
    ),
    "Static and dynamic": (
        Method("static_dynamic", "Static and dynamic benchmarks side by side", None, static_dynamic),
        Method("kinds", "Which benchmark is live, refreshed, private or static", None, kinds.kind),
    ),
    "Goodhart effects": (
        Method("proxy", "Proxy against target at the frontier", None, correlation.frontier_correlation),
        Method(
            "range_restriction",
            "Correction for range restriction",
            r"r_c = \frac{r\,u}{\sqrt{1 + r^2(u^2-1)}},\quad u = \frac{s_{\text{all}}}{s_{\text{top}}}",
            range_restriction.corrected_correlation,
        ),
        Method("decoupling", "When a target stopped following", None, decoupling.decoupling),
        Method(
            "break_date",
            "A break at an unknown date",
            r"\text{target} = a + b\,\text{proxy} - c\,[\,t \ge t_0\,] + e",
            break_test.find_break,
        ),
        Method(
            "persistence", "Errors that follow one another", r"e_t = \rho\,e_{t-1} + \varepsilon_t", serial.persistence
        ),
        Method("dealt_anew", "Residuals dealt anew in blocks", None, serial.dealt_anew),
        Method("same_sources", "Which years are compared", None, same_sources.longest_run),
        Method("pressure", "Pressure against gap", None, pressure.pressure_and_gap),
        Method(
            "small_advances",
            "Advances smaller than their error",
            r"s_{i+1} - s_i \le 1.96\sqrt{e_i^2 + e_{i+1}^2}",
            advances.small_advances,
        ),
        Method("clustered_share", "Shares of rows in clusters", None, clustered_share.clustered_share),
        Method(
            "premium",
            "The premium of self-reports",
            r"\text{self-reported} - \text{third party}",
            premium.self_report_premium,
        ),
        Method("best_of_several", "The best of several entries", None, selection.best_of_several),
        Method(
            "expected_best",
            "The best of equal draws",
            r"\int_{-\infty}^{\infty} x \, n\,\varphi(x)\,\Phi(x)^{n-1}\,dx",
            best_of_n.expected_best,
        ),
        Method("own_family", "Judges and their own family", None, judges.own_family),
        Method(
            "cost_of_a_point",
            "The cost of a point",
            r"\log \text{cost} = a + b \cdot \text{points}",
            cost.cost_of_a_point,
        ),
        Method("concentration", "Concentration of attention", None, concentration.concentration),
        Method(
            "gini",
            "Gini coefficient",
            r"G = \frac{n}{n-1}\cdot\frac{\sum_i (2i - n - 1)\,y_{(i)}}{n \sum_i y_i}",
            concentration.gini,
        ),
        Method(
            "herfindahl",
            "Herfindahl-Hirschman index",
            r"\sum_i \left(\frac{y_i}{\sum_j y_j}\right)^2",
            concentration.herfindahl,
        ),
        Method("openness", "Open weights at the frontier", None, openness.open_frontier),
    ),
}
METHODS: tuple[Method, ...] = tuple(method for methods in BY_GROUP.values() for method in methods)
