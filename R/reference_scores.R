# The scores that the papers compare with: plain formulas, one per feature.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores that the papers compare with
#'
#' Classical scores of single features, and mRMR. They see one feature at a
#' time (mRMR: pairs of features), so they miss features that work only
#' together; they are fast, and the natural baseline of any study.
#'
#' @details
#' \eqn{N} samples, of which \eqn{N_c} in class \eqn{c}; \eqn{m_{cj}},
#' \eqn{v_{cj}} mean and variance (divisor \eqn{N_c}) of feature \eqn{j} in the
#' class, \eqn{m_j} its mean.
#'
#' * `"fisher"`: \eqn{\sum_c N_c (m_{cj} - m_j)^2 / \sum_c N_c v_{cj}}. It ranks
#'   as the F statistic does. The largest double where classes differ and none
#'   varies. `form = "paper"`: \eqn{|m_1 - m_0| / \sqrt{v_1 + v_0}}, for two
#'   classes, as printed in Armanfard et al. (2018).
#' * `"laplacian"` (He, Cai, Niyogi 2005): minus
#'   \eqn{\tilde f' (D - S) \tilde f / \tilde f' D \tilde f}, with
#'   \eqn{S_{ij} = \exp(-\|x_i - x_j\|^2 / t)} if one of the samples is among
#'   the `k` nearest of the other (raw values: scale features of
#'   different units before), \eqn{t} the mean squared distance of a sample and
#'   one of those neighbours, \eqn{D} the row sums of \eqn{S}, and
#'   \eqn{\tilde f} the feature less its mean under \eqn{D}. Labels are not
#'   used. `supervised = TRUE`: \eqn{S_{ij} = 1/N_c} within classes, which gives
#'   \eqn{-1/(1 + \mathrm{fisher})}.
#' * `"chisq"`: \eqn{\sum (O - E)^2 / E} over the table of bins and classes;
#'   cells that expect nothing are skipped.
#' * `"infogain"`: \eqn{\sum O/N \log(O N / (\mathrm{row} \times
#'   \mathrm{column}))}, the mutual information of bin and class, in nats.
#' * `"mrmr"` (Peng, Long, Ding 2005): first the feature with the largest
#'   mutual information \eqn{I(x_j; y)}, then one by one the feature with the
#'   largest \eqn{I(x_j; y) - \mathrm{mean}_s I(x_j; x_s)} (`"mid"`) or
#'   \eqn{I(x_j; y) / (\mathrm{mean}_s I(x_j; x_s) + 10^{-12})} (`"miq"`), the
#'   mean over the features \eqn{s} that are picked already.
#'
#' Numbers are binned for the last three:
#' * `"frequency"`: bin \eqn{\min(b, \lfloor (\mathrm{rank} - 1/2) b / N
#'   \rfloor + 1)}, with average ranks, so that ties share a bin, and \eqn{b =
#'   \min(\mathrm{bins}, \max(2, \lfloor N/5 \rfloor))}.
#' * `"mdl"` (Fayyad, Irani 1993): recursive cuts between distinct values, each
#'   accepted if its gain in bits exceeds \eqn{[\log_2(n - 1) + \log_2(3^k - 2)
#'   - k H + k_1 H_1 + k_2 H_2] / n}. Features without a cut, most of a
#'   microarray's, all score 0.
#' * `"threesigma"` (Peng et al. 2005): -1, 0, 1 below, within and above mean
#'   \eqn{\mp} sd/2, the sd with divisor \eqn{N - 1}. The default of `"mrmr"`.
#'
#' A constant feature gets the lowest score there is (laplacian: -2), and is
#' never picked by mRMR. Features whose tables hold the same counts score the
#' same to the bit.
#'
#' @inheritParams relief
#' @param method Name of the score.
#' @param bins Number of bins of `discretise = "frequency"`.
#' @param discretise How numbers become bins; `"threesigma"` by default for
#'   `"mrmr"`.
#' @param k Number of neighbours in the graph of `"laplacian"`.
#' @param n Number of features that `"mrmr"` picks.
#' @param ... Must be empty.
#' @param form,supervised,criterion Variants of `"fisher"`, `"laplacian"` and
#'   `"mrmr"`, see Details.
#' @return Named numeric, one score per feature in input order, larger is
#'   better, with attribute `method`. For `"mrmr"` also the attributes
#'   `ranking` (positions: the picked features in order, then the others by
#'   relevance) and `n_ranked` (how many were picked); its scores are the
#'   number of features less the place in that ranking, where equally relevant
#'   features that were not picked share the last of their places.
#' @references
#' He, X., Cai, D., Niyogi, P. (2005). Laplacian score for feature selection.
#' *Advances in Neural Information Processing Systems* 18, 507-514.
#'
#' Fayyad, U. M., Irani, K. B. (1993). Multi-interval discretization of
#' continuous-valued attributes for classification learning. *13th International
#' Joint Conference on Artificial Intelligence*, 1022-1027.
#'
#' Peng, H., Long, F., Ding, C. (2005). Feature selection based on mutual
#' information: criteria of max-dependency, max-relevance, and min-redundancy.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 27(8),
#' 1226-1238.
#' @examples
#' array <- simulate_microarray(genes = 200, relevant = 5)
#' score <- reference_scores(array$x, array$y, "fisher", threads = 1)
#' head(sort(score, decreasing = TRUE))
#' picked <- reference_scores(array$x, array$y, "mrmr", n = 5, threads = 1)
#' names(picked)[attr(picked, "ranking")[1:5]]
#' @export
reference_scores <- function(x, y,
                             method = c(
                               "fisher", "laplacian", "chisq", "infogain", "mrmr"
                             ),
                             bins = 5,
                             discretise = c("frequency", "mdl", "threesigma"),
                             k = 5, n = 50, form = c("duda", "paper"),
                             supervised = FALSE, criterion = c("mid", "miq"),
                             ..., assay = NULL, threads = NULL, verbose = FALSE) {
  method <- check_choice(
    method, c("fisher", "laplacian", "chisq", "infogain", "mrmr")
  )
  if (method == "mrmr" && missing(discretise)) discretise <- "threesigma"
  options <- list(
    method = method, bins = check_count(bins, min = 2, max = 1000),
    discretise = check_choice(discretise, c("frequency", "mdl", "threesigma")),
    k = check_count(k), n = check_count(n),
    form = check_choice(form, c("duda", "paper")),
    supervised = check_flag(supervised),
    criterion = check_choice(criterion, c("mid", "miq"))
  )
  given <- setdiff(names(match.call())[-1L], "")
  check_used_by(given, score_arguments, method)
  if ("bins" %in% given && options$discretise != "frequency") {
    abort_input(
      "{.arg bins} is not used with {.code discretise = \"{options$discretise}\"}.",
      "bins"
    )
  }
  check_no_design(...names())
  problem <- as_problem(x, y, ..., assay = assay)
  run <- run_core(method, threads, verbose, function(runtime) {
    list(compute_scores(problem, options, runtime))
  })
  structure(run[[1L]], method = method)
}

