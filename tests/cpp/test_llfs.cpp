// LLFS as a whole, its spheres and its classifier, without R.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>
#include <limits>

#include <testthat/vendor/catch.h>

#include <hitmiss/llfs/llfs_model.hpp>
#include <hitmiss/llfs/local_classifier.hpp>

#include "support/host.hpp"
#include "support/llfs_path.hpp"

namespace {

struct Sample {
  hitmiss::Array<double> values; // by feature
  hitmiss::ClassIndex y;
  hitmiss::Index n, features;
  hitmiss::MatrixView view() const {
    return hitmiss::view_by_feature(values.data(), n, features);
  }
};

/// Two classes that differ in the first two features.
Sample sample(hitmiss::Index n, hitmiss::Index features, std::uint64_t seed) {
  hitmiss::RandomStream draw(seed, 0, hitmiss::Purpose::simulation);
  hitmiss::Array<int> labels;
  hitmiss::Array<double> values(n * features);
  for (hitmiss::Index i = 0; i < n; ++i)
    labels.push_back(static_cast<int>(i % 2));
  for (hitmiss::Index j = 0; j < features; ++j)
    for (hitmiss::Index i = 0; i < n; ++i)
      values[j * n + i] =
          draw.uniform() + (j < 2 ? 0.7 * static_cast<double>(i % 2) : 0.0);
  return {values, hitmiss::ClassIndex(labels, 2), n, features};
}

hitmiss::LlfsOptions options() {
  hitmiss::LlfsOptions o;
  o.alpha = {3.0};
  o.evidence = true;
  return o;
}

hitmiss::LlfsModel fit(const Sample &data, const hitmiss::LlfsOptions &how,
                       int threads) {
  return with_threads(threads, [&](hitmiss::Runtime &runtime) {
    const auto scaling = hitmiss::learn_scaling(
        data.view(), hitmiss::ScaleMethod::zscore, runtime);
    return hitmiss::llfs({data.view(), &scaling}, data.y, how, runtime);
  });
}

/// Neighbours of all samples are asked.
const hitmiss::ScoreDraw all_of{
    0, hitmiss::RandomStream(1, 0, hitmiss::Purpose::score_samples)};

/// The score of a sphere, whose bound only falls on the way there.
double score(hitmiss::FrameCells &cells, double radius) {
  cells.start_score(radius);
  double most = cells.most_score();
  while (!cells.is_scored()) {
    cells.ask_more();
    CHECK(cells.most_score() <= most);
    most = cells.most_score();
  }
  return most;
}

/// The least distance, and what the classes have of the samples there: the
/// slow, obvious definition, over all samples but `self`.
hitmiss::Array<double> shares_at(const Eigen::VectorXd &distances,
                                 const hitmiss::ClassIndex &y, int self) {
  const hitmiss::NeighbourKey key;
  double least = std::numeric_limits<double>::infinity(), tied = 0.0;
  hitmiss::Array<double> shares(y.n_classes(), 0.0);
  for (int n = 0; n < distances.size(); ++n)
    if (n != self)
      least = std::min(least, distances[n]);
  for (int n = 0; n < distances.size(); ++n)
    if (n != self && key(distances[n]) == key(least)) {
      shares[y[n]] += 1.0;
      tied += 1.0;
    }
  for (double &share : shares)
    share /= tied;
  return shares;
}

} // namespace

namespace {

bool same_evidence(const hitmiss::Representative &a,
                   const hitmiss::Representative &b, double margin) {
  bool same = a.evidence.size() == b.evidence.size();
  for (hitmiss::Index k = 0; same && k < a.evidence.size(); ++k) {
    const auto &own = a.evidence[k], &other = b.evidence[k];
    same = own.inside == other.inside && own.near == other.near &&
           own.of == other.of && std::abs(own.value - other.value) <= margin;
  }
  return same;
}

} // namespace

