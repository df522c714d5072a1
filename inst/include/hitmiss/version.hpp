// The version of these headers: 400 for 0.4.0, 10300 for 1.3.0.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_VERSION_HPP
#define HITMISS_VERSION_HPP

#define HITMISS_VERSION 400

#endif
