// Catch as it comes with the R package testthat.
// SPDX-License-Identifier: GPL-3.0-or-later
#define CATCH_CONFIG_MAIN
#include <testthat/vendor/catch.h>
