// Soft near hits and misses: the chances that a sample is the nearest one.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_SOFT_NEIGHBOURS_HPP
#define HITMISS_SOFT_SOFT_NEIGHBOURS_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/distances.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "soft_kernels.hpp"

namespace hitmiss {

/// The softmax over near hits and misses: its width sigma, and allowed pairs.
struct SoftRule {
  const ClassIndex &y;
  const AllowedPairs &allowed;
  double sigma;
  SimdLevel simd;
};

/// C[n, i] = Pmiss(n, i) - Phit(n, i): the softmax of -distance / sigma over
/// all misses of n together, and the softmax over its hits, among allowed
/// pairs. A sample without hits has its misses alone; a sample without misses
/// has no margin, and its row is 0. No N x N matrix is kept beside `distances`:
/// each row is computed again from the distances when it is read.
class SoftNeighbours {
public:
  /// Forms all rows once, and calls work(rows, c) for them as for_rows() does.
  template <class Work>
  SoftNeighbours(DistanceRows distances, const SoftRule &rule, Runtime &runtime,
                 Work work)
      : distances_(std::move(distances)), rule_(rule),
        padded_(padded_samples(n_samples())),
        // 1 / sigma is at most the largest double, so that 0 times the rate is
        // 0 and not NaN.
        rate_(std::min(1.0 / rule.sigma, std::numeric_limits<double>::max())),
        hit_mass_(n_samples(), 0.0) {
    for (auto *scale : {&labels_, &nearest_hit_, &nearest_miss_, &hit_, &miss_})
      *scale = AlignedBuffer<double>(padded_);
    for (Index n = 0; n < n_samples(); ++n)
      labels_[n] = rule.y[n];
    each_row(runtime, work, [this](Index n, double *row) { soften(n, row); });
  }
  SoftNeighbours(DistanceRows distances, const SoftRule &rule, Runtime &runtime)
      : SoftNeighbours(std::move(distances), rule, runtime,
                       [](const SampleRange &, const PairMatrix<double> &) {}) {
  }

  Index n_samples() const { return distances_.n_samples(); }
  /// The share of each sample's weights that its own class has (gamma of
  /// I-Relief).
  const Array<double> &hit_mass() const { return hit_mass_; }

  /// Calls work(rows, c) for ranges of all samples, several at once: c.row(n -
  /// rows.begin)[i] = C[n, i], padded with 0. N^2 exponentials.
  template <class Work> void for_rows(Runtime &runtime, Work work) const {
    each_row(runtime, work, [this](Index n, double *row) {
      double hits = 0.0, misses = 0.0;
      nearness(n, row, hits, misses);
      scale(n, row);
    });
  }

  /// Sets `s` to S[n, i] = r_n C[n, i] + r_i C[i, n] for samples n of `rows`,
  /// which must begin at a multiple of 32, and i > n. The sum over n < i of
  /// S[n, i] |x_nj - x_ij| is then sum_n r_n z_nj, without computing margins
  /// z_nj. Row n - rows.begin of `s` is 0 in columns rows.begin to n and in the
  /// padding; rows after the last are 0, up to a multiple of 32.
  template <class T>
  void symmetric(const Array<double> &r, const SampleRange &rows,
                 PairMatrix<T> &s, Runtime &runtime) const {
    AlignedBuffer<double> hit(padded_), miss(padded_);
    for (Index n = 0; n < n_samples(); ++n) {
      hit[n] = r[n] * hit_[n];
      miss[n] = r[n] * miss_[n];
    }
    for_units(rows, runtime,
              [&](const SampleRange &unit, PairMatrix<double> &distances,
                  Runtime &here) {
                read(unit, unit.begin, distances, here);
                SymmetricJob<T> job;
                job.labels = labels_.data();
                job.scales = {nearest_hit_.data(), nearest_miss_.data(),
                              hit.data(), miss.data()};
                job.rate = rate_;
                job.begin = unit.begin;
                job.end = padded_;
                for (job.n = unit.begin; job.n < unit.end; ++job.n) {
                  double *row = distances.row(job.n - unit.begin);
                  std::fill(row, row + (job.n - unit.begin),
                            detail::never_near);
                  job.row = row;
                  job.s = s.row(job.n - rows.begin);
                  std::fill(job.s + rows.begin, job.s + unit.begin, T(0));
                  run_simd<SymmetricKernel<T>>(rule_.simd, job);
                }
              });
    for (Index n = rows.size(); n < round_up(rows.size(), 32); ++n)
      std::fill(s.row(n), s.row(n) + s.stride(), T(0));
  }

private:
  /// Calls work(rows, memory of this thread, its runtime) for units of rows.
  template <class Work>
  void for_units(const SampleRange &rows, Runtime &runtime, Work work) const {
    const Index size = distances_.unit();
    Array<PairMatrix<double>> memory(runtime.threads());
    const Index units = (rows.size() + size - 1) / size;
    runtime.for_each(units, [&](Index unit, int thread) {
      PairMatrix<double> &mine = memory[thread];
      if (mine.n_rows() == 0)
        mine = PairMatrix<double>(std::min(size, n_samples()), n_samples());
      SerialExecutor serial;
      Runtime here = runtime.within(serial);
      const Index begin = rows.begin + unit * size;
      work(SampleRange{begin, std::min(begin + size, rows.end)}, mine, here);
    });
  }

