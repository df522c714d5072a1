// What the fits take, against what bytes_needed() announces.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <testthat/vendor/catch.h>

#include <hitmiss/all.hpp>

#include "support/host.hpp"

namespace {

using namespace hitmiss;

/// Data on which memory could grow with what the announcement does not know.
struct WorstCase {
  std::string name;
  Index n, n_features;
  int n_classes = 2;
  int levels = 0;     ///< values that features take; 0: all differ
  int n_groups = 0;   ///< groups of equal size; 0: none
  double share = 1.0; ///< of values that are not 0; below 1: sparse columns
  Index rare = 0;     ///< samples of a rare class; 0: classes of equal size

  Array<double> values{}, outcome{};
  Array<int> starts{}, samples{}, labels{}, groups{};
  Scaling scaling{};

  void make() {
    RandomStream draw(1, 0, Purpose::simulation);
    starts.push_back(0);
    for (Index j = 0; j < n_features; ++j) {
      for (int i = 0; i < n; ++i) {
        const bool zero = share < 1.0 && draw.uniform() >= share;
        if (zero)
          continue;
        values.push_back(levels > 0 ? draw.below(levels) : draw.uniform());
        samples.push_back(i);
      }
      starts.push_back(static_cast<int>(values.size()));
    }
    for (Index i = 0; i < n; ++i) {
      labels.push_back(i < rare   ? 1
                       : rare > 0 ? 0
                                  : static_cast<int>(i) % n_classes);
      outcome.push_back(draw.uniform());
      if (n_groups > 0)
        groups.push_back(static_cast<int>(i * n_groups / n));
    }
    // At the centre products of two values are of either sign: else a path at
    // lambda = 0 ends with few active features.
    scaling = {Array<double>(n_features, levels > 0 ? 0.0 : 0.5),
               Array<double>(n_features, 1.0), Array<char>(n_features)};
  }

