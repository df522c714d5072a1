# Gates on the text of the sources: nothing is run but compilers and generators.
# SPDX-License-Identifier: GPL-3.0-or-later

sources_in <- function(root, folders, pattern) {
  files <- list.files(file.path(root, folders), pattern,
    recursive = TRUE, full.names = TRUE
  )
  files[!grepl("RcppExports|/build", files)]
}

# ---- words that must not stand in the sources --------------------------------

every_cpp <- c(
  "distributions and engines of the standard library" = paste0(
    "std::(\\w+_distribution|shuffle|sample\\b|mt19937|random_device|",
    "\\w*_engine)"
  ),
  "reductions whose order depends on threads" = "parallelReduce|parallel_reduce"
)
forbidden <- list(
  core = c(
    every_cpp,
    "atomics on floating point" = "atomic<(double|float)>",
    "headers of R" =
      "#include *[<\"](R|Rcpp\\w*|Rinternals|Rmath|R_ext/.*)([.]h|[>\"])"
  ),
  src = c(
    every_cpp,
    "R's random numbers outside of R code" =
      "\\b(unif_rand|norm_rand|GetRNGstate)\\b"
  ),
  R = c(
    "the user's random seed" = "set[.]seed *\\(",
    "sequences that count down from 1 to 0" =
      "\\b1L?:(n|length|nrow|ncol|NROW|NCOL)\\b",
    "results whose type depends on the data" = "\\bsapply *\\(",
    "sample(), which means something else for one number" = "\\bsample *\\("
  )
)

# Flags of compilers that may change numbers, or that are no affair of ours.
number_flags <- "(^|[ =])-(O[0-9]|f[a-z]|m[a-z]|W(?!l,))"

# Stands in comments above all.
unfinished <- c("unfinished work" = "\\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\\b")

# Folders of the core, each of which includes from those before it only; those
# of the methods include nothing from each other.
method_folders <- c(
  "bfs", "comparators", "interactions", "llfs", "logo", "pwfp", "relief", "vote"
)
core_folders <- c("runtime", "data", "pairs", "soft", method_folders)

includes_downwards <- function(files) {
  # all.hpp stands above the folders.
  files <- files[basename(dirname(files)) %in% core_folders]
  named <- lapply(files, function(file) {
    lines <- readLines(file, warn = FALSE)
    found <- regmatches(lines, regexec('#include "[.][.]/(\\w+)/', lines))
    vapply(Filter(length, found), `[[`, "", 2L)
  })
  own <- rep(basename(dirname(files)), lengths(named))
  named <- unlist(named)
  table <- table(
    factor(own, core_folders), factor(named, union(core_folders, named)),
    dnn = c("from", "includes of headers in")
  )
  print(table)
  all(
    table[row(table) <= col(table)] == 0L,
    table[method_folders, method_folders] == 0L
  )
}

# Layers of R/, which the first comment of each file names: a file uses its own
# layer and those before it.
r_layers <- c("conditions", "input", "fit", "use", "evaluate", "show")

#' The functions and constants of R/, and what they use of each other
#'
#' @return Data.frame: name, file, layer (a number), uses (list of names).
defined_in_r <- function(files) {
  first <- vapply(files, readLines, "", n = 1L)
  layer <- match(sub("^# Layer: (\\w+)[.].*", "\\1", first), r_layers)
  defined <- do.call(rbind, Map(function(file, layer) {
    code <- Filter(function(e) {
      is.call(e) && identical(e[[1L]], quote(`<-`)) && is.symbol(e[[2L]])
    }, as.list(parse(file)))
    data.frame(
      name = vapply(code, function(e) as.character(e[[2L]]), ""),
      file = rep(basename(file), length(code)),
      layer = rep(layer, length(code)),
      uses = I(lapply(code, function(e) {
        codetools::findGlobals(eval(call("function", NULL, e[[3L]]), baseenv()))
      }))
    )
  }, files, layer))
  defined$uses <- lapply(defined$uses, intersect, defined$name)
  rownames(defined) <- NULL
  defined
}

#' @param defined See defined_in_r().
#' @return Is no function used that stands in a higher layer?
calls_downwards <- function(defined) {
  at <- rep(seq_len(nrow(defined)), lengths(defined$uses))
  used <- unlist(defined$uses)
  upward <- which(
    defined$layer[match(used, defined$name)] > defined$layer[at]
  )
  cat(sprintf("%s uses %s\n", defined$name[at][upward], used[upward]), sep = "")
  cat(unique(defined$file[is.na(defined$layer)]), sep = "\n")
  length(upward) == 0L && !anyNA(defined$layer)
}

