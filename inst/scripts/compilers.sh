#!/bin/sh
# Which compilers, at which standard, take all headers and sources of hitmiss?
# Their syntax only, all in one unit (inst/scripts/test.R has each header by
# itself). A table of compiler, standard, errors and warnings in our code:
#   sh inst/scripts/compilers.sh [COMPILER...]     else all numbered ones here
#   sh inst/scripts/chroot.sh unstable "g++-16 r-cran-rcppparallel
#     r-cran-rcppeigen r-cran-sitmo" sh /checkout/inst/scripts/compilers.sh
# Status 1 if a number is not 0.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "$(dirname "$0")/../.."
unit=$(mktemp)
log=$(mktemp)
trap 'rm -f "$unit" "$log"' EXIT
find inst/include/hitmiss -name "*.hpp" | sort |
  sed 's,inst/include/\(.*\),#include "\1",' >"$unit"
# What Rcpp writes is not ours: it casts functions as R wants them.
find src -name "*.cpp" | sort | grep -v RcppExports | sed 's,.*,#include "&",' >>"$unit"
others=$(Rscript -e 'cat(paste("-isystem", c(R.home("include"), vapply(
  c("Rcpp", "RcppEigen", "RcppParallel", "sitmo"),
  function(package) system.file("include", package = package), ""))))')
[ $# -gt 0 ] || set -- $(ls /usr/bin | grep -xE '(clang|g)[+][+]-[0-9]+' | sort -V)

passed=0
failed=0
check() {
  # A source that is included is taken for a header by g++.
  case $1 in g++*) linkage=-Wno-subobject-linkage ;; *) linkage= ;; esac
  # shellcheck disable=SC2086
  "$@" -fsyntax-only -Wall -Wextra -Wpedantic $linkage -I. -Iinst/include -Isrc $others \
    -x c++ "$unit" >"$log" 2>&1
  ended=$?
  errors=$(grep -cE '(fatal )?error:' "$log")
  [ $ended = 0 ] || [ "$errors" -gt 0 ] || errors=1
  warnings=$(grep -c 'warning:' "$log")
  printf '%-30s %s errors, %s warnings\n' "$*" "$errors" "$warnings"
  if [ "$errors$warnings" != 00 ]; then
    grep -E 'error:|warning:' "$log" | sort | uniq -c | head -20
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

for compiler; do
  for standard in 17 20 23; do
    # Older names of a standard that was a draft then.
    name=c++$standard
    echo | "$compiler" -std=$name -E -x c++ - >"$log" 2>&1 || name=c++2b
    check "$compiler" -std=$name
    if echo '#include <version>' |
      "$compiler" -stdlib=libc++ -fsyntax-only -x c++ - >"$log" 2>&1; then
      check "$compiler" -std=$name -stdlib=libc++
    fi
  done
done
echo "counts: $passed $failed 0 $*"
[ $failed = 0 ]