TEST_CASE("LLFS: the same bits for any number of threads") {
  for (const hitmiss::Index features : {30, 700}) {
    const Sample data = sample(18, features, 5);
    for (const int enumerate : {10, 0}) {
      auto how = options();
      how.enumerate = enumerate;
      how.draws = 50;
      how.alpha = {2.0, 5.0};
      const auto one = fit(data, how, 1);
      for (int threads = 2; threads <= 4; ++threads) {
        const auto more = fit(data, how, threads);
        for (hitmiss::Index i = 0; i < one.representatives.size(); ++i) {
          const auto &a = one.representatives[i], &b = more.representatives[i];
          CHECK(a.subset == b.subset);
          CHECK(a.radius == b.radius);
          CHECK(a.score == b.score);
          CHECK(a.objective == b.objective);
          CHECK(same_evidence(a, b, 0.0));
        }
      }
    }
  }
}

TEST_CASE("LLFS finds what separates, and says how it ended") {
  const Sample data = sample(40, 50, 2);
  const auto result = fit(data, options(), 2);
  CHECK(result.report.status == hitmiss::Status::converged);
  CHECK(result.report.iterations == 40 * 19);
  int found = 0;
  for (const auto &r : result.representatives) {
    CHECK(r.subset.size() <= 3);
    CHECK(std::is_sorted(r.subset.begin(), r.subset.end()));
    for (const int feature : r.subset)
      found += feature < 2 ? 1 : 0;
  }
  CHECK(found >= 40);
}

TEST_CASE("LLFS: samples of another block are as if absent") {
  for (const hitmiss::Index features : {12, 700}) {
    const Sample data = sample(36, features, 8);
    hitmiss::Array<int> block, halves[2];
    for (int i = 0; i < 36; ++i) {
      block.push_back(i / 18);
      halves[i / 18].push_back(data.y[i]);
    }
    auto how = options();
    how.alpha = {2.0};
    how.enumerate = 20; // draws depend on the sample's place
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      const auto scaling = hitmiss::learn_scaling(
          data.view(), hitmiss::ScaleMethod::zscore, runtime);
      auto blocked = how;
      blocked.allowed = hitmiss::AllowedPairs(block, {});
      const auto all =
          hitmiss::llfs({data.view(), &scaling}, data.y, blocked, runtime);
      for (int half = 0; half < 2; ++half) {
        const auto part =
            hitmiss::sample_range(data.view(), {18 * half, 18 * half + 18});
        const auto own =
            hitmiss::llfs({part, &scaling},
                          hitmiss::ClassIndex(halves[half], 2), how, runtime);
        for (int i = 0; i < 18; ++i) {
          const auto &a = all.representatives[18 * half + i];
          const auto &b = own.representatives[i];
          CHECK(a.subset == b.subset);
          CHECK(a.radius == Approx(b.radius).epsilon(1e-12));
          CHECK(a.score == Approx(b.score).margin(1e-12));
          CHECK(same_evidence(a, b, 1e-9));
        }
      }
      return 0;
    });
  }
}

TEST_CASE("LLFS on drawn samples: found all the same, alike on any threads") {
  for (const hitmiss::Index features : {20, 700}) {
    const Sample data = sample(60, features, 4);
    auto how = options();
    how.program_samples = 24;
    how.score_samples = 12;
    const auto one = fit(data, how, 1), two = fit(data, how, 2);
    const auto whole = fit(data, options(), 1);
    int found = 0, alike = 0;
    for (hitmiss::Index i = 0; i < 60; ++i) {
      const auto &a = one.representatives[i], &b = two.representatives[i];
      CHECK(a.subset == b.subset);
      CHECK(a.score == b.score);
      CHECK(same_evidence(a, b, 0.0));
      CHECK(a.score >= -1.0);
      CHECK(a.score <= 1.0);
      found += a.subset[0] < 2 ? 1 : 0;
      alike += a.subset == whole.representatives[i].subset ? 1 : 0;
    }
    CHECK(found >= 30);
    CHECK(alike < 60);
  }
}

TEST_CASE("the path for checks ends where the fit ends") {
  const Sample data = sample(20, 12, 3);
  auto how = options();
  const auto result = fit(data, how, 1);
  with_threads(1, [&](hitmiss::Runtime &runtime) {
    const auto scaling = hitmiss::learn_scaling(
        data.view(), hitmiss::ScaleMethod::zscore, runtime);
    for (int i = 0; i < 20; ++i) {
      const auto path =
          hitmiss::llfs_path({data.view(), &scaling}, data.y, i, how, runtime);
      CHECK(path.f.rows() == 12);
      CHECK(path.f.cols() == 20);
      const auto &kept = result.representatives[i];
      bool among = false;
      for (const auto &set : path.sets)
        among = among || set.features == kept.subset;
      CHECK(among);
    }
    return 0;
  });
}

