# Every picture of every class, for names of any length and any number of
# classes, and what is wrong with it on a device of a given size.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Samples in `classes` classes, with names of features and classes of a length
picture_data <- function(letters, classes, seed = 1) {
  withr::with_seed(seed, {
    y <- rep(seq_len(classes), each = max(6, 24 %/% classes))
    # Each class has features in which it is high.
    x <- matrix(stats::rnorm(length(y) * 60), length(y))
    high <- outer(y, (seq_len(60) - 1) %% classes + 1, "==")
    x <- x + 2.5 * high * rep(seq_len(60) <= 40, each = length(y))
  })
  colnames(x) <- picture_names(60, letters)
  rownames(x) <- picture_names(nrow(x), min(letters, 30), "sample of patient")
  class <- picture_names(classes, min(letters, 45), "tumour of subtype")
  list(x = x, y = factor(class[y], class))
}

# Of 3 letters "g01"; longer ones differ at the end, or only in the middle.
picture_names <- function(n, letters,
                          word = "similar to hypothetical protein") {
  number <- sprintf("%02d", seq_len(n))
  word <- substr(word, 1, letters - 3)
  if (letters < 10) {
    return(paste0("g", number))
  }
  tail <- " (IMAGE clone, weakly related to human zinc finger gene, alternative"
  tail <- strrep(paste0(tail, " transcript)"), 2)
  middle <- seq_len(n) %% 2 == 0
  text <- ifelse(middle, paste0(word, " ", number, tail), paste0(word, tail))
  text <- substr(text, 1, letters - ifelse(middle, 0, 3))
  ifelse(middle, text, paste(text, number))
}

picture_objects <- function(x, y) {
  rank <- list(
    relief = function(x, y) relief(x, y, k = 3, threads = 1),
    fisher = function(x, y) reference_scores(x, y, threads = 1)
  )
  withr::with_seed(1, suppressWarnings({
    curve <- error_curve(x, y, rank,
      sizes = c(1, 2, 5, 10, 20, 40), resampling = holdout(times = 5)
    )
    list(
      llfs = llfs(x, y, alpha = 8, beta = c(0, 0.5, 1), threads = 1),
      logo = logo(x, y, threads = 1), relief = rank$relief(x, y),
      kbfs = kbfs(x, y, n = 30, threads = 1),
      pwfp = pwfp(x, y, threads = 1), curve = curve,
      fdr = probe_fdr(x, y, rank$relief, times = 3),
      stability = stability(curve), comparison = compare_selectors(curve),
      power = selector_power(x, y, rank,
        planted = 4, times = 2
      ),
      interactions = interactions(
        rank$relief(x, y), x, y, times = 5, threads = 1
      ),
      turf = turf(x, y, rank$relief), x = x, y = y
    )
  }))
}

#' Named list of functions without arguments that return a ggplot
all_pictures <- function(objects) {
  fits <- objects[c("llfs", "logo", "relief", "kbfs", "pwfp", "turf")]
  of_fits <- unlist(lapply(fits, function(fit) {
    types <- names(plot_types(fit))
    stats::setNames(lapply(types, function(type) {
      function() ggplot2::autoplot(fit, type)
    }), types)
  }))
  types <- c("curve", "roc")
  of_curve <- lapply(stats::setNames(nm = types), function(type) {
    function() ggplot2::autoplot(objects$curve, type)
  })
  plain <- lapply(
    objects[c("fdr", "stability", "comparison", "power", "interactions")],
    function(object) function() ggplot2::autoplot(object)
  )
  c(of_fits, curve = of_curve, plain, list(
    fdr.volcano = function() ggplot2::autoplot(objects$fdr, "volcano"),
    stability.frequency = function() {
      ggplot2::autoplot(objects$stability, "frequency",
        selector = "relief", size = 20
      )
    },
    heatmap = function() plot_heatmap(objects$x, objects$y, objects$logo),
    heatmap.all = function() {
      plot_heatmap(objects$x, objects$y, colnames(objects$x))
    }
  ))
}

#' Draw on a device of a size in pixels at 96 dpi, in no file
on_device <- function(width, height, code) {
  grDevices::pdf(NULL, width / 96, height / 96)
  on.exit(grDevices::dev.off())
  force(code)
}

#' What cannot be read in the picture that `make()` returns: texts beyond the
#' border of the device, texts over each other, panels without room
#'
#' @return Character vector; empty if nothing is wrong.
picture_faults <- function(make, width, height) {
  on_device(width, height, {
    table <- ggplot2::ggplotGrob(make())
    grid::grid.newpage()
    grid::grid.draw(table)
    grid::grid.force()
    c(panel_faults(), text_faults(text_boxes()))
  })
}