  /// Calls work(rows, c) as for_rows() does. form(n, row) must replace the
  /// distances of sample n in `row` by row n of C.
  template <class Work, class Form>
  void each_row(Runtime &runtime, Work work, Form form) const {
    for_units(
        {0, n_samples()}, runtime,
        [&](const SampleRange &rows, PairMatrix<double> &c, Runtime &here) {
          read(rows, 0, c, here);
          for (Index n = rows.begin; n < rows.end; ++n)
            form(n, c.row(n - rows.begin));
          work(rows, static_cast<const PairMatrix<double> &>(c));
        });
  }

  /// Reads the distances from `rows` to all samples from `first` on. They are
  /// infinite for pairs that are not compared, and in the padding.
  void read(const SampleRange &rows, Index first, PairMatrix<double> &out,
            Runtime &runtime) const {
    distances_.read(rows, {first, n_samples()}, out, runtime);
    for (Index n = rows.begin; n < rows.end; ++n) {
      double *row = out.row(n - rows.begin);
      row[n - first] = detail::never_near;
      for (Index i = first; i < n_samples() && !rule_.allowed.all(); ++i)
        if (!rule_.allowed(n, i))
          row[i - first] = detail::never_near;
      std::fill(row + n_samples() - first, row + padded_ - first,
                detail::never_near);
    }
  }

  /// Replaces the distances of sample n by its row of C, and sets the factors
  /// of its hits and misses. The distance of the nearest hit is subtracted from
  /// those of hits, that of the nearest miss from those of misses, so that the
  /// sums of exponentials do not vanish.
  void soften(Index n, double *row) {
    const double own = labels_[n];
    nearest_hit_[n] = nearest_miss_[n] = detail::never_near;
    for (Index i = 0; i < padded_; ++i) {
      double &nearest = (labels_[i] == own ? nearest_hit_ : nearest_miss_)[n];
      nearest = std::min(nearest, row[i]);
    }
    double hits = 0.0, misses = 0.0;
    nearness(n, row, hits, misses);
    const bool counts = misses > 0.0, alone = hits == 0.0;
    hit_[n] = !counts || alone ? 0.0 : -1.0 / hits;
    miss_[n] = counts ? 1.0 / misses : 0.0;
    const double lead = nearest_hit_[n] - nearest_miss_[n];
    hit_mass_[n] = !counts || alone
                       ? 0.0
                       : hits / (hits + misses * std::exp(lead * rate_));
    scale(n, row);
  }

  /// Replaces the distances by exponentials, and adds these up by kind (hit or
  /// miss).
  void nearness(Index n, double *row, double &hits, double &misses) const {
    run_simd<NearnessKernel>(rule_.simd,
                             NearnessJob{row, labels_.data(), padded_,
                                         labels_[n], rate_, nearest_hit_[n],
                                         nearest_miss_[n], &hits, &misses});
  }
  void scale(Index n, double *row) const {
    for (Index i = 0; i < padded_; ++i)
      row[i] *= labels_[i] == labels_[n] ? hit_[n] : miss_[n];
  }

  DistanceRows distances_;
  SoftRule rule_;
  Index padded_;
  double rate_;
  AlignedBuffer<double> labels_;
  AlignedBuffer<double> nearest_hit_, nearest_miss_; ///< distances
  AlignedBuffer<double> hit_, miss_; ///< factors of nearness, by kind
  Array<double> hit_mass_;
};

} // namespace hitmiss

#endif
