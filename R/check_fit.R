# Is this a whole fit? Methods of ours are also called on what merely has the
# class: a part of a fit, or one that another program wrote.

#' @param fit What a method was called with.
#' @param arg Name of the argument.
#' @return The fit, or stops with `hitmiss_error_input`.
#' @noRd
check_fit <- function(fit, arg = "x") {
  lacking <- lacking_fields(fit)
  if (length(lacking) > 0L) {
    abort_input(
      c(
        "{.arg {arg}} has the class of a fit but is not a whole one: {.val {lacking}}
         {?is/are} missing or of the wrong kind.",
        i = "Fit it anew, or read it again from where it was saved."
      ),
      arg,
      fields = lacking
    )
  }
  fit
}

# One test per field that methods use.
fit_fields <- list(
  scores = function(part, fit) is.numeric(part) && !is.null(names(part)),
  ranking = function(part, fit) {
    is.integer(part) && length(part) == length(fit$scores) &&
      !anyNA(part) && all(part >= 1L & part <= length(part))
  },
  selected = function(part, fit) is.character(part),
  classes = function(part, fit) is.character(part) && length(part) >= 2L,
  n_samples = function(part, fit) is_plain_number(part),
  n_features = function(part, fit) identical(part, length(fit$scores)),
  parameters = function(part, fit) is.list(part),
  preprocess = function(part, fit) {
    is.list(part) && all(lengths(part[c("center", "scale", "constant")]) ==
      length(fit$scores))
  },
  # Fits of 0.1.0 have none.
  class_means = function(part, fit) {
    is.null(part) || is.double(part) &&
      identical(dim(part), c(length(fit$scores), length(fit$classes)))
  },
  report = function(part, fit) {
    is.list(part) && all(c(
      "status", "iterations", "residual", "kkt", "gap", "seconds", "threads"
    ) %in% names(part))
  },
  local = function(part, fit) {
    !inherits(fit, "hitmiss_llfs") || is.list(part) &&
      inherits(part$subsets, "Matrix") &&
      nrow(part$subsets) == length(fit$scores) &&
      is.factor(part$class) && is.matrix(part$training)
  },
  training = function(part, fit) {
    inherits(fit, "hitmiss_llfs") ||
      is.list(part) && is.matrix(part$values) && is.factor(part$y)
  }
)

lacking_fields <- function(fit) {
  if (!is.list(fit)) {
    return(names(fit_fields))
  }
  fine <- vapply(names(fit_fields), function(name) {
    isTRUE(fit_fields[[name]](fit[[name]], fit))
  }, NA)
  names(fit_fields)[!fine]
}
