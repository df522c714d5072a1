# The parts of a report. Everything that came from data goes through htmltools,
# which escapes it.
# SPDX-License-Identifier: GPL-3.0-or-later

report_page <- function(title, fit, parts) {
  parts <- Filter(Negate(is.null), parts)
  headings <- c(
    features = "Features", plots = "Pictures",
    error = "Error on held-out samples", stability = "Stability",
    samples = "New samples", fit = "The fit", session = "Session"
  )[names(parts)]
  resource <- function(name) {
    path <- system.file("report", name, package = "hitmiss", mustWork = TRUE)
    htmltools::HTML(paste(readLines(path), collapse = "\n"))
  }
  tags <- htmltools::tags
  sections <- lapply(names(parts), function(name) {
    tags$section(id = name, tags$h2(headings[[name]]), parts[[name]])
  })
  # Nothing from anywhere: the page must not need a network, nor use one.
  policy <- paste(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline';",
    "script-src 'unsafe-inline'"
  )
  head <- htmltools::tagList(
    tags$meta(charset = "utf-8"),
    tags$meta(`http-equiv` = "Content-Security-Policy", content = policy),
    tags$meta(
      name = "viewport", content = "width=device-width, initial-scale=1"
    ),
    tags$title(shown_text(title)), tags$style(resource("report.css"))
  )
  body <- tags$body(
    tags$h1(shown_text(title)),
    tags$p(class = "soft", html_lines(c(
      title_lines(fit),
      paste("hitmiss", fit$version, format(Sys.time(), "%Y-%m-%d %H:%M"))
    ))),
    tags$nav(lapply(names(parts), function(name) {
      tags$a(href = paste0("#", name), headings[[name]])
    })),
    sections, tags$script(resource("report.js"))
  )
  # as.character() leaves out a head that is a tag.
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", as.character(head),
    "</head>", as.character(body), "</html>"
  )
}

# Any bytes as text that a page can hold.
shown_text <- function(text) {
  gsub("[[:cntrl:]]", " ", plain_text(as.character(text)))
}

html_lines <- function(lines) {
  lapply(lines, function(line) list(shown_text(line), htmltools::tags$br()))
}

printed <- function(x) {
  lines <- at_width(90L, utils::capture.output(print(x)))
  htmltools::tags$pre(paste(plain_text(lines), collapse = "\n"))
}

at_width <- function(width, expr) {
  before <- options(width = width)
  on.exit(options(before))
  force(expr)
}

#' A table of data
#'
#' @param links Named by column: an address for each row, or NA.
#' @param search `NULL`, or the id of the search field of a table that can be
#'   searched and sorted.
#' @noRd
html_table <- function(table, links = list(), search = NULL) {
  tags <- htmltools::tags
  number <- vapply(table, is.numeric, NA)
  # What is too long for a line may be broken anywhere.
  long <- vapply(table, function(column) {
    any(nchar(unlist(strsplit(shown_text(column), " "))) > 24L, na.rm = TRUE)
  }, NA)
  kind <- ifelse(number, "number", ifelse(long, "long", "text"))
  cells <- Map(function(column, name, of) {
    shown <- if (is.double(column)) three_digits(column) else shown_text(column)
    shown[is.na(column)] <- ""
    if (!is.null(links[[name]])) {
      shown <- Map(function(text, address) {
        if (is.na(address) || !nzchar(text)) {
          return(text)
        }
        tags$a(
          href = address, rel = "noopener noreferrer", target = "_blank", text
        )
      }, shown, links[[name]])
    }
    Map(function(text, value) {
      tags$td(
        class = of, `data-value` = if (of == "number" && !is.na(value)) {
          format(value, digits = 15L)
        }, text
      )
    }, shown, column)
  }, table, names(table), kind)
  rows <- lapply(seq_len(nrow(table)), function(i) {
    tags$tr(unname(lapply(cells, `[[`, i)))
  })
  head <- Map(function(name, of) {
    name <- shown_text(name)
    tags$th(
      class = of, scope = "col",
      if (is.null(search)) name else tags$button(type = "button", name)
    )
  }, names(table), kind)
  htmltools::tagList(
    if (!is.null(search)) {
      tags$p(
        tags$label(
          class = "soft", `for` = search, "Search (a click on a heading sorts)"
        ), tags$br(),
        tags$input(type = "search", id = search), " ",
        tags$span(class = "soft", id = paste0(search, "-count"))
      )
    },
    tags$div(class = "wide", tags$table(
      class = if (!is.null(search)) "sorted", `data-search` = search,
      tags$thead(tags$tr(unname(head))), tags$tbody(rows)
    ))
  )
}