#' @return Do no files use each other in a circle?
files_without_circle <- function(defined) {
  used <- match(unlist(defined$uses), defined$name)
  arrows <- unique(data.frame(
    from = rep(defined$file, lengths(defined$uses)), to = defined$file[used]
  ))
  arrows <- arrows[arrows$from != arrows$to, ]
  # A file that uses no other one, or is used by none, is in no circle; without
  # these, the same holds for others.
  repeat {
    inner <- arrows$to %in% arrows$from & arrows$from %in% arrows$to
    kept <- arrows[inner, ]
    if (nrow(kept) == nrow(arrows)) break
    arrows <- kept
  }
  cat(sprintf("circle: %s uses %s\n", arrows$from, arrows$to), sep = "")
  nrow(arrows) == 0L
}

#' @return Has each file of R/ at most 350 lines of code, and tests whose files
#'   begin with its name?
files_in_shape <- function(files, root) {
  files <- files[basename(files) != "RcppExports.R"]
  long <- vapply(files, function(file) {
    sum(!grepl("^\\s*(#|$)", readLines(file))) > 350L
  }, NA)
  tests <- list.files(file.path(root, "tests", "testthat"), "^test-")
  untested <- vapply(sub("[.]R$", "", basename(files)), function(name) {
    !any(grepl(sprintf("^test-%s[.-]", name), tests))
  }, NA)
  cat(sprintf("more than 350 lines: %s\n", files[long]), sep = "")
  cat(sprintf("no file of tests: %s\n", files[untested]), sep = "")
  !any(long, untested)
}

# Comments may name what code may not.
code_lines <- function(file) {
  comment <- if (endsWith(file, ".R")) "#.*" else "//.*"
  sub(comment, "", readLines(file, warn = FALSE))
}

#' @param lines_of What of a file is looked at.
#' @return One logical per pattern: no file has it.
free_of <- function(patterns, files, lines_of) {
  lines <- lapply(files, lines_of)
  vapply(patterns, function(pattern) {
    found <- vapply(lines, \(file) any(grepl(pattern, file, perl = TRUE)), NA)
    if (any(found)) cat(pattern, "in", files[found], "\n")
    !any(found)
  }, NA)
}

#' @return Does each fault of tests/mutation find its one place?
faults_in_place <- function(root) {
  faults <- new.env()
  for (file in c("mutants.R", "r_mutants.R")) {
    sys.source(file.path(root, "tests/mutation", file), faults)
  }
  places <- function(faults, folder) {
    vapply(faults, function(fault) {
      file <- file.path(root, folder, fault$file)
      text <- if (file.exists(file)) paste(readLines(file), collapse = "\n")
      sum(lengths(regmatches(text, gregexpr(fault$from, text, fixed = TRUE))))
    }, 0)
  }
  found <- c(
    places(faults$core_mutants, "inst/include/hitmiss"),
    places(faults$r_mutants, "R")
  )
  lost <- c(faults$core_mutants, faults$r_mutants)[found != 1]
  cat(sprintf(
    "a fault without its one place: %s\n", vapply(lost, `[[`, "", "id")
  ), sep = "")
  length(lost) == 0L
}

forbidden_words <- function(root) {
  places <- list(
    core = sources_in(root, "inst/include", "[.]hpp$"),
    src = sources_in(root, "src", "[.](h|cpp)$"),
    R = sources_in(root, "R", "[.]R$")
  )
  fine <- unlist(lapply(names(places), function(place) {
    free_of(forbidden[[place]], places[[place]], code_lines)
  }))
  whole <- function(file) readLines(file, warn = FALSE)
  fine <- c(fine, free_of(unfinished, unlist(places), whole))
  # RcppParallel behind its port only; no compiler flags that change numbers.
  users <- grep("RcppParallel.h", lapply(places$src, code_lines), fixed = TRUE)
  makevars <- sub("#.*", "", readLines(file.path(root, "src", "Makevars")))
  # Of two functions of one name, the file that is read last wins, silently.
  defined <- grep("^[A-Za-z_.]+ <- function",
    unlist(lapply(places$R, code_lines)),
    value = TRUE
  )
  defined <- sub(" <-.*", "", defined)
  twice <- unique(defined[duplicated(defined)])
  if (length(twice) > 0L) cat("defined more than once:", twice, "\n")
  licensed <- vapply(unlist(places), function(file) {
    any(grepl("SPDX-License-Identifier: GPL-3.0-or-later", whole(file)))
  }, NA)
  unlicensed <- unlist(places)[!licensed]
  if (!all(licensed)) cat("no licence in:", unlicensed, sep = "\n  ")
  in_r <- defined_in_r(places$R)
  tally(c(fine,
    "every source names its licence" = all(licensed),
    "one file only knows RcppParallel" =
      identical(basename(places$src[users]), "r_runtime.cpp"),
    "every function has one definition" = length(twice) == 0L,
    "folders of the core include downwards" = includes_downwards(places$core),
    "layers of R use downwards" = calls_downwards(in_r),
    "no files of R use each other in a circle" = files_without_circle(in_r),
    "files of R are short and have tests" = files_in_shape(places$R, root),
    "faults of the mutation tests have their place" = faults_in_place(root),
    "no compiler flags in Makevars" =
      !any(grepl(number_flags, makevars, perl = TRUE))
  ))
}

