# Every message of this package with code in it is raised here, the code that it
# prints is run, and the call goes on. What a message only names is no {.code}.
# SPDX-License-Identifier: GPL-3.0-or-later

core <- asNamespace("hitmiss")

# The texts with code in all functions and objects of the package.
templates <- function() {
  texts <- function(part) {
    if (is.character(part)) {
      return(part)
    }
    if (is.function(part)) part <- c(list(body(part)), as.list(formals(part)))
    if (is.call(part) || is.pairlist(part) || is.list(part)) {
      unlist(lapply(as.list(part), function(p) if (!missing(p)) texts(p)))
    }
  }
  found <- unlist(lapply(ls(core, all.names = TRUE), function(name) {
    object <- get(name, core)
    if (is.function(object) || is.character(object)) texts(object)
  }))
  with_code <- grep("{.code", found, fixed = TRUE, value = TRUE)
  unique(gsub("[[:space:]]+", " ", with_code))
}

# A template as a pattern of what it prints, in which each code is captured.
pattern_of <- function(template) {
  braces <- "(\\{(?:[^{}]|(?1))*\\})"
  code <- paste0("\\{\\.code (?:[^{}]|", braces, ")*(?:\\}|$)")
  text <- gsub(code, "\u0002", template, perl = TRUE)
  text <- gsub(braces, "\u0001", text, perl = TRUE)
  text <- gsub("([][(){}.*+?^$|\\\\])", "\\\\\\1", text)
  gsub("\u0002", "`([^`]+)`", gsub("\u0001+", ".*", text))
}

# The codes of a line that one of the patterns describes.
codes_of <- function(line, patterns) {
  unlist(lapply(patterns, function(pattern) {
    regmatches(line, regexec(pattern, line, perl = TRUE))[[1L]][-1L]
  }))
}

toy <- withr::with_seed(4, simulate_microarray(c(12, 12), 30, effect = 2))

cure_setting <- function() {
  env <- list2env(list(
    x = toy$x, y = toy$y,
    curve = function(selectors, ...) {
      error_curve(env$x, env$y, selectors, 2, resampling = kfold(3), ...)
    },
    f = function(truth, predicted) mean(truth != predicted),
    scored = function(x, y) reference_scores(x, y)
  ), parent = core)
  # Outside of the package, whose functions messages name.
  environment(env$curve) <- list2env(list(env = env), parent = globalenv())
  env
}

#' @param ... Expressions that make what the call needs.
#' @param call What raises the message.
#' @param use For each code in it, in order: the name of the argument of `call`
#'   that it replaces; "argument": it is one or more arguments; "run": it is run
#'   first; "instead": it is the call; a text with "%s", in which the code makes
#'   it the call; or a function of the code and the setting that goes on itself.
cure <- function(make, call, use, needs = NULL) {
  use <- if (is.function(use)) list(use) else as.list(use)
  list(
    make = substitute(make), call = substitute(call), use = use, needs = needs
  )
}

raise <- function(call, env) {
  text <- NULL
  note <- function(c) {
    if (any(startsWith(class(c), "hitmiss_"))) {
      text <<- c(text, conditionMessage(c))
    }
  }
  tryCatch(withCallingHandlers(
    eval(call, env),
    warning = function(w) {
      note(w)
      invokeRestart("muffleWarning")
    },
    message = function(m) {
      note(m)
      invokeRestart("muffleMessage")
    }
  ), error = function(e) {
    # recipes and others wrap it.
    while (!inherits(e, "hitmiss_error") && !is.null(e$parent)) e <- e$parent
    if (!inherits(e, "hitmiss_error")) stop(e)
    note(e)
    text <<- structure(text, refused = TRUE)
  })
  text
}

follow <- function(code, how, call, env) {
  if (is.function(how)) {
    return(how(code, env))
  }
  if (grepl("%s", how, fixed = TRUE)) {
    return(parse(text = sprintf(how, code))[[1L]])
  }
  parsed <- if (how == "argument") {
    parse(text = paste0("list(", code, ")"))[[1L]]
  } else {
    parse(text = code)[[1L]]
  }
  if (how == "instead") {
    call <- parsed
  } else if (how == "run") {
    eval(parsed, env)
  } else if (how == "argument") {
    given <- as.list(parsed)[-1L]
    call[names(given)] <- given
  } else {
    call[[how]] <- parsed
  }
  call
}

