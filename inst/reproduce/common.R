# What the scripts that reproduce the papers share: their arguments, the data
# sets, and where tables and pictures go.
# SPDX-License-Identifier: GPL-3.0-or-later

# Usage of every script: Rscript SCRIPT.R [data folder] [output folder] [part
# ...] The data folder holds NAME.rds files with list(x, y); without it, or
# without a file in it, sets that CRAN packages carry are taken from there.
read_arguments <- function(parts) {
  arguments <- commandArgs(TRUE)
  given <- function(i, default) {
    if (length(arguments) >= i) arguments[[i]] else default
  }
  wanted <- if (length(arguments) > 2L) arguments[-(1:2)] else parts
  unknown <- setdiff(wanted, parts)
  if (length(unknown) > 0L) {
    stop(
      "no part named ", toString(unknown), "; there are: ", toString(parts),
      call. = FALSE
    )
  }
  output <- given(2L, "hitmiss-reproduced")
  dir.create(output, showWarnings = FALSE, recursive = TRUE)
  list(data = given(1L, "../shared/data"), output = output, parts = wanted)
}

# list(x: double matrix, y: factor). Of a set that is nowhere rows_over() makes
# no rows.
load_set <- function(name, arguments) {
  file <- file.path(arguments$data, paste0(name, ".rds"))
  set <- if (file.exists(file)) readRDS(file) else set_from_package(name)
  if (is.null(set)) {
    stop(errorCondition(class = "left_out", paste0(
      "Left out: ", name, ". There is no file ", file,
      ", and no installed package that carries it."
    )))
  }
  if (is.matrix(set$x)) storage.mode(set$x) <- "double"
  set
}

# The rows that `f` makes of each value; sets that are left out are told.
rows_over <- function(values, f, ...) {
  do.call(rbind, lapply(values, function(value) {
    tryCatch(f(value, ...), left_out = function(e) message(conditionMessage(e)))
  }))
}

# The parts that were asked for.
run_parts <- function(parts, arguments) {
  invisible(rows_over(intersect(names(parts), arguments$parts), function(part) {
    parts[[part]]()
    NULL
  }))
}

# A method of reference_scores() as a selector.
scored_by <- function(method, ...) {
  function(x, y) reference_scores(x, y, method, ...)
}

# Adds N(0, 1) features.
with_noise <- function(x, count) {
  if (count == 0) return(x)
  noise <- matrix(rnorm(nrow(x) * count), nrow(x))
  colnames(noise) <- paste0("noise", seq_len(count))
  cbind(x, noise)
}

# As many splits that take this share of every class, rounded up.
by_class <- function(y, times, share = 0.5) {
  lapply(seq_len(times), function(i) {
    train <- unlist(lapply(split(seq_along(y), y), function(rows) {
      rows[sample.int(length(rows), ceiling(share * length(rows)))]
    }), use.names = FALSE)
    list(train = sort(train), test = setdiff(seq_along(y), train))
  })
}

set_from_package <- function(name) {
  from <- function(package, object, build) {
    if (!requireNamespace(package, quietly = TRUE)) return(NULL)
    place <- new.env()
    utils::data(list = object, package = package, envir = place)
    build(place[[object]])
  }
  columns <- function(data, class, drop = class) {
    x <- data.matrix(data[setdiff(names(data), drop)])
    list(x = x, y = factor(data[[class]]))
  }
  switch(name,
    ionosphere = from("mlbench", "Ionosphere", function(d) {
      # V1 is a factor of "0" and "1".
      d$V1 <- as.numeric(as.character(d$V1))
      d$V2 <- as.numeric(as.character(d$V2))
      columns(d, "Class")
    }),
    sonar = from("mlbench", "Sonar", function(d) columns(d, "Class")),
    pima = from("mlbench", "PimaIndiansDiabetes", function(d) {
      columns(d, "diabetes")
    }),
    glass = from("mlbench", "Glass", function(d) columns(d, "Type")),
    breastw = from("mlbench", "BreastCancer", function(d) {
      columns(stats::na.omit(d), "Class", c("Id", "Class"))
    }),
    colon = from("plsgenomics", "Colon", function(d) {
      x <- d$X
      colnames(x) <- make.unique(as.character(d$gene.names))
      list(x = x, y = factor(d$Y, 1:2, c("normal", "tumor")))
    }),
    # Ordered and nominal answers as their codes.
    heart = from("evtree", "StatlogHeart", function(d) {
      columns(d, "heart_disease")
    }),
    # Normal against the other two.
    thyroid = from("mclust", "thyroid", function(d) {
      d$ill <- ifelse(d$Diagnosis == "Normal", "no", "yes")
      columns(d, "ill", c("ill", "Diagnosis"))
    }),
    srbct = from("plsgenomics", "SRBCT", function(d) {
      x <- d$X
      colnames(x) <- make.unique(as.character(d$gene.names[, 1]))
      list(x = x, y = factor(d$Y, 1:4, c("EWS", "BL", "NB", "RMS")))
    })
  )
}

