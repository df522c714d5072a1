# What the freeze calls: expressions of the variables of problem(). Arguments
# are given by position where that is possible, so that a new name of an
# argument is no difference.
# SPDX-License-Identifier: GPL-3.0-or-later

relief_methods <- strsplit(
  "relief irelief map map15 parzen surf multisurf rrelieff srelieff", " "
)[[1L]]
score_methods <- strsplit(
  "laplacian chisq infogain mrmr spec trace_ratio lsdf inf_fs rfs simba", " "
)[[1L]]

# The fit that is read, and the curve.
ranked <- function(fit, outcome) {
  if (outcome == "numbers") fit(relief, method = "rrelieff") else fit(relief)
}
curved <- function(fit, ..., selectors = list(relief = relief, pwfp = pwfp)) {
  fit(error_curve, selectors, c(2, 5), ...)
}
nearest <- function(train, labels, test) class::knn(train, test, labels, 3)
page <- function(...) {
  write_report(..., file = file <- tempfile(fileext = ".html"))
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<(style|script).*?</\\1>", "", text, perl = TRUE)
  text <- gsub("[0-9]{4}(-[0-9]{2}){2}", "DATE", text)
  writeLines(Filter(nzchar, trimws(strsplit(text, "<[^>]*>|\n")[[1L]])))
}
by_recipe <- function(data, ...) {
  recipe <- recipes::recipe(outcome ~ ., data)
  step <- step_select_hitmiss(recipe, recipes::all_predictors(), ..., id = "s")
  trained <- recipes::prep(step)
  list(tidy(trained$steps[[1L]]), as.list(recipes::bake(trained, NULL)))
}
by_mlr3 <- function(data, outcome, method) {
  kind <- if (outcome == "numbers") "as_task_regr" else "as_task_classif"
  task <- getExportedValue("mlr3", kind)(data, target = "outcome")
  mlr3filters::flt(paste0("hitmiss_", method))$calculate(task)$scores
}

verbs <- c(
  lapply(setNames(nm = relief_methods), function(method) {
    bquote(fit(relief, method = .(method)))
  }),
  as.list(expression(
    relieff = fit(relief), settings = fit(relief, k = 3, metric = "euclidean"),
    logo = fit(logo), kbfs = fit(kbfs, n = 8), pwfp = fit(pwfp),
    kernel = fit(kbfs, n = 8, kernel = "gaussian", redundancy = 0.2),
    semi_bfs = kbfs(x, replace(labels, 1:9, NA), n = 8, manifold = 0.1),
    llfs = fit(llfs, alpha = 3),
    spheres = fit(llfs, vote = "spheres", neighbour = "half", polish = TRUE),
    turf = turf(x, y, n_stop = 20), by_formula = relief(outcome ~ ., frame),
    tuned = fit(tuned(relief, k = c(3, 7), resampling = kfold(3))),
    calibrated = predict(fit(tuned(relief, calibrate = TRUE)), new, "prob"),
    predict_class = predict(ranked(fit, outcome), new, pair = pairs),
    predict_prob = predict(
      fit(relief), new, "prob", n = 5, k = 4, weights = "balanced", pair = pairs
    ),
    predict_features = predict(ranked(fit, outcome), new, "features", n = 3),
    predict_response = predict(
      ranked(fit, outcome), new, "response", missing = "drop"
    ),
    predict_risk = predict(fit(relief), new, "risk"),
    predict_survival = predict(fit(relief), new, "survival", missing = "drop"),
    predict_llfs = predict(fit(llfs, alpha = 3), new, "prob", pair = pairs),
    similarity = predict(fit(llfs, alpha = 3), new, "similarity"),
    read = list(
      selected(f <- ranked(fit, outcome), 4), top_features(f, 4), summary(f),
      caret::varImp(f), caret::predictors(f)
    ),
    tables = list(tidy(f <- ranked(fit, outcome)), glance(f), as.data.frame(f)),
    picture = ggplot2::autoplot(ranked(fit, outcome))$data,
    heatmap = plot_heatmap(x, y, selected(ranked(fit, outcome), 4))$data,
    validate = validate(ranked(fit, outcome), new, truth),
    curve = curved(fit, "own", kfold(3)), knn = curved(fit, "knn", holdout(2)),
    curve_svm = summary(curved(fit, "svm_linear", kfold(3))),
    curve_function = curved(fit, nearest, kfold(2)),
    curve_left_out = curved(fit, "own", leave_one_out(), selectors = relief),
    curve_nested = curved(fit, "own", kfold(2), nested = kfold(2)),
    curve_prepared = curved(fit, "own", kfold(2), prepare = list(
      prepare_impute(), prepare_filter(n = 20)
    )),
    curve_adjusted = curved(
      fit, "own", kfold(2), prepare = prepare_adjust(rep(1:4, 10)), permuted = 1
    ),
    curve_tables = list(
      tidy(f <- curved(fit, "own", kfold(2))), glance(f),
      as.data.frame(f, what = "predictions"), validate(f, "relief", 5),
      best_size(f), stability(f)
    ),
    compare_selectors = compare_selectors(curved(fit, "own", kfold(3))),
    roc = ggplot2::autoplot(curved(fit, "own", kfold(2)), "roc", size = 5)$data,
    probe_fdr = list(f <- fit(probe_fdr, relief, times = 3), selected(f)),
    interactions = interactions(ranked(fit, outcome), x, y, 20, 9),
    local_signatures = fit(local_signatures, alpha = 2, times = 3),
    audit_labels = audit_labels(fit(llfs, alpha = 3)),
    bayes_error = bayes_error(x, y, c("g1", "g2")),
    reference_scores = reference_scores(x, y),
    markers = markers(x, y, 5, "any"),
    selector_power = fit(
      selector_power, list(relief = relief), 4, c(1, 2), "shift", times = 2
    ),
    report = page(ranked(fit, outcome), new, truth = truth),
    recipe = by_recipe(frame, top_p = 5),
    mlr3 = by_mlr3(frame, outcome, "relief")
  ))
)

