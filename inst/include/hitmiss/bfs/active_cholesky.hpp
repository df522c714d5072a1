// Cholesky factor of a growing and shrinking principal submatrix.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_ACTIVE_CHOLESKY_HPP
#define HITMISS_BFS_ACTIVE_CHOLESKY_HPP

#include <cmath>

#include "../runtime/array.hpp"

namespace hitmiss {

/// The factor L of H = L L' over the variables in the order of appending.
/// append(), remove() and solve() take O(size^2) time.
class ActiveCholesky {
public:
  Index size() const { return rows_.size(); }

  /// Appends a variable. `cross`: the entries of H between the present
  /// variables and the new one; `diagonal`: its own entry. Returns false, and
  /// changes nothing, if its column of H depends linearly on those of the
  /// present variables (the pivot is at most 1e-11 `diagonal`).
  bool append(const Array<double> &cross, double diagonal) {
    Array<double> row(cross);
    forward(row);
    double pivot = diagonal;
    for (const double value : row)
      pivot -= value * value;
    if (!(pivot > 1e-11 * diagonal))
      return false;
    row.push_back(std::sqrt(pivot));
    rows_.push_back(std::move(row));
    return true;
  }

  /// Removes the variable at `position`; later variables move up by one.
  void remove(Index position) {
    rows_.erase(rows_.begin() + position);
    for (Index i = position; i < rows_.size(); ++i) {
      // Row i has one element too many: a rotation of columns i and i + 1 makes
      // this element 0.
      const double a = rows_[i][i], b = rows_[i][i + 1];
      const double radius = std::hypot(a, b);
      const double c = a / radius, s = b / radius;
      for (Index r = i; r < rows_.size(); ++r) {
        const double u = rows_[r][i], v = rows_[r][i + 1];
        rows_[r][i] = c * u + s * v;
        rows_[r][i + 1] = c * v - s * u;
      }
      rows_[i].pop_back();
    }
  }

  /// Returns H^-1 b.
  Array<double> solve(Array<double> b) const {
    forward(b);
    for (Index i = size(); i-- > 0;) {
      b[i] /= rows_[i][i];
      for (Index j = 0; j < i; ++j)
        b[j] -= rows_[i][j] * b[i];
    }
    return b;
  }

private:
  void forward(Array<double> &b) const {
    for (Index i = 0; i < size(); ++i) {
      double value = b[i];
      for (Index j = 0; j < i; ++j)
        value -= rows_[i][j] * b[j];
      b[i] = value / rows_[i][i];
    }
  }

  Array<Array<double>> rows_;
};

} // namespace hitmiss

#endif