TEST_CASE("the first set that is good enough is kept, as if all were scored") {
  bool any_constant = false;
  for (std::uint64_t seed = 1; seed <= some_of(12); ++seed) {
    Sample data = sample(30, 12, seed);
    if (seed % 3 == 0) // few values
      for (double &value : data.values)
        value = std::round(value);
    if (seed % 3 == 1) // floors, that of one class above many of its values
      for (hitmiss::Index k = 0; k < 12 * 30; ++k) {
        double &value = data.values[k];
        value = std::max(
            value,
            data.y[static_cast<int>(k % 30)] == 0 && k / 30 > 5 ? 2.0 : -0.5);
      }
    auto how = options();
    how.parsimony = seed % 2 == 0 ? 2.0 : 0.0;
    const auto result = fit(data, how, 1);
    with_threads(1, [&](hitmiss::Runtime &runtime) {
      const auto scaling = hitmiss::learn_scaling(
          data.view(), hitmiss::ScaleMethod::zscore, runtime);
      const hitmiss::ScaledView x{data.view(), &scaling};
      const auto z = hitmiss::detail::scaled_matrix(x, runtime).samples.values;
      REQUIRE(z.cols() == 12);
      for (int i = 0; i < 30; ++i) {
        hitmiss::Array<double> scores, worth; // less the share without spread
        const auto path = hitmiss::llfs_path(x, data.y, i, how, runtime);
        for (const auto &set : path.sets) {
          hitmiss::FrameCells cells(z, data.y, set.features, i, how.allowed,
                                    all_of);
          scores.push_back(set.features.empty()
                               ? -2.0
                               : score(cells, cells.radius(how.gamma)));
          double constant = 0.0;
          for (const int m : set.features) {
            bool same = true;
            for (int n = 0; n < 30; ++n)
              same = same && (data.y[n] != data.y[i] || z(n, m) == z(i, m));
            constant += same ? 1.0 : 0.0;
          }
          any_constant = any_constant || constant > 0.0;
          worth.push_back(scores.back() -
                          constant / std::max(1.0, static_cast<double>(
                                                       set.features.size())));
        }
        const double enough = *std::max_element(worth.begin(), worth.end()) -
                              how.parsimony / (data.y.count(data.y[i]) - 1) -
                              1e-12;
        hitmiss::Index first = 0;
        while (worth[first] < enough)
          ++first;
        const auto &kept = result.representatives[i];
        if (path.sets[first].objective == 0.0)
          continue; // another rule, see below
        CHECK(kept.beta == path.sets[first].beta);
        CHECK(kept.score == scores[first]);
      }
      return 0;
    });
  }
  CHECK(any_constant);
}