# Each once, on two classes in a complete matrix.
single <- c(
  lapply(setNames(nm = score_methods), function(method) {
    bquote(reference_scores(x, y, method = .(method)))
  }),
  as.list(expression(
    cox = reference_scores(x, draw_samples(1, "survival")$samples$y, "cox"),
    spiral = simulate_spiral(noise = 3), groups = simulate_localized(noise = 3),
    microarray = simulate_microarray(genes = 60, relevant = 3),
    epistasis = simulate_epistasis(c(20, 20), noise = 3),
    sets = selected(stability(list(1:3, 2:4, c(1, 3, 5)), 60), 0.5),
    markers_times = markers(x, y, 5, "up", 3),
    paper = llfs(x, y, preset = "paper"), mlr3 = by_mlr3(frame, "two", "llfs"),
    power_together = selector_power(
      x, y, list(relief = relief), 4, 1, "together", times = 2
    ),
    report_of_new = page(relief(x, y), new), report_of_fit = page(relief(x, y)),
    # Data that have something suspicious.
    code = relief(replace(x, 1:3, -99), y),
    text = relief(replace(data.frame(x), "g1", c("n/a", x[-1L, 1L])), y),
    counts = relief(round(2^(x + 3) * rep(1:4, 10)), y),
    raw = relief(2^(x + 8), y), leak = relief(cbind(x, z = as.integer(y)), y),
    copies = probe_fdr(x[c(1:40, 1:4), ], y[c(1:40, 1:4)], relief, times = 2),
    patients = probe_fdr(`rownames<-`(
      x, paste0("P", given$group, c("_1", "_2"))
    ), y, relief, times = 2),
    hubs = relief(rbind(colMeans(x), x[-1L, ]), y, hubs = "none"),
    known = validate(relief(x, y), x, y),
    na = relief(x, replace(as.character(y), 1L, "NA")),
    ranks = curved(fit, "own", kfold(2), selectors = list(
      ranks = function(x, y) rank(-coef(relief(x, y)))
    ))
  ))
)