# Of code that says which samples stay.
whole_pairs <- function(code, env) {
  kept <- eval(parse(text = code)[[1L]], env)
  for (name in c("y", "pair")) env[[name]] <- env[[name]][kept]
  env$x <- env$x[kept, ]
  quote(relief(x, y, pair = pair))
}

# A table, with a case in a line.
# nolint start: line_length_linter, semicolon_linter.
cases <- list(
  cure({
    rownames(x) <- paste0("s", 1:24)
    fit <- relief(x, y)
    newdata <- t(x)
  }, predict(fit, newdata = newdata), "newdata"),
  cure({
    colnames(x)[3] <- "HLA-A"
    fit <- relief(x[, 1:5], y, k = 3)
  }, predict(fit, newdata = data.frame(x)), "predict(fit, data.frame(x, %s))"),
  cure(fit <- relief(x, y), predict(fit, newdata = x[, -match(selected(fit, 1),
    colnames(x))]), "argument"),
  cure(x <- data.frame(x, class = y), relief(x = x, y = "class"),
    "y|x"),
  cure(x <- t(x), relief(x = x, y), "x"),
  cure(x <- data.frame(name = colnames(x), t(x)), relief(x, y), "run"),
  cure(colnames(x)[] <- "", relief(x, y), "run"),
  cure(colnames(x)[2] <- colnames(x)[1], relief(x, y), "run"),
  cure({
    x <- withr::with_seed(1, matrix(stats::rpois(24 * 60, 900), 24) * rep(1:4,
      6))
    colnames(x) <- paste0("g", 1:60)
  }, relief(x = x, y), "x", needs = "edgeR"),
  cure(x <- x[, 1], relief(x = x, y), "x"),
  cure({
    fit <- relief(x, y)
    newdata <- x[1, ]
  }, predict(fit, newdata = newdata), "newdata"),
  cure({
    x <- methods::new(methods::getClass("EList", where = asNamespace("limma")),
      list(
      E = structure(t(x), dimnames = list(colnames(x), paste0("s", 1:24))),
      targets = data.frame(class = y, row.names = paste0("s", 24:1))
    ))
  }, relief(x, y), "run", needs = "limma"),
  cure(x <- data.frame(x[, 1:3], tissue = rep(c("u", "v"), 12)), relief(x, y),
    "run"),
  cure(NULL,
    compare_selectors(curve(list(a = relief, b = logo)), at = "chosen"),
    "compare_selectors(curve(list(a = relief, b = logo), %s), at = 'chosen')"),
  cure({
    x <- DelayedArray::DelayedArray(x)
    withr::local_options(hitmiss.realise_memory = 1, .local_envir = globalenv())
  }, relief(x, y, pair = rep(1:12, 2)), "run", needs = "DelayedArray"),
  cure({
    x <- DelayedArray::DelayedArray(x)
    withr::local_options(hitmiss.realise_memory = 1, .local_envir = globalenv())
  }, curve(relief, prepare = prepare_impute()), "run", needs = "DelayedArray"),
  cure(NULL, curve(relief, classifier = "forest"), "classifier"),
  cure(g <- function(x_train, y_train, x_test) {
    class::knn(x_train, x_test, y_train)
  }, curve(relief, classifier = g, metric = "auc"), "argument"),
  cure(NULL, as.data.frame(curve(relief, keep = FALSE), "predictions"),
    "as.data.frame(curve(relief, %s), 'predictions')"),
  cure(fit <- relief(x, y), curve(selectors = function(x, y) fit), "selectors"),
  cure(NULL, curve(selectors = list(relief(x, y), 1)), "selectors"),
  cure(data <- data.frame(x, class = y), relief(formula = "class", data = data),
    "formula"),
  cure(data <- data.frame(x, class = y), relief(formula = ~ class, data = data),
    "formula"),
  cure({
    x <- x[rep(1:24, 7), ] + 0.001
    y <- rep(y, 7)
  }, kbfs(x, y, n = 2, manifold = 0.1), "argument"),
  cure(y <- rep(c("a", "A", "b"), 8), relief(x, y = y, k = 2), "y"),
  cure({
    rownames(x) <- paste0("s", 1:24)
    y <- stats::setNames(y, paste0("s", 24:1))
  }, relief(x, y = y), c("y", "y")),
  cure(y <- stats::setNames(rep(c("a", "b"), 15), colnames(x))[1:24],
    relief(x, y = y), c("x?", "y")),
  cure(y <- haven::labelled(rep(1:3, 8), c(a = 1, b = 2)),
    relief(x, y = y, k = 2), "y", needs = "haven"),
  cure(y <- as.integer(y), relief(x, y = y, k = 2), c("y", "instead")),
  cure(y <- c("caf\xe9", "b")[as.integer(y)], relief(x, y = y), "y"),
  cure(colnames(x)[2] <- "caf\xe9", relief(x, y), "run"),
  cure(y <- factor(y, c(levels(y), "c")), relief(x, y = y), "y"),
  cure(NULL, llfs(x, y, alpha = 2, representatives = 2), "argument"),
  cure(NULL, say_drawn(list(representatives = 5L, program_samples = 9,
    score_samples = 9, intercept_samples = 9), 24L),
    "llfs(x, y, alpha = 2, %s)"),
  cure(NULL, warn_unsettled(list(status = "limit", residual = 0.1,
    iterations = 9L)), "llfs(x, y, alpha = 2, %s)"),
  cure(NULL, llfs(x, y, alpha = 2, neighbour = "half"), "argument"),
  cure(NULL, llfs(x, y, alpha = 2, beta = 1), "beta"),
  cure(withr::local_options(hitmiss.max_memory = 1, .local_envir = globalenv()),
    relief(x, y), "run"),
  cure(NULL, curve(relief, metric = list(
    fun = 1)), "metric"),
  cure({
    task <- mlr3::as_task_classif(data.frame(x, b = rep(1:2, 12), class = y),
      target = "class")
    filter <- mlr3filters::flt("hitmiss_relief", block = "b")
  }, filter$calculate(task), "run", needs = "mlr3filters"),
  cure({
    task <- mlr3::as_task_classif(data.frame(x, class = y), target = "class")
    learner <- mlr3::lrn("classif.hitmiss_llfs", alpha = 2)
  }, learner$importance(), "run", needs = "mlr3filters"),
  cure(x <- SummarizedExperiment::SummarizedExperiment(list(t(x))),
    prepare_impute()(x = x), "x", needs = "SummarizedExperiment"),
  cure(x <- Matrix::Matrix(x, sparse = TRUE), prepare_impute()(x = x), "x"),
  cure(recipe <- recipes::recipe(class ~ ., data.frame(x, class = y)),
    curve(relief, prepare = recipe), "prepare", needs = "recipes"),
  cure(NULL, probe_fdr(x, y, kbfs, type = "permute", times = 2), "argument"),
  cure(r <- recipes::recipe(class ~ ., data.frame(x, class = y)),
    step_select_hitmiss(r, recipes::all_predictors()), "argument",
    needs = "recipes"),
  cure(r <- recipes::recipe(class ~ ., data.frame(x, class = y)),
    step_select_hitmiss(r, recipes::all_predictors(), top_p = 2, options = 1),
    "options", needs = "recipes"),
  cure(r <- recipes::recipe(class ~ ., data.frame(x, class = y,
    z = 1) |> transform(class = as.integer(class))),
    recipes::prep(step_select_hitmiss(r, recipes::all_numeric(), top_p = 2)),
    function(code, env) {
    env$r <- recipes::recipe(class ~ ., data.frame(env$x, class = env$y))
    parse(text = sprintf("recipes::prep(step_select_hitmiss(r, %s, top_p = 2))",
      code))[[1L]]
  }, needs = "recipes"),
  cure(y <- rep(c("a", "b", "c"), 8), reference_scores(x, y, "fisher",
    form = "paper"), "argument"),
  cure({
    x <- 1000 * exp(5 * sin(matrix(1:1440, 24)) - 2)
    colnames(x) <- paste0("g", 1:60)
  }, relief(x, y), "relief(%s, y)"),
  cure({
    fit <- relief(x, y)
    annotation <- data.frame(symbol = letters[rep(1:15, 2)])
  }, with_annotation(fit, annotation), "run"),
  cure(pair <- c(NA, rep(1:12, 2)[-1]), relief(x, y, pair = pair), whole_pairs),
  cure(pair <- factor(c(rep(letters[1:12], 2)[-24], NA)),
    relief(x, y, pair = pair), whole_pairs),
  cure(pair <- c(NA, 2:12, NA, 2:12), logo(x, y, pair = pair), whole_pairs),
  cure(y <- cbind(time = 1:24, status = rep(0:1, 12)), relief(x, y = y), "y",
    needs = "survival"),
  cure(y <- data.frame(dead = rep(0:1, 12), days = 1:24), relief(x, y = y), "y",
    needs = "survival"),
  cure(y <- cbind(1:24, rep(0:1, 12)), error_curve(x, y = y, relief, 2,
    resampling = kfold(3)), "y", needs = "survival"),
  cure(y <- data.frame(y), relief(x, y = y), "y"),
  cure(y <- as.matrix(y), logo(x, y = y), "y"),
  cure(y <- data.frame(1:24), relief(x, y = y, method = "rrelieff"), "y"),
  cure(data <- data.frame(x, time = 1:24, status = rep(0:1, 12)),
    recipes::prep(step_select_hitmiss(recipes::recipe(time + status ~ ., data),
      recipes::all_predictors(), top_p = 2)), function(code, env) {
    of <- list(time = env$data$time, event = env$data$status)
    env$data <- data.frame(env$x, surv = eval(parse(text = code), of))
    quote(recipes::prep(step_select_hitmiss(recipes::recipe(surv ~ ., data),
      recipes::all_predictors(), top_p = 2)))
  }, needs = "recipes"),
  cure(y <- 1:24, relief(x, y = y, method = "srelieff"), function(code, env) {
    env$time <- env$y
    env$event <- rep(0:1, 12)
    parse(text = sprintf("relief(x, y = %s)", code))[[1L]]
  }, needs = "survival"),
  cure({
    Surv <- survival::Surv
    time <- 1:24
    event <- factor(rep(c("censored", "relapse", "death"), 8))
    y <- Surv(time, event)
  }, relief(x, y = y), "y", needs = "survival"),
  cure({
    Surv <- survival::Surv
    time <- 1:24
    event <- rep(0, 24)
    y <- Surv(time, event)
  }, relief(x, y), function(code, env) {
    env$event <- rep(0:1, 12)
    parse(text = sprintf("relief(x, %s)", code))[[1L]]
  }, needs = "survival"),
  cure({
    y <- survival::Surv(1:24, rep(0:1, 12))
    fit <- relief(x, y)
  }, predict(fit, x, times = 5), "argument", needs = "survival"),
  cure({
    y <- survival::Surv(1:24, rep(0:1, 12))
    g <- function(x_train, y_train, x_test) x_test[, 1]
  }, curve(relief, classifier = g, metric = "ibs"), "argument",
    needs = "survival"),
  cure({
    ids <- paste0("s", 1:24)
    x <- list(RNA = unname(x), protein = `rownames<-`(x, ids))
  }, relief(x, y), "run"),
  cure({
    rownames(x) <- paste0("s", 1:24)
    x <- list(RNA = x, protein = x[-1, ])
  }, relief(x, y), function(code, env) {
    ids <- eval(parse(text = code)[[1L]], env)
    env$y <- env$y[match(ids, rownames(env$x$RNA))]
    env$x <- lapply(env$x, function(part) part[ids, ])
    quote(relief(x, y))
  }),
  cure({
    rownames(x) <- paste0("s", 1:24)
    x <- MultiAssayExperiment::MultiAssayExperiment(
      list(RNA = t(x), protein = t(x[-1, ])),
      colData = S4Vectors::DataFrame(class = y, row.names = rownames(x)))
  }, relief(x, "class"), "x", needs = "MultiAssayExperiment"),
  cure({
    ids <- paste0("s", 1:24)
    x <- MultiAssayExperiment::MultiAssayExperiment(
      list(RNA = `colnames<-`(t(x[c(1:24, 1), ]), c(ids, "again"))),
      colData = S4Vectors::DataFrame(class = y, row.names = ids),
      sampleMap = S4Vectors::DataFrame(assay = factor(rep("RNA", 25)),
        primary = ids[c(1:24, 1)], colname = c(ids, "again")))
  }, relief(x, "class"), "x", needs = "MultiAssayExperiment"),
  cure({
    fit <- relief(x, y)
    batch <- rep(1:2, 12)
    sex <- rep(c("f", "m"), each = 12)
  }, plot_heatmap(x, y, fit, tracks = list(batch)), "argument",
    needs = "ggplot2"),
  cure(NULL, error_curve(x, y, relief, 2, resampling = 5), "resampling"),
  cure(fit <- relief(x, y), selected(fit), "instead"),
  cure(sets <- list(relief(x, y), relief(x[-1, ], y[-1])),
    stability(sets = sets, n_features = 30), "sets"),
  cure(NULL, tuned(logo), "instead"),
  cure(NULL, turf(x, y, selector = scored), "selector"),
  cure(NULL, probe_fdr(x, y, selector = "relief", times = 2), "selector"),
  cure(fit <- relief(x, y), probe_fdr(x, y, selector = fit, times = 2),
    c("selector", "selector")),
  cure(NULL,
    curve(selectors = function(x, y) relief(x, y), block = rep(1:2, 12)),
    "selectors"),
  cure(x <- structure(x, class = "units"), relief(x = x, y), "x"),
  cure(x[3, 2] <- NA, logo(x, y), "run"),
  cure(fit <- relief(x, y), coef(fit, positive = levels(y)[[1L]]), "argument"),
  cure(x[3, 2] <- NA, curve(logo), "argument"),
  cure(fit <- relief(x, y), write_report(fit, file = "/no/folder/at/all"),
    function(code, env) {
    withr::local_dir(withr::local_tempdir(.local_envir = globalenv()),
      .local_envir = globalenv())
    parse(text = code)[[1L]]
  }, needs = "htmltools"),
  cure(NULL, inform_no_scratch(8e6, "/no", "it is not writable"),
    "%s"),
  cure(NULL, {
    gone <- scratch_directory
    environment(gone) <- list2env(list(dir.exists = function(...) FALSE),
      parent = asNamespace("hitmiss"))
    gone(8e6)
  }, "%s"),
  cure(NULL, scratch_errors(stop("the scratch file cannot be written: full"),
    8e6), "%s")
)

