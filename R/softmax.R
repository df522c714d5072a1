# From logarithms to shares.
# SPDX-License-Identifier: GPL-3.0-or-later

# Rows to probabilities; classes with infinite density share the sample.
softmax <- function(log_joint) {
  most <- apply(log_joint, 1L, max)
  weight <- exp(log_joint - most)
  beyond <- !is.finite(most)
  weight[beyond, ] <- log_joint[beyond, ] == most[beyond]
  weight / rowSums(weight)
}