three_digits <- function(values) {
  vapply(values, function(value) format(signif(value, 3L), digits = 3L), "")
}

features_part <- function(report, n) {
  fit <- report$fit
  # What a sparse fit leaves out has no order.
  table <- feature_table(fit, min(n, max(fit$n_ranked, 1L)), means = FALSE)
  if (is_ranker(fit)) table$selected <- NULL
  linked <- intersect(c("feature", names(fit$annotation)), names(table))
  links <- lapply(stats::setNames(linked, linked), function(name) {
    link_addresses(table[[name]], name, report$links)
  })
  left <- fit$n_features - nrow(table)
  htmltools::tagList(
    htmltools::tags$p(html_lines(body_lines(fit))),
    html_table(table, links, "search-features"),
    htmltools::tags$p(class = "soft", html_lines(c(
      if (left > 0L) {
        paste(counted_by_thousands(left), "more features are not shown.")
      },
      direction_line(fit)
    )))
  )
}

# ---- pictures ---------------------------------------------------------------

#' A picture as part of the page
#' @param draw A function that returns a ggplot, called while the device is
#'   open.
#' @noRd
picture <- function(draw, alt) {
  file <- tempfile(fileext = ".png")
  before <- grDevices::dev.cur()
  grDevices::png(file,
    width = 960, height = 620, res = 110,
    type = if (capabilities("cairo")) "cairo" else getOption("bitmapType")
  )
  device <- grDevices::dev.cur()
  on.exit(unlink(file))
  tryCatch(print(draw()), finally = {
    grDevices::dev.off(device)
    if (before > 1L) grDevices::dev.set(before)
  })
  htmltools::tags$figure(class = "wide", htmltools::tags$img(
    src = knitr::image_uri(file), alt = shown_text(alt)
  ))
}

can_draw <- function() {
  requireNamespace("ggplot2", quietly = TRUE) && any(capabilities(
    c("png", "cairo")
  ))
}

no_pictures <- function() {
  htmltools::tags$p(
    class = "soft", "No pictures: package ggplot2 is not installed."
  )
}

plots_part <- function(report) {
  fit <- report$fit
  if (!can_draw()) {
    return(no_pictures())
  }
  named <- c("scores", "frequency", "map", "entry", "pairs")
  lapply(names(plot_types(fit)), function(type) {
    picture(function() {
      if (type %in% named && !is.null(report$labels)) {
        fit_picture(fit, type, 20, label = report$labels)
      } else {
        fit_picture(fit, type, 20)
      }
    }, paste("Plot of the", type))
  })
}

error_part <- function(curve) {
  tags <- htmltools::tags
  htmltools::tagList(
    if (can_draw()) {
      picture(function() curve_picture(curve, "curve"), "Error curve")
    },
    tags$h3("For a methods section"),
    lapply(
      as.character(summary(curve)), function(text) tags$p(shown_text(text))
    ),
    tags$h3("The curve"), printed(curve)
  )
}

stability_part <- function(stability) {
  htmltools::tagList(
    if (can_draw()) {
      picture(function() ggplot2::autoplot(stability), "Stability")
    },
    printed(stability)
  )
}

fit_part <- function(fit) {
  tags <- htmltools::tags
  call <- deparse(fit$call, width.cutoff = 80L)
  htmltools::tagList(
    tags$p(html_lines(c(parameter_line(fit), solver_line(fit)))),
    if (!is.null(fit$call)) tags$pre(paste(plain_text(call), collapse = "\n"))
  )
}

session_part <- function() printed(utils::sessionInfo())