# ---- style ------------------------------------------------------------------

# Linters are named in .lintr one by one: their defaults vary by version.
lint_layer <- function(root) {
  if (!requireNamespace("lintr", quietly = TRUE)) {
    return(skip_layer("there is no R package lintr"))
  }
  files <- sources_in(root, c("R", "tests", "inst", "vignettes"), "[.]R(md)?$")
  lints <- withr::with_dir(root, lintr::lint_package("."))
  for (lint in lints) {
    cat(lint$filename, ":", lint$line_number, " ", lint$message, "\n", sep = "")
  }
  with_lints <- unique(vapply(lints, `[[`, "", "filename"))
  counts(length(files) - length(with_lints), length(with_lints))
}

# ---- generated files ---------------------------------------------------------

# Another version of a generator writes other files.
generator_versions <- function(root) {
  description <- read.dcf(file.path(root, "DESCRIPTION"))
  c(roxygen2 = description[[1L, "RoxygenNote"]], Rcpp = "1.0.10")
}

generated_files <- function(root) {
  versions <- generator_versions(root)
  there <- vapply(names(versions), function(package) {
    requireNamespace(package, quietly = TRUE) &&
      utils::packageVersion(package) == versions[[package]]
  }, NA)
  if (!all(there)) {
    wanted <- paste(names(versions), versions)[!there]
    return(skip_layer(paste("there is no", paste(wanted, collapse = ", no "))))
  }
  copy <- copy_package(root)
  code <- paste(
    "Rcpp::compileAttributes();",
    "suppressMessages(roxygen2::roxygenise(load_code = 'installed'))"
  )
  rscript <- file.path(R.home("bin"), "Rscript")
  status <- withr::with_dir(copy, system2(
    rscript, c("-e", shQuote(code)),
    stdout = FALSE, stderr = FALSE
  ))
  pages <- lapply(c(root, copy), function(where) {
    list.files(file.path(where, "man"), "[.]Rd$")
  })
  files <- c(
    "NAMESPACE", "R/RcppExports.R", "src/RcppExports.cpp",
    file.path("man", Reduce(union, pages))
  )
  same <- tools::md5sum(file.path(copy, files)) ==
    tools::md5sum(file.path(root, files))
  tally(c(
    "the generators run" = status == 0L,
    stats::setNames(same %in% TRUE, files)
  ))
}

# A copy of what makes the package, without tests and without objects.
copy_package <- function(root) {
  copy <- file.path(tempfile("copy"), "hitmiss")
  dir.create(copy, recursive = TRUE)
  parts <- c("DESCRIPTION", "NAMESPACE", "R", "src", "man", "inst")
  file.copy(file.path(root, parts), copy, recursive = TRUE)
  unlink(list.files(file.path(copy, "src"), "[.]s?o$", full.names = TRUE))
  copy
}

