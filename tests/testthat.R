library(testthat)
library(hitmiss)

test_check("hitmiss")
