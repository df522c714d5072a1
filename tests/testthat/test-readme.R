# What README tells a user to install is all that its pages use, and what it
# shows as printed is what its code prints.
# SPDX-License-Identifier: GPL-3.0-or-later

# Packages named by `pkg::`, library() or requireNamespace() in these lines.
packages_used <- function(lines) {
  found <- regmatches(lines, gregexpr(
    paste0(
      "(?<![A-Za-z0-9\\\\])[A-Za-z][A-Za-z0-9.]+(?=::)|",
      "(?<=library\\()[A-Za-z0-9.]+|(?<=Namespace\\(\")[A-Za-z0-9.]+|",
      "(?<=package = \")[A-Za-z0-9.]+(?=\"\\))"
    ), lines,
    perl = TRUE
  ))
  base <- rownames(utils::installed.packages(priority = "base"))
  # std is C++'s.
  setdiff(unlist(found), c(base, "hitmiss", "std"))
}

# Without the chunks that are shown but not run, and those that run only where a
# package is installed: `name <- requireNamespace("name")`, `eval = name`.
without_unrun <- function(lines) {
  asked <- "^([A-Za-z0-9.]+) <- requireNamespace\\(\"\\1\".*"
  optional <- sub(asked, "\\1", grep(asked, lines, value = TRUE))
  lines <- grep(asked, lines, value = TRUE, invert = TRUE)
  fence <- grepl("^```", lines)
  chunk <- cumsum(fence)
  condition <- sub(".*eval = ([A-Za-z0-9.]+).*", "\\1", lines)
  unrun <- chunk[fence & condition %in% c("FALSE", optional)]
  lines[!chunk %in% unrun]
}

without_cpp <- function(lines) {
  fence <- cumsum(grepl("^```", lines))
  lines[!fence %in% fence[grepl("^```cpp", lines)]]
}

# README, and the page that it names for other ways to install.
install_pages <- function() {
  c(checkout_file("README.md"), checkout_file(".github", "INSTALL.md"))
}

packages_asked_for <- function(readme, verb) {
  text <- paste(readme, collapse = " ")
  calls <- regmatches(text, gregexpr(
    paste0(verb, "\\(c\\([^)]*\\)"), text
  ))[[1L]]
  gsub("\"", "", unlist(regmatches(calls, gregexpr("\"[^\"]+\"", calls))))
}

test_that("README's lines install what package, examples, vignettes need", {
  readme <- install_pages()
  from_cran <- packages_asked_for(readme, "install[.]packages")
  from_bioconductor <- packages_asked_for(readme, "BiocManager::install")
  description <- read.dcf(test_path("..", "..", "DESCRIPTION"))
  fields <- gsub(
    "\\([^)]*\\)|\\s", "", description[, c("Imports", "LinkingTo")]
  )
  needed <- setdiff(
    unlist(strsplit(fields, ",")),
    rownames(utils::installed.packages(priority = "base"))
  )
  expect_identical(setdiff(needed, from_cran), character())

  chunks <- grep(
    "install[.]packages|BiocManager", readme, value = TRUE, invert = TRUE
  )
  expect_identical(
    setdiff(
      packages_used(without_cpp(chunks)), c(from_cran, from_bioconductor)
    ), character()
  )
  for (page in dir(test_path("..", "..", "vignettes"), "[.]Rmd$")) {
    used <- packages_used(without_unrun(checkout_file("vignettes", page)))
    expect_identical(
      setdiff(used, c(from_cran, from_bioconductor, "BiocManager")),
      character(),
      label = page
    )
  }
})

test_that("README's lines ask a repository by name, since a fresh R has none", {
  readme <- paste(install_pages(), collapse = " ")
  calls <- regmatches(readme, gregexpr(
    "install[.]packages\\((c\\([^)]*\\)|[^()])*\\)", readme
  ))[[1L]]
  expect_gt(length(calls), 1L)
  expect_match(calls, "repos = ", all = TRUE)
})

test_that("README's printed output is that of its code", {
  readme <- checkout_file("README.md")
  fences <- grep("^```", readme)
  opens <- fences[c(TRUE, FALSE)]
  closes <- fences[c(FALSE, TRUE)]
  block <- function(i) readme[seq(opens[[i]] + 1L, closes[[i]] - 1L)]
  # A block without a language is what the block of R before it prints.
  shown <- which(readme[opens] == "```")
  expect_gt(length(shown), 0L)
  words <- function(lines) {
    text <- gsub("\u2139", "i", paste(c(lines, ""), collapse = " "))
    strsplit(text, " +")[[1L]]
  }
  for (i in shown) {
    expect_identical(readme[[opens[[i - 1L]]]], "```r")
    code <- block(i - 1L)
    for (package in packages_used(code)) skip_if_not_installed(package)
    # How long it takes is said on slow machines alone.
    script <- withr::local_tempfile(fileext = ".R", lines = c(
      "withCallingHandlers({", code, "}, hitmiss_message_time = function(m) {",
      "  invokeRestart(\"muffleMessage\")", "})"
    ))
    printed <- callr::rscript(script,
      wd = withr::local_tempdir(), show = FALSE, stderr = "2>&1",
      libpath = .libPaths(), env = c(
        callr::rcmd_safe_env(),
        R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
      )
    )
    printed <- strsplit(printed$stdout, "\n")[[1L]]
    # Lines of messages are as long as the console is wide.
    expect_identical(words(printed), words(block(i)))
  }
})
