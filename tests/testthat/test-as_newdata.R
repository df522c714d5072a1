# New data: what is read of them and what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("new data are refused by name, place and remedy", {
  data <- toy_data()
  fit <- fit_seeded(selectors$llfs, data$x, data$y)
  expect_setequal(intersect(selected(fit), c("g1", "g2")), c("g1", "g2"))
  expect_worded_refusal(
    predict(fit, data$x[, -(1:2)]), "newdata",
    features = names(fit$scores)[1:2]
  )
  expect_worded_refusal(predict(fit), "newdata")
  expect_worded_refusal(predict(fit, "file.csv"), "newdata")
  expect_worded_refusal(predict(fit, 1:8), "newdata")
  expect_worded_refusal(predict(fit, NULL), "newdata")
  expect_worded_refusal(predict(fit, unname(data$x)[, -1]), "newdata")
  expect_worded_refusal(
    predict(fit, cbind(data$x, g1 = 1)), "newdata",
    features = "g1"
  )
  words <- as.data.frame(data$x)
  words$g1 <- "high"
  expect_worded_refusal(predict(fit, words), "newdata")
  words <- data$x
  storage.mode(words) <- "character"
  expect_worded_refusal(predict(fit, words), "newdata")
})
