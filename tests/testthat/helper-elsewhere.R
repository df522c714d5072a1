# Work in another process.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Does the task in a fresh process that has loaded hitmiss.
#'
#' @param task A function of the arguments, which sees nothing else of here.
#' @param timeout Seconds until it is taken for a process that hangs.
elsewhere <- function(task, arguments, env = character(), timeout = 60) {
  libpath <- .libPaths()
  callr::r(
    function(task, arguments) {
      loadNamespace("hitmiss")
      do.call(task, arguments)
    },
    list(task = task, arguments = arguments),
    libpath = libpath, timeout = timeout, env = c(
      callr::rcmd_safe_env(), env,
      R_LIBS = paste(libpath, collapse = .Platform$path.sep)
    )
  )
}
