# The scores that the papers compare with: plain formulas, one per feature.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores that the papers compare with
#'
#' Scores to compare a selector with. `"fisher"` to `"infogain"`, `"spec"`,
#' `"trace_ratio"` and `"lsdf"` see one feature at a time and `"mrmr"` pairs of
#' features, so they miss features that work only together; they are fast, and
#' the natural baseline of any study. `"inf_fs"`, `"rfs"` and `"simba"` score
#' all features at once.
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
#' * `"spec"` (Zhao, Liu 2007): \eqn{S_{ij} = \exp(-\|x_i - x_j\|^2 / t)} for
#'   all pairs and for \eqn{i = j}, \eqn{t} the mean squared distance of a pair
#'   (raw values), or \eqn{1/N_c} within classes (`supervised = TRUE`); \eqn{D}
#'   its row sums, \eqn{\lambda_1 = 0 \le \lambda_2 \le \dots} and \eqn{\xi_i}
#'   the eigenvalues and eigenvectors of \eqn{D^{-1/2} (D - S) D^{-1/2}}, and
#'   \eqn{a_i = \xi_i' D^{1/2} f / \|D^{1/2} f\|}. `style = "phi1"`: minus
#'   \eqn{\sum_i \lambda_i a_i^2}; `"phi2"`: minus \eqn{\sum_{i > 1} \lambda_i
#'   a_i^2 / \sum_{i > 1} a_i^2}; `"phi3"`: \eqn{\sum_{i = 2}^C (2 - \lambda_i)
#'   a_i^2}, \eqn{C} the number of classes.
#' * `"trace_ratio"` (Nie et al. 2008): \eqn{B_j - \lambda W_j}, \eqn{\lambda}
#'   the largest \eqn{\sum B_j / \sum W_j} over any `n` features, which are
#'   those with the best scores. `supervised = TRUE` (its default): \eqn{B_j}
#'   and \eqn{W_j} are the sums of squares between and within the classes.
#'   `FALSE`: \eqn{f'(D - S) f} is \eqn{W_j} and \eqn{\tilde f' D \tilde f} is
#'   \eqn{B_j}, of `"laplacian"`. In units of the largest \eqn{B_j + W_j} of a
#'   feature: features with a large variance count more, so scale features of
#'   different units before.
#' * `"lsdf"` (Zhao, Lu, He 2008):
#'   \eqn{\sum_b (f_i - f_j)^2 / \sum_w w_{ij} (f_i - f_j)^2}, above over the
#'   pairs of two classes, below over pairs of one class, with \eqn{w_{ij} =}
#'   `gamma`, and over pairs with an unlabelled sample of which one is among the
#'   `k` nearest of the other, with \eqn{w_{ij} = 1} (raw values). An `NA` in
#'   `y` marks an unlabelled sample.
#' * `"inf_fs"` (Roffo, Melzi, Cristani 2015): the row sums of
#'   \eqn{(I - r A)^{-1} - I}, the sum of all paths through a feature, where
#'   \eqn{A_{ij} = \alpha \max(\sigma_i, \sigma_j) +
#'   (1 - \alpha) (1 - |\rho_{ij}|)}, \eqn{\sigma} the standard
#'   deviations, shifted and scaled to \[0, 1\], \eqn{\rho_{ij}}
#'   Spearman's correlation, and \eqn{r = 0.9} over the largest eigenvalue of
#'   \eqn{A}. Labels are not used. Products with \eqn{A} are enough to solve
#'   this, so that the matrix, features x features, is never formed.
#' * `"rfs"` (Nie et al. 2010): \eqn{\|w_j\|}, the row of feature \eqn{j} in the
#'   \eqn{W} with the least \eqn{\sum_i \|W' x_i + b - y_i\| +} `gamma`
#'   \eqn{(\|b\| + \sum_j \|w_j\|)}, \eqn{x_i} standardised, \eqn{y_i} the
#'   indicators of the classes, by the paper's reweighted least squares, in its
#'   form with one N x N system a step. Lengths are no shorter there than
#'   \eqn{10^{-6}}. Steps end when the objective changes by a share of at most
#'   `tol`, or after `max_iter`, with a warning.
#' * `"simba"` (Gilad-Bachrach, Navot, Tishby 2004), with the linear utility:
#'   from \eqn{w = 1}, each step takes a sample \eqn{x}, finds its near hit
#'   \eqn{h} and near miss \eqn{m} by \eqn{\|z\|_w^2 = \sum w_j^2 z_j^2}, and
#'   adds \eqn{w_j/2 ((x_j
#'   - m_j)^2 / \|x - m\|_w - (x_j - h_j)^2 / \|x - h\|_w)} to every \eqn{w_j};
#'     the
#'   score is \eqn{w_j^2 / \max w^2}. Features are scaled to \[0, 1\] as in
#'   [relief()]. The paper draws a sample for each step; here a pass takes all
#'   in random order, drawn from R's random numbers. A neighbour at distance 0,
#'   and the hit of a class of one sample, add nothing. The authors' program
#'   keeps the best of five orders; here is one.
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
#' Numbers are binned for `"chisq"`, `"infogain"` and `"mrmr"`:
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
#' A constant feature gets the lowest score there is (`"laplacian"`, `"spec"`
#' with `"phi1"` and `"phi2"`: -2; `"trace_ratio"`: \eqn{-\lambda}; else 0), and
#' is never picked by mRMR. It is no part of the paths of `"inf_fs"`. Features
#' whose tables hold the same counts score the same to the bit.
#'
#' @inheritParams relief
#' @param method Name of the score.
#' @param bins Number of bins of `discretise = "frequency"`.
#' @param discretise How numbers become bins; `"threesigma"` by default for
#'   `"mrmr"`.
#' @param k Number of neighbours in the graph of `"laplacian"`, `"trace_ratio"`
#'   and `"lsdf"`.
#' @param n Number of features that `"mrmr"` picks, and of those whose trace
#'   ratio is to be the largest.
#' @param ... Must be empty.
#' @param form,criterion,style Variants of `"fisher"`, `"mrmr"` and `"spec"`,
#'   see Details.
#' @param supervised Do labels define the graph of `"laplacian"`, `"spec"` and
#'   `"trace_ratio"`?
#' @param gamma Weight of pairs of one class in `"lsdf"`, of the penalty in
#'   `"rfs"`.
#' @param alpha Share of the standard deviations in `"inf_fs"`, from 0 to 1.
#' @param tol,max_iter Smallest relative change of the objective and largest
#'   number of steps of `"rfs"`.
#' @param passes How often `"simba"` takes every sample, up to 1e6 times.
#' @return An object of class `hitmiss_scores`: a named numeric vector, one
#'   score per feature in input order, larger is better, with the attribute
#'   `method` and others, see [hitmiss-objects]. It goes where named scores go,
#'   as in [error_curve()] and [selection_roc()], and [hitmiss_scores-methods]
#'   lists what can be asked of it. Parts of it, and what is computed from it,
#'   are plain vectors. For `"mrmr"` also the attributes `ranking` (positions:
#'   the picked features in order, then the others by relevance) and `n_ranked`
#'   (how many were picked); its scores are the number of features less the
#'   place in that ranking, where equally relevant features that were not picked
#'   share the last of their places.
#' @references
#' `r reference("laplacian")`
#'
#' `r reference("mdl")`
#'
#' `r reference("mrmr")`
#'
#' `r reference("spec")`
#'
#' `r reference("trace_ratio")`
#'
#' `r reference("lsdf")`
#'
#' `r reference("inf_fs")`
#'
#' `r reference("rfs")`
#'
#' `r reference("simba")`
#' @examples
#' array <- simulate_microarray(genes = 200, relevant = 5)
#' score <- reference_scores(array$x, array$y, "fisher", threads = 1)
#' score
#' selected(score, n = 5)
#' head(sort(score, decreasing = TRUE))
#' picked <- reference_scores(array$x, array$y, "mrmr", n = 5, threads = 1)
#' names(picked)[attr(picked, "ranking")[1:5]]
#' partly <- replace(array$y, 1:10, NA)
#' selected(reference_scores(array$x, partly, "lsdf", threads = 1), n = 5)
#' @export
reference_scores <- function(x, y,
                             method = c(
                               "fisher", "laplacian", "chisq",
                               "infogain", "mrmr", "spec", "trace_ratio",
                               "lsdf", "inf_fs", "rfs", "simba"
                             ),
                             bins = 5,
                             discretise = c("frequency", "mdl", "threesigma"),
                             k = 5, n = 50, form = c("duda", "paper"),
                             supervised = method == "trace_ratio",
                             criterion = c("mid", "miq"),
                             style = c("phi2", "phi1", "phi3"),
                             gamma = if (method == "lsdf") 100 else 1,
                             alpha = 0.5, tol = 0.001, max_iter = 50,
                             passes = 1, ..., assay = NULL, threads = NULL,
                             verbose = FALSE) {
  method <- check_choice(method)
  if (method == "mrmr" && missing(discretise)) discretise <- "threesigma"
  options <- list(
    method = method, bins = check_count(bins, min = 2, max = 1000),
    discretise = check_choice(discretise),
    k = check_count(k), n = check_count(n),
    form = check_choice(form),
    supervised = check_flag(supervised),
    criterion = check_choice(criterion),
    style = check_choice(style),
    gamma = check_number(gamma, above = 0),
    alpha = check_number(alpha, min = 0, max = 1),
    tol = check_number(tol, above = 0), max_iter = check_count(max_iter),
    passes = check_count(passes, max = 1e6)
  )
  given <- setdiff(names(match.call())[-1L], "")
  check_used_by(given, score_arguments, method)
  if ("bins" %in% given && options$discretise != "frequency") {
    abort_input(
      "{.arg bins} is not used with
       {.code discretise = \"{options$discretise}\"}.",
      "bins"
    )
  }
  check_no_design(...names())
  problem <- as_problem(
    x, y, ...,
    assay = assay, outcome = if (method == "lsdf") "partly" else "classes"
  )
  run <- run_core(method, threads, verbose, function(runtime) {
    list(compute_scores(problem, options, runtime))
  }, random = method == "simba")
  new_scores(run[[1L]], problem, options)
}

score_arguments <- list(
  bins = c("chisq", "infogain", "mrmr"),
  discretise = c("chisq", "infogain", "mrmr"),
  k = c("laplacian", "trace_ratio", "lsdf"), n = c("mrmr", "trace_ratio"),
  form = "fisher", supervised = c("laplacian", "spec", "trace_ratio"),
  criterion = "mrmr", style = "spec", gamma = c("lsdf", "rfs"),
  alpha = "inf_fs", tol = "rfs", max_iter = "rfs", passes = "simba"
)

compute_scores <- function(problem, options, runtime) {
  # Matrices samples x samples.
  if (options$method %in% c("spec", "trace_ratio", "lsdf", "rfs") &&
    !(options$method == "trace_ratio" && options$supervised)) {
    check_numbers_fit(4 * as.double(length(problem$y))^2, "x")
  }
  stage_blocks(problem, runtime)
  switch(options$method,
    fisher = fisher_scores(problem, options$form, runtime),
    laplacian = laplacian_scores(problem, options, runtime),
    mrmr = mrmr_scores(cpp_mrmr(problem, options, runtime)),
    spec = spec_scores(problem, options, runtime),
    trace_ratio = trace_ratio_scores(problem, options, runtime),
    lsdf = lsdf_scores(problem, options, runtime),
    inf_fs = inf_fs_scores(problem, options, runtime),
    rfs = rfs_scores(problem, options, runtime),
    simba = simba_scores(problem, options, runtime),
    cpp_association(problem, options, runtime)
  )
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
