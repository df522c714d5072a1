// Includes Eigen as a system header. Otherwise hundreds of warnings about
// Eigen's sources would hide one about ours.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_EIGEN_HPP
#define HITMISS_RUNTIME_EIGEN_HPP

// This pragma holds to the end of this file, and in all that it includes.
#pragma GCC system_header

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#endif