  MatrixView raw() const {
    if (share < 1.0)
      return view_of_columns({starts.data(), samples.data(), values.data()}, n,
                             n_features, true);
    return view_by_feature(values.data(), n, n_features);
  }
  ScaledView x() const { return {raw(), &scaling}; }
  ClassIndex y() const { return {labels, n_classes}; }
  template <class Options> Options options() const {
    Options result;
    result.allowed = AllowedPairs({}, groups);
    return result;
  }
  FitSize size() const {
    FitSize result;
    result.n_samples = static_cast<double>(n);
    result.n_features = static_cast<double>(n_features);
    for (int c = 0; c < n_classes; ++c)
      result.class_sizes.push_back(y().count(c));
    result.tiles = share < 1.0;
    result.nonzeros = result.tiles ? static_cast<double>(samples.size()) : 0.0;
    return result;
  }
};

struct Entry {
  std::string name;
  std::function<double(const WorstCase &)> announced;
  std::function<void(const WorstCase &, Runtime &)> fit;
  bool slow = false; ///< not for thousands of samples
};

Array<Entry> entries() {
  using W = const WorstCase &;
  using R = Runtime &;
  const auto near = [](W w) { return w.options<NearReliefOptions>(); };
  const auto balanced = [](W w) {
    auto options = w.options<NearReliefOptions>();
    options.balanced = w.n_classes < w.n; // some class has a hit
    return options;
  };
  const auto few = [](W w) {
    auto options = w.options<IReliefOptions>();
    options.max_iter = 2;
    return options;
  };
  ManifoldOptions drawn;
  drawn.max_pairs = 4000;
  const auto whole = [](W w) {
    auto options = w.options<BfsOptions>();
    options.lambda = 0.0;
    return options;
  };
  const auto local = [](W w) {
    auto options = w.options<LlfsOptions>();
    options.centres = {0, 1, 2};
    return options;
  };
  return {
      {"relief", [=](W w) { return bytes_needed(w.size(), near(w)); },
       [=](W w, R r) { near_relief(w.x(), w.y(), near(w), r); }},
      {"relief of a draw",
       [=](W w) { return bytes_needed(w.size(), near(w), 300); },
       [=](W w, R r) { sampled_relief(w.x(), w.y(), near(w), 300, r); }},
      {"balanced relief",
       [=](W w) { return bytes_needed(w.size(), balanced(w)); },
       [=](W w, R r) { near_relief(w.x(), w.y(), balanced(w), r); }},
      {"balanced relief of a draw",
       [=](W w) { return bytes_needed(w.size(), balanced(w), 300); },
       [=](W w, R r) { sampled_relief(w.x(), w.y(), balanced(w), 300, r); }},
      {"rrelieff",
       [=](W w) {
         return bytes_needed(w.size(), w.options<NeighbourOptions>());
       },
       [=](W w, R r) { rrelieff(w.x(), w.outcome, near(w), r); }},
      {"multisurf",
       [=](W w) {
         return bytes_needed(w.size(), w.options<RadiusReliefOptions>());
       },
       [=](W w, R r) {
         auto options = w.options<RadiusReliefOptions>();
         options.radius = {true, true};
         radius_relief(w.x(), w.y(), options, 0, r);
       }},
      {"irelief", [=](W w) { return bytes_needed(w.size(), few(w)); },
       [=](W w, R r) { irelief(w.x(), w.y(), few(w), r); }},
      {"logo",
       [](W w) { return bytes_needed(w.size(), w.options<LogoOptions>()); },
       [](W w, R r) {
         auto options = w.options<LogoOptions>();
         options.max_iter = 2;
         logo(w.x(), w.y(), options, r);
       },
       true},
      {"bfs",
       [](W w) { return bytes_needed(w.size(), w.options<BfsOptions>()); },
       [](W w, R r) { bfs(w.x(), w.y(), w.options<BfsOptions>(), r); }, true},
      {"bfs at lambda = 0",
       [=](W w) { return bytes_needed(w.size(), whole(w)); },
       [=](W w, R r) { bfs(w.x(), w.y(), whole(w), r); }, true},
      {"pwfp",
       [](W w) { return bytes_needed(w.size(), w.options<PwfpOptions>()); },
       [](W w, R r) { pwfp(w.x(), w.y(), w.options<PwfpOptions>(), r); }, true},
      {"interactions",
       [](W w) {
         return bytes_needed(w.size(), w.options<InteractionOptions>());
       },
       [](W w, R r) {
         if (w.n_features < 2 || w.n_features > 500 || w.share < 1.0)
           return;
         const Eigen::MatrixXd x = Eigen::Map<const Eigen::MatrixXd>(
                                       w.values.data(), w.n, w.n_features)
                                       .transpose();
         interactions(x, w.y(), w.options<InteractionOptions>(), r);
       },
       true},
      {"parzen",
       [](W w) { return bytes_needed(w.size(), w.options<ParzenOptions>()); },
       [](W w, R r) {
         parzen_margins(w.x(), w.y(), w.options<ParzenOptions>(), r);
       }},
      {"semi-BFS",
       [=](W w) {
         return bytes_needed(w.size(), w.options<BfsOptions>(), drawn);
       },
       [=](W w, R r) {
         semi_bfs(w.x(), w.y(), w.options<BfsOptions>(), drawn, r);
       },
       true},
      {"llfs", [=](W w) { return bytes_needed(w.size(), local(w), 3); },
       [=](W w, R r) { fit_representatives(w.x(), w.y(), local(w), r); }, true},
  };
}

/// What has no announcement, because the core's comments promise little: lists
/// of k neighbours and a part of the distances, a tile of 256 features, or a
/// copy of the data.
Array<Entry> small_entries() {
  using W = const WorstCase &;
  using R = Runtime &;
  const auto lists = [](W w) {
    return detail::listed_bytes(w.size(), 21.0 * w.size().n_samples, 1.0, 0.0) +
           2.0 * detail::class_bytes(w.size(), 0.0);
  };
  const auto tiles = [](W w) { return detail::tile_bytes(w.size(), 256.0); };
  const auto copy = [=](W w) {
    return tiles(w) + 8.0 * w.size().n_samples * w.size().n_features;
  };
  const auto ones = [](W w) { return Array<double>(w.n_features, 1.0); };
  const auto score = [](W w, R r, Association kind) {
    association_scores(bin_features(w.raw(), w.y(), {}, r), w.y(), kind, r);
  };
  return {
      {"nearest_vote", lists,
       [=](W w, R r) { nearest_vote(w.x(), w.x(), w.y(), ones(w), {}, r); }},
      {"nearest_mean", lists,
       [=](W w, R r) {
         nearest_mean(w.x(), w.x(), w.outcome, ones(w), {}, r);
       }},
      {"nested_vote", tiles,
       [](W w, R r) {
         if (w.share == 1.0)
           nested_vote(w.raw(), w.raw(), w.y(),
                       {{0, w.n_features}, {{1, 5}, {3, 5}}}, r);
       }},
      // The graph may have all pairs that tie.
      {"laplacian",
       [=](W w) {
         return lists(w) + (w.levels > 0
                                ? 24.0 * w.size().n_samples * w.size().n_samples
                                : 0.0);
       },
       [](W w, R r) { laplacian_scores(w.x(), 5, best_simd_level(), r); }},
      {"fisher", tiles, [](W w, R r) { fisher_scores(w.raw(), w.y(), r); }},
      {"chi-squared", copy,
       [=](W w, R r) { score(w, r, Association::chi_squared); }},
      {"information", copy,
       [=](W w, R r) { score(w, r, Association::information); }},
      {"mrmr", copy,
       [](W w, R r) {
         mrmr(bin_features(w.raw(), w.y(), {}, r), w.y(), {}, r);
       }},
      {"rank products", [=](W w) { return 2.0 * copy(w); },
       [=](W w, R r) {
         if (w.n_features <= 500)
           rank_products(centred_ranks(w.raw(), r).data(), w.n, ones(w),
                         best_simd_level(), r);
       }},
      {"simba", tiles,
       [](W w, R r) {
         if (w.share == 1.0)
           simba(w.x(), w.y(), {}, r);
       },
       true},
  };
}

/// A line of /proc/self/status in bytes, or NaN.
double status_bytes(const std::string &name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, name.size(), name) == 0)
      return 1024.0 * std::atof(line.c_str() + name.size() + 1);
  return std::numeric_limits<double>::quiet_NaN();
}