TEST_CASE(
    "intercepts from what representatives keep: none is looked up again") {
  for (std::uint64_t seed = 1; seed <= some_of(9); ++seed) {
    Sample data = sample(24, 6, seed);
    if (seed % 3 == 0) // ties between classes
      for (double &value : data.values)
        value = std::round(value);
    auto how = options();
    how.frames = false; // of the evidence alone
    how.balanced = seed % 2 == 0;
    if (seed > 5)
      how.centres = {1, 2, 5, 8, 13};
    REQUIRE(how.keeps_cells());
    auto model = fit(data, how, 1);
    const Eigen::RowVectorXd kept = model.classifier.intercept;
    REQUIRE(kept.size() == 2);
    with_threads(2, [&](hitmiss::Runtime &runtime) {
      hitmiss::fit_intercept(model.classifier, how.balanced, 0, runtime);
      return 0;
    });
    CHECK((kept - model.classifier.intercept).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(kept.cwiseAbs().maxCoeff() > 0.0);
  }
}

TEST_CASE("single features without spread: the one that separates best") {
  // Sample 0 is the representative, 1 and 2 are its hits.
  Eigen::MatrixXd z(5, 4);
  z << 0, 0, 0, 0, //
      1, 0, 0, 0,  //
      0, 0, 0, 0,  //
      3, 1, 1, 1,  //
      3, 0, 2, 2;
  hitmiss::SeparationProblem problem;
  problem.gain.sigma = 0.5;
  problem.n_same = problem.n_other = 2;
  hitmiss::Array<int> rows(16, 0);
  for (const int n : {1, 2, 3, 4})
    rows[n < 3 ? n - 1 : n + 5] = n;
  CHECK(hitmiss::best_single_feature(z, 0, rows, problem) == 2);
  z.col(2) = z.col(0); // all but the second have spread, or separate less
  CHECK(hitmiss::best_single_feature(z, 0, rows, problem) == 3);
  z.col(3) = z.col(0);
  CHECK(hitmiss::best_single_feature(z, 0, rows, problem) == 1);
  z.col(1) = 2.0 * z.col(0);
  CHECK(hitmiss::best_single_feature(z, 0, rows, problem) == 0);
}

TEST_CASE("ties: the smallest alpha, without spread the largest separation") {
  // Class 0 is at its floor in all features; each alone tells it apart.
  Sample data = sample(12, 5, 7);
  for (hitmiss::Index j = 0; j < 5; ++j)
    for (hitmiss::Index i = 0; i < 12; i += 2)
      data.values[j * 12 + i] = -1.0;
  auto how = options();
  how.alpha = {1.0, 2.0, 3.0};
  const auto at_floor = [&] { return fit(data, how, 1).representatives[0]; };
  const auto best = at_floor();
  CHECK(best.score == Approx(1.0));
  CHECK(best.alpha == 3.0);
  CHECK(best.beta == 1.0);
  // Who asks for small sets gets the smallest.
  how.parsimony = 1e-6;
  CHECK(at_floor().alpha == 1.0);
  CHECK(at_floor().beta == 0.0);
  how.parsimony = 0.0;
  // With a spread, as in the other class, ties go to the smallest alpha.
  const auto all = fit(data, how, 1).representatives;
  for (hitmiss::Index i = 1; i < all.size(); i += 2) {
    CHECK(all[i].score == Approx(1.0));
    CHECK(all[i].alpha == 1.0);
  }
}

TEST_CASE("spheres and cells are those of every sample looked at by itself") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    hitmiss::RandomStream draw(seed, 6, hitmiss::Purpose::simulation);
    const int n = 40;
    Eigen::MatrixXd z(n, 3);
    for (hitmiss::Index k = 0; k < z.size(); ++k)
      z.data()[k] = static_cast<double>(draw.below(seed % 2 == 0 ? 2 : 5));
    hitmiss::Array<int> labels;
    for (int i = 0; i < n; ++i)
      labels.push_back(i < 2 ? i : static_cast<int>(draw.below(2)));
    const hitmiss::ClassIndex y(labels, 2);
    const hitmiss::Array<int> features{0, 2};
    const int centre = static_cast<int>(seed) % n, label = y[centre];
    const auto from = [&](int sample) {
      hitmiss::Array<double> d(n);
      const double own[] = {z(sample, 0), z(sample, 2)};
      hitmiss::frame_distances(z, features, own, d.data());
      return d;
    };
    const auto centre_distances = from(centre);
    const hitmiss::AllowedPairs all;
    hitmiss::FrameCells cells(z, y, features, centre, all, all_of);
    const double radius = cells.radius(0.2);
    const double found = score(cells, radius);
    double count[2][2][2] = {}; // side, class of the nearest, class
    double by_hand = 0.0;
    const double n_same = y.count(label) - 1, n_other = n - y.count(label);
    for (int j = 0; j < n; ++j) {
      if (j == centre)
        continue;
      const auto d = from(j);
      const auto near = shares_at(
          Eigen::Map<const Eigen::VectorXd>(d.data(), d.size()), y, j);
      const bool inside = centre_distances[j] <= radius * (1.0 + 1e-12);
      if (inside && near[label] > near[1 - label])
        by_hand += y[j] == label ? 1.0 / std::max(1.0, n_same) : -1.0 / n_other;
      for (int m = 0; m < 2; ++m)
        count[inside ? 1 : 0][m][y[j]] += near[m];
    }
    CHECK(found == Approx(by_hand).margin(1e-12));
    // q = 4 more samples, in proportion to the classes, in each of 4 cells.
    const double of[] = {label == 0 ? n_same : n_other,
                         label == 0 ? n_other : n_same};
    const auto evidence = cells.evidence(radius);
    for (int cell = 0; cell < 4; ++cell) {
      const int side = cell / 2, m = cell % 2;
      double p[2], sum = 0.0;
      for (int k = 0; k < 2; ++k) {
        const double more = 4.0 * of[k] / (n - 1);
        p[k] = std::log((count[side][m][k] + more) / (of[k] + 4.0 * more));
        sum += p[k];
      }
      Eigen::RowVectorXd votes = Eigen::RowVectorXd::Zero(2);
      hitmiss::add_evidence(evidence, side == 1, {m == 0 ? 1.0 : 0.0, m * 1.0},
                            1.0, votes);
      for (int k = 0; k < 2; ++k)
        CHECK(votes[k] == Approx(p[k] - sum / 2.0).margin(1e-12));
    }
  }
}

