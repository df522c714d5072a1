// A chunk fetched while an interrupt waits and every allocation collects.
// SPDX-License-Identifier: GPL-3.0-or-later

// [[Rcpp::depends(RcppEigen, sitmo)]]
// [[Rcpp::plugins(cpp17)]]
#include "../../src/r_source.h"

#include <csignal>

namespace {

struct Trial {
  hitmiss::FeatureSource &source;
  bool signal;         // an interrupt arrives before the chunk is fetched
  bool fetched, ended; // the chunk came; the frame below was left in order
};

// Stands for a frame of the parallel loop.
struct Frame {
  Trial &trial;
  ~Frame() { trial.ended = true; }
};

void fetch_in_frame(void *data) {
  auto &trial = *static_cast<Trial *>(data);
  const Frame frame{trial};
  try {
    if (trial.signal)
      std::raise(SIGINT);
    trial.source.fetch(0);
    trial.fetched = true;
  } catch (const Rcpp::LongjumpException &) {
    // As the executor does: carried to where no frame is left.
  }
}

} // namespace

// Was the chunk fetched, and did no jump pass over the frame of who fetched?
// [[Rcpp::export(rng = false)]]
Rcpp::LogicalVector fetch_under(Rcpp::Function read, Rcpp::Function torture,
                                bool signal) {
  RChunkSource source(read, 1, true);
  Trial trial{source, signal, false, false};
  torture(true); // from here on each allocation collects
  R_ToplevelExec(fetch_in_frame, &trial);
  torture(false);
  return Rcpp::LogicalVector::create(Rcpp::_["fetched"] = trial.fetched,
                                     Rcpp::_["frame_ended"] = trial.ended);
}
