// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"
#include "r_source.h"

#include <hitmiss/data/turned_source.hpp>

#include <filesystem>

#ifdef __linux__
#include <sys/vfs.h>
#endif

namespace {

bool in_memory(const std::string &directory) {
#ifdef __linux__
  constexpr long tmpfs = 0x01021994;
  struct statfs where;
  return statfs(directory.c_str(), &where) == 0 && where.f_type == tmpfs;
#else
  return false;
#endif
}

} // namespace

// Says why `directory` cannot take a scratch file of so many bytes; "" if it
// can.
// [[Rcpp::export(rng = false)]]
std::string cpp_scratch_obstacle(std::string directory, double bytes) {
  std::error_code error;
  const auto space = std::filesystem::space(directory, error);
  if (error)
    return error.message();
  if (in_memory(directory))
    return "it lies in memory (tmpfs)";
  if (static_cast<double>(space.available) < bytes)
    return "it has " + std::to_string(space.available / 1000000) +
           " MB free, and " + std::to_string(static_cast<long>(bytes / 1e6)) +
           " MB are needed";
  return "";
}

// [[Rcpp::export(rng = false)]]
SEXP cpp_new_scratch() { return Rcpp::XPtr<Scratch>(new Scratch, true); }

// [[Rcpp::export(rng = false)]]
bool cpp_is_staged(SEXP pointer) {
  return static_cast<bool>(Rcpp::XPtr<Scratch>(pointer)->file);
}

// Lets R's heap grow by `bytes` before large blocks come and go, and the C
// library's. Nothing is written there, so no memory is taken. Without it R
// would look through all its objects for nearly every block (a third of the
// time of reading, where Bioconductor is loaded), and buffers of a chunk would
// be taken from the system and given back each time: glibc keeps what is
// smaller than the largest buffer up to 32 MiB that was freed before. Neither
// is protected: a vector that lives through a collection is not freed by the
// next one.
// [[Rcpp::export(rng = false)]]
void cpp_make_room(double bytes) {
  constexpr double kept = 33554432.0 - 65536.0;
  Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(kept));
  Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(bytes));
}

// Reads `blocks$n` blocks by `blocks$read(k)` into a new file; returns NULL, or
// the feature and sample (from 1) of a value that is not finite (or, with
// `blocks$may_miss`, infinite). Blocks are of
// features, or (`by_sample`) of samples, which a second file then turns.
// [[Rcpp::export(rng = false)]]
SEXP cpp_fill_scratch(SEXP pointer, Rcpp::CharacterVector paths,
                      Rcpp::List blocks, Rcpp::List runtime) {
  const bool by_sample = Rcpp::as<bool>(blocks["by_sample"]);
  const bool in_rows = Rcpp::as<std::string>(blocks["features_in"]) == "rows";
  RChunkSource source(blocks["read"], Rcpp::as<int>(blocks["n"]),
                      in_rows != by_sample);
  const auto places = Rcpp::as<std::vector<int>>(blocks["places"]);
  const bool may_miss = Rcpp::as<bool>(blocks["may_miss"]);
  const Rcpp::XPtr<Scratch> scratch(pointer);
  scratch->n_samples = Rcpp::as<int>(blocks["n_samples"]);
  scratch->n_features = Rcpp::as<int>(blocks["n_features"]);
  auto file =
      std::make_shared<hitmiss::ScratchFile>(Rcpp::as<std::string>(paths[0]));
  RRuntime host(runtime);
  try {
    host.run([&](hitmiss::Runtime &core) {
      if (!by_sample) {
        scratch->missing =
            hitmiss::copy_to_scratch(source, places, *file, core, may_miss);
        return 0;
      }
      hitmiss::ScratchFile aside(Rcpp::as<std::string>(paths[1]));
      scratch->missing =
          hitmiss::copy_to_scratch(source, {}, aside, core, may_miss);
      hitmiss::TurnedSource turned(aside, scratch->n_samples,
                                   scratch->n_features);
      hitmiss::copy_to_scratch(turned, places, *file, core, may_miss);
      return 0;
    });
  } catch (const hitmiss::NotFinite &bad) {
    const auto row = static_cast<double>(bad.feature) + 1;
    const auto column = static_cast<double>(bad.sample) + 1;
    return Rcpp::NumericVector::create(by_sample ? column : row,
                                       by_sample ? row : column);
  }
  scratch->passes += static_cast<double>(source.fetched()) /
                     (by_sample ? scratch->n_samples : scratch->n_features);
  scratch->file = file;
  return R_NilValue;
}

// Says whether values of the staged blocks are missing.
// [[Rcpp::export(rng = false)]]
bool cpp_scratch_missing(SEXP pointer) {
  return Rcpp::XPtr<Scratch>(pointer)->missing;
}

// Returns how often the container and the scratch file were read, in passes
// over all values, and the number of bytes that were read from the file.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scratch_traffic(SEXP pointer) {
  const Rcpp::XPtr<Scratch> scratch(pointer);
  const auto bytes = static_cast<double>(scratch->file->bytes_read());
  const double size = 8.0 * scratch->n_samples * scratch->n_features;
  using Rcpp::_;
  return Rcpp::List::create(
      _["passes"] = Rcpp::NumericVector::create(_["source"] = scratch->passes,
                                                _["scratch"] = bytes / size),
      _["bytes_read"] = bytes);
}
