# Faults put into the R code one at a time, as those of mutants.R are into the
# core: boundaries, constants and fast paths. The tests are those of testthat.
# SPDX-License-Identifier: GPL-3.0-or-later

r_mutants <- list(
  # ---- input -----------------------------------------------------------------
  mutant("counts: grey levels of images are counts", "notices.R",
    "largest > 255", "largest > 25", "notices"
  ),
  mutant("intensities: a few columns of another scale", "notices.R",
    "mean(highest >= 20) >= 0.25", "mean(highest >= 20) > 0", "notices"
  ),
  mutant("codes for missing values: within three spans", "notices.R",
    "far <- 3 * (most - least)", "far <- most - least", "notices"
  ),
  mutant("copies: flags are equal by chance", "notices.R",
    "share <= max(1, n / 5)", "share <= n", "notices"
  ),
  mutant("missing: few in one class count as more", "missing.R",
    "lower.tail = FALSE, log.p", "lower.tail = TRUE, log.p", "missing"
  ),
  mutant("missing: each class is tested without the others", "missing.R",
    "p <- nrow(sizes) * apply", "p <- 0.01 * apply", "missing"
  ),
  mutant("missing: medians of all samples", "missing.R",
    "known <- values[train, j]", "known <- values[, j]", "missing"
  ),
  mutant("missing: samples without a value are taken", "as_problem.R",
    "which(found$samples == 0)", "which(found$samples < 0)", "missing"
  ),
  mutant("missing: prediction keeps to whole samples", "as_newdata.R",
    "holes = drop || !is.null(fit$present)", "holes = drop", "missing"
  ),
  mutant("missing: the last value in place of a random one", "prepare.R",
    "from <- from[sample.int(length(from), length(holes), TRUE)]",
    "from <- from[rep(length(from), length(holes))]", "missing"
  ),
  mutant("TuRF: a sample is left without values", "turf.R",
    "any(rowSums(known[, at, drop = FALSE]) == 0)", "FALSE", "missing"
  ),
  mutant("names of rows: taken from the store though they differ",
    "as_problem.R", "if (!identical(dimnames(stored), labels))",
    "if (is.null(dimnames(stored)))", "as_problem"
  ),
  mutant("labelled values: one label is enough", "values.R",
    "all(is.na(known) | known %in% labels)",
    "any(is.na(known) | known %in% labels)", "values"
  ),
  mutant("labels: a class of one sample is a class without hits",
    "allowed_pairs.R", "[table(problem$y) > 1L]", "[table(problem$y) > 0L]",
    "design-selectors"
  ),
  mutant("blocks: half of a class with hits is too few", "allowed_pairs.R",
    "share(\"block\") < 0.5", "share(\"block\") <= 0.5", "design-selectors"
  ),
  mutant("pairs: codes by first appearance for those of rowsum()", "units.R",
    "na.rm = known) / n", "na.rm = known) / mean(n)", "design-pair"
  ),
  mutant("categories: an indicator is 0 or 1", "categories.R",
    "sqrt(2) else 2", "sqrt(2) else 1", "categories"
  ),
  mutant("categories: a missing one is new", "categories.R",
    "!is.na(v) & !v %in% levels", "!v %in% levels", "categories"
  ),
  mutant("transposed: fewer labels than columns of numbers", "as_problem.R",
    "given == length(x) - length(text)", "given <= length(x) - length(text)",
    "as_problem"
  ),
  mutant("memory: what predictions keep counts up to 2 GB", "memory.R",
    "2^24)", "2^31)", "memory"
  ),
  mutant("blocks: a matrix that just fits is not read into memory", "blocks.R",
    "if (needed <= min(byte_option", "if (needed < min(byte_option", "blocks"
  ),
  mutant("blocks: the file's order only of the first operation", "blocks.R",
    "if (inherits(node, \"DelayedAperm\")) along <- node@perm[[along]]", "",
    "blocks"
  ),

  # ---- fit -------------------------------------------------------------------
  mutant("relief: k of the smallest class for all", "fit.R",
    "if (method == \"relieff\") 10L",
    "if (method == \"relieff\") min(10L, tabulate(y, nlevels(y)))", "relief"
  ),
  mutant("lists in turn: a class of two takes turns", "selector-methods.R",
    "turns < 3", "turns < 2", "selector-methods"
  ),
  mutant("hubs: half of the samples for a tenth", "notices.R",
    "<= 0.1 * tabulate", "<= 0.5 * tabulate", "notices"
  ),
  mutant("leakage: by chance in few samples", "notices.R",
    "(problem$y) < 30L", "(problem$y) < 3L", "notices"
  ),
  mutant("relief: a warning where there are just k misses", "relief.R",
    "misses < k)", "misses <= k)", "relief"
  ),
  mutant("relief: samples just enough are too few", "relief.R",
    "if (samples < least)", "if (samples <= least)", "relief-radius"
  ),
  mutant("turf: at least one feature more stays", "turf.R",
    "max(1, floor(drop * n))", "max(1, ceiling(drop * n))", "turf"
  ),
  mutant("turf: the last round counts for no more than the scores", "turf.R",
    "order(-last_round, -scores, seq_len(n))",
    "order(-scores, -last_round, seq_len(n))", "turf"
  ),
  mutant("llfs: draws from 3,000 samples on, not above", "llfs-draw.R",
    "if (n > most_exact) usual else Inf", "if (n >= most_exact) usual else Inf",
    "llfs-draw"
  ),

  # ---- use -------------------------------------------------------------------
  mutant("new data: columns by place when the counts agree", "as_newdata.R",
    "identical(opened$features, features)",
    "length(opened$features) == length(features)", "selector-contract"
  ),
  mutant("new data: columns in the order of the file", "as_newdata.R",
    "part[, order(sorted), drop = FALSE]", "part", "selector-contract"
  ),
  mutant("vote: shares without the classes' sizes", "selector-predict.R",
    "(k * votes$share + prior) / (k + 1)", "votes$share", "selector-predict"
  ),
  mutant("vote: classes that are equally likely go to the first",
    "selector-predict.R", "ifelse(tied, class, best)", "best",
    "selector-predict"
  ),
  mutant("vote: half of the weight left is too little", "selector-predict.R",
    "group$left >= 0.5", "group$left > 0.5", "selector-predict"
  ),
  mutant("another scale: all samples must be far", "selector-predict-scale.R",
    "mean(far) <= 0.2", "mean(far) < 1", "selector-predict-scale"
  ),
  mutant("direction: effects in another feature's unit", "selector-methods.R",
    "unname(x$class_spread[rows])", "unname(x$class_spread[seq_along(rows)])",
    "selector-methods"
  ),
  mutant("direction: of classes that tie the first", "selector-methods.R",
    "at[tied | largest <= 0] <- NA", "at[largest <= 0] <- NA",
    "selector-methods"
  ),
  mutant("local classifier: a class with all spheres stands for all",
    "llfs-predict.R",
    "min(1, tapply(left[voting], class, mean))",
    "max(0, tapply(left[voting], class, mean))",
    "llfs-predict"
  ),

  # ---- evaluate --------------------------------------------------------------
  mutant("holdout: a class may have no sample left for the test", "resample.R",
    "pmin(pmax(round(train * size), 1), most)", "pmax(round(train * size), 1)",
    "resample"
  ),
  mutant("folds: each class begins at the first fold", "resample.R",
    "fold[order] <- rep_len(seq_len(k), length(y))",
    "fold[order] <- seq_len(k)[(stats::ave(order, y[order], FUN = seq_along) -
      1) %% k + 1]", "resample"
  ),
  mutant("standard error: 1/k for 1/(k - 1)", "metrics.R",
    "1 / (resampling$k - 1)", "1 / resampling$k",
    "error_curve-print"
  ),
  mutant("standard error: Wilson's interval of one deviation", "metrics.R",
    "wilson_interval(share, n, 2)", "wilson_interval(share, n, 1)",
    c("metrics", "error_curve-print")
  ),
  mutant("effects: noise is not looked for", "effects.R",
    "weight[[1L]] <- weight[[1L]] + 5", "weight[[1L]] <- weight[[1L]]",
    "effects"
  ),
  mutant("effects: of 49 features too", "effects.R",
    "enough_effects <- 50L", "enough_effects <- 49L", "effects"
  ),
  mutant("effects: blocks weigh by their samples", "effects.R",
    "weight[n == 0 |", "weight <- n\n    weight[n == 0 |", "effects"
  ),
  mutant("effects: blocks without the class count", "effects.R",
    "others <- in_block(0 + (n > 0)) - 1", "others <- in_block(1 + 0 * n) - 1",
    "effects"
  ),
  mutant("interval: the nearer of two limits", "intervals.R",
    "pmin(mean - half, limits", "pmax(mean - half, limits", "intervals"
  ),
  mutant("interval: samples of a group are independent", "intervals.R",
    "n / max(1, mean(effect))", "n", "intervals"
  ),
  mutant("interval: classes err together", "metrics-classes.R",
    "if (apart) sqrt", "if (FALSE) sqrt", "intervals"
  ),
  mutant("interval: a pair errs in each class by itself", "metrics-classes.R",
    "if (apart) sqrt", "if (TRUE) sqrt", "intervals"
  ),
  mutant("interval: few groups as many", "intervals.R",
    "max(1, length(unique(group)) - 1)", "Inf", "intervals"
  ),
  mutant("error: a large group counts more", "metrics.R",
    "sum(values / unit_sizes(unit))", "mean(values)", "intervals"
  ),
  mutant("interval: the variance over units of n, not n - 1",
    "metrics-classes.R",
    "sqrt(units / (units - 1))", "1", "intervals"
  ),
  mutant("area: ties count as losses", "metrics.R",
    "(below[findInterval(of, among) + 1L]",
    "(below[findInterval(of, among, left.open = TRUE) + 1L]", "metrics-classes"
  ),
  mutant("best size: within two standard errors", "best_size.R",
    "loss <= loss[[best]] + plain + 1e-12",
    "loss <= loss[[best]] + 2 * plain + 1e-12", "best_size"
  ),
  mutant("best size: equal means are no tie", "best_size.R",
    "min(loss, na.rm = TRUE) + 1e-12", "min(loss, na.rm = TRUE)", "best_size"
  ),
  mutant("scores: the lowest that are shared are ranked",
    "error_curve-select.R", "== lowest, na.rm = TRUE) > 1L",
    "== lowest, na.rm = TRUE) > 2L", "error_curve-select"
  ),
  mutant("comparison: a degree of freedom more", "compare_selectors.R",
    "df = n_units - 1,", "df = n_units,", "compare_selectors"
  ),
  mutant("lists fixed in advance: warned of as the same everywhere",
    "error_curve-summarise.R", "runs[setdiff(names, names(fixed))]", "runs",
    "error_curve-select"
  ),
  mutant("lists fixed in advance: a name counts twice", "error_curve-select.R",
    "names <- unique(names)", "names <- c(names)", "error_curve-select"
  ),
  mutant("comparison: training parts of any size alike", "compare_selectors.R",
    "share > 0.8 + 1e-9", "share > 1", "compare_selectors"
  ),
  mutant("comparison: large parts weigh no more in areas",
    "metrics-classes.R", "unit_sizes(unit) * auc_terms(", "auc_terms(",
    "compare_selectors"
  ),
  mutant("comparison: areas take the samples of a group for independent",
    "metrics-classes.R", "curve$design$unit[of$sample]",
    "of$sample", "compare_selectors"
  ),
  mutant("comparison: areas of a part that lacks a class",
    "metrics-classes.R", "all(rows$truth %in% of$truth)", "TRUE",
    "compare_selectors"
  ),
  mutant("comparison: classes weigh alike in balanced errors",
    "metrics-classes.R", "* share[table$truth])", "* 0.5)",
    "compare_selectors"
  ),
  mutant("tuning: of values that err equally the last", "tuned.R",
    "== which.min(error)", "== length(error) + 1L - which.min(rev(error))",
    "tuned"
  ),
  mutant("tuning: the metric of each part", "tuned.R",
    "metric$pooled <- together", "metric$pooled <- FALSE", "tuned"
  ),
  mutant("tuning: the least area is chosen", "tuned.R",
    "if (metric$larger) values <- 1 - values", "", "tuned"
  ),
  mutant("validation: exact interval of one sample fewer", "intervals.R",
    "stats::qbeta(tail, hits, n - hits + 1)",
    "stats::qbeta(tail, hits, n - hits)", "validate"
  ),
  mutant("planted: the subgroup is the whole class", "selector_power.R",
    "(own & first) * 2 * shift", "own * 2 * shift", "selector_power"
  ),
  mutant("planted: labels leave their blocks", "selector_power.R",
    "permuted_labels(problem)",
    "permuted_labels(problem, rep(1L, length(problem$y)))",
    "selector_power"
  ),
  mutant("report: samples of a patient are independent", "report_model.R",
    "worth <- if (!has_several(of))", "worth <- if (TRUE)",
    "report_samples"
  ),
  mutant("survival curves: below no signal", "calibration.R",
    "min(1.5, max(0, b))", "min(1.5, b)", "tuned-calibrate"
  ),
  mutant("survival curves: folds are one stratum", "calibration.R",
    "hazard + strata(fold)", "hazard", "tuned-calibrate"
  ),
  mutant("calibration: b is pulled to no prior", "calibration.R",
    "2 * (par[[1L]] - 0.7)^2", "2 * par[[1L]]", "calibration"
  ),
  mutant("calibration: the prior of all samples counts fully", "calibration.R",
    "(1 - b) * prior", "prior", "calibration"
  ),
  mutant("units: one unit with both classes gives a difference",
    "unit_effects.R", "colSums(both) < 2", "colSums(both) < 1", "unit_effects"
  ),
  mutant("units: degrees of freedom are added up", "unit_effects.R",
    "weight^2 / sum_of(\\(part) 1 / (part$variance^2 * part$df))",
    "sum_of(\\(part) part$df)", "unit_effects"
  ),
  mutant("units: their classes leave them", "units.R",
    "ifelse(cells$mixed, max(block) + cells$unit, block)", "block", "units"
  ),
  mutant("calibration: groups count by their samples", "tuned-calibrate.R",
    "units / length(problem$y)", "1", "tuned-calibrate"
  ),
  mutant("stability: an interval of halves that overlap", "stability.R",
    "anyDuplicated(unlist(parts)) == 0L", "!is.null(parts)", "stability"
  ),
  mutant("stability: the interval of the mean of the halvings",
    "stability-indices.R", "sqrt(1 + 1 / n)", "sqrt(1 / n)", "stability-indices"
  ),
  mutant("probes: the last feature counts as a probe", "probe_fdr.R",
    "n_probe = sum(found$selected > n)", "n_probe = sum(found$selected >= n)",
    "probe_fdr"
  ),
  mutant("volcano: the second class lies to the right", "results-plot.R",
    "(3 - 2 * match(table$class, classes))",
    "(2 * match(table$class, classes) - 3)", "results-plot"
  ),
  mutant("lines: without marks told apart by colour alone", "plot-primitives.R",
    "if (solid) 8L else 1L", "8L", "plot-primitives"
  ),
  mutant("probes: those that equal a feature do not reach it",
    "probe_fdr-estimate.R", "sort(probe), left.open = TRUE", "sort(probe)",
    "probe_fdr-estimate"
  ),
  mutant("probes: one false discovery fewer", "probe_fdr-estimate.R",
    "(1 + colSums(counts))", "colSums(counts)", "probe_fdr-estimate"
  ),
  mutant("groups: a TCGA barcode's sample for its patient", "notices.R",
    "(TCGA-..-....)", "(TCGA-..-.......)", "notices"
  ),
  mutant("groups: as many groups as classes are groups", "notices.R",
    "n <= n_classes", "n < n_classes", "notices"
  ),
  mutant("interactions: p-values without the data themselves",
    "interactions.R", "(1 + reached) / (1 + times)", "reached / times",
    "interactions"
  ),
  mutant("Bayes error: a sample is among its own neighbours", "neighbours.R",
    "missing = FALSE,\n      themselves = TRUE", "missing = FALSE",
    "neighbours"
  ),
  mutant("far: a training sample is its own nearest",
    "selector-predict-scale.R",
    "if (own) distance[!leave_out(design, i)] <- Inf", "",
    "selector-predict-scale"
  ),
  mutant("far: a shift of all features adds nothing",
    "selector-predict-scale.R",
    "beyond(1L, 1) | !differences & beyond(2L, 1.25)", "beyond(1L, 1)",
    "selector-predict-scale"
  ),

  # ---- survival times --------------------------------------------------------
  mutant("survival: an event's position after it", "survival.R",
    "(before + gone) / 2", "gone", "survival"
  ),
  mutant("survival: a censored sample stays where it left", "survival.R",
    "(1 + position) / 2", "position", "survival"
  ),
  mutant("survival: strata share one curve", "survival.R",
    "split(seq_along(time), strata)", "list(seq_along(time))", "survival"
  ),
  mutant("survival: a third of the samples for half", "fit.R",
    "as.integer(round(n / 2))", "as.integer(round(n / 3))", "survival"
  ),
  mutant("survival: up for down", "survival.R",
    "c(\"down\", NA, \"up\")", "c(\"up\", NA, \"down\")", "survival"
  ),
  mutant("survival: the horizon of nine in ten", "metrics-survival.R",
    "ceiling(0.8 * n)", "ceiling(0.9 * n)", "metrics-survival"
  ),
  mutant("C: events at one time are compared", "metrics-survival.R",
    "of_event$time, of_event$time, FUN = length)",
    "of_event$time, FUN = \\(at) rep(1, length(at)))", "metrics-survival"
  ),
  mutant("C: the smaller risk has the earlier event", "metrics-survival.R",
    "ranks = TRUE, reverse = TRUE", "ranks = TRUE", "metrics-survival"
  ),
  mutant("Uno: the weight without its square", "metrics-survival.R",
    "1 / seen^2, 0", "1 / seen, 0", "metrics-survival"
  ),
  mutant("Uno: events at the horizon count", "metrics-survival.R",
    "ifelse(time < study$horizon", "ifelse(time <= study$horizon",
    "metrics-survival"
  ),
  mutant("AUC: events at the horizon are controls", "metrics-survival.R",
    "y$time > study$horizon", "y$time >= study$horizon", "metrics-survival"
  ),
  mutant("censoring: those who die are at risk of it", "metrics-survival.R",
    "left <- curve$at_risk - curve$died", "left <- curve$at_risk",
    "metrics-survival"
  ),
  mutant("Brier: censored samples have died", "metrics-survival.R",
    "gone, y$event * curve[, k]^2", "gone, curve[, k]^2", "metrics-survival"
  ),
  mutant("integrated Brier: the step's other end", "metrics-survival.R",
    "c(0, scores[-last])", "scores", "metrics-survival"
  ),
  mutant("curves: five neighbours for half of the samples",
    "error_curve-survival.R", "k %||% half_of(n)", "k %||% 5L",
    "error_curve-survival"
  ),
  mutant("Breslow: those who die are not at risk", "error_curve-survival.R",
    "hazard[y$time >= t]", "hazard[y$time > t]", "error_curve-survival"
  ),
  mutant("validation: expected for observed", "validate-survival.R",
    "gone / mean(risk_at)", "mean(risk_at) / gone", "validate-survival"
  ),
  mutant("validation: samples of a unit are independent",
    "validate-survival.R", "reorder = FALSE)\n  n <- nrow(sums)",
    "reorder = FALSE)\n  sums <- terms\n  n <- nrow(sums)",
    "validate-survival"
  ),
  mutant("validation: Uno's C of all times", "validate-survival.R",
    "ymax = sum(times < study$horizon)", "ymax = length(times)",
    "validate-survival"
  ),
  mutant("validation: cases of the AUC weigh alike", "validate-survival.R",
    "ifelse(late, 1, p$event / seen)", "ifelse(late, 1, p$event)",
    "validate-survival"
  ),
  mutant("calibration: Greenwood without those left", "validate-survival.R",
    "km$died / km$at_risk / left", "km$died / km$at_risk",
    "validate-survival"
  ),
  mutant("validation: pairs of all parts are compared", "validate-survival.R",
    "= concordance(p$predicted, p, p$split)", "= concordance(p$predicted, p)",
    "validate-survival"
  ),

  # ---- two classes, pairs, omics ---------------------------------------------
  mutant("positive: the second class", "positive.R",
    "1L + identical(classes", "2L + 0L * identical(classes", "positive"
  ),
  mutant("positive: FALSE of logical labels", "positive.R",
    "1L + identical(classes, c(\"FALSE\", \"TRUE\"))", "1L", "positive"
  ),
  mutant("validation: the first class whatever is positive", "validate.R",
    "positive <- positive_class(positive, classes)\n  if",
    "positive <- positive_class(NULL, classes)\n  if", "positive"
  ),
  mutant("cut-off: a score equal to it is negative", "validate-threshold.R",
    "score >= threshold - 1e-9, positive", "score > threshold + 1e-9, positive",
    "validate-threshold"
  ),
  mutant("cut-off: all scores are probabilities", "validate-threshold.R",
    "max = max(1, score)", "max = 1", "validate-threshold"
  ),
  mutant("prevalence: those without the disease count as ill",
    "validate-threshold.R", "(1 - prevalence) * (1 - specificity)",
    "prevalence * (1 - specificity)", "validate-threshold"
  ),
  mutant("prevalence: pairs have one", "validate.R",
    "is.null(positive) || !is.null(predictions$pair)", "is.null(positive)",
    "validate-threshold"
  ),
  mutant("pairs: a quarter of the training pairs", "pairs.R",
    "stats::quantile, 0.05), 0)", "stats::quantile, 0.25), 0)", "pairs"
  ),
  mutant("pairs: an opposite difference may be usual", "pairs.R",
    "stats::quantile, 0.05), 0)", "stats::quantile, 0.05), -Inf)", "pairs"
  ),
  mutant("pairs: directions that know the pair", "pairs.R",
    "t(n * mean - t(known)) / (n - 1)", "t(mean + 0 * t(known))", "pairs"
  ),
  mutant("pairs: features that the new pair lacks", "pairs.R",
    "%*% t(!is.na(new))", "%*% t(is.na(new) | TRUE)", "pairs"
  ),
  mutant("pairs: those of one class are wrong too", "validate.R",
    "which(one & differ)", "which(one)", "validate"
  ),
  mutant("omics: samples that an omics lacks", "omics.R",
    "setdiff(samples, rownames(part))", "character()", "omics"
  ),

  # ---- show ------------------------------------------------------------------
  mutant("frameworks: ties against the ranking", "frameworks.R",
    "best - places * 4", "best + places * 4", "mlr3"
  )
)
