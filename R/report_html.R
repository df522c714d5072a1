# Layer: show. The page of a report, its tables and its strip plots are made as
# HTML. What came from data goes through htmltools, which escapes it.
# SPDX-License-Identifier: GPL-3.0-or-later

report_page <- function(title, head, parts) {
  headings <- c(
    samples = "Samples", error = "Error", model = "Model",
    appendix = "Appendix"
  )
  path <- function(name) {
    system.file("report", name, package = "hitmiss", mustWork = TRUE)
  }
  resource <- function(name) {
    htmltools::HTML(paste(readLines(path(name)), collapse = "\n"))
  }
  parts <- Filter(Negate(is.null), parts)
  page <- htmltools::htmlTemplate(path("report.html"),
    document_ = FALSE, title = page_text(title), head = head,
    css = resource("report.css"), js = resource("report.js"),
    parts = lapply(names(parts), function(name) {
      htmltools::tags$section(
        id = name, htmltools::tags$h2(headings[[name]]), parts[[name]]
      )
    })
  )
  as.character(page)
}

# Turns any bytes into text that a page can hold.
page_text <- function(text) {
  gsub("[[:cntrl:]]", " ", valid_text(as.character(text)))
}

three_digits <- function(values) {
  vapply(values, function(value) format(signif(value, 3L), digits = 3L), "")
}

#' A table that a click on a heading sorts; on a phone each row is a block
#'
#' Addresses become links.
#' @noRd
html_table <- function(table) {
  tags <- htmltools::tags
  names <- page_text(names(table))
  cell <- function(text, name, class) {
    if (grepl("^https?://[^[:space:]\"<>]+$", text)) {
      text <- tags$a(
        href = text, rel = "noopener noreferrer", target = "_blank", text
      )
    }
    tags$td(class = class, `data-name` = name, text)
  }
  cells <- Map(function(column, name) {
    # Dates are double as well.
    number <- is.double(column) && !is.object(column)
    text <- if (number) three_digits(column) else page_text(column)
    text[is.na(column)] <- ""
    Map(cell, text, name, list(if (is.numeric(column)) "number"))
  }, table, names)
  tags$table(
    class = "sorted",
    tags$thead(tags$tr(lapply(names, function(name) {
      tags$th(scope = "col", tags$button(type = "button", name))
    }))),
    tags$tbody(lapply(seq_len(nrow(table)), function(i) {
      tags$tr(unname(lapply(cells, `[[`, i)))
    }))
  )
}

# Draws the value of a new sample among those of the training samples of each
# class.
strip_plot <- function(space, i, feature, label, predicted, marked) {
  value <- space$values[i, feature]
  known <- space$training[, feature]
  class <- as.character(space$classes)[!is.na(known)]
  known <- known[!is.na(known)]
  if (nlevels(space$classes) > 6L) {
    class[class != predicted] <- "other classes"
  }
  rows <- split(
    known, factor(class, c(levels(space$classes), "other classes")), drop = TRUE
  )
  ends <- range(known, value)
  if (diff(ends) == 0) ends <- ends + c(-1, 1)
  # Pictures need a decimal point, whatever options(OutDec = ) says.
  place <- function(v) {
    sprintf("%.1f", 124 + 224 * (v - ends[[1L]]) / diff(ends))
  }
  svg <- htmltools::tag
  bottom <- 20 * length(rows) + 6
  text <- function(x, y, words, ...) svg("text", list(x = x, y = y, words, ...))
  lines <- Map(function(values, name, y, called) {
    list(
      text(0, y + 4, name, class = if (called) "called"),
      svg("path", list(d = paste0("M", place(values), " ", y - 6, "v12",
        collapse = ""
      )))
    )
  }, rows, cut_names(page_text(names(rows)), 16L), 20 * seq_along(rows) - 4,
  marked & names(rows) == predicted)
  htmltools::tags$figure(
    htmltools::tags$figcaption(page_text(sprintf(
      "%s: %s", label, three_digits(value)
    ))),
    svg("svg", list(
      viewBox = sprintf("0 0 360 %d", as.integer(bottom + 16)), role = "img",
      `aria-label` = "Value among those of the training samples", unname(lines),
      svg("path", list(
        class = "new", d = sprintf("M%s 4V%s", place(value), bottom)
      )),
      text(124, bottom + 13, three_digits(ends[[1L]]), class = "end"),
      text(
        348, bottom + 13, three_digits(ends[[2L]]), class = "end",
        `text-anchor` = "end"
      )
    ))
  )
}

# Says once how the strip plots are read.
strip_legend <- function() {
  tags <- htmltools::tags
  svg <- htmltools::tag
  words <- function(y, text) svg("text", list(x = 76, y = y, text))
  tags$figure(
    tags$figcaption("How to read the pictures"),
    svg("svg", list(
      viewBox = "0 0 360 54", role = "img",
      `aria-label` = "A short line is a training sample, the long one this one",
      svg("path", list(d = "M20 8v12M26 8v12M33 8v12M52 8v12")),
      words(19, "short lines: the training samples of a class"),
      svg("path", list(class = "new", d = "M36 30V50")),
      words(45, "long line: this sample, in all classes")
    )),
    tags$p(class = "soft", paste(
      "The name of the predicted class is bold. Left (right) of all short",
      "lines: lower (higher) than in any training sample. Values are in the",
      "units of the data."
    ))
  )
}

share_words <- function(share, interval) {
  sprintf("%.1f %%; %s", 100 * share, interval_words(interval))
}

interval_words <- function(interval) {
  sprintf(
    "95 %% interval: %.1f to %.1f %%", 100 * interval$lower,
    100 * interval$upper
  )
}