# A class is a random mixture of two of three triangular waves, at 21 points,
# with noise N(0, 1). The papers have two classes: one whose waves are
# neighbours against the rest, by which an RBF machine errs as printed. By the
# first class, whose waves are the outer ones, it errs more.
simulate_waveform <- function(n) {
  waves <- vapply(c(7, 15, 11), function(top) {
    pmax(6 - abs(1:21 - top), 0)
  }, numeric(21))
  y <- sample(1:3, n, replace = TRUE)
  share <- stats::runif(n)
  x <- share * t(waves[, c(1, 1, 2)[y]]) + stats::rnorm(n * 21) +
    (1 - share) * t(waves[, c(2, 3, 3)[y]])
  colnames(x) <- paste0("x", 1:21)
  list(x = x, y = factor(ifelse(y == 2, "second", "rest")))
}

# ---- tables -----------------------------------------------------------------

folder <- normalizePath(if (exists("script", inherits = FALSE)) {
  dirname(script[[1L]])
} else {
  if (file.exists("common.R")) "." else "inst/reproduce"
})

# The commit of the sources, with a + if they had changes when this was read;
# stored tables are none. What a table holds was measured by it.
current_commit <- local({
  git <- function(...) {
    suppressWarnings(system2("git", c("-C", shQuote(folder), ...),
      stdout = TRUE, stderr = FALSE
    ))
  }
  found <- git("describe", "--always", "--exclude='*'")
  changed <- git("diff", "HEAD", "--name-only", "--", ":/", "':!results'")
  if (length(found) == 1L) {
    paste0(found, if (length(changed) > 0L) "+")
  } else {
    NA_character_
  }
})

# A commit of digits alone is no number.
read_table <- function(file) {
  utils::read.csv(
    file, check.names = FALSE, colClasses = c(commit = "character")
  )
}

save_table <- function(table, arguments, name, digits = 2) {
  if (is.null(table)) return(invisible(NULL))
  if (is.null(table$commit)) table$commit <- current_commit
  file <- file.path(arguments$output, paste0(name, ".csv"))
  utils::write.csv(table, file, row.names = FALSE)
  cat("\n", name, " (", file, ")\n", sep = "")
  numbers <- vapply(table, is.numeric, NA)
  table[numbers] <- lapply(table[numbers], round, digits)
  print(table, row.names = FALSE)
  invisible(table)
}

# The same for a table that is made piece by piece: rows with other values in
# the columns `key` stay as an earlier run has left them.
update_table <- function(table, arguments, name, key = "set", digits = 2) {
  if (is.null(table)) return(invisible(NULL))
  file <- file.path(arguments$output, paste0(name, ".csv"))
  table$commit <- current_commit
  if (file.exists(file)) {
    old <- read_table(file)
    if (identical(names(old), names(table))) {
      piece <- function(rows) do.call(paste, rows[key])
      table <- rbind(old[!piece(old) %in% piece(table), ], table)
    }
  }
  save_table(table, arguments, name, digits)
}

# ---- what the papers print, and verdicts ------------------------------------

papers <- utils::read.csv(file.path(folder, "published.csv"))

# Rows of published.csv for these sets and methods (recycled; NA where the paper
# has no such figure): value, sd over its draws, n draws, size.
published <- function(paper, item, set, method, measure = "error") {
  key <- function(...) paste(..., sep = "|")
  row <- match(
    key(paper, item, set, method, measure),
    with(papers, key(paper, item, set, method, measure))
  )
  data.frame(papers[row, ], row = row, row.names = NULL)
}

before_comma <- function(names) sub(",.*", "", names)
before_dash <- function(names) sub("-.*", "", names)

