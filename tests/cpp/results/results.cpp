// What every family of selectors, scores and voters comes to on simulated data:
//   results         writes it as text
//   results FILE    compares it with what the same program wrote elsewhere
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include <hitmiss/all.hpp>

#include "../support/host.hpp"

namespace {

using namespace hitmiss;

/// What vignette("trust") promises across builds, of the largest number.
constexpr double tolerance = 1e-8;

/// Numbers agree within the tolerance; places (of features, classes) entirely.
using Results = std::map<std::string, Array<double>>;
const char *const places = "places of ";

template <class Values>
void keep_places(Results &results, const std::string &name,
                 const Values &values) {
  results[places + name] = Array<double>(values.begin(), values.end());
}

/// Best first; features whose scores only rounding may tell apart, in their own
/// order.
Array<int> ranking_of(const Array<double> &scores) {
  auto ranking = all_samples(scores.size());
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](int a, int b) { return scores[a] > scores[b]; });
  double largest = 0.0;
  for (const double score : scores)
    largest = std::max(largest, std::abs(score));
  for (Index begin = 0, end = 1; begin < ranking.size(); begin = end++) {
    while (end < ranking.size() &&
           scores[ranking[end - 1]] - scores[ranking[end]] <=
               tolerance * largest)
      ++end;
    std::sort(ranking.begin() + begin, ranking.begin() + end);
  }
  return ranking;
}

void keep_scores(Results &results, const std::string &name,
                 const Array<double> &scores) {
  results[name] = scores;
  keep_places(results, name, ranking_of(scores));
}

/// All values are multiples of 2^-53 below 4: the same on every machine.
struct Problem {
  Index n, features;
  Array<double> values, outcome; // values by feature
  ClassIndex y;
  Scaling range, zscore;

  /// Classes differ in the first three features. With `whole` numbers, which
  /// tie.
  Problem(Index samples, Index count, int n_classes, bool whole)
      : n(samples), features(count), values(n * features), outcome(n),
        y(cyclic(n, n_classes), n_classes) {
    RandomStream draw(static_cast<std::uint64_t>(features), 0,
                      Purpose::simulation);
    for (Index j = 0; j < features; ++j)
      for (Index i = 0; i < n; ++i) {
        const double noise =
            whole ? static_cast<double>(draw.below(4)) : draw.uniform();
        values[j * n + i] =
            noise + (j < 3 ? 0.25 * y[i] * static_cast<double>(j + 1) : 0.0);
      }
    for (double &value : outcome)
      value = draw.uniform();
    with_threads(2, [&](Runtime &runtime) {
      range = learn_scaling(view(), ScaleMethod::range, runtime);
      zscore = learn_scaling(view(), ScaleMethod::zscore, runtime);
    });
  }

  MatrixView view() const {
    return view_by_feature(values.data(), n, features);
  }
  ScaledView x() const { return {view(), &range}; }
  ScaledView centred() const { return {view(), &zscore}; }

private:
  static Array<int> cyclic(Index n, int n_classes) {
    Array<int> labels = all_samples(n);
    for (int &label : labels)
      label %= n_classes;
    return labels;
  }
};

void add_relief(const Problem &p, Results &results, Runtime &runtime) {
  const std::pair<const char *, MissRule> rules[] = {
      {"conditional", MissRule::conditional},
      {"prior", MissRule::prior},
      {"pooled", MissRule::pooled},
      {"map", MissRule::map}};
  NearReliefOptions near;
  near.k = 3;
  for (const auto &rule : rules) {
    near.rule = rule.second;
    keep_scores(results, std::string("relief ") + rule.first,
                near_relief(p.x(), p.y, near, runtime));
  }
  near.rule = MissRule::conditional;
  near.metric = Metric::euclidean;
  keep_scores(results, "relief euclidean",
              near_relief(p.x(), p.y, near, runtime));
  keep_scores(results, "relief sampled",
              sampled_relief(p.x(), p.y, near, 9, runtime).scores);
  keep_scores(results, "rrelieff",
              rrelieff(p.x(), p.outcome, near, runtime).scores);
  SurvivalOutcome times;
  for (Index i = 0; i < p.outcome.size(); ++i) {
    const double size = static_cast<double>(p.outcome.size());
    times.position.push_back(static_cast<double>(i) / size);
    times.event.push_back(i % 3 > 0);
  }
  keep_scores(results, "srelieff",
              srelieff(p.x(), times, near, runtime).scores);
  for (const bool own : {false, true})
    for (const bool far : {false, true}) {
      RadiusReliefOptions options;
      options.radius = {own, far};
      options.metric = Metric::euclidean;
      keep_scores(results,
                  std::string(own ? "multisurf" : "surf") +
                      (far ? " star" : ""),
                  radius_relief(p.x(), p.y, options, 0, runtime).scores);
    }
  for (const double bandwidth : {0.01, 0.5}) {
    ParzenOptions parzen;
    parzen.bandwidth = bandwidth;
    keep_scores(results, "parzen " + std::to_string(bandwidth),
                parzen_margins(p.x(), p.y, parzen, runtime));
  }
  keep_scores(results, "irelief",
              irelief(p.x(), p.y, IReliefOptions{}, runtime).weights);
}

