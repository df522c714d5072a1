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

# list(x: double matrix, y: factor) or NULL, with a message how to get it.
load_set <- function(name, arguments) {
  file <- file.path(arguments$data, paste0(name, ".rds"))
  set <- if (file.exists(file)) readRDS(file) else set_from_package(name)
  if (is.null(set)) {
    message(
      "Left out: ", name, ". There is no file ", file,
      ", and no installed package that carries it."
    )
    return(NULL)
  }
  if (is.matrix(set$x)) storage.mode(set$x) <- "double"
  set
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

save_table <- function(table, arguments, name, digits = 2) {
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
  file <- file.path(arguments$output, paste0(name, ".csv"))
  if (file.exists(file)) {
    old <- utils::read.csv(file, check.names = FALSE)
    if (identical(names(old), names(table))) {
      piece <- function(rows) do.call(paste, rows[key])
      table <- rbind(old[!piece(old) %in% piece(table), ], table)
    }
  }
  save_table(table, arguments, name, digits)
}

# ---- what the papers print --------------------------------------------------

# Rows of published.csv for these sets and methods (recycled; NA where the paper
# has no such figure): value, sd over its draws, n draws, size.
published <- function(paper, item, set, method, measure = "error") {
  folder <- if (exists("script")) dirname(script[[1L]]) else "inst/reproduce"
  papers <- utils::read.csv(file.path(folder, "published.csv"))
  key <- function(...) paste(..., sep = "|")
  row <- match(
    key(paper, item, set, method, measure),
    with(papers, key(paper, item, set, method, measure))
  )
  papers[row, c("value", "sd", "n", "size")]
}

# Our figure less the paper's, in standard errors of both. A paper that prints
# no standard deviation is given that of our splits, `sd`.
z_of <- function(ours, standard_error, paper, sd) {
  theirs <- ifelse(is.na(paper$sd), sd, paper$sd) / sqrt(paper$n)
  (ours - paper$value) / sqrt(standard_error^2 + theirs^2)
}

verdict <- function(z, small_is_good = TRUE) {
  better <- if (small_is_good) z < 0 else z > 0
  ifelse(abs(z) <= 2, "reproduced", ifelse(better, "differs (better)",
    "not reproduced"
  ))
}

# One row per figure from its rows by seed (columns of `by`, seed, splits,
# `value`, sd; others are averaged): mean, standard error, z and verdict, which
# stands only if every seed by itself has it.
over_seeds <- function(rows, by, value, paper, small_is_good = TRUE) {
  rows$z <- z_of(rows[[value]], rows$sd / sqrt(rows$splits), paper, rows$sd)
  rows$paper <- paper$value
  result <- lapply(split(seq_len(nrow(rows)), rows[by], drop = TRUE), \(at) {
    g <- rows[at, ]
    mean_of <- vapply(g[setdiff(names(g), c(by, "seed", "z"))], mean, 0)
    sd <- sqrt(mean(g$sd^2))
    splits <- sum(g$splits)
    z <- z_of(mean(g[[value]]), sd / sqrt(splits), paper[at[[1L]], ], sd)
    all <- verdict(c(z, g$z), small_is_good)
    data.frame(
      g[1L, by, drop = FALSE], as.list(mean_of[setdiff(
        names(mean_of), c("sd", "splits")
      )]),
      sd = sd, splits = splits, standard_error = sd / sqrt(splits), z = z,
      z_by_seed = if (is.na(z)) NA else toString(sprintf("%.1f", g$z)),
      verdict = if (length(unique(all)) == 1L) all[[1L]] else "open"
    )
  })
  result <- do.call(rbind, result)
  result <- result[order(match(
    do.call(paste, result[by]), do.call(paste, rows[by])
  )), ]
  rownames(result) <- NULL
  result
}

# 1200 x 800.
save_picture <- function(picture, arguments, name) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) return(invisible(NULL))
  ggplot2::ggsave(
    file.path(arguments$output, paste0(name, ".png")), picture,
    width = 12, height = 8, dpi = 100, bg = "white"
  )
}

utils::globalVariables(".data")

okabe_ito <- c(
  "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000",
  "#999999"
)

picture_theme <- function() {
  ggplot2::theme_minimal(base_size = 15) +
    ggplot2::theme(
      legend.position = "bottom", panel.grid.minor = ggplot2::element_blank(),
      plot.title.position = "plot",
      strip.text = ggplot2::element_text(face = "bold")
    )
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