# The site's build stops at a page that its index does not name; and texts send
# readers to vignettes that exist.
site_index <- function(root) {
  of <- function(folder, type) {
    sub(type, "", list.files(file.path(root, folder), type))
  }
  vignettes <- of("vignettes", "[.]Rmd$")
  pages <- c(of("man", "[.]Rd$"), vignettes)
  index <- readLines(file.path(root, "_pkgdown.yml"))
  named <- unlist(regmatches(index, gregexpr("[[:alnum:]_.-]+", index)))
  simulated <- startsWith(pages, "simulate_") # by starts_with() there
  texts <- unlist(lapply(c(
    sources_in(root, c("R", "vignettes", "tests", "inst"), "[.](R|Rmd|md)$"),
    file.path(root, c("README.md", "NEWS.md", ".github/INSTALL.md"))
  ), readLines, warn = FALSE))
  sent <- unique(unlist(regmatches(texts, gregexpr(
    "(?<=vignette[(]\")[a-z-]+", texts, perl = TRUE
  ))))
  tally(c(
    stats::setNames(pages %in% named | simulated, pages),
    stats::setNames(sent %in% vignettes, sprintf("vignette(\"%s\")", sent))
  ))
}

# The recipes for other registries name the version and the packages that
# DESCRIPTION does, with the least versions.
recipes <- function(root) {
  fields <- read.dcf(file.path(root, "DESCRIPTION"))
  wanted <- trimws(unlist(strsplit(fields[, c("Imports", "LinkingTo")], ",")))
  base <- rownames(utils::installed.packages(priority = "base"))
  wanted <- wanted[!duplicated(sub(" .*", "", wanted)) & !wanted %in% base]
  wanted <- gsub("[()]", "", sub(">= ", ">=", gsub("-", "_", wanted)))
  recipe <- readLines(file.path(root, ".github", "recipes/conda/meta.yaml"))
  listed <- sub("^    - ", "", grep("^    - r-", recipe, value = TRUE))
  tally(c(
    packages = setequal(listed, c("r-base", paste0("r-", tolower(wanted)))),
    version = any(grepl(dQuote(fields[, "Version"], FALSE), recipe))
  ))
}

# ---- pages against code ------------------------------------------------------

# Functions of R/ with their arguments, those of methods with those of the
# generic.
functions_of <- function(root) {
  code <- unlist(lapply(sources_in(root, "R", "[.]R$"), function(file) {
    Filter(function(e) {
      is.call(e) && identical(e[[1L]], quote(`<-`)) && is.symbol(e[[2L]]) &&
        is.call(e[[3L]]) && identical(e[[3L]][[1L]], quote(`function`))
    }, as.list(parse(file)))
  }))
  names <- vapply(code, function(e) as.character(e[[2L]]), "")
  names(code) <- sub("[.](default|formula|(summary_)?hitmiss.*)$", "", names)
  lapply(split(code, names(code)), function(methods) {
    # c() keeps the arguments whose default is NULL.
    do.call(c, lapply(unname(methods), function(e) as.list(e[[3L]][[2L]])))
  })
}

# Prose of the pages, and comments of the code; a page of news is history but
# for what it says of defaults.
prose_of <- function(root, file) {
  lines <- readLines(file, warn = FALSE)
  if (endsWith(file, ".R")) {
    return(sub("^ *#'? ?", "", grep("^ *#", lines, value = TRUE)))
  }
  chunk <- cumsum(grepl("^```", lines)) %% 2L == 1L
  lines[!chunk]
}

marked_code <- function(lines) {
  text <- gsub("\\s+", " ", paste(lines, collapse = " "))
  text <- gsub("\\\\d?eqn(\\{([^{}]|(?1))*\\})+", "", text, perl = TRUE)
  found <- regmatches(text, gregexpr("(?<!`)`[^`]+`(?!`)", text, perl = TRUE))
  gsub("`", "", found[[1L]])
}

calls_in <- function(code) {
  parsed <- tryCatch(as.list(parse(text = code, keep.source = FALSE)),
    error = function(e) NULL
  )
  walk <- function(e) {
    if (!is.call(e)) {
      return(NULL)
    }
    parts <- lapply(as.list(e), function(p) if (!missing(p)) walk(p))
    c(if (is.symbol(e[[1L]])) list(e), unlist(parts, recursive = FALSE))
  }
  unlist(lapply(parsed, walk), recursive = FALSE)
}

# Functions of packages that need not be here.
of_others <- c(
  "TrainParams", "PredictParams", "ranger", "load_all", "selected_features",
  "importance"
)

# Functions of the core and the bindings.
cpp_functions <- function(root) {
  lines <- unlist(lapply(
    sources_in(root, c("inst/include", "src"), "[.](hpp|h|cpp)$"), readLines,
    warn = FALSE
  ))
  unique(gsub("[^a-z_A-Z0-9]", "", unlist(
    regmatches(lines, gregexpr("[A-Za-z_0-9]+[(]", lines))
  )))
}

