// Pairs of features that tell classes apart together more than alone.
//
// interactions(values, y, options, runtime) correlates the differences of any
// two features, once over pairs of samples of one class (hits) and once over
// pairs of two classes (misses). Required: finite values of at least two
// features; samples as for near_relief(). Memory: bytes_needed(). Time: O(n^2
// N^2) for n features and N samples, and as much for each permutation.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_INTERACTIONS_INTERACTIONS_HPP
#define HITMISS_INTERACTIONS_INTERACTIONS_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/bytes_needed.hpp"
#include "../pairs/require_problem.hpp"
#include "../pairs/tile_product.hpp"
#include "../runtime/eigen.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

struct InteractionOptions {
  AllowedPairs allowed;
  Array<char> categories; ///< 1: the feature is a code; empty: none is
  /// One column for each permutation t: sample orders(n, t) gives its values to
  /// sample n (see exchanged_rows()).
  Eigen::MatrixXi orders;
  SimdLevel simd = best_simd_level();
};

struct Interactions {
  Eigen::MatrixXd hits;   ///< correlations of |differences| over hit pairs
  Eigen::MatrixXd misses; ///< correlations over miss pairs
  /// The value of hits - misses if features were independent within classes. It
  /// differs from 0 if the mean differences of both features depend on the
  /// classes of a pair: to pool such pairs correlates the differences.
  Eigen::MatrixXd expected;
  /// For each permutation, the largest |hits - misses - expected|.
  Array<double> largest_by_chance;
};

/// The bytes that interactions() takes beside the data for `size.n_features`
/// features: three results, three more of a permutation, products of
/// differences and of their means, sums for each pair of classes, four copies
/// of the values, and the differences of some pairs at a time.
inline double bytes_needed(const FitSize &size, const InteractionOptions &) {
  const double square = size.n_features * size.n_features;
  const auto classes = static_cast<double>(size.class_sizes.size());
  const double class_pairs = std::max(classes, 0.5 * classes * (classes - 1.0));
  return 8.0 * (8.0 * square +
                (size.n_features + 16.0) *
                    (1024.0 + 2.0 * class_pairs + 4.0 * size.n_samples));
}

namespace detail {

/// Two samples, and the number of the pair of their classes.
struct ClassedPair {
  Index a, b, classes;
};

/// Computes |differences| of the 16 features of a tile for pairs of samples.
/// Two different codes of a category have the difference 1.
struct DifferenceJob {
  const double *values; ///< sample by sample, features side by side
  const double *categories;
  const ClassedPair *pairs;
  Index count;
  double *differences; ///< 16 for each pair
  double *sums;        ///< added to; 16 for each pair of classes
};

struct DifferenceKernel {
  static constexpr Index lanes = 16;
  template <int Bytes>
  static HITMISS_INLINE void run(const DifferenceJob &job) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    for (Index p = 0; p < job.count; ++p) {
      const ClassedPair &pair = job.pairs[p];
#pragma GCC unroll 8
      for (Index v = 0; v < lanes; v += S::lanes) {
        V d, other, category, sum;
        S::load(d, job.values + pair.b * lanes + v);
        S::load(other, job.values + pair.a * lanes + v);
        S::load(category, job.categories + v);
        S::load(sum, job.sums + pair.classes * lanes + v);
        d -= other;
        S::absolute(d);
        d = ((category > 0.0) & (d > 0.0)) ? V{} + 1.0 : d;
        S::store(job.differences + p * lanes + v, d);
        S::store(job.sums + pair.classes * lanes + v, sum + d);
      }
    }
  }
};

/// Adds up the differences of pairs of samples for each pair of classes, and
/// the products of the differences of two features for all pairs of samples.
class DifferenceMoments {
public:
  /// `z`: features x samples.
  DifferenceMoments(const Eigen::MatrixXd &z, const InteractionOptions &options,
                    Index n_class_pairs)
      : n_(z.rows()), n_samples_(z.cols()), n_class_pairs_(n_class_pairs),
        n_tiles_((n_ + lanes - 1) / lanes), simd_(options.simd),
        values_(n_tiles_ * lanes * n_samples_), categories_(n_tiles_ * lanes),
        differences_(n_tiles_ * lanes * at_once),
        tile_sums_(n_tiles_ * lanes * n_class_pairs),
        products_(Eigen::MatrixXd::Zero(n_, n_)),
        counts_(Eigen::VectorXd::Zero(n_class_pairs)) {
    for (Index j = 0; j < n_; ++j) {
      categories_[j] = !options.categories.empty() && options.categories[j];
      for (Index i = 0; i < n_samples_; ++i)
        values_[(j / lanes * n_samples_ + i) * lanes + j % lanes] = z(j, i);
    }
  }

  static constexpr Index at_once = 1024;