# nolint end

# Without the network nothing is installed, and Debian has no Seurat.
not_run <- "[{]install[}]|Seurat::"

test_that("the code in every message cures what raised it", {
  withr::local_options(hitmiss.threads = 1L, hitmiss.scratch_dir = NULL)
  withr::local_timezone("UTC")
  withr::local_seed(5)
  said <- character()
  known <- vapply(templates(), pattern_of, "")
  count <- c(cured = 0L, run = 0L)
  there <- vapply(cases, function(case) {
    is.null(case$needs) || requireNamespace(case$needs, quietly = TRUE)
  }, NA)
  for (case in cases[there]) tryCatch({
    shown <- paste(substr(deparse1(case$call), 1L, 150L), collapse = "")
    raised <- function() {
      options(
        hitmiss.realise_memory = NULL, hitmiss.max_memory = NULL,
        hitmiss.scratch_dir = NULL
      )
      env <- cure_setting()
      eval(case$make, env)
      list(env = env, text = suppressWarnings(raise(case$call, env)))
    }
    first <- raised()$text
    texts <- unlist(strsplit(first, "\n"))
    found <- lapply(texts, codes_of, known)
    with_code <- texts[lengths(found) > 0L]
    codes <- unique(unlist(found))
    said <- c(said, with_code)
    expect_gte(length(codes), length(case$use), label = shown)
    for (i in seq_along(case$use)) {
      how <- case$use[[i]]
      again <- raised()
      count[["run"]] <- count[["run"]] + 1L
      if (identical(how, "x?")) next
      if (identical(how, "y|x")) {
        again$env$y <- eval(parse(text = codes[[1L]]), again$env)
        again$env$x <- eval(parse(text = codes[[2L]]), again$env)
        left <- raise(quote(relief(x, y)), again$env)
      } else {
        # A whole call is the last code of its message.
        at <- if (identical(how, "instead")) length(codes) else i
        call <- follow(codes[[at]], how, case$call, again$env)
        left <- raise(call, again$env)
      }
      same <- vapply(with_code, function(line) {
        any(grepl(line, left, fixed = TRUE))
      }, NA)
      expect_false(any(same), info = paste(shown, toString(left)))
      expect_null(attr(left, "refused"), info = paste(shown, toString(left)))
      if (!any(same)) count[["cured"]] <- count[["cured"]] + 1L
    }
  }, error = function(e) fail(paste(deparse1(case$call), conditionMessage(e))))
  if (!all(there)) skip("a package of some cases is not installed")
  all <- templates()
  reached <- vapply(all, function(t) {
    any(grepl(pattern_of(t), said, perl = TRUE))
  }, NA)
  expect_identical(
    grep(not_run, all[!reached], value = TRUE, invert = TRUE), character()
  )
  cat(sprintf("\n%d messages with code, %d codes run, %d cured\n",
    length(all), count[["run"]], count[["cured"]]))
})
