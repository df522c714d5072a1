# ||T(w) - w|| of LOGO's fits by the plain definition of T, in units of
# max(1, ||w||): at the w of which the answer is T(w), where it is to be below
# tol = 0.01 and what the report says, and at the answer itself.
# Usage, from the folder of the package:
#   Rscript tests/bench/logo_residual.R [data folder] [sets, by commas]
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
folder <- c(arguments, "../shared/data")[[1L]]
library(hitmiss)
for (part in c("near", "margins")) {
  source(sprintf("tests/testthat/helper-reference-%s.R", part))
}

# A fit in R does not keep that w.
core_logo <- Rcpp::cppFunction(
  "Rcpp::List core_logo(Rcpp::NumericMatrix x, std::vector<int> y, int n) {
    hitmiss::SerialExecutor serial;
    hitmiss::Monitor monitor;
    hitmiss::Runtime runtime(serial, monitor);
    const hitmiss::MatrixView view{x.begin(), hitmiss::Scalar::f64, x.nrow(),
                                   x.ncol(), 1, x.nrow()};
    const auto scaling =
        hitmiss::learn_scaling(view, hitmiss::ScaleMethod::range, runtime);
    hitmiss::LogoOptions options;
    options.unit_range = true;
    const auto fit = hitmiss::logo({view, &scaling}, {y, n}, options, runtime);
    return Rcpp::List::create(Rcpp::_[\"point\"] = fit.point,
                              Rcpp::_[\"weights\"] = fit.weights);
  }",
  depends = c("hitmiss", "RcppEigen", "sitmo"), plugins = "cpp17",
  includes = "#include <hitmiss/all.hpp>"
)

size <- function(w) sqrt(sum(w^2))
residual <- function(x, y, w) {
  step <- reference_logo_step(x, y, w, 2, 1)$weights
  size(step - w) / max(1, size(step))
}

names <- sub("[.]rds$", "", list.files(folder, "[.]rds$"))
if (length(arguments) > 1L) names <- strsplit(arguments[[2L]], ",")[[1L]]
cat("set: status; report's residual, that of the definition, at the answer\n")
for (name in names) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  x <- as.matrix(data$x)
  storage.mode(x) <- "double"
  y <- droplevels(factor(data$y))
  fit <- suppressWarnings(logo(x, y, threads = 1))
  core <- core_logo(x, as.integer(y) - 1L, nlevels(y))
  stopifnot(identical(core$weights, unname(coef(fit))))
  cat(sprintf(
    "%-13s %-9s %.4f %.4f %.4f\n", name, fit$report$status,
    fit$report$residual / max(1, size(core$weights)),
    residual(x, y, core$point), residual(x, y, core$weights)
  ))
}