  /// Adds `pairs`, at most `at_once` of them, in order. The features are
  /// divided among the threads, so that no sum depends on the number of
  /// threads.
  void add(const Array<ClassedPair> &pairs, Runtime &runtime) {
    for (const ClassedPair &pair : pairs)
      counts_[pair.classes] += 1.0;
    runtime.for_each(n_tiles_, [&](Index t, int) {
      run_simd<DifferenceKernel>(
          simd_, DifferenceJob{values_.data() + t * lanes * n_samples_,
                               categories_.data() + t * lanes, pairs.data(),
                               pairs.size(), differences(t),
                               tile_sums_.data() + t * lanes * n_class_pairs_});
    });
    runtime.for_each(n_tiles_ * (n_tiles_ + 1) / 2, [&](Index unit, int) {
      Index row = 0;
      for (; unit > row; ++row)
        unit -= row + 1;
      multiply(row, unit, pairs.size());
    });
  }

  /// Calls work(j, l, correlation, of_means) for j < l if the differences of
  /// both features vary. `of_means` is the part of the correlation that comes
  /// from the means by pair of classes. Must be called once, at the end,
  /// because the means overwrite the sums. O(n^2 class pairs) for n features.
  template <class Work> void correlations(Runtime &runtime, Work work) {
    const Index n = n_;
    const double count = counts_.sum();
    sums_.resize(n, n_class_pairs_);
    for (Index j = 0; j < n; ++j)
      for (Index c = 0; c < n_class_pairs_; ++c)
        sums_(j, c) =
            tile_sums_[(j / lanes * n_class_pairs_ + c) * lanes + j % lanes];
    const Eigen::VectorXd sums = sums_.rowwise().sum();
    Eigen::VectorXd spread(n);
    for (Index j = 0; j < n; ++j) {
      const double square = products_(j, j);
      const double left = square - sums[j] * sums[j] / count;
      spread[j] = left > 1e-12 * square ? std::sqrt(left) : 0.0;
    }
    for (Index c = 0; c < counts_.size(); ++c)
      sums_.col(c) = (sums_.col(c) / std::max(counts_[c], 1.0) -
                      sums / std::max(count, 1.0)) *
                     std::sqrt(counts_[c]);
    const Eigen::MatrixXd of_means = products_of_means(runtime);
    for (Index j = 0; j < n; ++j)
      for (Index l = j + 1; l < n; ++l) {
        if (spread[j] == 0.0 || spread[l] == 0.0)
          continue;
        const double units = spread[j] * spread[l];
        const double r = (products_(l, j) - sums[j] * sums[l] / count) / units;
        work(j, l, std::max(-1.0, std::min(1.0, r)), of_means(l, j) / units);
      }
  }

private:
  /// The lower triangle of means x means', added one pair of classes at a time:
  /// a column of the matrix of means is contiguous in memory, a row is not.
  Eigen::MatrixXd products_of_means(Runtime &runtime) const {
    const Index n = sums_.rows();
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(n, n);
    runtime.for_parts(n, 32, [&](Index begin, Index end) {
      for (Index c = 0; c < sums_.cols(); ++c)
        for (Index j = begin; j < end; ++j)
          products.col(j).tail(n - j) += sums_(j, c) * sums_.col(c).tail(n - j);
    });
    return products;
  }

  static constexpr Index lanes = DifferenceKernel::lanes;

  double *differences(Index tile) {
    return differences_.data() + tile * lanes * at_once;
  }

  /// Adds the products of the features of two tiles, row >= column.
  void multiply(Index row, Index column, Index count) {
    double out[column_group * lanes];
    for (Index g = 0; g < lanes; g += column_group) {
      ProductJob job;
      job.tile = differences(row);
      job.lanes = job.out_stride = job.column_stride = lanes;
      job.columns = differences(column) + g;
      job.length = count;
      job.out = out;
      tile_product(simd_, job);
      for (Index c = 0; c < column_group; ++c)
        for (Index k = 0; k < lanes; ++k)
          if (const Index j = row * lanes + k, l = column * lanes + g + c;
              l <= j && j < n_)
            products_(j, l) += out[c * lanes + k];
    }
  }

  Index n_, n_samples_, n_class_pairs_, n_tiles_;
  SimdLevel simd_;
  AlignedBuffer<double> values_, categories_, differences_, tile_sums_;
  Eigen::MatrixXd products_; ///< its lower triangle
  Eigen::MatrixXd sums_;     ///< features x pairs of classes
  Eigen::VectorXd counts_;   ///< pairs of samples by pair of classes
};