# The stored tables with figures of the papers: paper, item, column of ours.
compared <- list(
  `llfs-table2` = c("LLFS", "Table II", "smallest"),
  `llfs-table3` = c("LLFS", "Table III", "smallest"),
  `llfs-table5` = c("LLFS", "Table V", "smallest"),
  `logo-table2` = c("LOGO", "Table 2", "error"),
  `relief-table3` = c("DoC", "Table 3", "f1"),
  `bfs-table2` = c("BFS", "Table II", "accuracy"),
  `bfs-table3` = c("BFS", "Table III", "accuracy"),
  `pwfp-table1` = c("PWFP", "Table I", "accuracy")
)

# The rows of published.csv that a table's rows are to be compared with.
published_for <- function(table, name) {
  how <- compared[[name]]
  method <- before_comma(c(table$way, table$selector))
  if (name == "llfs-table3") method <- paste0(method, ", ", table$classifier)
  if (name == "relief-table3") {
    method <- c(
      relieff = "ReliefF", `parzen 0.01` = "P-Relief",
      infogain = "information gain", chisq = "chi-squared"
    )[table$selector]
  }
  measure <- if (how[[3L]] == "accuracy") "accuracy" else "error"
  published(
    how[[1L]], how[[2L]], sub("leukemia$", "leukemia1", before_dash(table$set)),
    method, if (is.null(table$metric)) measure else table$metric
  )
}

# A table's rows with what the paper prints and `z`, our figure less the
# paper's over the standard error of both. A paper without a (possible) standard
# deviation is given that of our splits. The verdict is Welch's t-test, at the
# level at which a normal z of 2 is the limit.
judge <- function(table, name) {
  value <- compared[[name]][3L]
  if (is.null(value)) return(table)
  paper <- published_for(table, name)
  ours <- table[[value]]
  n <- table$splits
  sd <- table$sd
  if (name == "relief-table3") {
    # Shares of the same samples, one more of each kind so that none has sd 0.
    deviation <- function(f1) {
      p <- (f1 * table$samples + 1) / (table$samples + 2)
      sqrt(p * (1 - p))
    }
    n <- paper$n <- table$samples
    sd <- deviation(ours)
    paper$sd <- deviation(paper$value)
    table$paper_size <- paper$size
  }
  known <- !is.na(paper$sd) & paper$impossible != "sd"
  v <- sd^2 / n
  w <- ifelse(known, paper$sd, sd)^2 / paper$n
  df <- ifelse(known, (v + w)^2 / (v^2 / (n - 1) + w^2 / (paper$n - 1)), n - 1)
  table$paper <- paper$value
  table$standard_error <- sqrt(v)
  table$z <- ifelse(ours == paper$value, 0, (ours - paper$value) / sqrt(v + w))
  small_is_good <- value %in% c("smallest", "error")
  table$verdict <- ifelse(
    paper$impossible %in% "value", "cannot be",
    ifelse(abs(table$z) <= stats::qt(stats::pnorm(2), df), "reproduced",
      ifelse((table$z < 0) == small_is_good, "differs (better)",
        "not reproduced"
      )
    )
  )
  table
}

# One row per figure from its rows by seed (columns of `by`, seed, splits,
# `value`, sd; others are averaged). `z_by_seed`, each seed by itself, is a
# check of their spread.
over_seeds <- function(rows, by, value, name) {
  z <- judge(rows, name)$z
  parts <- split(seq_len(nrow(rows)), factor(
    do.call(paste, rows[by]), unique(do.call(paste, rows[by]))
  ))
  result <- lapply(parts, function(at) {
    g <- rows[at, ]
    mean_of <- vapply(
      g[setdiff(names(g), c(by, "seed", "sd", "splits"))], mean, 0
    )
    data.frame(
      g[1L, by, drop = FALSE], as.list(mean_of), sd = sqrt(mean(g$sd^2)),
      splits = sum(g$splits), z_by_seed = if (length(at) == 1L || is.null(z) ||
        anyNA(z[at])) NA else toString(sprintf("%.1f", z[at]))
    )
  })
  result <- do.call(rbind, result)
  rownames(result) <- NULL
  judge(result, name)
}

# A curve of errors as accuracy in percent, averaged over the sizes, with its
# baselines (all features, largest class).
accuracy_table <- function(curve, set, seed) {
  rows <- rbind(
    data.frame(
      selector = as.character(curve$aggregate$selector),
      curve$aggregate[c("mean", "sd")]
    ),
    data.frame(selector = curve$baseline$name, curve$baseline[c("mean", "sd")])
  )
  data.frame(
    set = set, selector = rows$selector, seed = seed,
    accuracy = 100 * (1 - rows$mean), sd = 100 * rows$sd,
    splits = max(curve$results$split)
  )
}
