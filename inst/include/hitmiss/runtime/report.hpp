// The report of an iterative method: its status and its certificates.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_REPORT_HPP
#define HITMISS_RUNTIME_REPORT_HPP

#include <limits>

#include "array.hpp"

namespace hitmiss {

enum class Status { converged, max_iter, stalled };

inline const char *to_string(Status status) {
  switch (status) {
  case Status::converged:
    return "converged";
  case Status::max_iter:
    return "max_iter";
  case Status::stalled:
    return "stalled";
  }
  return "stalled";
}

/// Certificates are NaN if the method does not compute them. If a method does
/// not converge, this is a status, not an exception.
struct Report {
  Status status = Status::converged;
  int iterations = 0;
  Array<double> objective; ///< one entry per iteration
  double residual = std::numeric_limits<double>::quiet_NaN();
  double kkt = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
};

} // namespace hitmiss

#endif
