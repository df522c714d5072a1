# Files that an installed package does not have.
# SPDX-License-Identifier: GPL-3.0-or-later

checkout_file <- function(...) {
  file <- test_path("..", "..", ...)
  skip_if_not(file.exists(file), "only a checkout has it")
  readLines(file, encoding = "UTF-8")
}
