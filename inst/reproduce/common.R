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

# Is a figure of the paper reproduced: does ours lie within two of our standard
# errors of it? NA where the paper's figure is not known.
verdict <- function(ours, standard_error, paper, small_is_good = TRUE) {
  difference <- if (small_is_good) ours - paper else paper - ours
  ifelse(abs(difference) <= 2 * standard_error, "reproduced",
    ifelse(difference < 0, "differs (better)", "not reproduced")
  )
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
# baselines (all features, largest class), beside what the paper reports (named
# by selector; nothing is NA).
accuracy_table <- function(curve, set, paper) {
  rows <- rbind(
    data.frame(
      selector = as.character(curve$aggregate$selector),
      curve$aggregate[c("mean", "sd")]
    ),
    data.frame(selector = curve$baseline$name, curve$baseline[c("mean", "sd")])
  )
  splits <- max(curve$results$split)
  data.frame(
    set = set, selector = rows$selector, accuracy = 100 * (1 - rows$mean),
    sd = 100 * rows$sd, standard_error = 100 * rows$sd / sqrt(splits),
    paper = unname(paper[rows$selector]), splits = splits
  ) |> transform(
    verdict = verdict(accuracy, standard_error, paper, small_is_good = FALSE)
  )
}

# Mean accuracy by size, for a picture.
accuracy_by_size <- function(curve, set) {
  table <- curve$summary
  data.frame(
    set = set, selector = as.character(table$selector), size = table$size,
    accuracy = 100 * (1 - table$mean),
    standard_error = 100 * table$sd / sqrt(max(curve$results$split))
  )
}

# One panel per set; dashed: the paper's average over sizes.
accuracy_picture <- function(table, published, title, subtitle) {
  table$selector <- factor(table$selector, unique(table$selector))
  ggplot2::ggplot(table, ggplot2::aes(
    .data$size, .data$accuracy,
    colour = .data$selector, fill = .data$selector
  )) +
    ggplot2::geom_hline(
      data = published, ggplot2::aes(yintercept = .data$paper),
      linetype = "dashed", colour = "grey30"
    ) +
    ggplot2::geom_ribbon(
      ggplot2::aes(
        ymin = .data$accuracy - .data$standard_error,
        ymax = .data$accuracy + .data$standard_error
      ),
      alpha = 0.12, colour = NA
    ) +
    ggplot2::geom_line(linewidth = 0.9) +
    ggplot2::facet_wrap("set", scales = "free") +
    ggplot2::scale_x_log10() +
    ggplot2::scale_colour_manual(values = okabe_ito, name = NULL) +
    ggplot2::scale_fill_manual(values = okabe_ito, name = NULL) +
    ggplot2::labs(
      title = title, subtitle = subtitle,
      x = "number of features (logarithmic)", y = "accuracy, %"
    ) +
    picture_theme()
}
