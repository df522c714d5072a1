# What the freeze calls: expressions of the variables of problem(). Arguments
# are given by position where there is a choice, so that a new name is no
# difference.
# SPDX-License-Identifier: GPL-3.0-or-later

relief_methods <- c(
  "relief", "irelief", "map", "map15", "parzen", "surf", "surfstar",
  "multisurf", "multisurfstar", "rrelieff", "srelieff"
)
score_methods <- c(
  "fisher", "laplacian", "chisq", "infogain", "mrmr", "spec", "trace_ratio",
  "lsdf", "inf_fs", "rfs", "simba"
)

# The fit that is read, and the curve: `fit` is that of the problem.
ranked <- function(fit, outcome) {
  if (outcome == "numbers") fit(relief, method = "rrelieff") else fit(relief)
}
curved <- function(fit, ..., selectors = list(relief = relief, pwfp = pwfp)) {
  fit(error_curve, selectors, c(2, 5), ...)
}
nearest <- function(train, labels, test) class::knn(train, test, labels, 3)
half <- function(labels) replace(labels, seq(1L, n_samples, 3L), NA)
page <- function(...) {
  file <- tempfile(fileext = ".html")
  write_report(..., file = file)
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<(style|script).*?</\\1>", "", text, perl = TRUE)
  text <- gsub("[0-9]{4}(-[0-9]{2}){2}[ 0-9:]*( [A-Z]+)?", "DATE", text)
  writeLines(Filter(nzchar, trimws(strsplit(text, "<[^>]*>|\n")[[1L]])))
}
by_recipe <- function(data, ...) {
  recipe <- recipes::recipe(outcome ~ ., data)
  step <- step_select_hitmiss(recipe, recipes::all_predictors(), ..., id = "s")
  trained <- recipes::prep(step)
  list(tidy(trained$steps[[1L]]), as.list(recipes::bake(trained, NULL)))
}
by_mlr3 <- function(data, outcome, method) {
  task <- if (outcome == "numbers") {
    mlr3::as_task_regr(data, target = "outcome")
  } else {
    mlr3::as_task_classif(data, target = "outcome")
  }
  mlr3filters::flt(paste0("hitmiss_", method))$calculate(task)$scores
}

verbs <- c(
  lapply(setNames(relief_methods, relief_methods), function(method) {
    bquote(fit(relief, method = .(method)))
  }),
  as.list(expression(
    relieff = fit(relief), default = relief(x, y),
    relief_settings = fit(relief, k = 3, metric = "euclidean", hubs = "none"),
    logo = fit(logo), kbfs = fit(kbfs, n = 8), pwfp = fit(pwfp),
    kbfs_kernel = fit(kbfs, n = 8, kernel = "gaussian", redundancy = 0.2),
    semi_bfs = kbfs(x, half(labels), n = 8, manifold = 0.1),
    llfs = fit(llfs, alpha = 3),
    llfs_settings = fit(llfs, vote = "spheres", neighbour = "half", polish = TRUE),
    turf = turf(x, y, n_stop = 20), by_formula = relief(outcome ~ ., frame),
    tuned = fit(tuned(relief, k = c(3, 7), resampling = kfold(3))),
    calibrated = predict(
      fit(tuned(relief, calibrate = TRUE)), new, "prob", pair = pairs
    ),
    predict_class = predict(ranked(fit, outcome), new, pair = pairs),
    predict_prob = predict(
      fit(relief), new, "prob", n = 5, k = 4, weights = "balanced", pair = pairs
    ),
    predict_features = predict(
      ranked(fit, outcome), new, "features", n = 3, pair = pairs
    ),
    predict_response = predict(
      ranked(fit, outcome), new, "response", missing = "drop", pair = pairs
    ),
    predict_risk = predict(fit(relief), new, "risk"),
    predict_survival = predict(fit(relief), new, "survival", missing = "drop"),
    predict_llfs = predict(fit(llfs, alpha = 3), new, "prob", pair = pairs),
    predict_similarity = predict(fit(llfs, alpha = 3), new, "similarity"),
    selected = selected(ranked(fit, outcome), 4),
    top_features = top_features(ranked(fit, outcome), 4),
    tidy = tidy(ranked(fit, outcome)), glance = glance(ranked(fit, outcome)),
    table = as.data.frame(ranked(fit, outcome)),
    summary = summary(ranked(fit, outcome)),
    picture = ggplot2::autoplot(ranked(fit, outcome))$data,
    heatmap = plot_heatmap(x, y, selected(ranked(fit, outcome), 4))$data,
    validate = validate(ranked(fit, outcome), new, truth),
    error_curve = curved(fit, "own", kfold(3)),
    curve_knn = curved(fit, "knn", holdout(2)),
    curve_svm = summary(curved(fit, "svm_linear", kfold(3))),
    curve_function = curved(fit, nearest, kfold(4)),
    curve_nested = curved(fit, "own", kfold(3), nested = kfold(2)),
    curve_prepared = curved(
      fit, "own", kfold(2), prepare = list(prepare_impute(), prepare_filter(n = 20))
    ),
    curve_adjusted = curved(
      fit, "own", kfold(2), prepare = prepare_adjust(rep(1:4, 10)), permuted = 1
    ),
    curve_tidy = tidy(curved(fit, "own", kfold(2))),
    curve_glance = glance(curved(fit, "own", holdout(2))),
    curve_left_out = curved(fit, "own", leave_one_out(), selectors = relief),
    curve_predictions = as.data.frame(
      curved(fit, "own", kfold(2)), what = "predictions"
    ),
    curve_validated = validate(curved(fit, "own", kfold(2)), "relief", 5),
    curve_roc = ggplot2::autoplot(
      curved(fit, "own", kfold(2)), type = "roc", size = 5
    )$data,
    compare_selectors = compare_selectors(curved(fit, "own", kfold(3))),
    best_size = best_size(curved(fit, "own", kfold(3))),
    stability = stability(curved(fit, "own", kfold(3))),
    probe_fdr = fit(probe_fdr, relief, times = 3),
    selected_fdr = selected(fit(probe_fdr, relief, times = 3)),
    interactions = interactions(ranked(fit, outcome), x, y, 20, 9),
    local_signatures = fit(local_signatures, alpha = 2, times = 3),
    audit_labels = audit_labels(fit(llfs, alpha = 3)),
    bayes_error = bayes_error(x, y, c("g1", "g2")),
    reference_scores = reference_scores(x, y),
    markers = markers(x, y, 5, "any", 3),
    selector_power = fit(
      selector_power, list(relief = relief), 4, c(1, 2), "spread", times = 2
    ),
    report = page(ranked(fit, outcome), new, truth = truth, pair = pairs),
    recipe = by_recipe(frame, top_p = 5), recipe_llfs = by_recipe(
      frame, method = "llfs", top_p = 5
    ),
    mlr3 = by_mlr3(frame, outcome, "relief"),
    caret = list(
      caret::varImp(ranked(fit, outcome)),
      caret::predictors(ranked(fit, outcome))
    )
  ))
)