void add_logo(const Problem &p, Results &results, Runtime &runtime) {
  LogoOptions options;
  options.lambda = 0.1;
  options.unit_range = true;
  keep_scores(results, "logo", logo(p.x(), p.y, options, runtime).weights);
}

void add_path(const std::string &name, const BfsResult &path,
              Results &results) {
  results[name] = path.mu;
  keep_places(results, name, path.ranking);
  keep_places(results, name + ", entry", path.entry);
}

void add_kbfs(const Problem &p, Results &results, Runtime &runtime) {
  BfsOptions options;
  options.n_features = 20;
  add_path("bfs", bfs(p.centred(), p.y, options, runtime), results);
  options.kernel.degree = 2;
  options.kernel.offset = 1.0;
  add_path("bfs polynomial", bfs(p.centred(), p.y, options, runtime), results);
  options.kernel.family = PairKernel::Family::gaussian;
  options.redundancy = 0.1;
  add_path("bfs gaussian", bfs(p.centred(), p.y, options, runtime), results);
  Array<int> some;
  for (Index i = 0; i < p.n; ++i)
    some.push_back(i < p.n / 2 ? p.y[i] : ClassIndex::unlabelled);
  const ClassIndex partly(some, p.y.n_classes());
  add_path(
      "semi bfs",
      semi_bfs(p.centred(), partly, BfsOptions{}, ManifoldOptions{}, runtime),
      results);
}

void add_llfs(const Problem &p, Results &results, Runtime &runtime) {
  LlfsOptions options;
  options.alpha = {2.0, 4.0};
  options.evidence = true;
  const auto fit = llfs(p.centred(), p.y, options, runtime);
  Eigen::MatrixXd scaled(p.n, p.features);
  for (Index j = 0; j < p.features; ++j)
    for (Index i = 0; i < p.n; ++i)
      scaled(i, j) = p.centred()(i, j);
  for (Index i = 0; i < p.n; ++i) {
    const auto &r = fit.representatives[i];
    const auto name = "llfs " + std::to_string(i);
    keep_places(results, name, r.subset);
    results[name] = {r.radius, r.alpha, r.beta, r.score, r.objective};
    for (const auto &cell : r.evidence)
      results[name + ", evidence"].push_back(cell.value);
  }
  for (const auto rule :
       {NeighbourRule::none, NeighbourRule::half, NeighbourRule::full}) {
    const LocalClassifier model{scaled, p.y,   fit.representatives,
                                rule,   false, {}};
    const auto vote = classify_locally(model, scaled, false, runtime, true);
    const auto name = "llfs vote " + std::to_string(static_cast<int>(rule));
    results[name] = {vote.similarity.data(),
                     vote.similarity.data() + vote.similarity.size()};
    keep_places(results, name, vote.predicted);
  }
}

void add_scores(const Problem &p, Results &results, Runtime &runtime) {
  keep_scores(results, "pwfp", pwfp(p.x(), p.y, PwfpOptions{}, runtime).scores);
  keep_scores(results, "fisher", fisher_scores(p.view(), p.y, runtime));
  keep_scores(results, "laplacian",
              laplacian_scores(p.x(), 5, best_simd_level(), runtime));
  keep_scores(results, "simba",
              simba(p.x(), p.y, SimbaOptions{}, runtime).scores);
  for (const auto rule :
       {BinRule::frequency, BinRule::mdl, BinRule::three_sigma}) {
    const auto binned = bin_features(p.view(), p.y, {rule, 4}, runtime);
    const auto by = ", bins " + std::to_string(static_cast<int>(rule));
    keep_scores(
        results, "chi squared" + by,
        association_scores(binned, p.y, Association::chi_squared, runtime));
    keep_places(results, "mrmr" + by,
                mrmr(binned, p.y, MrmrOptions{10}, runtime).picked);
  }
  const auto ranks = centred_ranks(p.view(), runtime);
  results["rank products"] =
      rank_products(ranks.data(), p.n, Array<double>(p.features, 1.0),
                    best_simd_level(), runtime);
  Eigen::MatrixXd few(5, p.n);
  for (Index i = 0; i < p.n; ++i)
    for (Index j = 0; j < few.rows(); ++j)
      few(j, i) = p.view()(i, j);
  InteractionOptions options;
  options.orders =
      Eigen::VectorXi::LinSpaced(p.n, static_cast<int>(p.n) - 1, 0);
  const auto pairs = interactions(few, p.y, options, runtime);
  results["interactions"] = {pairs.hits.data(),
                             pairs.hits.data() + pairs.hits.size()};
  results["interactions by chance"] = pairs.largest_by_chance;
}

