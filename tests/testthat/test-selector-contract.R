# One battery for every selector of the package.
# SPDX-License-Identifier: GPL-3.0-or-later

# Without a seed to restore, withr would leave another generator behind.
set.seed(NULL)

test_that("saved fits predict in a fresh process", {
  skip_if_not_installed("callr")
  data <- toy_data()
  fits <- lapply(selectors, fit_seeded, data$x, data$y)
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(fits, file)
  expect_identical(readRDS(file), fits)
  there <- callr::r(
    function(file, x) {
      lapply(readRDS(file), function(fit) {
        list(
          class = stats::predict(fit, x, threads = 1L),
          printed = utils::capture.output(print(fit))
        )
      })
    },
    list(file = file, x = data$x),
    libpath = .libPaths(), package = "hitmiss"
  )
  for (name in names(selectors)) {
    expect_identical(
      there[[name]]$class, predict(fits[[name]], data$x, threads = 1L),
      info = name
    )
    expect_match(there[[name]]$printed[[2L]], "14 samples x 8 features")
  }
})

for (name in names(selectors)) {
  local({
    name <- name
    verb <- verb_of(name)
    # Of what the methods of a verb share.
    first <- name == names(selectors)[match(verb, verb_of(names(selectors)))]
    test_verb <- if (first) test_that else function(...) NULL
    select <- selectors[[name]]
    that <- function(what) paste0(name, ": ", what)

    test_that(that("a fit has the documented fields and is plain data"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      expect_s3_class(fit, c(paste0("hitmiss_", verb), "hitmiss"), exact = TRUE)
      expect_named(fit$scores, colnames(data$x))
      expect_setequal(fit$ranking, seq_len(ncol(data$x)))
      # kbfs() ranks those without a weight by their agreement with the pairs.
      in_order <- order(-fit$scores, seq_along(fit$scores))
      ordered <- if (verb == "kbfs") seq_along(fit$selected) else in_order
      expect_identical(fit$ranking[ordered], in_order[ordered])
      expect_lte(fit$n_ranked, ncol(data$x))
      expect_true(all(fit$selected %in% colnames(data$x)))
      expect_false(is.unsorted(match(
        fit$selected, colnames(data$x)[fit$ranking]
      )))
      expect_identical(fit$classes, c("a", "b"))
      expect_identical(fit$n_samples, 14L)
      expect_identical(fit$n_features, 8L)
      expect_named(
        fit$report,
        c(
          "status", "iterations", "objective", "residual", "kkt", "gap",
          "seconds", "threads"
        ),
        ignore.order = TRUE
      )
      expect_true(fit$report$status %in% c("converged", "max_iter", "stalled"))
      expect_identical(fit$version, as.character(packageVersion("hitmiss")))
      kinds <- rapply(
        unclass(fit), function(part) typeof(part),
        how = "unlist"
      )
      expect_false(any(kinds %in% c("environment", "externalptr", "closure")))
    })

    test_that(that("the informative features come first"), {
      data <- toy_data(apart = c(5, 5))
      fit <- fit_seeded(select, data$x, data$y)
      expect_setequal(top_features(fit, 2)$feature, c("g1", "g2"))
    })

    test_that(that("permuting samples or features permutes the answer"), {
      for (seed in 1:5) {
        data <- toy_data(n = 15L, classes = c("a", "b", "c"), seed = seed)
        fit <- fit_seeded(select, data$x, data$y)
        rows <- with_stream(seed, sample(nrow(data$x)))
        shuffled <- fit_seeded(select, data$x[rows, ], data$y[rows])
        expect_equal(shuffled$scores, fit$scores, tolerance = score_tolerance)
        columns <- with_stream(seed, sample(ncol(data$x)))
        turned <- fit_seeded(select, data$x[, columns], data$y)
        expect_equal(
          turned$scores, fit$scores[columns],
          tolerance = score_tolerance
        )
        expect_setequal(turned$selected, fit$selected)
      }
    })

    test_that(that("renaming classes does not change the scores"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      other <- fit_seeded(
        select, data$x, factor(c(a = "z", b = "k")[as.character(data$y)])
      )
      expect_equal(other$scores, fit$scores, tolerance = score_tolerance)
    })

    test_that(that("same seed, same bits, for any number of threads"), {
      counts <- local_thread_counts()
      # Samples of more than one tile.
      data <- toy_data(n = 67L, noise = 40L, classes = c("a", "b", "c"))
      serial <- fit_seeded(select, data$x, data$y, threads = 1L)
      for (threads in counts) {
        fit <- fit_seeded(select, data$x, data$y, threads = threads)
        expect_identical(fit$report$threads, threads)
        expect_identical(essence(fit), essence(serial))
        for (type in c("class", "prob")) {
          expect_identical(
            predict(fit, data$x, type = type, threads = threads),
            predict(serial, data$x, type = type, threads = 1L)
          )
        }
      }
      expect_identical(
        essence(fit_seeded(select, data$x, data$y)), essence(serial)
      )
    })

    test_that(that("the data are not changed"), {
      data <- toy_data()
      x <- data$x + 0
      frame <- as.data.frame(x)
      before <- serialize(list(x, frame, data$y), NULL)
      fit <- fit_seeded(select, x, data$y)
      fit_seeded(select, frame, data$y)
      predict(fit, x, threads = 1L)
      predict(fit, frame, threads = 1L)
      expect_identical(serialize(list(x, frame, data$y), NULL), before)
    })

    test_that(that("a constant feature scores 0, is not selected, is listed"), {
      data <- toy_data()
      for (value in c(0, 0.1, -1e8)) {
        x <- cbind(data$x[, 1:3], flat = value, data$x[, -(1:3)])
        fit <- fit_seeded(select, x, data$y)
        # PWFP counts it in every pair of one class.
        if (verb != "pwfp") expect_identical(fit$scores[["flat"]], 0)
        expect_false("flat" %in% selected(fit, n = 100))
        local_reproducible_output()
        expect_output(
          print(summary(fit)), "Constant features (never selected): flat",
          fixed = TRUE
        )
        # It changes nothing else, but the marks that PWFP has to give, and
        # where LOGO's iteration starts.
        if (verb != "pwfp") {
          expect_equal(
            fit$scores[colnames(data$x)],
            fit_seeded(select, data$x, data$y)$scores,
            tolerance = if (verb == "logo") 1e-4 else score_tolerance
          )
        }
      }
    })

    test_that(that("containers of the same data give the same bits"), {
      data <- toy_data()
      x <- round(data$x * 10)
      whole <- x
      storage.mode(whole) <- "integer"
      expected <- essence(fit_seeded(select, x, data$y))
      expect_identical(essence(fit_seeded(select, whole, data$y)), expected)
      frame <- as.data.frame(x)
      expect_identical(essence(fit_seeded(select, frame, data$y)), expected)
      frame$group <- data$y
      formula <- fit_seeded(select, group ~ ., data = frame)
      expect_identical(essence(formula), expected)
      mixed <- as.data.frame(whole)
      mixed[[2]] <- as.double(mixed[[2]])
      expect_identical(essence(fit_seeded(select, mixed, data$y)), expected)
      expect_identical(
        essence(fit_seeded(select, x, as.character(data$y))), expected
      )
    })

    test_verb(that("names survive letter by letter"), {
      data <- toy_data()
      odd <- c(
        "1007_s_at", "HLA-A", "a b", "g\u00e8ne-\u03b2", "if", "x.1", "_t", "A"
      )
      x <- data$x
      colnames(x) <- odd
      fit <- fit_seeded(select, x, data$y)
      expect_named(fit$scores, odd)
      expect_true(all(selected(fit, n = 100) %in% odd))
      expect_setequal(as.data.frame(fit)$feature, odd)
      frame <- as.data.frame(x, optional = TRUE)
      expect_named(fit_seeded(select, frame, data$y)$scores, odd)
      frame$`the class` <- data$y
      by_formula <- fit_seeded(select, `the class` ~ ., data = frame)
      expect_named(by_formula$scores, odd)
      expect_identical(
        colnames(predict(fit, frame, type = "features", n = 2)),
        selected(fit, n = 2)
      )
    })

    test_that(that("duplicates with clashing labels work"), {
      data <- toy_data()
      x <- rbind(data$x, data$x[1:4, ])
      y <- factor(c(as.character(data$y), c("b", "a", "b", "a")))
      fit <- fit_seeded(select, x, y)
      expect_no_nan(fit)
      muffle(expect_predicts(fit, x), small_data)
      # All samples clash: nothing can be learned, but nothing breaks.
      hopeless <- muffle(fit_seeded(
        select, data$x[rep(1:7, 2), ], factor(rep(c("a", "b"), each = 7))
      ), small_data)
      expect_no_nan(hopeless)
      muffle(expect_predicts(hopeless, data$x), small_data)
    })

    test_that(that("a class of one sample works, with one warning"), {
      data <- toy_data()
      y <- c(as.character(data$y)[-14], "lonely")
      warnings <- list()
      fit <- withCallingHandlers(
        fit_seeded(select, data$x, y),
        warning = function(w) {
          warnings <<- c(warnings, list(w))
          invokeRestart("muffleWarning")
        }
      )
      expect_length(warnings, 1L)
      expect_s3_class(warnings[[1L]], "hitmiss_warning_single")
      expect_identical(warnings[[1L]]$classes, "lonely")
      expect_match(conditionMessage(warnings[[1L]]), "lonely")
      expect_no_nan(fit)
      expect_predicts(fit, data$x)
    })

    test_that(that("one feature, three samples, 0/1 data work"), {
      data <- toy_data()
      one <- muffle(
        fit_seeded(select, data$x[, 1, drop = FALSE], data$y), small_data
      )
      expect_no_nan(one)
      expect_identical(selected(one, n = 1), "g1")
      muffle(expect_predicts(one, data$x), small_data)
      three <- muffle(
        fit_seeded(select, data$x[1:3, ], data$y[1:3]), small_data
      )
      expect_no_nan(three)
      muffle(expect_predicts(three, data$x), small_data)
      binary <- 1 * (data$x > rep(colMeans(data$x), each = nrow(data$x)))
      fit <- muffle(fit_seeded(select, binary, data$y), small_data)
      expect_no_nan(fit)
      muffle(expect_predicts(fit, binary), small_data)
      # Two samples are two classes of one: no near hit.
      if (!name %in% c("pwfp", "relief relieff", "relief relief")) {
        two <- muffle(
          fit_seeded(select, data$x[1:2, ], data$y[1:2]), small_data
        )
        expect_no_nan(two)
        muffle(expect_predicts(two, data$x), small_data)
      }
    })

    test_that(that("columns at 1e-200 and 1e8 are as good as others"), {
      data <- toy_data(apart = c(5, 5))
      x <- data$x
      x[, "g1"] <- x[, "g1"] * 1e-200
      x[, "g2"] <- x[, "g2"] * 1e8
      x[, "g3"] <- x[, "g3"] + 1e8
      fit <- fit_seeded(select, x, data$y)
      expect_no_nan(fit)
      expect_predicts(fit, x)
      expect_setequal(top_features(fit, 2)$feature, c("g1", "g2"))
    })

    test_that(that("columns of new data are found by name"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      expected <- predict(fit, data$x, threads = 1L)
      turned <- data$x[, 8:1]
      expect_identical(predict(fit, turned, threads = 1L), expected)
      turned <- cbind(extra = NA, turned, more = 1)
      expect_identical(predict(fit, turned, threads = 1L), expected)
      expect_identical(
        predict(fit, as.data.frame(turned), threads = 1L), expected
      )
      words <- cbind(as.data.frame(data$x), word = "no number")
      expect_identical(predict(fit, words, threads = 1L), expected)
      error <- expect_refusal(
        predict(fit, data$x[, -(1:2)], threads = 1L), "newdata"
      )
      # A sparse selector may do without one of them.
      needed <- intersect(c("g1", "g2"), fit$selected)
      expect_gte(length(needed), 1L)
      expect_setequal(error$features, needed)
      for (name in needed) expect_match(conditionMessage(error), name)
    })

    test_verb(that("an unnamed matrix is taken with a warning, if it fits"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      expect_warning(
        guess <- predict(fit, unname(data$x), threads = 1L),
        class = "hitmiss_warning_unnamed"
      )
      expect_identical(
        guess, unname(predict(fit, data$x, threads = 1L))
      )
      expect_input_error(predict(fit, unname(data$x)[, -1], threads = 1L))
    })

    test_verb(that("one row, no rows, rows with NA"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      all <- predict(fit, data$x, threads = 1L)
      prob <- predict(fit, data$x, type = "prob", threads = 1L)
      one <- data$x[3, , drop = FALSE]
      expect_identical(predict(fit, one, threads = 1L), all[3])
      expect_identical(
        predict(fit, one, type = "prob", threads = 1L), prob[3, , drop = FALSE]
      )
      none <- data$x[0, ]
      expect_identical(
        unname(predict(fit, none, threads = 1L)),
        factor(character(), c("a", "b"))
      )
      expect_identical(
        dim(predict(fit, none, type = "prob", threads = 1L)), c(0L, 2L)
      )
      expect_identical(
        dim(predict(fit, none, type = "features", n = 1)), c(0L, 1L)
      )
      for (bad in c(NA, NaN, Inf)) {
        holed <- data$x
        holed[2, "g1"] <- bad
        got <- predict(fit, holed, threads = 1L)
        expect_identical(which(is.na(got)), c(sample2 = 2L))
        expect_identical(got[-2], all[-2])
        got <- predict(fit, holed, type = "prob", threads = 1L)
        expect_true(all(is.na(got[2, ])))
        expect_identical(got[-2, ], prob[-2, ])
      }
    })

    test_verb(that("every method of a fit works"), {
      data <- toy_data()
      fit <- fit_seeded(select, data$x, data$y)
      local_reproducible_output()
      expect_output(print(fit), "14 samples x 8 features, 2 classes (a, b)",
        fixed = TRUE
      )
      expect_identical(withVisible(print(fit))$visible, FALSE) |>
        capture.output()
      expect_output(print(summary(fit)), "Parameters: ")
      expect_identical(coef(fit), fit$scores)
      chosen <- if (is_ranker(fit)) {
        names(fit$scores)[fit$ranking]
      } else {
        expect_identical(selected(fit), fit$selected)
        fit$selected
      }
      expect_identical(selected(fit, n = 1), chosen[1])
      expect_identical(selected(fit, n = 100), chosen)
      table <- as.data.frame(fit)
      expect_identical(table$rank, 1:8)
      expect_identical(table$feature, names(fit$scores)[fit$ranking])
      expect_identical(table$score, unname(fit$scores[fit$ranking]))
      if (is_ranker(fit)) {
        expect_identical(table$selected, rep(NA, 8L))
      } else {
        expect_setequal(table$feature[table$selected], fit$selected)
      }
      expect_identical(top_features(fit, 3), table[1:3, ])
      expect_identical(nrow(top_features(fit, 100)), 8L)
      # As a user calls them: the methods must be registered.
      expect_identical(
        as.data.frame(
          eval(quote(hitmiss::tidy(fit)), list(fit = fit), globalenv())
        ), table
      )
      line <- eval(quote(hitmiss::glance(fit)), list(fit = fit), globalenv())
      expect_identical(nrow(line), 1L)
      expect_identical(line$method, verb)
      if (is_ranker(fit)) {
        expect_identical(line$n_selected, NA_integer_)
      } else {
        expect_identical(line$n_selected, length(fit$selected))
        reduced <- predict(fit, data$x, type = "features")
        expect_identical(reduced, data$x[, fit$selected, drop = FALSE])
      }
      expect_identical(
        predict(fit, data$x, type = "features", n = 1),
        data$x[, fit$selected[1], drop = FALSE]
      )
    })

    test_that(that(
      "duplicated features score equal, or the lower index alone"
    ), {
      data <- toy_data()
      x <- cbind(data$x, twin = data$x[, "g1"])
      fit <- fit_seeded(select, x, data$y)
      scores <- fit$scores[c("g1", "twin")]
      if (verb %in% c("relief", "pwfp")) {
        expect_identical(scores[["twin"]], scores[["g1"]])
      }
      expect_gte(scores[["g1"]], scores[["twin"]])
      rank <- match(c("g1", "twin"), names(fit$scores)[fit$ranking])
      expect_lt(rank[[1L]], rank[[2L]])
    })

    test_that(that(
      "columns near the limits of a double are fitted or refused"
    ), {
      data <- toy_data()
      for (value in c(1e308, 1e-308, 4.9e-324)) {
        x <- data$x
        x[, "g2"] <- value * (as.integer(data$y) - 1)
        for (extreme in c(FALSE, TRUE)) {
          if (extreme) x[1, "g2"] <- -1.7e308
          fit <- tryCatch(
            muffle(fit_seeded(select, x, data$y), small_data),
            hitmiss_error_input = function(e) e
          )
          if (inherits(fit, "hitmiss")) {
            expect_no_nan(fit)
            if (!extreme) expect_predicts(fit, x)
          } else {
            expect_match(conditionMessage(fit), "g2")
          }
        }
      }
    })

    test_verb(that("labels are ordered byte by byte, and come back as given"), {
      data <- toy_data(classes = c("b", "A", "a", "\u00e4 ;"), n = 20L)
      labels <- as.character(data$y)
      fit <- fit_seeded(select, data$x, labels)
      expect_identical(fit$classes, c("A", "a", "b", "\u00e4 ;"))
      guess <- muffle(predict(fit, data$x, threads = 1L), small_data)
      expect_identical(levels(guess), fit$classes)
      shares <- muffle(
        predict(fit, data$x, type = "prob", threads = 1L), small_data
      )
      expect_identical(colnames(shares), fit$classes)
      # A factor keeps its own order.
      expect_identical(
        fit_seeded(select, data$x, data$y)$classes, levels(data$y)
      )
    })

    # That of llfs() has randomness: test-threads.R says how much.
    if (verb != "llfs") {
      test_that(that("a fit without randomness leaves R's stream alone"), {
        data <- toy_data()
        withr::local_seed(9)
        before <- .Random.seed
        select(data$x, data$y, threads = 1L)
        expect_identical(.Random.seed, before)
        # Not even made, where there was none.
        rm(".Random.seed", envir = globalenv())
        select(data$x, data$y, threads = 1L)
        expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
      })
    }

    test_verb(that("bad calls are refused by name"), {
      data <- toy_data()
      refused <- function(arguments, arg) {
        error <- expect_refusal(
          muffle(do.call(verb, arguments), small_data), arg
        )
        expect_identical(conditionCall(error), as.call(list(as.name(verb))))
      }
      x <- data$x
      y <- data$y
      refused(list(), "x")
      refused(list(y = y), "x")
      refused(list(x), "y")
      refused(list(x, y, thread = 1), "thread")
      refused(list(x, y, threads = 0), "threads")
      refused(list(x, y, scale = "none of these"), "scale")
      refused(list(x, y, verbose = NA), "verbose")
      refused(list(replace(x, 5, Inf), y), "x")
      refused(list(class ~ .), "data")
      fit <- fit_seeded(select, data$x, data$y)
      expect_input_error(predict(fit))
      expect_input_error(predict(fit, data$x, type = "clas"))
      expect_input_error(predict(fit, data$x, typo = 1))
    })
  })
}
