// The scratch file of a problem that is larger than memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SCRATCH_H
#define HITMISS_R_SCRATCH_H

#include <memory>
#include <string>

#include <Rcpp.h>

#include <hitmiss/data/scratch_file.hpp>

/// The object to which R holds a pointer. `file` is empty until the data are
/// copied to the scratch file.
struct Scratch {
  std::shared_ptr<hitmiss::ScratchFile> file;
  int n_samples = 0, n_features = 0;
  double passes = 0.0;  ///< over the container
  bool missing = false; ///< does the file hold missing values?
};

/// Opens a file of the method's own at the path that R gave. For NULL it
/// returns nullptr: the method then uses memory.
inline std::shared_ptr<hitmiss::ScratchFile> own_scratch(SEXP path) {
  return Rf_isNull(path) ? nullptr
                         : std::make_shared<hitmiss::ScratchFile>(
                               Rcpp::as<std::string>(path));
}

inline hitmiss::MatrixView scratch_view(SEXP pointer) {
  const Rcpp::XPtr<Scratch> scratch(pointer);
  if (!scratch->file)
    Rcpp::stop("internal error: the blocks of x were not staged");
  return hitmiss::view_of_tiles(
      std::make_shared<hitmiss::ScratchTiles>(scratch->file, scratch->n_samples,
                                              scratch->missing),
      scratch->n_samples, scratch->n_features);
}

#endif