TEST_CASE("sphere: the surface is inside, up to rounding") {
  CHECK(hitmiss::is_inside(2.0, 2.0));
  CHECK(hitmiss::is_inside(std::nextafter(2.0, 3.0), 2.0));
  CHECK(hitmiss::is_inside(0.0, 0.0));
  CHECK_FALSE(hitmiss::is_inside(2.0 + 1e-9, 2.0));
  CHECK_FALSE(hitmiss::is_inside(1e-300, 0.0));
}

TEST_CASE("values that are sorted on demand are in order to the last") {
  hitmiss::Array<int> values(500);
  for (int i = 0; i < 500; ++i)
    values[i] = (7 * i + 3) % 500;
  hitmiss::detail::SortedOnDemand<int> sorted(values);
  int wrong = 0;
  for (int i = 0; i < 500; ++i)
    wrong += sorted[i] != i;
  CHECK(wrong == 0);
}

TEST_CASE("radius: up to the first sample that makes the sphere impure") {
  // Representative at 0; near hits at 1, 2, 4, near misses at 3, 5.
  const hitmiss::ClassIndex y({0, 0, 0, 1, 0, 1}, 2);
  const hitmiss::Array<double> d{0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
  const hitmiss::NeighbourKey key;
  // At 3: (1/2) / (2/3) = 0.75.
  CHECK(hitmiss::sphere_radius(d, y, 0, 0.2, key) == 2.5);
  CHECK(hitmiss::sphere_radius(d, y, 0, 0.8, key) == 4.5);
  CHECK(hitmiss::sphere_radius(d, y, 0, 1.0, key) == 5.0);
  // By numbers of samples: at 3, 1/2; at 5, 2/3.
  CHECK(hitmiss::sphere_radius(d, y, 0, 0.4, key, true) == 2.5);
  CHECK(hitmiss::sphere_radius(d, y, 0, 0.5, key, true) == 4.5);
  CHECK(hitmiss::sphere_radius(d, y, 0, 0.7, key, true) == 5.0);
  // A miss at distance 0 leaves the exact duplicates only.
  CHECK(hitmiss::sphere_radius({0.0, 1.0, 2.0, 0.0, 4.0, 5.0}, y, 0, 0.2,
                               key) == 0.0);
  // Equal distances enter together: the hit at 3 does not save the miss.
  CHECK(hitmiss::sphere_radius({0.0, 1.0, 3.0, 3.0, 4.0, 5.0}, y, 0, 0.2,
                               key) == 2.0);
}

TEST_CASE("classifier: votes, the nearest neighbour's veto, ties") {
  // One feature; class 0 at 0 and 1, class 1 at 10 and 12.
  hitmiss::LocalClassifier model{Eigen::MatrixXd(4, 1),
                                 hitmiss::ClassIndex({0, 0, 1, 1}, 2),
                                 {},
                                 {},
                                 false,
                                 {}};
  model.training << 0.0, 1.0, 10.0, 12.0;
  for (const double radius : {3.0, 9.0, 3.0, 3.0}) {
    hitmiss::Representative r;
    r.subset = {0};
    r.radius = radius;
    model.representatives.push_back(r);
  }
  Eigen::MatrixXd x(3, 1);
  x << 0.5, 9.0, 100.0; // both hits; one hit, one miss; nobody
  const auto ask = [&](hitmiss::NeighbourRule rule, int threads) {
    model.neighbour = rule;
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::classify_locally(model, x, true, runtime);
    });
  };
  const auto none = ask(hitmiss::NeighbourRule::none, 1);
  CHECK(none.similarity(0, 0) == 1.0);
  CHECK(none.similarity(0, 1) == 0.0);
  CHECK(none.similarity(1, 0) == 0.5);
  CHECK(none.similarity(1, 1) == 1.0);
  CHECK((none.predicted == hitmiss::Array<int>{0, 1, 1}));
  CHECK(none.nearest(2, 1) == 2.0); // four frames, two samples in the class
  CHECK(none.spheres.size() == 5);
  CHECK(ask(hitmiss::NeighbourRule::half, 1).similarity(1, 0) == 0.25);
  CHECK(ask(hitmiss::NeighbourRule::full, 1).similarity(1, 0) == 0.0);
  CHECK(ask(hitmiss::NeighbourRule::none, 3).similarity == none.similarity);
  CHECK((none.inside == hitmiss::Array<int>{2, 3, 0}));
  // Without the second sphere: it neither votes nor counts in its class.
  model.representatives[1].subset.clear();
  const auto left = ask(hitmiss::NeighbourRule::none, 1);
  CHECK(left.similarity(0, 0) == 1.0);
  CHECK(left.similarity(1, 0) == 0.0);
  CHECK(left.nearest(2, 1) == 1.5); // three frames, two samples in the class
  CHECK((left.inside == hitmiss::Array<int>{1, 2, 0}));
}