/// Calls DifferenceMoments::correlations() with `work` for all allowed pairs of
/// one class (`hits`), or else of two.
template <class Work>
void pair_correlations(const Eigen::MatrixXd &z, const ClassIndex &y,
                       const InteractionOptions &options, bool hits,
                       Runtime &runtime, Work work) {
  const Index n = y.n_samples(), n_classes = y.n_classes();
  DifferenceMoments moments(z, options,
                            hits ? n_classes : n_classes * (n_classes - 1) / 2);
  Array<ClassedPair> pairs;
  const auto add = [&] {
    moments.add(pairs, runtime);
    runtime.advance(pairs.size());
    pairs.clear();
    runtime.checkpoint();
  };
  for (Index a = 0; a < n; ++a)
    for (Index b = a + 1; b < n; ++b) {
      if (!options.allowed(a, b) || (y[a] == y[b]) != hits)
        continue;
      const Index low = std::min(y[a], y[b]), high = std::max(y[a], y[b]);
      pairs.push_back(
          {a, b, hits ? low : low * (2 * n_classes - low - 3) / 2 + high - 1});
      if (pairs.size() == DifferenceMoments::at_once)
        add();
    }
  add();
  moments.correlations(runtime, work);
}

inline Interactions all_correlations(const Eigen::MatrixXd &z,
                                     const ClassIndex &y,
                                     const InteractionOptions &options,
                                     Runtime &runtime) {
  Interactions result;
  result.hits = result.misses = result.expected =
      Eigen::MatrixXd::Zero(z.rows(), z.rows());
  const auto fill = [&](bool hits, Eigen::MatrixXd &into) {
    pair_correlations(z, y, options, hits, runtime,
                      [&](Index j, Index l, double r, double of_means) {
                        into(j, l) = into(l, j) = r;
                        result.expected(l, j) += hits ? of_means : -of_means;
                        result.expected(j, l) = result.expected(l, j);
                      });
  };
  fill(true, result.hits);
  fill(false, result.misses);
  return result;
}

/// Gives sample n the values of sample order[n], less the mean of the class and
/// block of order[n], plus that of n. All features then depend on each other as
/// before, but equally in all classes, which differ by their means only. Codes
/// of categories move as they are: their `means` are 0.
inline Eigen::MatrixXd exchanged_rows(const Eigen::MatrixXd &z,
                                      const Eigen::MatrixXd &means,
                                      const Eigen::VectorXi &order) {
  Eigen::MatrixXd result(z.rows(), z.cols());
  for (Index n = 0; n < z.cols(); ++n)
    result.col(n) = z.col(order[n]) - means.col(order[n]) + means.col(n);
  return result;
}

/// For each sample, the means over its class and block; 0 for categories.
inline Eigen::MatrixXd cell_means(const Eigen::MatrixXd &z, const ClassIndex &y,
                                  const InteractionOptions &options) {
  std::map<std::pair<int, int>, Array<Index>> cells;
  for (int n = 0; n < y.n_samples(); ++n)
    cells[{options.allowed.block(n), y[n]}].push_back(n);
  Eigen::MatrixXd means(z.rows(), z.cols());
  for (const auto &cell : cells) {
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(z.rows());
    for (const Index n : cell.second)
      mean += z.col(n) / static_cast<double>(cell.second.size());
    for (Index j = 0; j < options.categories.size(); ++j)
      if (options.categories[j])
        mean[j] = 0.0;
    for (const Index n : cell.second)
      means.col(n) = mean;
  }
  return means;
}

} // namespace detail

/// Returns the correlations of the differences of any two features over allowed
/// hit pairs and over miss pairs, and what to expect if features are
/// independent within classes. O(n^2 N^2) for n features, N samples and each
/// permutation.
/// @param values Features x samples, finite.
inline Interactions interactions(const Eigen::MatrixXd &values,
                                 const ClassIndex &y,
                                 const InteractionOptions &options,
                                 Runtime &runtime) {
  detail::require(values.rows() >= 2, "at least two features are needed");
  detail::require_classes(values.cols(), y, options.allowed);
  detail::require(options.categories.empty() ||
                      options.categories.size() == values.rows(),
                  "one flag per feature is needed");
  const auto &orders = options.orders;
  detail::require(orders.size() == 0 || (orders.rows() == values.cols() &&
                                         orders.minCoeff() >= 0 &&
                                         orders.maxCoeff() < values.cols()),
                  "each permutation must name a sample for each sample");
  detail::require(all_finite(values.data(), values.size()),
                  "values must be finite");
  // Values are divided by the range, so that squares neither overflow nor
  // vanish.
  Eigen::MatrixXd z = values;
  for (Index j = 0; j < z.rows(); ++j) {
    const double low = z.row(j).minCoeff();
    const double width = z.row(j).maxCoeff() - low;
    if (width > 0.0)
      z.row(j) = (z.row(j).array() - low) / width;
    else
      z.row(j).setZero();
  }
  runtime.monitor().expect((1 + orders.cols()) * z.cols() * (z.cols() - 1) / 2);
  auto result = detail::all_correlations(z, y, options, runtime);
  const auto means = detail::cell_means(z, y, options);
  for (Index t = 0; t < orders.cols(); ++t) {
    const auto chance = detail::all_correlations(
        detail::exchanged_rows(z, means, orders.col(t)), y, options, runtime);
    result.largest_by_chance.push_back(
        (chance.hits - chance.misses - chance.expected).cwiseAbs().maxCoeff());
  }
  return result;
}

} // namespace hitmiss

#endif
