# Random edits of stored objects: several at once, at random depth, by what
# field_edits or bad_values() has, and a random verb. A finding is the end of
# the process, or an error that is not of class hitmiss_error; what the right
# answer to such an object is, nobody can say.
# SPDX-License-Identifier: GPL-3.0-or-later

#' One case, the same for its number in every process.
#'
#' @return list(object: its name, edited, verb, what: the edits in words).
fuzz_case <- function(i, all, verbs) {
  set.seed(all$seed + i)
  name <- sample(names(all$objects), 1L)
  edited <- all$objects[[name]]
  what <- character()
  for (turn in seq_len(sample.int(4L, 1L))) {
    path <- random_path(edited)
    edit <- random_edit()
    edited <- tryCatch(
      {
        changed <- suppressWarnings(edit_at(edited, path, edit$edit))
        changed # an error where it is the empty symbol of a call
      },
      error = function(e) edited
    )
    what <- c(what, paste(place_of(path), edit$name))
  }
  list(
    object = name, edited = edited, verb = sample(names(verbs[[name]]), 1L),
    what = paste(what, collapse = ", ")
  )
}

random_path <- function(part, path = character()) {
  steps <- c(element_steps(part), attribute_steps(part))
  if (length(steps) == 0L || (length(path) > 0L && stats::runif(1L) < 0.4)) {
    return(path)
  }
  step <- sample(steps, 1L)
  random_path(step_into(part, step), c(path, step))
}

random_edit <- function() {
  if (stats::runif(1L) < 0.6) {
    name <- sample(names(field_edits), 1L)
    return(list(name = name, edit = field_edits[[name]]))
  }
  values <- bad_values()
  name <- sample(names(values), 1L)
  list(name = paste("is", name), edit = function(v) values[[name]])
}

#' The cases of a child process.
fuzz_cases <- function(folder, file) {
  source(file.path(folder, "tampering.R"), globalenv())
  load_tampering(folder)
  grDevices::pdf(NULL)
  all <- readRDS(file)
  verbs <- lapply(all$objects, verbs_of)
  list(
    n = .Machine$integer.max - all$seed, until = all$until,
    perform = function(i) {
      case <- fuzz_case(i, all, verbs)
      after <- answer_of(verbs[[case$object]][[case$verb]], case$edited)
      # Edits may leave nothing of our class: then base R answers.
      ours <- any(startsWith(class(case$edited), "hitmiss"))
      c(if (after$outcome == "raw" && !ours) "value" else after$outcome,
        after$said)
    }
  )
}

#' @return A data.frame with a row per call: object, what, verb, outcome,
#'   detail, acceptable.
run_fuzz <- function(folder, seconds) {
  load_tampering(folder)
  all <- list(
    objects = suppressWarnings(tampered_objects()),
    seed = as.integer(as.numeric(Sys.time()) %% 1e9),
    until = Sys.time() + seconds
  )
  ends <- journal_ends(run_stored(folder, "fuzz", all))
  verbs <- lapply(all$objects, verbs_of)
  ends$acceptable <- ends$outcome %in% c("value", "refused")
  cases <- lapply(ends$at[!ends$acceptable], fuzz_case, all, verbs)
  for (field in c("object", "what", "verb")) {
    ends[[field]] <- rep("", nrow(ends))
    ends[[field]][!ends$acceptable] <- vapply(cases, `[[`, "", field)
  }
  ends
}

fuzz_note <- function(outcome) {
  kinds <- table(outcome$outcome)
  paste(kinds, names(kinds), collapse = ", ")
}

print_fuzz <- function(outcome) {
  print_unacceptable(outcome, function(bad) {
    sprintf("%s, %s: %s", bad$object, bad$what, bad$verb)
  })
}