/// The highest resident memory during `work` above that before, or NaN where
/// the system does not tell.
template <class Work> double peak_bytes(Work work) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  std::ofstream("/proc/self/clear_refs") << 5;
  const double before = status_bytes("VmRSS");
  work();
  return status_bytes("VmHWM") - before;
}

Array<WorstCase> worst_cases() {
  return {{"one feature of three values", 3000, 1, 2, 3},
          {"all tied", 2500, 2, 3, 1},
          {"pairs that tie", 300, 2, 2, 2},
          {"two groups", 2000, 4, 2, 0, 2},
          {"a hundred classes", 1500, 40, 100},
          {"one feature", 2500, 1},
          {"a sample a class", 1200, 4, 1200},
          {"many features", 60, 20000},
          {"sparse columns", 800, 6000, 2, 0, 0, 0.2},
          {"a rare class", 3000, 2, 2, 0, 0, 1.0, 5},
          {"a rare class whose lists fit", 3000, 2, 2, 0, 0, 1.0, 60}};
}

} // namespace

TEST_CASE("bytes_needed: no fit takes much more than is announced") {
#if !defined(__linux__) || defined(HITMISS_NO_MEMORY_TESTS)
  return;
#endif
  for (WorstCase &worst : worst_cases()) {
    worst.make();
    auto all = entries();
    const auto small = small_entries();
    all.insert(all.end(), small.begin(), small.end());
    for (const Entry &entry : all) {
      if ((entry.slow && worst.n > 1500) ||
          (worst.rare > 0 && entry.name.find("balanced") == std::string::npos))
        continue;
      const double announced = entry.announced(worst);
      const double taken = with_threads(1, [&](Runtime &runtime) {
        return peak_bytes([&] { entry.fit(worst, runtime); });
      });
      INFO(entry.name << ", " << worst.name << ": " << announced / 1048576
                      << " MB announced, " << taken / 1048576 << " taken");
      CHECK(taken <= 1.3 * announced + 20 * 1048576.0);
    }
  }
}

TEST_CASE("bytes_needed: any size has an answer") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double n : {0.0, 1.0, 1e300, inf, nan, -1.0}) {
    FitSize size;
    size.n_samples = size.n_features = size.threads = size.nonzeros = n;
    size.class_sizes = {n, n};
    CHECK_NOTHROW(bytes_needed(size, NearReliefOptions()));
    CHECK_NOTHROW(bytes_needed(size, NearReliefOptions(), n));
    NearReliefOptions balanced;
    balanced.balanced = true;
    CHECK_NOTHROW(bytes_needed(size, balanced, n));
    CHECK_NOTHROW(bytes_needed(size, NeighbourOptions()));
    CHECK_NOTHROW(bytes_needed(size, RadiusReliefOptions(), n));
    CHECK_NOTHROW(bytes_needed(size, ParzenOptions()));
    CHECK_NOTHROW(bytes_needed(size, IReliefOptions()));
    CHECK_NOTHROW(bytes_needed(size, LogoOptions()));
    CHECK_NOTHROW(bytes_needed(size, BfsOptions()));
    CHECK_NOTHROW(bytes_needed(size, BfsOptions(), ManifoldOptions()));
    CHECK_NOTHROW(bytes_needed(size, PwfpOptions()));
    CHECK_NOTHROW(bytes_needed(size, InteractionOptions()));
    CHECK_NOTHROW(bytes_needed(size, LlfsOptions(), n));
  }
  FitSize none;
  CHECK(bytes_needed(none, IReliefOptions()) >= 0.0);
  CHECK(bytes_needed(none, LogoOptions()) >= 0.0);
}
