# Names in pictures: which text stands for a feature, how wide it is, and how
# it is shortened.
# SPDX-License-Identifier: GPL-3.0-or-later

# Widths of letters, in units of the size of the text: those of Helvetica,
# rounded up. A device is not needed to measure with them.
letter_em <- function(letters) {
  em <- ifelse(nchar(letters, "width") > 1L, 1, 0.58)
  em[letters %in% c(LETTERS, "&") | !letters %in% ascii] <- 0.74
  em[letters %in% strsplit("fijlrtI .,:;!|'()[]{}/-*\"`", "")[[1L]]] <- 0.34
  em[letters %in% c("m", "w", "M", "W", "@", "%")] <- 0.92
  em[nchar(letters, "width") > 1L] <- 1.05
  em
}

ascii <- strsplit(rawToChar(as.raw(32:126)), "")[[1L]]

text_em <- function(text) {
  vapply(strsplit(enc2utf8(text), ""), function(letters) {
    sum(letter_em(letters))
  }, 0)
}

#' Texts of at most `most` em, shortened in the middle
#'
#' Both ends stay, since names often differ there; texts that differ stay
#' different.
#' @noRd
shorten <- function(text, most) {
  whole <- unique(text)
  short <- cut_middle(whole, most, 0.6)
  for (head in c(0.35, 0.85, 0.1)) {
    twice <- is_repeated(short)
    short[twice] <- cut_middle(whole[twice], most, head)
  }
  # They differ in the middle only: what follows their common beginning.
  for (group in split(seq_along(whole), short)) {
    if (length(group) > 1L) short[group] <- middle(whole[group], most)
  }
  twice <- which(is_repeated(short))
  mark <- sprintf(" #%d", seq_along(twice))
  short[twice] <- paste0(
    cut_middle(whole[twice], most - max(0, text_em(mark)), 0.6), mark
  )
  short[match(text, whole)]
}

is_repeated <- function(text) {
  duplicated(text) | duplicated(text, fromLast = TRUE)
}

cut_middle <- function(text, most, head) {
  dots <- "..."
  room <- max(most - text_em(dots), 1.5)
  vapply(text, function(one) {
    letters <- strsplit(enc2utf8(one), "")[[1L]]
    em <- letter_em(letters)
    if (sum(em) <= most) {
      return(one)
    }
    first <- max(1L, sum(cumsum(em) <= head * room))
    last <- sum(cumsum(rev(em)) <= room - sum(em[seq_len(first)]))
    paste0(
      trimws(paste(utils::head(letters, first), collapse = ""), "right"), dots,
      trimws(paste(utils::tail(letters, last), collapse = ""), "left")
    )
  }, "", USE.NAMES = FALSE)
}

# From the word where texts first differ, behind some letters of their
# beginning.
middle <- function(text, most) {
  letters <- strsplit(enc2utf8(text), "")
  shortest <- min(lengths(letters))
  same <- vapply(seq_len(shortest), function(i) {
    length(unique(vapply(letters, `[[`, "", i))) == 1L
  }, NA)
  from <- which(c(!same, TRUE))[[1L]]
  vapply(letters, function(one) {
    spaces <- which(utils::head(one, from - 1L) == " ")
    word <- if (length(spaces) > 0L) spaces[[length(spaces)]] + 1L else from
    begin <- paste0(
      paste(one[seq_len(min(4L, word - 1L))], collapse = ""), "..."
    )
    rest <- one[seq_along(one) >= word]
    room <- most - text_em(begin) - text_em("...")
    kept <- sum(cumsum(letter_em(rest)) <= room)
    paste0(
      begin, paste(utils::head(rest, kept), collapse = ""),
      if (kept < length(rest)) "..."
    )
  }, "")
}

#' A text in lines of at most `most` em, broken between words
#' @noRd
wrapped <- function(text, most) {
  lines <- lapply(strsplit(text, "\n", fixed = TRUE)[[1L]], function(line) {
    words <- strsplit(line, " ", fixed = TRUE)[[1L]]
    if (length(words) == 0L) {
      return("")
    }
    lines <- words[[1L]]
    for (word in words[-1L]) {
      longer <- paste(lines[[length(lines)]], word)
      if (text_em(longer) <= most) {
        lines[[length(lines)]] <- longer
      } else {
        lines <- c(lines, word)
      }
    }
    lines
  })
  paste(unlist(lines), collapse = "\n")
}
