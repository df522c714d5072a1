# What an argument may be given by mistake, malice or a bug upstream.
# SPDX-License-Identifier: GPL-3.0-or-later

bad_values <- function() {
  c(
    nothing_values(), number_values(), text_values(), shaped_values(),
    object_values()
  )
}

nothing_values <- function() {
  list(
    "NULL" = NULL, "NA" = NA, "NA_integer_" = NA_integer_,
    "NA_real_" = NA_real_, "NA_character_" = NA_character_,
    "NA_complex_" = NA_complex_, "list()" = list(), "list(1)" = list(1),
    "list(NULL)" = list(NULL), "list(a = 1)" = list(a = 1),
    "list without names" = list(1, "a", NULL),
    "1000 elements" = as.list(1:1000), "logical(0)" = logical(),
    "integer(0)" = integer(), "numeric(0)" = numeric(),
    "character(0)" = character(), "raw(0)" = raw(),
    "factor(0)" = factor(character()), "data.frame()" = data.frame()
  )
}

number_values <- function() {
  list(
    "0" = 0, "-0" = -0, "0L" = 0L, "-1" = -1, "-1L" = -1L, "0.5" = 0.5,
    "1.5" = 1.5, "-0.5" = -0.5, "NaN" = NaN, "Inf" = Inf, "-Inf" = -Inf,
    "1e300" = 1e300, "-1e300" = -1e300, "1e-300" = 1e-300,
    "denormal" = 4.9e-324, "2^31" = 2^31, "-2^31" = -2^31,
    "largest integer" = .Machine$integer.max, "2^53" = 2^53, "1i" = 1i,
    "c(1, 2)" = c(1, 2), "1:3" = 1:3, "1:14" = 1:14, "c(1, NA)" = c(1, NA),
    "c(0, Inf)" = c(0, Inf), "c(2, 1)" = c(2, 1),
    "named" = c(a = 1), "named NA" = structure(1:2, names = c(NA, "")),
    "TRUE" = TRUE, "FALSE" = FALSE, "c(TRUE, FALSE)" = c(TRUE, FALSE),
    "c(TRUE, NA)" = c(TRUE, NA), "raw" = as.raw(1:3)
  )
}

text_values <- function() {
  latin <- "\xe4"
  Encoding(latin) <- "latin1"
  list(
    "empty text" = "", "a" = "a", "a number in text" = "1",
    "no such thing" = "no such thing", "UTF-8" = "\u00e4\u03b2\u4e2d\U1F600",
    "latin1" = latin, "bytes" = "\xff\xfe",
    "labels of bytes" = rep(c("\xff", "a"), 7L), "braces" = "{x} {.val } }{",
    "percent" = "%s %d %n", "control characters" = "a\001\t\n\033[31m",
    "10,000 characters" = strrep("x", 10000L), "c(a, b)" = c("a", "b"),
    "c(NA, a)" = c(NA, "a"), "letters" = letters,
    "one class" = rep("a", 14L), "classes of one" = letters[1:14],
    "factor" = factor(c("a", "b")), "factor with NA" = factor(c("a", NA)),
    "unused level" = factor(rep("a", 14L), c("a", "b")),
    "ordered" = factor(c("a", "b"), ordered = TRUE)
  )
}

shaped_values <- function() {
  named <- function(x) {
    dimnames(x) <- list(NULL, paste0("g", seq_len(ncol(x))))
    x
  }
  few <- named(matrix(as.double(1:24), 3L))
  list(
    "0 x 0" = matrix(0, 0L, 0L), "0 x 3" = matrix(0, 0L, 3L),
    "3 x 0" = matrix(0, 3L, 0L), "0 x 8" = named(matrix(0, 0L, 8L)),
    "1 x 8" = few[1L, , drop = FALSE], "text matrix" = matrix("a", 14L, 2L),
    "complex matrix" = matrix(1i, 14L, 2L),
    "list matrix" = matrix(list(1), 14L, 2L),
    "raw matrix" = matrix(as.raw(0), 14L, 2L), "3 x 8" = few,
    "array" = array(0, c(14L, 2L, 2L)), "one-way array" = array(1:14),
    "constant" = named(matrix(1, 14L, 8L)),
    "all NA" = named(matrix(NA_real_, 14L, 8L)),
    "all Inf" = named(matrix(Inf, 14L, 8L)),
    "at the limits" = named(matrix(c(1.7e308, -1.7e308), 14L, 8L)),
    "denormals" = named(matrix(4.9e-324 * 1:112, 14L, 8L)),
    "names NA" = structure(few, dimnames = list(NULL, c(NA, 2:8))),
    "names empty" = structure(few, dimnames = list(NULL, c("", 2:8))),
    "names twice" = structure(few, dimnames = list(NULL, rep("g1", 8L))),
    "frame of text" = data.frame(g1 = letters[1:14], g2 = letters[1:14]),
    "frame without rows" = data.frame(class = character(), g1 = numeric()),
    "frame without columns" = data.frame(row.names = 1:14),
    "frame of lists" = data.frame(g1 = I(as.list(1:14))),
    "frame of matrices" = data.frame(g1 = I(matrix(0, 14L, 2L))),
    "classed matrix" = structure(few, class = c("odd", "matrix"))
  )
}

object_values <- function() {
  list(
    "function" = function(x) x, "primitive" = sum, "symbol" = as.name("x"),
    "call" = quote(stop("evaluated")), "expression" = expression(a, b),
    "formula" = class ~ g1, "one-sided formula" = ~., "empty call" = quote(f()),
    "formula with a call" = class ~ log(g1), "formula of numbers" = 1 ~ 2,
    "formula of itself" = class ~ class, "environment" = new.env(),
    "global environment" = globalenv(),
    "S4 class" = methods::getClass("numeric"),
    "S4 object" = methods::new("numeric"), "date" = as.Date("2020-01-01"),
    "time" = as.POSIXct(0, origin = "1970-01-01", tz = "UTC"),
    "time difference" = as.difftime(1, units = "secs"),
    "version" = numeric_version("1.0"), "time series" = stats::ts(1:14),
    "unknown class" = structure(1, class = "odd"),
    "unknown class of list" = structure(list(), class = "odd"),
    "broken fit" = structure(list(), class = "hitmiss"),
    "broken llfs" = structure(list(), class = c("hitmiss_llfs", "hitmiss")),
    "broken relief" = structure(
      list(scores = "a", ranking = NULL, selected = 1),
      class = c("hitmiss_relief", "hitmiss")
    ),
    "connection" = stdout(), "sparse matrix" = Matrix::Matrix(0, 14L, 8L),
    "missing" = formals(\(x) x)$x
  )
}
