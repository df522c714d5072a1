# The fit of llfs(): from the core's flat vectors to an object.
# SPDX-License-Identifier: GPL-3.0-or-later

new_llfs <- function(problem, run, parameters, call) {
  core <- run$local
  preprocess <- run$preprocess
  n_features <- length(problem$features)
  scores <- tabulate(core$features, n_features) / sum(core$sizes > 0L)
  used <- which(scores > 0)
  new_selector(
    "llfs", problem, preprocess,
    scores = scores, selected = scores > 0, parameters = parameters, run = run,
    report = core$report, n_ranked = length(used), call = call,
    local = list(
      features = core$features, offsets = c(0L, cumsum(core$sizes)),
      radius = core$radius, alpha = core$alpha,
      beta = core$beta, score = core$score, objective = core$objective,
      log_odds = core$log_odds, representatives = run$representatives,
      class = problem$y, samples = problem$samples,
      training = scaled_values(problem, preprocess, used)
    )
  )
}

#' One warning if problems (7) ended at an iteration limit
#' @noRd
warn_unsettled <- function(report) {
  if (report$status == "converged") {
    return(invisible(report))
  }
  warn(
    c(
      "{signif(100 * report$residual, 2)} % of the {report$iterations} problems
       that {.fn llfs} solved reached a limit of steps: their feature sets are
       feasible, but others may have less spread.",
      i = "A larger tolerance, {.code control = list(tol = )}, lets more of them
           converge; {.code glance()} has the share as {.field residual}."
    ),
    "hitmiss_warning_unconverged",
    report = report
  )
}