# Arguments that these functions hand on to others.
takes_others <- c(
  "tuned", "reference_scores", "plot", "autoplot", "predict", "update",
  "step_select_hitmiss"
)

#' What a page says in marked code that the code does not have: functions,
#' arguments, and defaults as in "`logo(max_iter = )` is 500 by default"
untrue_of <- function(code, functions, elsewhere) {
  unlist(lapply(calls_in(code), function(call) {
    name <- as.character(call[[1L]])
    # Single letters, and letters with an index, are those of mathematics.
    if (!grepl("^[A-Za-z]$|_[a-z]?$", name) &&
      !name %in% c(names(functions), elsewhere)) {
      return(sprintf("there is no %s()", name))
    }
    given <- setdiff(names(call), "")
    if (name %in% setdiff(names(functions), takes_others)) {
      odd <- setdiff(given, names(functions[[name]]))
      if (length(odd) > 0L) sprintf("%s() has no %s", name, toString(odd))
    }
  }))
}

untrue_defaults <- function(lines, functions) {
  text <- gsub("\\s+", " ", paste(lines, collapse = " "))
  said <- regmatches(text, gregexpr(
    "`([a-z_]+)\\(([a-z_]+) = \\)` is ([^ ,.;:]+) by default", text
  ))[[1L]]
  parts <- regmatches(said, regexec(
    "`([a-z_]+)\\(([a-z_]+) = \\)` is ([^ ,.;:]+)", said
  ))
  unlist(lapply(parts, function(part) {
    default <- functions[[part[[2L]]]][[part[[3L]]]]
    value <- gsub("[`\"]", "", part[[4L]])
    if (!value %in% gsub("\"", "", deparse(default))) part[[1L]]
  }))
}

absent_files <- function(lines, files) {
  named <- unlist(regmatches(lines, gregexpr(
    "(?<![\\w<>*{/.-])[\\w/.-]+[.](R|hpp|cpp|Rmd|sh)\\b(?![\\w.*])", lines,
    perl = TRUE
  )))
  there <- vapply(named, function(name) {
    any(files == name | endsWith(files, paste0("/", name)))
  }, NA)
  unique(named[!there])
}

words_against_code <- function(root) {
  functions <- functions_of(root)
  packages <- c(
    "base", "stats", "utils", "methods", "graphics", "grDevices", "parallel",
    "tools", described_packages("Imports", "Suggests")
  )
  elsewhere <- unlist(lapply(packages, function(package) {
    if (requireNamespace(package, quietly = TRUE)) {
      getNamespaceExports(package)
    }
  }))
  elsewhere <- c(
    elsewhere, of_others, cpp_functions(root), unlist(lapply(functions, names)),
    unlist(lapply(sources_in(root, "tests/testthat", "^helper"), defined_in))
  )
  files <- list.files(root, recursive = TRUE, all.files = TRUE)
  pages <- c(
    sources_in(root, "R", "[.]R$"), sources_in(root, "vignettes", "[.]Rmd$"),
    file.path(root, c("README.md", ".github/CONTRIBUTING.md"))
  )
  fine <- vapply(pages, function(page) {
    lines <- prose_of(root, page)
    marked <- marked_code(lines)
    untrue <- unique(c(
      unlist(lapply(grep("(", marked, fixed = TRUE, value = TRUE), untrue_of,
        functions, c(elsewhere, defined_in(page))
      )),
      untrue_defaults(lines, functions),
      sprintf("there is no file %s", absent_files(lines, files))
    ))
    cat(sprintf("%s: %s\n", basename(page), untrue), sep = "")
    length(untrue) == 0L
  }, NA)
  news <- untrue_defaults(readLines(file.path(root, "NEWS.md")), functions)
  cat(sprintf("NEWS.md: %s\n", news), sep = "")
  tally(c(fine, "defaults in NEWS.md" = length(news) == 0L))
}

# Functions that a page defines, in its examples or as an element of a list.
defined_in <- function(page) {
  lines <- readLines(page, warn = FALSE)
  sub("^[#' ]*([A-Za-z_.]+) (<-|=) function.*", "\\1", grep(
    "^[#' ]*[A-Za-z_.]+ (<-|=) function", lines, value = TRUE
  ))
}

static_layers <- list(
  "words against code" = words_against_code,
  "headers and formatting" = core_preset("sources", "clang++"),
  "forbidden words" = forbidden_words,
  "style of R code" = lint_layer,
  "generated files" = generated_files,
  "index of the site" = site_index,
  recipes = recipes
)