panel_faults <- function() {
  listing <- grid::grid.ls(viewports = TRUE, grobs = FALSE, print = FALSE)
  panels <- unique(listing$name[grepl("^panel[-.0-9]*$", listing$name)])
  size <- vapply(panels, function(panel) {
    grid::seekViewport(panel)
    on.exit(grid::upViewport(0))
    c(
      grid::convertWidth(grid::unit(1, "npc"), "pt", TRUE),
      grid::convertHeight(grid::unit(1, "npc"), "pt", TRUE)
    )
  }, c(0, 0))
  if (length(panels) == 0L) {
    return("no panel")
  }
  bad <- size[1L, ] < 8 | size[2L, ] < 60
  if (any(bad)) {
    sprintf("a panel of %.0f x %.0f points", size[1L, bad], size[2L, bad])
  }
}

#' A row per drawn text: label, and its box in points of the device
text_boxes <- function() {
  listing <- grid::grid.ls(viewports = TRUE, print = FALSE, fullNames = FALSE)
  grobs <- which(listing$type == "grobListing")
  boxes <- lapply(grobs, function(i) {
    grob <- grid::grid.get(listing$name[[i]])
    if (!inherits(grob, "text") || all(!nzchar(as.character(grob$label)))) {
      return(NULL)
    }
    path <- sub("^ROOT(::)?", "", listing$vpPath[[i]])
    if (nzchar(path)) grid::downViewport(grid::vpPath(path))
    on.exit(grid::upViewport(0))
    one_text(grob)
  })
  unique(do.call(rbind, boxes))
}

one_text <- function(grob) {
  label <- as.character(grob$label)
  # Sizes depend on the font of the text itself; places do not.
  grid::pushViewport(grid::viewport(gp = grob$gp))
  width <- grid::convertWidth(grid::stringWidth(label), "pt", TRUE)
  height <- grid::convertHeight(grid::stringHeight(label), "pt", TRUE)
  x <- grid::convertX(grob$x, "pt", TRUE)
  y <- grid::convertY(grob$y, "pt", TRUE)
  grid::upViewport()
  corner <- grid::deviceLoc(grid::unit(0, "npc"), grid::unit(0, "npc"))
  just <- grid::resolveHJust(grob$just, grob$hjust)
  vjust <- grid::resolveVJust(grob$just, grob$vjust)
  if (isTRUE(all(grob$rot %in% c(90, 270, -90)))) {
    turned <- grob$rot[[1L]] == 90
    left <- x - height * (if (turned) 1 - vjust else vjust)
    bottom <- y - width * (if (turned) just else 1 - just)
    box <- data.frame(left, bottom, right = left + height, top = bottom + width)
  } else {
    left <- x - width * just
    bottom <- y - height * vjust
    box <- data.frame(left, bottom, right = left + width, top = bottom + height)
  }
  at <- c(
    grid::convertX(corner$x, "pt", TRUE), grid::convertY(corner$y, "pt", TRUE)
  )
  box[c("left", "right")] <- box[c("left", "right")] + at[[1L]]
  box[c("bottom", "top")] <- box[c("bottom", "top")] + at[[2L]]
  box$label <- label
  # Texts that grid itself leaves out where they would overlap.
  box$may_go <- isTRUE(grob$check.overlap)
  box$grob <- grob$name
  box[!is.na(label) & nzchar(label), ]
}

text_faults <- function(boxes) {
  size <- 72.27 * grDevices::dev.size("in")
  quoted <- sprintf("'%s'", substr(boxes$label, 1, 40))
  off <- boxes$left < -1 | boxes$bottom < -1 | boxes$right > size[[1L]] + 1 |
    boxes$top > size[[2L]] + 1
  pairs <- which(
    outer(boxes$left, boxes$right - 1, "<") &
      outer(boxes$right - 1, boxes$left, ">") &
      t(outer(boxes$left, boxes$right - 1, "<")) &
      outer(boxes$bottom, boxes$top - 1, "<") &
      t(outer(boxes$bottom, boxes$top - 1, "<")),
    arr.ind = TRUE
  )
  pairs <- pairs[pairs[, 1L] < pairs[, 2L], , drop = FALSE]
  same <- boxes$grob[pairs[, 1L]] == boxes$grob[pairs[, 2L]]
  pairs <- pairs[!(same & boxes$may_go[pairs[, 1L]]), , drop = FALSE]
  c(
    if (any(off)) paste(quoted[off], "is cut off"),
    if (nrow(pairs) > 0L) {
      paste(quoted[pairs[, 1L]], "lies over", quoted[pairs[, 2L]])
    }
  )
}