/// The second half of the samples is classified by the first.
void add_votes(const Problem &p, Results &results, Runtime &runtime) {
  const Index half = p.n / 2;
  const auto known = sample_range(p.view(), {0, half});
  const auto asked = sample_range(p.view(), {half, p.n});
  Array<int> labels;
  for (Index i = 0; i < half; ++i)
    labels.push_back(p.y[i]);
  const ClassIndex y(labels, p.y.n_classes());
  const Array<double> ones(p.features, 1.0);
  const auto votes = nearest_vote({asked, &p.range}, {known, &p.range}, y, ones,
                                  VoteOptions{}, runtime);
  results["vote"] = votes.share;
  keep_places(results, "vote", votes.winner);
  results["mean"] = nearest_mean({asked, &p.range}, {known, &p.range},
                                 {p.outcome.begin(), p.outcome.begin() + half},
                                 ones, VoteOptions{}, runtime);
  const NestedVoteOptions sizes{{2, 10, 20}, {{1, 3}, {1, 3}, {1, 3}}};
  keep_places(results, "nested vote",
              nested_vote(asked, known, y, sizes, runtime).winner);
}

Results compute() {
  const std::pair<const char *, Problem> problems[] = {
      {"two classes", {24, 40, 2, false}},
      {"three classes, many features", {24, 600, 3, false}},
      {"ties", {30, 50, 3, true}}};
  Results all;
  for (const auto &problem : problems) {
    Results results;
    with_threads(2, [&](Runtime &runtime) {
      for (const auto add :
           {add_relief, add_logo, add_kbfs, add_llfs, add_scores, add_votes})
        add(problem.second, results, runtime);
    });
    for (auto &result : results)
      all[result.first + ": " + problem.first] = std::move(result.second);
  }
  return all;
}

void write(const Results &results, std::ostream &out) {
  out.precision(17);
  for (const auto &result : results) {
    out << result.first << '\n' << result.second.size();
    for (const double value : result.second)
      out << ' ' << value;
    out << '\n';
  }
}

Results read(std::istream &in) {
  Results results;
  std::string name;
  while (std::getline(in, name)) {
    Index size = 0;
    in >> size;
    Array<double> values(size);
    for (double &value : values)
      in >> value;
    in >> std::ws;
    results[name] = values;
  }
  return results;
}

/// The largest difference as a share of the largest number; infinite where the
/// two have no numbers that could be compared.
double difference(const Array<double> &a, const Array<double> &b) {
  double largest = 0.0, apart = 0.0;
  if (a.size() != b.size())
    return HUGE_VAL;
  for (Index i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i]))
      return HUGE_VAL;
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  return largest > 0.0 ? apart / largest : 0.0;
}

/// Says what differs, and returns whether nothing does.
bool compare(const Results &own, const Results &other) {
  bool same = own.size() == other.size() && !own.empty();
  Index equal = 0, numbers = 0;
  double most = 0.0;
  for (const auto &result : own) {
    const auto there = other.find(result.first);
    const double apart = there == other.end()
                             ? HUGE_VAL
                             : difference(result.second, there->second);
    const bool exact = result.first.find(places) == 0;
    if (apart > (exact ? 0.0 : tolerance)) {
      std::cout << "differ by " << apart << ": " << result.first << '\n';
      same = false;
    }
    most = std::max(most, exact ? 0.0 : apart);
    equal += apart == 0.0 ? 1 : 0;
    numbers += result.second.size();
  }
  std::cout << own.size() << " results of " << numbers << " numbers here, "
            << other.size() << " there; " << equal
            << " the same bits; largest relative difference " << most << '\n';
  return same;
}

} // namespace

int main(int n_arguments, char **arguments) {
  const auto results = compute();
  if (n_arguments < 2) {
    write(results, std::cout);
    return std::cout ? 0 : 1;
  }
  std::ifstream file(arguments[1]);
  return compare(results, read(file)) ? 0 : 1;
}
