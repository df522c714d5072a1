// Every number that an entry function can be given, spoilt: it is refused by
// std::invalid_argument, or the answer is finite. An entry function is what the
// R package calls; units.cmake sees to it that each is called in this file or
// in test_entries.cpp.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <testthat/vendor/catch.h>

#include <hitmiss/all.hpp>

#include "support/host.hpp"

namespace entry_options {
namespace {

using namespace hitmiss;

using Answer = Array<double>;
using Limits = std::numeric_limits<int>;

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();
const Index n = 12, n_features = 4;

/// Two classes of six samples; the first feature tells them apart.
struct Data {
  Array<double> values{0, 1, 0, 2, 1, 2, 9, 8, 9, 7, 8, 7, 3, 1, 4, 1,
                       5, 2, 9, 2, 6, 5, 3, 6, 5, 8, 9, 7, 9, 1, 3, 2,
                       3, 8, 4, 0, 6, 2, 6, 4, 3, 4, 3, 8, 3, 2, 7, 1};
  Array<int> labels{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  Array<double> outcome{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Array<double> position;
  Array<int> step;
  Array<char> event;
  Scaling scaling = identity_scaling(n_features);

  Data() {
    for (int i = 0; i < n; ++i) {
      position.push_back(i / 12.0);
      step.push_back(i);
      event.push_back(i % 3 != 1);
    }
  }
  MatrixView raw() const {
    return view_by_feature(values.data(), n, n_features);
  }
  ScaledView x() const { return {raw(), &scaling}; }
  ClassIndex y() const { return {labels, 2}; }
  SurvivalVoters voters() const { return {position, step, event, {1, 3}}; }
  SurvivalOutcome survival() const { return {position, event}; }
  CensoredTimes times() const { return {step, event, Array<int>(n, 0)}; }
  Eigen::MatrixXd by_sample() const { // features x samples
    return Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n_features)
        .transpose();
  }
  LlfsModel model(Runtime &r) const { return llfs(x(), y(), few(), r); }
  /// As quick as LLFS can be.
  static LlfsOptions few() {
    LlfsOptions options;
    options.alpha = {2.0};
    options.beta = {0.0, 1.0};
    options.draws = 10;
    return options;
  }
};

Answer numbers(const Eigen::MatrixXd &matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// A number of an entry function and what it gives with another value of it.
struct Spoilable {
  std::string what;
  std::function<Answer(double, Runtime &)> call;
  Array<double> values;
  /// Of a number of things to use, of which there are few: any number above
  /// gives the answer that this one gives.
  double as_many = nan;
};

/// Those of whole numbers, real ones, and places of arrays.
const Array<double> whole{Limits::max(), Limits::max() - 3.0, Limits::min(),
                          -1.0, 0.0};
const Array<double> real{nan,    inf,     -inf,  1.7e308, -1.7e308,
                         1e-310, -1e-310, 1e300, 0.0,     -1.0};

/// A whole number may lie outside of T, and is cut to its last bits then.
template <class T> T as(double value) {
  if constexpr (std::is_integral<T>::value)
    return static_cast<T>(static_cast<std::int64_t>(value));
  else
    return value;
}

class Table {
public:
  /// `run(options, runtime)` calls the entry; `member` is one of its options.
  template <class O, class T, class Run>
  void option(const std::string &what, T O::*member, Run run,
              double as_many = nan) {
    option(what, member, run, as_many, O());
  }
  template <class O, class C, class T, class Run>
  void option(const std::string &what, T C::*member, Run run, double as_many,
              const O &options) {
    rows.push_back({what,
                    [=](double value, Runtime &r) {
                      O spoilt = options;
                      spoilt.*member = static_cast<T>(value);
                      return run(spoilt, r);
                    },
                    std::is_integral<T>::value ? whole : real, as_many});
  }
  /// `run(value, runtime)`
  template <class Run>
  void number(const std::string &what, const Array<double> &values, Run run,
              double as_many = nan) {
    rows.push_back({what, run, values, as_many});
  }
  /// `run(data, runtime)` with spoilt members of the data.
  template <class T, class Run>
  void array(const std::string &what, Array<T> Data::*member, Run run) {
    const bool integers = std::is_integral<T>::value;
    for (const Index place : {Index{0}, n - 1})
      rows.push_back({what,
                      [=](double value, Runtime &r) {
                        Data data;
                        (data.*member)[place] = as<T>(value);
                        return run(data, r);
                      },
                      integers ? whole : real});
    rows.push_back({what + ", its length",
                    [=](double value, Runtime &r) {
                      Data data;
                      (data.*member).resize(static_cast<Index>(value));
                      return run(data, r);
                    },
                    {0.0, 1.0, 11.0, 13.0, 47.0, 49.0}});
  }
  /// All values at once: differences of such values are infinite.
  template <class Run> void values(const std::string &what, Run run) {
    rows.push_back({what + ": all values times",
                    [=](double value, Runtime &r) {
                      Data data;
                      for (double &v : data.values)
                        v *= value;
                      return run(data, r);
                    },
                    {1e307, 1.9e307, -1e307, 1e-310, 0.0}});
    rows.push_back({what + ": one value",
                    [=](double value, Runtime &r) {
                      Data data;
                      data.values[5] = value;
                      return run(data, r);
                    },
                    {inf, -inf, 1.7e308, -1.7e308, 1e-310}});
  }
  Array<Spoilable> rows;
};

// ---- the selectors ----------------------------------------------------------

void add_relief(Table &table) {
  const Data d;
  for (const bool balanced : {false, true}) {
    NearReliefOptions options;
    options.balanced = balanced;
    const auto near = [d](const NearReliefOptions &o, Runtime &r) {
      return near_relief(d.x(), d.y(), o, r);
    };
    const auto sampled = [d](const NearReliefOptions &o, Runtime &r) {
      return sampled_relief(d.x(), d.y(), o, 4, r).scores;
    };
    const auto walked = [d](const NearReliefOptions &o, Runtime &r) {
      return walked_relief(d.x(), d.y(), o, 0, r).scores;
    };
    using O = NearReliefOptions;
    table.option("near_relief k", &O::k, near, 1000, options);
    table.option("near_relief at_once", &O::at_once, near, 1000, options);
    table.option("sampled_relief k", &O::k, sampled, 1000, options);
    table.option("walked_relief k", &O::k, walked, 1000, options);
    table.option("walked_relief at_once", &O::at_once, walked, 1000, options);
    const auto of_data = [options](const Data &data, Runtime &r) {
      return near_relief(data.x(), data.y(), options, r);
    };
    const auto with_gaps = [options](const Data &data, Runtime &r) {
      Data gaps = data;
      gaps.values[3] = nan;
      return walked_relief(gaps.x(), gaps.y(), options, 0, r).scores;
    };
    table.values("near_relief", of_data);
    table.values("walked_relief", with_gaps);
    table.array("near_relief labels", &Data::labels, of_data);
    table.array("walked_relief labels", &Data::labels, with_gaps);
  }
  table.number("sampled_relief samples", whole, [d](double v, Runtime &r) {
    return sampled_relief(d.x(), d.y(), {}, static_cast<int>(v), r).scores;
  });
  table.number("walked_relief samples", whole, [d](double v, Runtime &r) {
    return walked_relief(d.x(), d.y(), {}, static_cast<int>(v), r).scores;
  });
  table.number("radius_relief samples", whole, [d](double v, Runtime &r) {
    return radius_relief(d.x(), d.y(), {}, static_cast<int>(v), r).scores;
  });
  table.option("radius_relief at_once", &RadiusReliefOptions::at_once,
               [d](const RadiusReliefOptions &o, Runtime &r) {
                 return radius_relief(d.x(), d.y(), o, 0, r).scores;
               });
  table.values("radius_relief", [](const Data &data, Runtime &r) {
    return radius_relief(data.x(), data.y(), {}, 0, r).scores;
  });
}

void add_outcomes(Table &table) {
  const auto add = [&](const std::string &name, auto run, auto... members) {
    const Data d;
    const auto by_options = [d, run](const NeighbourOptions &o, Runtime &r) {
      return run(d, o, 0, r);
    };
    const auto of_data = [run](const Data &data, Runtime &r) {
      return run(data, NeighbourOptions(), 0, r);
    };
    table.option(name + " k", &NeighbourOptions::k, by_options, 1000);
    table.option(name + " at_once", &NeighbourOptions::at_once, by_options,
                 1000);
    table.number(name + " samples", whole, [d, run](double v, Runtime &r) {
      return run(d, NeighbourOptions(), static_cast<int>(v), r);
    });
    table.values(name, of_data);
    (table.array(name + " outcome", members, of_data), ...);
  };
  using O = NeighbourOptions;
  add(
      "rrelieff",
      [](const Data &d, const O &o, int samples, Runtime &r) {
        return rrelieff(d.x(), d.outcome, o, r, samples).scores;
      },
      &Data::outcome);
  add(
      "walked_rrelieff",
      [](const Data &d, const O &o, int samples, Runtime &r) {
        return walked_rrelieff(d.x(), d.outcome, o, r, samples).scores;
      },
      &Data::outcome);
  add(
      "srelieff",
      [](const Data &d, const O &o, int samples, Runtime &r) {
        return srelieff(d.x(), d.survival(), o, r, samples).scores;
      },
      &Data::position, &Data::event);
  add(
      "walked_srelieff",
      [](const Data &d, const O &o, int samples, Runtime &r) {
        return walked_srelieff(d.x(), d.survival(), o, r, samples).scores;
      },
      &Data::position, &Data::event);
}

void add_soft(Table &table) {
  const Data d;
  const auto soft = [d](const IReliefOptions &o, Runtime &r) {
    return irelief(d.x(), d.y(), o, r).weights;
  };
  table.option("irelief sigma", &IReliefOptions::sigma, soft);
  table.option("irelief tol", &IReliefOptions::tol, soft);
  table.option("irelief max_iter", &IReliefOptions::max_iter, soft);
  table.values("irelief", [](const Data &data, Runtime &r) {
    return irelief(data.x(), data.y(), {}, r).weights;
  });
  table.option("parzen_margins bandwidth", &ParzenOptions::bandwidth,
               [d](const ParzenOptions &o, Runtime &r) {
                 return parzen_margins(d.x(), d.y(), o, r);
               });
  table.values("parzen_margins", [](const Data &data, Runtime &r) {
    return parzen_margins(data.x(), data.y(), {}, r);
  });
  const auto local = [d](const LogoOptions &o, Runtime &r) {
    return logo(d.x(), d.y(), o, r).weights;
  };
  LogoOptions few;
  few.max_iter = 20;
  table.option("logo sigma", &LogoOptions::sigma, local, nan, few);
  table.option("logo lambda", &LogoOptions::lambda, local, nan, few);
  table.option("logo tol", &LogoOptions::tol, local, nan, few);
  table.option("logo start", &LogoOptions::start, local, nan, few);
  table.option("logo max_iter", &LogoOptions::max_iter, local);
  table.values("logo", [](const Data &data, Runtime &r) {
    LogoOptions options;
    options.max_iter = 20;
    return logo(data.x(), data.y(), options, r).weights;
  });
}

void add_pairs(Table &table) {
  const Data d;
  const auto path = [d](const BfsOptions &o, Runtime &r) {
    return bfs(d.x(), d.y(), o, r).mu;
  };
  table.option("bfs n_features", &BfsOptions::n_features, path, 1000);
  table.option("bfs lambda", &BfsOptions::lambda, path);
  table.option("bfs redundancy", &BfsOptions::redundancy, path);
  table.option("bfs gram_memory", &BfsOptions::gram_memory, path);
  const auto kernel = [&](const char *what, auto member, auto family) {
    using T = std::decay_t<decltype(PairKernel().*member)>;
    table.number(what, std::is_integral<T>::value ? whole : real,
                 [=](double value, Runtime &r) {
                   BfsOptions options;
                   options.kernel.family = family;
                   options.kernel.*member = static_cast<T>(value);
                   return path(options, r);
                 });
  };
  kernel("bfs degree", &PairKernel::degree, PairKernel().family);
  kernel("bfs offset", &PairKernel::offset, PairKernel().family);
  kernel("bfs width", &PairKernel::width, PairKernel::Family::gaussian);
  table.values("bfs", [](const Data &data, Runtime &r) {
    return bfs(data.x(), data.y(), {}, r).mu;
  });
  const auto manifold = [d](const ManifoldOptions &o, Runtime &r) {
    return semi_bfs(d.x(), d.y(), {}, o, r).mu;
  };
  table.option("semi_bfs weight", &ManifoldOptions::weight, manifold);
  table.option("semi_bfs k", &ManifoldOptions::k, manifold, 1000);
  table.option("semi_bfs max_pairs", &ManifoldOptions::max_pairs, manifold);
  table.option("pwfp fraction", &PwfpOptions::fraction,
               [d](const PwfpOptions &o, Runtime &r) {
                 return pwfp(d.x(), d.y(), o, r).scores;
               });
  for (const bool rounded : {true, false})
    table.values("pwfp", [rounded](const Data &data, Runtime &r) {
      PwfpOptions options;
      options.round_ties = rounded;
      return pwfp(data.x(), data.y(), options, r).scores;
    });
  const auto among = [](Eigen::MatrixXd values, Runtime &r) {
    const auto found = interactions(values, Data().y(), {}, r);
    auto answer = numbers(found.hits);
    for (const auto &more : {found.misses, found.expected})
      for (const double value : numbers(more))
        answer.push_back(value);
    return answer;
  };
  table.values("interactions", [among](const Data &data, Runtime &r) {
    return among(data.by_sample(), r);
  });
  table.number("interactions orders", whole, [d](double value, Runtime &r) {
    InteractionOptions options;
    options.orders = Eigen::MatrixXi::Constant(n, 2, static_cast<int>(value));
    return interactions(d.by_sample(), d.y(), options, r).largest_by_chance;
  });
}

// ---- LLFS -------------------------------------------------------------------

Answer answer_of(const LlfsModel &model, Runtime &r) {
  return numbers(model.predict(Data().raw(), r).similarity);
}

void add_llfs(Table &table) {
  const Data d;
  using O = LlfsOptions;
  const auto run = [d](const O &o, Runtime &r) {
    return answer_of(llfs(d.x(), d.y(), o, r), r);
  };
  const auto option = [&](const char *what, auto member) {
    table.option(std::string("llfs ") + what, member, run, nan, Data::few());
  };
  option("gamma", &O::gamma);
  option("parsimony", &O::parsimony);
  option("size_penalty", &O::size_penalty);
  option("tol", &O::tol);
  option("enumerate", &O::enumerate);
  option("working_set", &O::working_set);
  option("working_set_from", &O::working_set_from);
  option("program_samples", &O::program_samples);
  option("score_samples", &O::score_samples);
  option("intercept_samples", &O::intercept_samples);
  table.number("llfs draws", {double(Limits::min()), -1.0, 0.0},
               [run](double value, Runtime &r) {
                 O options;
                 options.draws = static_cast<int>(value);
                 return run(options, r);
               });
  const auto lists = [&](const char *what, auto member) {
    using T = std::decay_t<decltype((O().*member)[0])>;
    const auto &values = std::is_integral<T>::value ? whole : real;
    table.number(what, values, [=](double value, Runtime &r) {
      O options = Data::few();
      options.*member = {static_cast<T>(value)};
      return run(options, r);
    });
    table.number(what, values, [=](double value, Runtime &r) {
      O options = Data::few();
      options.*member = {T{0}, static_cast<T>(value), T{1}};
      return run(options, r);
    });
  };
  lists("llfs alpha", &O::alpha);
  lists("llfs beta", &O::beta);
  lists("llfs centres", &O::centres);
  table.values("llfs", [](const Data &data, Runtime &r) {
    return answer_of(llfs(data.x(), data.y(), Data::few(), r), r);
  });
  table.values("classify_locally", [d](const Data &data, Runtime &r) {
    return numbers(d.model(r).predict(data.raw(), r).similarity);
  });
  table.number("classify_locally samples", real, [d](double value, Runtime &r) {
    const auto model = d.model(r);
    Eigen::MatrixXd samples = model.classifier.training;
    samples(0, 0) = value;
    return numbers(
        classify_locally(model.classifier, samples, false, r).similarity);
  });
  table.number("fit_intercept wanted", whole, [d](double value, Runtime &r) {
    auto model = d.model(r).classifier;
    fit_intercept(model, false, static_cast<int>(value), r);
    return numbers(model.intercept);
  });
  table.number("fit_frames wanted", whole, [d](double value, Runtime &r) {
    auto model = d.model(r).classifier;
    fit_frames(model, {}, false, static_cast<int>(value), r);
    return numbers(model.frames.slopes);
  });
}

// ---- votes ------------------------------------------------------------------

Answer answer_of(const SurvivalVotes &votes) {
  Answer answer = votes.risk;
  answer.insert(answer.end(), votes.curve.begin(), votes.curve.end());
  return answer;
}

/// Densities may be 0, and their logs -infinity.
Answer densities(const ClassDensities &found) {
  Answer answer;
  for (const double log_density : found.log_density)
    answer.push_back(std::exp(std::min(log_density, 0.0)));
  return answer;
}

void add_votes(Table &table) {
  const Data d;
  const Array<double> ones(n_features, 1.0);
  const auto classes = [=](const VoteOptions &o, Runtime &r) {
    return nearest_vote(d.x(), d.x(), d.y(), ones, o, r).share;
  };
  const auto means = [=](const VoteOptions &o, Runtime &r) {
    return nearest_mean(d.x(), d.x(), d.outcome, ones, o, r);
  };
  const auto curves = [=](const VoteOptions &o, Runtime &r) {
    return answer_of(nearest_survival(d.x(), d.x(), d.voters(), ones, o, r));
  };
  table.option("nearest_vote k", &VoteOptions::k, classes, 1000);
  table.option("nearest_mean k", &VoteOptions::k, means, 1000);
  table.option("nearest_survival k", &VoteOptions::k, curves, 1000);
  table.values("nearest_vote", [=](const Data &data, Runtime &r) {
    return nearest_vote(data.x(), data.x(), data.y(), ones, {}, r).share;
  });
  table.number("nearest_mean weights", real, [=](double value, Runtime &r) {
    return nearest_mean(d.x(), d.x(), d.outcome, {1.0, value, 1.0, 1.0}, {}, r);
  });
  table.array("nearest_mean outcome", &Data::outcome,
              [=](const Data &data, Runtime &r) {
                return nearest_mean(data.x(), data.x(), data.outcome, ones, {},
                                    r);
              });
  table.number(
      "nearest_samples k", {double(Limits::min()), -1.0, 0.0},
      [=](double value, Runtime &r) {
        VoteOptions options;
        options.k = static_cast<int>(value);
        return nearest_samples(d.x(), d.x(), ones, options, r).distance;
      });
  const auto nested = [d](const Data &data, const Array<Index> &sizes, int k,
                          const Array<int> &grid, Runtime &r) {
    SurvivalVoters voters = data.voters();
    voters.grid = grid;
    return answer_of(nested_survival(d.raw(), d.raw(), voters, sizes, k, r));
  };
  table.number(
      "nested_survival k", whole,
      [=](double value, Runtime &r) {
        return nested(d, {1, 3}, static_cast<int>(value), {1, 3}, r);
      },
      1000);
  table.number("nested_survival sizes", whole, [=](double value, Runtime &r) {
    return nested(d, {static_cast<Index>(value), 3}, 2, {1, 3}, r);
  });
  table.number("nested_survival grid", whole, [=](double value, Runtime &r) {
    return nested(d, {1, 3}, 2, {1, static_cast<int>(value)}, r);
  });
  const auto of_data = [=](const Data &data, Runtime &r) {
    return nested(data, {1, 3}, 2, {1, 3}, r);
  };
  table.array("nested_survival position", &Data::position, of_data);
  table.array("nested_survival step", &Data::step, of_data);
  table.array("nested_survival event", &Data::event, of_data);
  table.number(
      "nested_vote k", whole,
      [d](double value, Runtime &r) {
        NestedVoteOptions options;
        options.sizes = {1, 3};
        options.k = {{1, static_cast<int>(value)}, {1, 2}};
        options.want_share = true;
        return nested_vote(d.raw(), d.raw(), d.y(), options, r).share;
      },
      1000);
  table.values("class_densities", [](const Data &data, Runtime &r) {
    return densities(
        class_densities(data.x(), data.y(), {0.5}, best_simd_level(), r));
  });
  table.number("class_densities bandwidths", real, [d](double v, Runtime &r) {
    return densities(
        class_densities(d.x(), d.y(), {1.0, v}, best_simd_level(), r));
  });
}

// ---- scores of other papers -------------------------------------------------

void add_scores(Table &table) {
  const Data d;
  const auto cox = [](const Data &data, const CensoredTimes &times,
                      Runtime &r) {
    auto found = cox_scores(data.raw(), times, false, r);
    found.z.insert(found.z.end(), found.effect.begin(), found.effect.end());
    return found.z;
  };
  table.values("cox_scores", [cox](const Data &data, Runtime &r) {
    return cox(data, data.times(), r);
  });
  table.array("cox_scores time", &Data::step,
              [cox](const Data &data, Runtime &r) {
                return cox(data, data.times(), r);
              });
  table.array("cox_scores event", &Data::event,
              [cox](const Data &data, Runtime &r) {
                return cox(data, data.times(), r);
              });
  table.number("cox_scores stratum", whole, [=](double value, Runtime &r) {
    auto times = d.times();
    times.stratum[3] = static_cast<int>(value);
    return cox(d, times, r);
  });
  table.values("fisher_scores", [](const Data &data, Runtime &r) {
    return fisher_scores(data.raw(), data.y(), r);
  });
  table.values("laplacian_scores", [](const Data &data, Runtime &r) {
    return laplacian_scores(data.x(), 2, best_simd_level(), r);
  });
  table.number(
      "laplacian_scores k", whole,
      [d](double value, Runtime &r) {
        return laplacian_scores(d.x(), static_cast<int>(value),
                                best_simd_level(), r);
      },
      1000);
  for (const BinRule rule : {BinRule::frequency, BinRule::mdl}) {
    BinOptions options;
    options.rule = rule;
    const auto levels = [](const Data &data, const BinOptions &o, Runtime &r) {
      const auto found = bin_features(data.raw(), data.y(), o, r);
      return Answer(found.levels.begin(), found.levels.end());
    };
    table.option(
        "bin_features bins", &BinOptions::bins,
        [=](const BinOptions &o, Runtime &r) { return levels(d, o, r); }, nan,
        options);
    table.values("bin_features", [=](const Data &data, Runtime &r) {
      return levels(data, options, r);
    });
  }
  table.option(
      "mrmr n", &MrmrOptions::n,
      [d](const MrmrOptions &o, Runtime &r) {
        return mrmr(bin_features(d.raw(), d.y(), {}, r), d.y(), o, r).relevance;
      },
      1000);
  table.number("simba passes", {double(Limits::min()), -1.0, 0.0},
               [d](double value, Runtime &r) {
                 SimbaOptions options;
                 options.passes = static_cast<int>(value);
                 return simba(d.x(), d.y(), options, r).scores;
               });
  table.values("simba", [](const Data &data, Runtime &r) {
    return simba(data.x(), data.y(), {}, r).scores;
  });
  table.number("graph_forms weight", real, [d](double value, Runtime &r) {
    return graph_forms(d.raw(), {{{0, 1, value}}}, r);
  });
  table.values("graph_forms", [](const Data &data, Runtime &r) {
    return graph_forms(data.raw(), {{{0, 1, 1.0}}}, r);
  });
  table.number("prune_by_fisher n", whole, [d](double value, Runtime &r) {
    Scaling scaling = d.scaling;
    prune_by_fisher(d.raw(), d.y(), static_cast<Index>(value), scaling, r);
    return Answer(scaling.constant.begin(), scaling.constant.end());
  });
  const auto graph = [](const Data &data, double k, Runtime &r) {
    const ScaledView x = data.x();
    const SampleDistances distances(x, Array<double>(n_features, 1.0),
                                    Metric::euclidean, best_simd_level());
    return neighbour_graph(distances, static_cast<int>(k), r).degree;
  };
  table.number(
      "neighbour_graph k", whole,
      [=](double value, Runtime &r) { return graph(d, value, r); }, 1000);
  table.values("neighbour_graph",
               [=](const Data &data, Runtime &r) { return graph(data, 2, r); });
  table.values("centred_ranks", [](const Data &data, Runtime &r) {
    return centred_ranks(data.raw(), r);
  });
  table.number("rank_products weights", real, [d](double value, Runtime &r) {
    const auto ranks = centred_ranks(d.raw(), r);
    return rank_products(ranks.data(), n, {1.0, value, 1.0, 1.0},
                         best_simd_level(), r);
  });
  for (const auto method : {ScaleMethod::zscore, ScaleMethod::range})
    table.values("learn_scaling", [method](const Data &data, Runtime &r) {
      // An infinite scale tells that a feature cannot be scaled.
      return learn_scaling(data.raw(), method, r).center;
    });
}

const Array<Spoilable> &all_rows() {
  static const Array<Spoilable> rows = [] {
    Table table;
    add_relief(table);
    add_outcomes(table);
    add_soft(table);
    add_pairs(table);
    add_llfs(table);
    add_votes(table);
    add_scores(table);
    return table.rows;
  }();
  return rows;
}

/// Empty if the call is refused.
Answer finite_or_refused(const Spoilable &row, double value, Runtime &r) {
  Answer answer;
  CHECK_NOTHROW([&] {
    try {
      answer = row.call(value, r);
    } catch (const std::invalid_argument &) {
    }
  }());
  for (const double number : answer)
    CHECK(std::isfinite(number));
  return answer;
}

} // namespace

TEST_CASE("entry options: spoilt ones are refused, or the answer is finite") {
  Index calls = 0;
  with_threads(1, [&](Runtime &r) {
    for (const Spoilable &row : all_rows()) {
      const Answer many =
          std::isnan(row.as_many) ? Answer() : row.call(row.as_many, r);
      for (const double value : row.values) {
        INFO(row.what << " = " << value);
        const Answer answer = finite_or_refused(row, value, r);
        if (value > row.as_many && !answer.empty())
          CHECK(answer == many);
        ++calls;
      }
    }
    return 0;
  });
  CHECK(calls > 900); // a table that has lost its rows must not pass
}

} // namespace entry_options