score_arguments <- list(
  bins = c("chisq", "infogain", "mrmr"),
  discretise = c("chisq", "infogain", "mrmr"), k = "laplacian",
  n = "mrmr", form = "fisher", supervised = "laplacian", criterion = "mrmr"
)

compute_scores <- function(problem, options, runtime) {
  stage_blocks(problem, runtime)
  scores <- switch(options$method,
    fisher = fisher_scores(problem, options$form, runtime),
    laplacian = laplacian_scores(problem, options, runtime),
    mrmr = mrmr_scores(cpp_mrmr(problem, options, runtime)),
    cpp_association(problem, options, runtime)
  )
  names(scores) <- problem$features
  scores
}

fisher_scores <- function(problem, form, runtime) {
  if (form == "duda") {
    return(cpp_fisher(problem, "variances", runtime))
  }
  n_classes <- nlevels(problem$y)
  if (n_classes != 2L) {
    abort_input(c(
      "{.code form = \"paper\"} is defined for two classes; {.arg y} has
       {n_classes}.",
      i = "Use {.code form = \"duda\"}."
    ), "form")
  }
  cpp_fisher(problem, "means", runtime)
}

laplacian_scores <- function(problem, options, runtime) {
  if (options$supervised) {
    # With S = 1/N_c within classes, the score is the share of the variance
    # that lies within classes.
    return(-1 / (1 + cpp_fisher(problem, "variances", runtime)))
  }
  # Raw values, but in units of one power of two for all features, so that
  # squares neither vanish nor overflow and nothing is rounded.
  preprocess <- prepare_scaling(problem, "range", runtime)
  spread <- max(preprocess$scale[!preprocess$constant], 0)
  preprocess$center[] <- 0
  preprocess$scale[] <- if (spread > 0) 2^floor(log2(spread)) else 1
  cpp_laplacian(problem, preprocess, c(options, simd = resolve_simd()), runtime)
}

mrmr_scores <- function(result) {
  relevance <- result$relevance
  rest <- setdiff(seq_along(relevance), result$picked)
  rest <- rest[order(-relevance[rest], rest)]
  places <- numeric(length(relevance))
  places[result$picked] <- seq_along(result$picked)
  places[rest] <- length(result$picked) +
    rank(-relevance[rest], ties.method = "max")
  structure(length(relevance) - places,
    ranking = c(result$picked, rest), n_ranked = length(result$picked)
  )
}
