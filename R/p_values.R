# Layer: input. P-values in the place of scores: the smallest are the best.
# SPDX-License-Identifier: GPL-3.0-or-later

p_value_names <- c(
  "p", "q", "p.value", "pvalue", "p_value", "pval", "p.val", "p_val", "pvals",
  "pvalues", "padj", "p.adj", "p_adj", "p.adjust", "adj.p.val", "p_val_adj",
  "q.value", "qvalue", "q_value", "qval", "fdr"
)

#' Warn about scores that look like p-values
#'
#' @param scores What was given or returned; only numbers are checked.
#' @param code The expression or the body of the function that gave them. The
#'   warning is given if it names a p-value and has nothing that reverses an
#'   order.
#' @noRd
warn_p_values <- function(scores, code) {
  values <- if (is.numeric(scores)) scores[!is.na(scores)]
  if (length(values) == 0L || any(values < 0 | values > 1)) {
    return(invisible())
  }
  # Data that were passed in place of their name say nothing.
  text <- if (is.language(code)) paste(deparse(code), collapse = " ") else ""
  words <- strsplit(text, "[^[:alnum:]._]+")[[1L]]
  found <- words[tolower(words) %in% p_value_names]
  if (length(found) == 0L || grepl("[-/]|\\blog|\\brank\\(", text)) {
    return(invisible())
  }
  warn(
    c(
      "the scores look like p-values ({.val {found[[1L]]}}), of which the
       smallest are best, but the largest scores are taken as best.",
      i = "Give {.code -log10({found[[1L]]})} instead."
    ),
    "hitmiss_warning_p_values"
  )
}
