// LLFS on nasty problems, against its definitions.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>

#include <hitmiss/llfs/llfs_model.hpp>

#include "problem.hpp"
#include "support/llfs_path.hpp"

namespace {

using Weights = hitmiss::Array<double>;

/// What rounding leaves of a mean of a dozen terms of order 1, generously.
constexpr double rounding = 1e-11;

/// (1), (3) and (8) around one sample for one alpha as they are written: no
/// code of the core but the scaled values.
class Definition {
public:
  Definition(const fuzz::Problem &problem, int centre, double alpha,
             bool init_one)
      : features_(problem.features) {
    const auto x = problem.x();
    int varying = 0;
    for (int j = 0; j < features_; ++j) {
      free_.push_back(!problem.is_constant(j));
      varying += free_.back() ? 1 : 0;
    }
    budget_ = std::min(alpha, static_cast<double>(varying));
    start_ = std::min(1.0, init_one ? 1.0 / alpha : alpha / varying);
    double phi = 0.0;
    for (int i = 0; i < problem.n; ++i) {
      if (i == centre)
        continue;
      Weights a;
      double sum = 0.0;
      for (int j = 0; j < features_; ++j) {
        a.push_back(is_free(j) ? std::abs(x(i, j) - x(centre, j)) : 0.0);
        sum += start_ * a.back();
      }
      phi = std::max(phi, sum);
      const auto at = i;
      const auto own = centre;
      (problem.labels[at] == problem.labels[own] ? same_ : other_).push_back(a);
    }
    sigma_ = phi > 0.0 ? std::log(0.97 / 0.03) / phi : 1.0;
    lambda_ = 0.01 / alpha;
  }

  bool is_free(int j) const { return free_[j]; }
  double budget() const { return budget_; }
  double sigma() const { return sigma_; }
  double lambda() const { return lambda_; }
  Weights start() const {
    Weights f;
    for (int j = 0; j < features_; ++j)
      f.push_back(is_free(j) ? start_ : 0.0);
    return f;
  }
  Weights indicator(const hitmiss::Array<int> &set) const {
    Weights f(features_, 0.0);
    for (const int j : set)
      f[j] = 1.0;
    return f;
  }
  double u1(const Weights &f) const { return mean(same_, f); }
  double u2(const Weights &f) const { return mean(other_, f); }
  Weights gradient1(const Weights &f) const { return gradient(same_, f); }
  Weights gradient2(const Weights &f) const { return gradient(other_, f); }

  /// max g'v over 0 <= v <= 1, 1'v <= budget, for g >= 0.
  double largest(Weights g) const {
    std::sort(g.begin(), g.end(), std::greater<double>());
    double left = budget_, sum = 0.0;
    for (const double value : g) {
      sum += std::min(1.0, left) * value;
      left = std::max(0.0, left - 1.0);
    }
    return sum;
  }

private:
  static double dot(const Weights &a, const Weights &b) {
    double sum = 0.0;
    for (hitmiss::Index j = 0; j < a.size(); ++j)
      sum += a[j] * b[j];
    return sum;
  }
  double mean(const hitmiss::Array<Weights> &rows, const Weights &f) const {
    double sum = 0.0;
    for (const Weights &a : rows) {
      const double d = dot(a, f);
      sum += 1.0 / (1.0 + std::exp(-sigma_ * d)) - 0.5 + lambda_ * d;
    }
    return rows.empty() ? 0.0 : sum / static_cast<double>(rows.size());
  }
  Weights gradient(const hitmiss::Array<Weights> &rows,
                   const Weights &f) const {
    Weights g(f.size(), 0.0);
    for (const Weights &a : rows) {
      const double e = std::exp(-sigma_ * dot(a, f));
      const double slope = sigma_ * e / ((1.0 + e) * (1.0 + e)) + lambda_;
      for (hitmiss::Index j = 0; j < g.size(); ++j)
        g[j] += slope * a[j] / static_cast<double>(rows.size());
    }
    return g;
  }

