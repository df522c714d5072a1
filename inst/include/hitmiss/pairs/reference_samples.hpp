// The samples whose neighbours are looked for: all, or a stratified draw.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_REFERENCE_SAMPLES_HPP
#define HITMISS_PAIRS_REFERENCE_SAMPLES_HPP

#include <algorithm>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../data/feature_tile.hpp"
#include "../data/for_each_feature.hpp"
#include "../data/sparse_tiles.hpp"
#include "../runtime/runtime.hpp"
#include "allowed_pairs.hpp"

namespace hitmiss {

/// Returns the number of samples to draw of each class, in proportion to its
/// size, but at least two (or the only one). Samples left over by rounding go
/// to the largest remainders; ties go to the first class.
inline Array<int> stratified_counts(const Array<int> &sizes, int wanted) {
  double total = 0.0;
  Array<int> counts;
  Array<std::pair<double, Index>> rest; // minus remainder, class
  for (const int size : sizes)
    total += size;
  int given = 0;
  for (Index c = 0; c < sizes.size(); ++c) {
    const double share = sizes[c] > 0 ? wanted * (sizes[c] / total) : 0.0;
    counts.push_back(std::min(sizes[c], std::max(2, static_cast<int>(share))));
    given += counts.back();
    rest.emplace_back(counts.back() - share, c);
  }
  std::sort(rest.begin(), rest.end());
  for (bool more = true; given < wanted && more;) {
    more = false;
    for (const auto &entry : rest)
      if (given < wanted && counts[entry.second] < sizes[entry.second]) {
        ++counts[entry.second];
        ++given;
        more = true;
      }
  }
  return counts;
}

/// Draws `wanted` members of all classes together without replacement, as many
/// of each class as stratified_counts() says. Returns them in increasing order.
inline Array<int> draw_by_class(Array<Array<int>> members, int wanted,
                                RandomStream stream) {
  Array<int> sizes, drawn;
  for (const auto &some : members)
    sizes.push_back(static_cast<int>(some.size()));
  const auto counts = stratified_counts(sizes, wanted);
  for (Index c = 0; c < members.size(); ++c) {
    auto &some = members[c];
    const Index take = counts[c];
    for (Index k = 0; k < take; ++k)
      std::swap(some[k], some[k + stream.below(some.size() - k)]);
    drawn.insert(drawn.end(), some.begin(), some.begin() + take);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// All samples or a draw of those with a margin (see AllowedCounts::counts()),
/// and the number of samples with a margin in each class.
struct ReferenceSamples {
  /// Takes all samples if `wanted` is 0 or not below counts.n_counting(); else
  /// draws by draw_by_class().
  ReferenceSamples(const ClassIndex &y, const AllowedCounts &counts, int wanted,
                   Runtime &runtime) {
    Array<Array<int>> members(y.n_classes());
    sizes.resize(y.n_classes());
    for (int n = 0; n < y.n_samples(); ++n)
      if (counts.counts(y, n)) {
        members[y[n]].push_back(n);
        ++sizes[y[n]];
      }

    if (wanted == 0 || wanted >= counts.n_counting()) {
      samples = all_samples(y.n_samples());
      return;
    }
    samples = draw_by_class(std::move(members), wanted,
                            runtime.stream(0, Purpose::reference_samples));
  }

  Array<int> samples; ///< increasing
  Array<int> sizes;   ///< samples with a margin, by class
};

/// A copy of the values of some samples, with the same scaling. Sparse columns
/// stay sparse.
class GatheredSamples {
public:
  GatheredSamples(const ScaledView &x, const Array<int> &samples,
                  Runtime &runtime)
      : view_{{}, x.scaling} {
    const Index n = samples.size(), n_features = x.n_features();
    if (const SparseColumns *columns = x.raw.sparse()) {
      gather(*columns, x, samples);
      view_.raw =
          view_of_columns({starts_.data(), samples_.data(), values_.data()}, n,
                          n_features, true);
      return;
    }
    values_.resize(n * n_features);
    for_each_feature(x.raw, runtime, [&](Index j, const Array<double> &from) {
      double *to = values_.data() + j * n;
      for (const int sample : samples)
        *to++ = from[sample];
    });
    view_.raw = view_by_feature(values_.data(), n, n_features);
  }
  GatheredSamples(const GatheredSamples &) = delete;
  GatheredSamples &operator=(const GatheredSamples &) = delete;

  const ScaledView &view() const { return view_; }

private:
  void gather(const SparseColumns &columns, const ScaledView &x,
              const Array<int> &samples) {
    Array<int> place(x.n_samples(), -1);
    for (int k = 0; k < samples.size(); ++k)
      place[samples[k]] = k;
    starts_.push_back(0);
    for (Index j = 0; j < x.n_features(); ++j) {
      for (int k = columns.starts[j]; k < columns.starts[j + 1]; ++k)
        if (place[columns.samples[k]] >= 0) {
          samples_.push_back(place[columns.samples[k]]);
          values_.push_back(columns.values[k]);
        }
      starts_.push_back(static_cast<int>(values_.size()));
    }
  }

  Array<int> starts_, samples_;
  Array<double> values_;
  ScaledView view_;
};

} // namespace hitmiss

#endif
