# The vignettes as a reader gets them: knitted anew, then looked at.
# SPDX-License-Identifier: GPL-3.0-or-later

# Characters that fit on the page of html_vignette.
page_width <- 80L

#' What is wrong with one knitted vignette, in words; character() is nothing.
vignette_faults <- function(lines) {
  # Where a machine keeps its LAPACK is no affair of the page.
  lines <- grep("^#> (BLAS|LAPACK): ", lines, value = TRUE, invert = TRUE)
  output <- grep("^#>", lines, value = TRUE)
  wide <- output[nchar(output) > page_width]
  # Not "Error curve: ...", which is what a curve prints.
  warned <- grep("^#> (Warning|Error)( in |:| message)", output, value = TRUE)
  # The second line of a table, and its caption, above it or below.
  tables <- length(grep("^\\|[:|-]+\\|$", lines))
  captions <- length(grep("^(Table)?: +[^ ]", lines))
  c(
    if (length(wide) > 0L) paste("wider than the page:", wide),
    warned,
    if (captions < tables) {
      paste(tables - captions, "of", tables, "tables have no caption")
    }
  )
}

vignettes_layer <- function(root, pages = "[.]Rmd$") {
  if (!requireNamespace("knitr", quietly = TRUE)) {
    return(skip_layer("there is no R package knitr"))
  }
  files <- list.files(
    file.path(root, "vignettes"), pages, full.names = TRUE
  )
  folder <- tempfile("vignettes-")
  dir.create(folder)
  fine <- vapply(files, function(file) {
    knitted <- file.path(folder, sub("Rmd$", "md", basename(file)))
    # A process each, so that no vignette leans on what another has loaded.
    status <- withr::with_dir(folder, system2(
      file.path(R.home("bin"), "Rscript"),
      c("-e", shQuote(sprintf(
        "knitr::knit('%s', '%s', quiet = TRUE)", file, knitted
      ))),
      stdout = FALSE
    ))
    faults <- if (status == 0L) {
      vignette_faults(readLines(knitted, encoding = "UTF-8"))
    } else {
      "does not knit"
    }
    if (length(faults) > 0L) {
      cat(basename(file), ": ", faults, "\n", sep = "", fill = TRUE)
    }
    length(faults) == 0L
  }, NA)
  names(fine) <- basename(files)
  tally(fine)
}