TEST_CASE("a model classifies new samples as its classifier does the scaled") {
  const Sample data = sample(40, 12, 5);
  auto how = options();
  how.centres = {0, 1, 2, 3, 10, 11, 12, 13};
  with_threads(1, [&](hitmiss::Runtime &runtime) {
    const auto scaling = hitmiss::learn_scaling(
        data.view(), hitmiss::ScaleMethod::zscore, runtime);
    const auto model =
        hitmiss::llfs({data.view(), &scaling}, data.y, how, runtime);
    const auto found = model.predict(data.view(), runtime);
    CHECK(found.similarity ==
          hitmiss::classify_locally(model.classifier, model.classifier.training,
                                    false, runtime)
              .similarity);
    int right = 0;
    for (int i = 0; i < 40; ++i)
      right += found.predicted[i] == data.y[i] ? 1 : 0;
    CHECK(right >= 32);
    // Intercepts leave no class out on average: the gradient is 0.
    how.frames = false;
    const auto evidence =
        hitmiss::llfs({data.view(), &scaling}, data.y, how, runtime);
    auto plain = evidence.classifier;
    plain.intercept.resize(0);
    const auto own =
        hitmiss::classify_locally(plain, plain.training, false, runtime, true);
    Eigen::RowVectorXd gradient = evidence.classifier.intercept;
    for (int i = 0; i < 40; ++i) {
      Eigen::RowVectorXd p =
          own.similarity.row(i) + evidence.classifier.intercept;
      p = p.array().exp();
      gradient += p / p.sum();
      gradient[data.y[i]] -= 1.0;
    }
    CHECK(gradient.cwiseAbs().maxCoeff() < 1e-10);
    CHECK_THROWS_AS(
        model.predict(hitmiss::view_by_feature(data.values.data(), 40, 11),
                      runtime),
        std::invalid_argument);
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      auto values = data.values;
      values[5] = bad;
      CHECK_THROWS_AS(
          model.predict(hitmiss::view_by_feature(values.data(), 40, 12),
                        runtime),
          std::invalid_argument);
    }
    return 0;
  });
}

