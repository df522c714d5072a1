# Edited fits: Rscript tests/robustness/tampering.R [--long] [LIBRARY]
# Each field of a fit of every kind is edited as by hand, see edits.R, and the
# fit is given to every verb that its class has, in child processes. Whatever
# the verb answers, the process must go on.
# SPDX-License-Identifier: GPL-3.0-or-later

load_tampering <- function(folder) {
  source(file.path(folder, "battery.R"), globalenv())
  load_battery(folder)
  for (file in c("edits.R", "tampered.R")) {
    source(file.path(folder, file), globalenv())
  }
  suppressPackageStartupMessages(library(ggplot2))
}

#' @param most A sample of so many edits; NULL: all.
#' @return list(objects, plan: a data.frame of object, path (a list), edit,
#'   verb).
tampering_plan <- function(most) {
  objects <- suppressWarnings(tampered_objects())
  kind <- vapply(objects, function(object) class(object)[[1L]], "")
  edits <- do.call(rbind, lapply(names(objects), function(name) {
    plan <- object_plan(name, objects[[name]])
    # Of further objects of a kind every third edit.
    if (!is.null(most) && duplicated(kind)[[match(name, names(objects))]]) {
      plan[seq_len(nrow(plan)) %% 3L == 0L, ]
    } else {
      plan
    }
  }))
  if (!is.null(most)) {
    set.seed(26)
    edits <- edits[sort(sample.int(nrow(edits), most)), ]
  }
  plan <- with_verbs(edits, lapply(objects, verbs_of), is.null(most))
  list(objects = objects, plan = plan)
}

# Each edit with every verb; in the short run with one picture only, in turns.
with_verbs <- function(edits, verbs, whole) {
  asked <- lapply(seq_len(nrow(edits)), function(i) {
    names <- names(verbs[[edits$object[[i]]]])
    if (whole) {
      return(names)
    }
    pictures <- grep("^plot", names, value = TRUE)
    c(setdiff(names, pictures), pictures[i %% max(1L, length(pictures)) + 1L])
  })
  asked <- lapply(asked, function(names) names[!is.na(names)])
  plan <- edits[rep(seq_len(nrow(edits)), lengths(asked)), ]
  plan$verb <- unlist(asked)
  rownames(plan) <- NULL
  plan
}

# The edits of one object that change it and that R lets happen.
object_plan <- function(name, object) {
  paths <- field_paths(object)
  plan <- expand.grid(edit = names(field_edits), path = seq_along(paths),
    stringsAsFactors = FALSE
  )
  plan <- data.frame(
    object = name,
    path = I(c(paths[plan$path], rep(list(character()), length(class_edits)))),
    edit = c(plan$edit, names(class_edits))
  )
  plan[mapply(changes, list(object), plan$path, plan$edit), ]
}

changes <- function(object, path, edit) {
  edited <- edited_object(object, path, edit)
  !is.null(edited) && !identical(edited, object)
}

#' NULL where the edit has no meaning.
edited_object <- function(object, path, edit) {
  edits <- if (length(path) == 0L) class_edits else field_edits
  tryCatch(suppressWarnings(edit_at(object, path, edits[[edit]])),
    error = function(e) NULL
  )
}

place_of <- function(path) {
  if (length(path) == 0L) {
    return("(object)")
  }
  place <- paste0(ifelse(is_attribute(path), "", "$"), path, collapse = "")
  sub("^[$]", "", place)
}

#' The cases of a child process.
#'
#' @param file What run_tampering() stored for it.
tampering_cases <- function(folder, file) {
  load_tampering(folder)
  grDevices::pdf(NULL)
  all <- readRDS(file)
  plan <- all$plan
  verbs <- lapply(all$objects, verbs_of)
  list(n = nrow(plan), perform = function(i) {
    name <- plan$object[[i]]
    verb <- verbs[[name]][[plan$verb[[i]]]]
    edited <- edited_object(
      all$objects[[name]], plan$path[[i]], plan$edit[[i]]
    )
    tryCatch(
      {
        suppressWarnings(suppressMessages(
          utils::capture.output(verb(edited))
        ))
        "answered"
      },
      hitmiss_error = function(e) "refused",
      error = function(e) c("failed", conditionMessage(e))
    )
  })
}

#' @return A data.frame with a row per call: object, place, edit, verb, outcome,
#'   detail, acceptable.
run_tampering <- function(folder, most) {
  load_tampering(folder)
  all <- tampering_plan(most)
  workers <- run_stored(folder, "tampering", all)
  plan <- all$plan
  plan$place <- vapply(plan$path, place_of, "")
  ends <- journal_ends(workers)
  plan$outcome <- plan$detail <- rep("lost", nrow(plan))
  plan$outcome[ends$at] <- ends$outcome
  plan$detail[ends$at] <- ends$detail
  plan$acceptable <- plan$outcome %in% c("answered", "refused", "failed")
  plan
}

# Children read what is made once.
run_stored <- function(folder, battery, all) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(all, file)
  run_children(folder, battery, file)
}

tampering_note <- function(outcome) {
  edits <- unique(outcome[c("object", "place", "edit")])
  kinds <- table(outcome$outcome)
  paste0(
    nrow(edits), " edits of ", length(unique(outcome$object)), " objects; ",
    paste(kinds, names(kinds), collapse = ", ")
  )
}

# A line for each edit and kind of fault, with the verbs.
print_tampering <- function(outcome) {
  bad <- outcome[!outcome$acceptable, ]
  for (group in split(bad, paste(bad$object, bad$place, bad$edit, bad$outcome),
    drop = TRUE
  )) {
    cat(sprintf(
      "%s: %s %s: %s (%s) %s\n", group$object[[1L]], group$place[[1L]],
      group$edit[[1L]], group$outcome[[1L]], toString(group$verb),
      substr(group$detail[[1L]], 1L, 150L)
    ))
  }
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  folder <- normalizePath(dirname(script))
  source(file.path(folder, "processes.R"))
  given <- commandArgs(trailingOnly = TRUE)
  use_library(grep("^--", given, value = TRUE, invert = TRUE))
  outcome <- run_tampering(folder, if (!"--long" %in% given) 500L)
  print_tampering(outcome)
  cat(nrow(outcome), "calls:", tampering_note(outcome), "\n")
  quit(status = as.integer(any(!outcome$acceptable)))
}