# Each once, on two classes in a complete matrix.
single <- c(
  lapply(setNames(score_methods, score_methods), function(method) {
    bquote(reference_scores(x, y, method = .(method)))
  }),
  as.list(expression(
    spiral = simulate_spiral(noise = 3), localized = simulate_localized(noise = 3),
    microarray = simulate_microarray(genes = 60, relevant = 3),
    epistasis = simulate_epistasis(noise = 3),
    stability_of_sets = stability(list(1:3, 2:4, c(1, 3, 5)), 60),
    stable = selected(
      stability(curved(fit, "own", kfold(3))), 0.5, "relief", 5
    ),
    cox = reference_scores(x, outcome_of("survival", x), "cox"),
    cox2 = reference_scores(x, outcome_of("survival", x), "cox2"),
    power_together = selector_power(
      x, y, list(relief = relief), 4, 1, "together", times = 2
    ),
    paper = relief(x, y, preset = "paper"), llfs_paper = llfs(x, y, preset = "paper"),
    mlr3_llfs = by_mlr3(frame, outcome, "llfs"),
    report_of_fit = page(relief(x, y)), report_of_new = page(relief(x, y), new),
    # Data that have something suspicious.
    code = relief(replace(x, 1:3, -99), y),
    text = relief(replace(data.frame(x), "g1", c("n/a", x[-1L, 1L])), y),
    counts = relief(round(2^(x + 3) * rep(1:4, 10)), y),
    raw = relief(2^(x + 8), y), leak = relief(cbind(x, z = as.integer(y)), y),
    copies = probe_fdr(x[c(1:40, 1:4), ], y[c(1:40, 1:4)], relief, times = 2),
    known = validate(relief(x, y), x, y),
    patients = probe_fdr(
      `rownames<-`(x, paste0("P", group, c("_1", "_2"))), y, relief, times = 2
    ),
    hubs = relief(rbind(colMeans(x), x[-1L, ]), y, hubs = "none"),
    labels_na = relief(x, replace(as.character(y), 1L, "NA")),
    ranks = curved(fit, "own", kfold(2), selectors = list(
      ranks = \(x, y) rank(-coef(relief(x, y)))
    )),
    positions = curved(fit, "own", kfold(2), selectors = list(
      which = \(x, y) which(coef(relief(x, y)) > 0)
    ))
  ))
)
