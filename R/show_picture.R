# A picture is made for the device that it is drawn on.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Draw the plot that `make()` returns, made for the device it is drawn on
#'
#' @param make Function without arguments that returns a ggplot.
#' @return The picture, invisibly.
#' @noRd
show_picture <- function(make) {
  # First without a device: bad arguments must not leave one behind.
  picture <- make()
  if (grDevices::dev.cur() == 1L) {
    grDevices::dev.size() # opens the default device
    picture <- make()
  }
  print(picture)
  invisible(picture)
}
