// The kernel that gives a pair of samples its value in one feature.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PAIR_KERNEL_HPP
#define HITMISS_BFS_PAIR_KERNEL_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/array.hpp"
#include "../runtime/require.hpp"

namespace hitmiss {

/// The kernel k(u, v) of the values u and v of two samples in one feature.
struct PairKernel {
  enum class Family { polynomial, gaussian };
  Family family = Family::polynomial;
  int degree = 1; ///< (u v + offset)^degree; by default u v
  double offset = 0.0;
  double width = 1.0; ///< exp(-(u - v)^2 / (2 width^2))

  void check() const {
    detail::require(degree >= 1 && degree <= 5,
                    "the kernel's degree must be from 1 to 5");
    detail::require(offset >= 0.0 && std::isfinite(offset),
                    "the kernel's offset must be at least 0");
    detail::require(width > 0.0 && std::isfinite(width),
                    "the kernel's width must be above 0");
  }

  double operator()(double u, double v) const {
    if (family == Family::gaussian) {
      const double away = (u - v) / width;
      return std::exp(-0.5 * away * away);
    }
    const double base = u * v + offset;
    double value = base;
    for (int q = 1; q < degree; ++q)
      value *= base;
    return value;
  }
};

/// Writes the n x n kernel matrix of a feature as the sum over q < size() of
/// coefficient(q) f_q f_q', so that sums over pairs of samples become products
/// of the vectors f_q. `lanes` features are computed together, and their values
/// for one sample lie together. If a feature needs fewer than size() vectors,
/// the rest of its vectors are 0.
class KernelFactor {
public:
  KernelFactor(const PairKernel &kernel, Index n_samples, Index lanes)
      : kernel_(kernel), n_(n_samples), lanes_(lanes) {
    if (kernel.family == PairKernel::Family::polynomial)
      expand();
  }

  /// `x`: n_samples x lanes values, which must stay valid until the next call.
  void form(const double *x) {
    x_ = x;
    if (kernel_.family == PairKernel::Family::polynomial)
      return raise();
    size_ = 0;
    for (Index lane = 0; lane < lanes_; ++lane)
      cholesky(lane);
  }

  Index size() const { return size_; }
  double coefficient(Index q) const {
    return terms_.empty() ? 1.0 : terms_[q].coefficient;
  }
  /// f_q of all lanes, n_samples x lanes values.
  const double *vector(Index q) const {
    return is_plain(q) ? x_ : vectors_[q].data();
  }

private:
  struct Term {
    int power;
    double coefficient;
  };

  bool is_plain(Index q) const {
    return !terms_.empty() && terms_[q].power == 1;
  }

  /// (u v + offset)^degree = sum over q of b_q u^q v^q.
  void expand() {
    double choose = 1.0;
    for (int q = kernel_.degree; q >= 0; --q) {
      const double b = choose * std::pow(kernel_.offset, kernel_.degree - q);
      if (b != 0.0)
        terms_.push_back({q, b});
      choose = choose * q / (kernel_.degree - q + 1);
    }
    size_ = terms_.size();
    for (Index q = 0; q < size_; ++q)
      vectors_.emplace_back(is_plain(q) ? 0 : n_ * lanes_);
  }
  void raise() {
    for (Index q = 0; q < size_; ++q)
      for (Index i = 0; i < vectors_[q].size(); ++i) {
        vectors_[q][i] = 1.0;
        for (int times = 0; times < terms_[q].power; ++times)
          vectors_[q][i] *= x_[i];
      }
  }

  /// Computes the pivoted Cholesky factor of a kernel matrix that is 1 on the
  /// diagonal. It stops when no diagonal entry of the remainder, and so no
  /// entry, exceeds 1e-12: after 10 to 25 vectors for values of unit variance.
  void cholesky(Index lane) {
    constexpr double negligible = 1e-12;
    left_.assign(n_, 1.0);
    for (Index q = 0; q < n_; ++q) {
      const auto most = std::max_element(left_.begin(), left_.end());
      if (*most <= negligible)
        return;
      const double root = std::sqrt(*most);
      const Index pivot = (most - left_.begin()) * lanes_ + lane;
      double *f = new_vector(q) + lane;
      for (Index a = 0; a < n_; ++a)
        f[a * lanes_] = kernel_(x_[a * lanes_ + lane], x_[pivot]);
      for (Index r = 0; r < q; ++r) {
        const double *earlier = vectors_[r].data() + lane;
        const double own = vectors_[r][pivot];
        for (Index a = 0; a < n_; ++a)
          f[a * lanes_] -= own * earlier[a * lanes_];
      }
      for (Index a = 0; a < n_; ++a) {
        f[a * lanes_] /= root;
        left_[a] = std::max(0.0, left_[a] - f[a * lanes_] * f[a * lanes_]);
      }
      *most = 0.0;
    }
  }
  double *new_vector(Index q) {
    if (q == vectors_.size())
      vectors_.emplace_back(n_ * lanes_);
    if (q == size_) {
      std::fill_n(vectors_[q].data(), n_ * lanes_, 0.0);
      ++size_;
    }
    return vectors_[q].data();
  }

  PairKernel kernel_;
  Index n_, lanes_, size_ = 0;
  const double *x_ = nullptr;
  Array<Term> terms_; ///< of a polynomial kernel; f_q of power 1 is x
  Array<AlignedBuffer<double>> vectors_;
  Array<double> left_; ///< diagonal of the remainder
};

} // namespace hitmiss

#endif
