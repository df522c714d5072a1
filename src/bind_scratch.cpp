// SPDX-License-Identifier: GPL-3.0-or-later
#include "r_convert.h"
#include "r_runtime.h"

#include <filesystem>

#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <hitmiss/data/feature_source.hpp>

namespace {

/// Blocks that an R function reads; both slots stay protected.
class RBlockSource final : public hitmiss::FeatureSource {
public:
  RBlockSource(Rcpp::Function read, int n_blocks, bool features_in_rows)
      : read_(read), n_blocks_(n_blocks), features_in_rows_(features_in_rows) {}

  std::ptrdiff_t n_blocks() const override { return n_blocks_; }
  std::ptrdiff_t features_fetched() const { return next_; }

  hitmiss::FeatureBlock fetch(std::ptrdiff_t k, int slot) override {
    slots_[slot] = R_NilValue; // the memory may be used for the new block
    slots_[slot] = read_(static_cast<int>(k + 1));
    hitmiss::FeatureBlock block{next_, view(slots_[slot], features_in_rows_)};
    next_ += block.values.n_features;
    return block;
  }

private:
  Rcpp::Function read_;
  std::ptrdiff_t n_blocks_, next_ = 0;
  bool features_in_rows_;
  Rcpp::List slots_ = Rcpp::List(2);
};

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

// Why a scratch file of so many bytes cannot lie there; "" if it can.
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

// Reads `blocks$n` blocks by `blocks$read(k)` into a new file; returns NULL, or
// the feature and sample (from 1) of a value that is not finite.
// [[Rcpp::export(rng = false)]]
SEXP cpp_fill_scratch(SEXP pointer, std::string path, Rcpp::List blocks,
                      Rcpp::List runtime) {
  RBlockSource source(blocks["read"], Rcpp::as<int>(blocks["n"]),
                      Rcpp::as<std::string>(blocks["features_in"]) == "rows");
  const auto places = Rcpp::as<std::vector<int>>(blocks["places"]);
  const auto file = std::make_shared<hitmiss::ScratchFile>(path);
  RRuntime host(runtime);
  try {
    host.run([&](hitmiss::Runtime &core) {
      hitmiss::copy_to_scratch(source, places, *file, core);
      return 0;
    });
  } catch (const hitmiss::NotFinite &bad) {
    return Rcpp::NumericVector::create(static_cast<double>(bad.feature) + 1,
                                       static_cast<double>(bad.sample) + 1);
  }
  const Rcpp::XPtr<Scratch> scratch(pointer);
  scratch->n_samples = Rcpp::as<int>(blocks["n_samples"]);
  scratch->n_features = Rcpp::as<int>(blocks["n_features"]);
  scratch->features_fetched += static_cast<double>(source.features_fetched());
  scratch->file = file;
  return R_NilValue;
}

// How often the container and the scratch file were read, in passes over all
// values, and bytes read from the file.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_scratch_traffic(SEXP pointer) {
  const Rcpp::XPtr<Scratch> scratch(pointer);
  const auto bytes = static_cast<double>(scratch->file->bytes_read());
  const double size = 8.0 * scratch->n_samples * scratch->n_features;
  using Rcpp::_;
  return Rcpp::List::create(
      _["passes"] = Rcpp::NumericVector::create(
          _["source"] = scratch->features_fetched / scratch->n_features,
          _["scratch"] = bytes / size),
      _["bytes_read"] = bytes);
}

// Raw values, samples x features; positions from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_scratch_features(SEXP pointer,
                                         Rcpp::IntegerVector features) {
  const auto x = scratch_view(pointer);
  Rcpp::NumericMatrix values(static_cast<int>(x.n_samples),
                             static_cast<int>(features.size()));
  for (R_xlen_t f = 0; f < features.size(); ++f)
    x.tiles->read(features[f] - 1, 1, values.begin() + f * x.n_samples);
  return values;
}
