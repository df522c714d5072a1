// The scratch file of a problem that is larger than memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SCRATCH_H
#define HITMISS_R_SCRATCH_H

#include <memory>
#include <string>

#include <Rcpp.h>

#include <hitmiss/data/scratch_file.hpp>

/// What R holds a pointer to. `file` is empty until the problem is staged.
struct Scratch {
  std::shared_ptr<hitmiss::ScratchFile> file;
  int n_samples = 0, n_features = 0;
  double passes = 0.0; ///< over the container
};

/// A method's own file at a path that R gave, or nullptr for NULL: memory.
inline std::shared_ptr<hitmiss::ScratchFile> own_scratch(SEXP path) {
  return Rf_isNull(path) ? nullptr
                         : std::make_shared<hitmiss::ScratchFile>(
                               Rcpp::as<std::string>(path));
}

inline hitmiss::MatrixView scratch_view(SEXP pointer) {
  const Rcpp::XPtr<Scratch> scratch(pointer);
  if (!scratch->file)
    Rcpp::stop("internal error: the blocks of x were not staged");
  return hitmiss::view_of_tiles(std::make_shared<hitmiss::ScratchTiles>(
                                    scratch->file, scratch->n_samples),
                                scratch->n_samples, scratch->n_features);
}

#endif