TEST_CASE("a sample on the surface is inside; tied neighbours do not agree") {
  hitmiss::LocalClassifier model{Eigen::MatrixXd(3, 1),
                                 hitmiss::ClassIndex({0, 1, 1}, 2),
                                 {},
                                 {},
                                 false,
                                 {}};
  model.training << 0.0, 2.0, 9.0;
  for (const double radius : {1.0, 0.5, 0.5}) {
    hitmiss::Representative r;
    r.subset = {0};
    r.radius = radius;
    model.representatives.push_back(r);
  }
  // Both on the first sphere's surface; 1 is as far from 0 as from 2.
  Eigen::MatrixXd x(2, 1);
  x << 1.0, -1.0;
  for (const auto rule :
       {hitmiss::NeighbourRule::none, hitmiss::NeighbourRule::full}) {
    model.neighbour = rule;
    const auto answer = with_threads(1, [&](hitmiss::Runtime &runtime) {
      return hitmiss::classify_locally(model, x, false, runtime);
    });
    CHECK(answer.similarity(0, 0) ==
          (rule == hitmiss::NeighbourRule::none ? 1.0 : 0.0));
    CHECK(answer.similarity(1, 0) == 1.0);
  }
}

TEST_CASE("the nearest of each class are those of all samples looked at") {
  for (std::uint64_t seed = 1; seed <= some_of(500); ++seed) {
    hitmiss::RandomStream draw(seed, 7, hitmiss::Purpose::simulation);
    const int classes = 2 + draw.below(4);
    const hitmiss::Index n = classes + draw.below(40), features = 1 + seed % 5;
    Eigen::MatrixXd z(n, features);
    for (hitmiss::Index k = 0; k < z.size(); ++k)
      z.data()[k] =
          seed % 3 == 0 ? draw.uniform() : static_cast<double>(draw.below(3));
    hitmiss::Array<int> labels; // the last class may be one sample
    for (int i = 0; i < n; ++i)
      labels.push_back(i < classes ? i : draw.below(classes - 1));
    const hitmiss::ClassIndex y(labels, classes);
    const hitmiss::SamplesByClass sorted(z, hitmiss::all_samples(features), y);
    hitmiss::Array<int> which;
    for (hitmiss::Index k = features - 1; k >= 0; k -= 2)
      which.push_back(static_cast<int>(k));
    constexpr hitmiss::Index together = hitmiss::SamplesByClass::together;
    hitmiss::Array<double> from(which.size() * together);
    hitmiss::SamplesByClass::Samples self;
    for (hitmiss::Index q = 0; q < together; ++q) {
      self[q] = q == 0 ? -1 : draw.below(static_cast<int>(n));
      for (hitmiss::Index k = 0; k < which.size(); ++k)
        from[k * together + q] = q == 0
                                     ? 0.5 * static_cast<double>(draw.below(4))
                                     : z(self[q], which[k]);
    }
    hitmiss::SamplesByClass::Shares shares;
    sorted.shares(which, from.data(), self, {}, shares);
    for (hitmiss::Index q = 0; q < together; ++q) {
      Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
      for (hitmiss::Index k = 0; k < which.size(); ++k)
        d.array() +=
            (z.col(which[k]).array() - from[k * together + q]).square();
      CHECK(shares[q] == shares_at(d.cwiseSqrt(), y, self[q]));
    }
  }
}

TEST_CASE("intercepts: as many samples of each class, weighted") {
  hitmiss::Array<int> labels;
  for (int i = 0; i < 90; ++i)
    labels.push_back(i < 60 ? 0 : i < 87 ? 1 : 2);
  const hitmiss::ClassIndex y(labels, 3);
  with_threads(1, [&](hitmiss::Runtime &runtime) {
    for (const bool balanced : {false, true}) {
      const auto all =
          hitmiss::detail::intercept_samples(y, balanced, 0, runtime);
      CHECK(all.rows == hitmiss::all_samples(90));
      const auto some =
          hitmiss::detail::intercept_samples(y, balanced, 30, runtime);
      CHECK(some.y.count(0) == 10);
      CHECK(some.y.count(1) == 10);
      CHECK(some.y.count(2) == 3);
      CHECK(std::is_sorted(some.rows.begin(), some.rows.end()));
      for (hitmiss::Index k = 0; k < some.rows.size(); ++k)
        CHECK(some.y[k] == y[some.rows[k]]);
      for (int c = 0; c < 3; ++c) {
        const double whole = balanced ? 30.0 : y.count(c);
        CHECK(all.weights[c] * y.count(c) == Approx(whole));
        CHECK(some.weights[c] * some.y.count(c) == Approx(whole));
      }
    }
    return 0;
  });
}