  int features_;
  hitmiss::Array<char> free_;
  hitmiss::Array<Weights> same_, other_;
  double budget_ = 0.0, start_ = 0.0, sigma_ = 0.0, lambda_ = 0.0;
};

double inner(const Weights &g, const Weights &a, const Weights &b) {
  double sum = 0.0;
  for (hitmiss::Index j = 0; j < g.size(); ++j)
    sum += g[j] * (a[j] - b[j]);
  return sum;
}

/// What the core says of one sample and alpha.
struct Claim {
  const hitmiss::LlfsOptions &options;
  hitmiss::LlfsPath path;
  bool settled;     ///< no limit of steps stopped a problem (7)
  bool working_set; ///< the programs did not hold all features
};

Weights column(const Eigen::MatrixXd &f, hitmiss::Index b) {
  const auto at = b;
  return {f.col(at).data(), f.col(at).data() + f.rows()};
}

/// (6): attained, and no more to be had. U2 is concave, so its gradient bounds
/// it: by 1e-7 of itself where the core stops, 1e-7 where it prices features.
void check_largest(const Definition &by, const Claim &claim) {
  const double eps = claim.path.eps_max;
  const auto last = claim.path.f.cols() - 1;
  const Weights f = column(claim.path.f, last);
  fuzz::require(std::abs(by.u2(f) - eps) <= rounding, "eps_max is attained");
  const Weights g = by.gradient2(f);
  const double more = by.largest(g) - inner(g, f, Weights(f.size(), 0.0));
  fuzz::require(more <= 1e-6 * eps + rounding, "eps_max is the largest");
}

/// Points in P for certain, among them some with much and some with little U2.
hitmiss::Array<Weights> known_points(const Definition &by, const Claim &claim) {
  hitmiss::Array<Weights> points;
  for (int j = 0; j < static_cast<int>(claim.path.f.rows()); ++j)
    if (by.is_free(j))
      points.push_back(by.indicator({j}));
  for (const auto &set : claim.path.sets)
    if (!set.features.empty())
      points.push_back(by.indicator(set.features));
  const auto last = claim.path.f.cols() - 1;
  points.push_back(column(claim.path.f, last));
  return points;
}

/// (7), relaxed: every solution lies in P and separates enough. The core stops
/// where the linear program at f promises no more than 1e-7 U1, so nothing that
/// is feasible may promise more: f is stationary (KKT). And f is below what the
/// linear program at the start of its beta promised (majorised: monotone).
/// Programs work to 1e-9 of the largest cost, prices to 1e-3 of it, and
/// features without spread are told apart by 1e-6 of it.
void check_relaxed(const Definition &by, const Claim &claim) {
  const double eps = claim.path.eps_max;
  const auto points = known_points(by, claim);
  Weights start = by.indicator(claim.path.sets[0].features);
  const auto count = claim.path.f.cols();
  for (hitmiss::Index b = 0; b < count; ++b) {
    const double beta = claim.options.beta[b + 1];
    const Weights f = column(claim.path.f, b);
    double size = 0.0;
    for (hitmiss::Index j = 0; j < f.size(); ++j) {
      fuzz::require(f[j] >= 0.0 && f[j] <= 1.0, "0 <= f <= 1");
      fuzz::require(f[j] == 0.0 || by.is_free(static_cast<int>(j)),
                    "constants get no weight");
      size += f[j];
    }
    fuzz::require(size >= 1.0 - 1e-7 && size <= by.budget() + 1e-7,
                  "between 1 and alpha features");
    fuzz::require(by.u2(f) >=
                      (beta - 1.001 * claim.options.tol) * eps - rounding,
                  "relaxed solutions separate enough");
    if (claim.settled && b + 1 < count) {
      if (claim.options.cold_start)
        start = by.start();
      const Weights c = by.gradient1(f), first = by.gradient1(start);
      const auto slack = [&](const Weights &cost) {
        return (claim.working_set ? 1.1e-3 : 1.1e-6) * by.budget() *
                   *std::max_element(cost.begin(), cost.end()) +
               rounding;
      };
      const double u1 = by.u1(f), before = by.u1(start);
      for (const Weights &point : points) {
        if (by.u2(point) < beta * eps + rounding)
          continue;
        fuzz::require(inner(c, point, f) >= -2e-7 * u1 - slack(c),
                      "relaxed solutions are stationary");
        if (!claim.working_set)
          fuzz::require(u1 <=
                            before + inner(first, point, start) + slack(first),
                        "the objective falls as its majoriser");
      }
    }
    start = f;
  }
}

/// All roundings of f that hold by more than rounding errors can take away.
double least_rounding(const Definition &by, const Weights &f, double required,
                      double alpha, int enumerate, bool &all) {
  hitmiss::Array<int> base, open;
  for (hitmiss::Index j = 0; j < f.size(); ++j) {
    if (f[j] > 1.0 - 1e-6)
      base.push_back(static_cast<int>(j));
    else if (f[j] > 1e-6)
      open.push_back(static_cast<int>(j));
  }
  double least = HUGE_VAL;
  all = static_cast<int>(open.size()) <= enumerate;
  for (unsigned mask = 0; all && mask < 1u << open.size(); ++mask) {
    auto set = base;
    for (hitmiss::Index k = 0; k < open.size(); ++k)
      if (mask >> k & 1)
        set.push_back(open[k]);
    if (set.empty() || static_cast<double>(set.size()) > alpha)
      continue;
    const Weights rounded = by.indicator(set);
    if (by.u2(rounded) >= required + rounding)
      least = std::min(least, by.u1(rounded));
  }
  return least;
}

/// The set of each beta: feasible, its objective by definition, the best that
/// is promised: of all single features, of the roundings tried, and, polished,
/// of what dropping a feature leaves.
void check_sets(const Definition &by, const Claim &claim, double alpha) {
  const double eps = claim.path.eps_max;
  for (hitmiss::Index b = 0; b < claim.path.sets.size(); ++b) {
    const auto &set = claim.path.sets[b];
    const Weights f = by.indicator(set.features);
    const double u1 = by.u1(f), required = claim.options.beta[b] * eps;
    if (!set.features.empty()) {
      fuzz::require(static_cast<double>(set.features.size()) <= alpha,
                    "at most alpha features");
      fuzz::require(by.u2(f) >= required - 1e-9 * eps - rounding,
                    "a set separates enough");
      fuzz::require(std::abs(u1 - set.objective) <= rounding,
                    "the objective is that of the set");
    }
    double least = HUGE_VAL;
    bool all = true;
    if (b == 0) {
      for (int j = 0; j < static_cast<int>(f.size()); ++j)
        if (by.is_free(j))
          least = std::min(least, by.u1(by.indicator({j})));
      fuzz::require(set.features.size() == 1, "beta = 0 takes one feature");
    } else {
      least = least_rounding(by, column(claim.path.f, b - 1), required, alpha,
                             claim.options.enumerate, all);
      if (claim.options.polish)
        for (hitmiss::Index k = 0; set.features.size() > 1 && k < f.size();
             ++k) {
          Weights less = f;
          less[k] = 0.0;
          if (f[k] > 0.0 && by.u2(less) >= required + rounding)
            least = std::min(least, by.u1(less));
        }
    }
    fuzz::require(least == HUGE_VAL ||
                      (!set.features.empty() && u1 <= least + rounding),
                  "no better rounding");
  }
}

void check_subset(const fuzz::Problem &problem,
                  const hitmiss::Representative &one, double alpha) {
  fuzz::require(!one.subset.empty(), "a subset is not empty");
  fuzz::require(static_cast<double>(one.subset.size()) <= alpha,
                "at most alpha features");
  for (hitmiss::Index k = 0; k < one.subset.size(); ++k) {
    const int j = one.subset[k];
    fuzz::require(j >= 0 && j < problem.features, "a position of the input");
    fuzz::require(!problem.is_constant(j), "constants are not selected");
    fuzz::require(k == 0 || one.subset[k - 1] < j, "in order, each once");
  }
  fuzz::require(std::isfinite(one.radius) && one.radius >= 0.0, "radius");
  fuzz::require(std::isfinite(one.score), "score is finite");
  fuzz::require(std::isfinite(one.objective), "objective is finite");
  fuzz::require(one.beta >= 0.0 && one.beta <= 1.0, "beta within the grid");
  for (const auto &cell : one.evidence)
    fuzz::require(std::isfinite(cell.value) && cell.value > 0.0, "evidence");
}

/// The path that one sample's subset comes of, for the alpha it took.
void check_path(const fuzz::Problem &problem,
                const hitmiss::Representative &one, int centre,
                hitmiss::LlfsOptions options) {
  const bool first = one.alpha == options.alpha[0];
  options.alpha = {one.alpha};
  const Definition by(problem, centre, one.alpha, options.init_one);
  int varying = 0;
  for (int j = 0; j < problem.features; ++j)
    varying += by.is_free(j) ? 1 : 0;
  const Claim claim{options,
                    with_threads(1,
                                 [&](hitmiss::Runtime &runtime) {
                                   return hitmiss::llfs_path(
                                       problem.x(), problem.y(), centre,
                                       options, runtime);
                                 }),
                    one.unsettled == 0, varying > options.working_set_from};
  const auto &gain = claim.path.gain;
  fuzz::require(std::abs(gain.sigma - by.sigma()) <= 1e-9 * by.sigma() &&
                    gain.lambda == by.lambda(),
                "sigma and lambda of (8)");
  check_largest(by, claim);
  check_relaxed(by, claim);
  check_sets(by, claim, one.alpha);
  const Weights f = by.indicator(one.subset);
  fuzz::require(by.u2(f) >= (one.beta - 1e-9) * claim.path.eps_max - rounding,
                "the subset separates enough");
  // Another place in the grid draws other roundings.
  bool among = !first;
  for (const auto &set : claim.path.sets)
    among = among || (set.features == one.subset && set.beta == one.beta &&
                      set.objective == one.objective);
  fuzz::require(among, "the subset is one of its path");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      hitmiss::Index size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Problem problem(bytes, 9, 14);
  if (problem.all_constant())
    return 0; // refused before the core is called
  hitmiss::LlfsOptions options;
  options.alpha = {static_cast<double>(bytes.between(1, 6))};
  if (bytes.coin())
    options.alpha.push_back(options.alpha[0] + bytes.between(1, 4) / 2.0);
  options.beta = {0.0, bytes.between(1, 49) / 100.0, 0.5, 1.0};
  options.gamma = std::ldexp(1.0, bytes.between(-6, 3));
  options.parsimony = bytes.between(0, 2);
  options.polish = bytes.coin();
  options.evidence = bytes.coin();
  options.enumerate = bytes.between(0, 6);
  options.draws = 20;
  options.working_set = bytes.between(4, 10);
  options.working_set_from = bytes.coin() ? 5 : 500;
  options.init_one = bytes.coin();
  options.cold_start = bytes.coin();
  options.impurity_by_count = bytes.coin();
  const auto run = [&](int threads) {
    return with_threads(threads, [&](hitmiss::Runtime &runtime) {
      return hitmiss::llfs(problem.x(), problem.y(), options, runtime);
    });
  };
  const auto one = run(1), two = run(2);
  fuzz::require(static_cast<int>(one.representatives.size()) == problem.n,
                "one subset per sample");
  for (hitmiss::Index i = 0; i < one.representatives.size(); ++i) {
    const auto &a = one.representatives[i], &b = two.representatives[i];
    check_subset(problem, a, options.alpha.back());
    fuzz::require(a.subset == b.subset && a.radius == b.radius &&
                      a.score == b.score,
                  "threads do not matter");
    check_path(problem, a, static_cast<int>(i), options);
  }
  return 0;
}
