// One table of all entry functions: each works on sound data in every storage,
// and refuses by std::invalid_argument whatever it cannot do.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include <testthat/vendor/catch.h>

#include <hitmiss/all.hpp>

#include "support/host.hpp"

namespace entries {
namespace {

using namespace hitmiss;

const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

/// What an entry function is called with. Ten samples of two classes and four
/// features, of which the first tells; a call may spoil any of it.
struct Problem {
  Array<double> values{0, 1, 0, 2, 1, 9, 8, 9, 7, 8, 3, 1, 4, 1,
                       5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3,
                       8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7};
  Array<int> labels{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  int n_classes = 2;
  Scaling scaling{Array<double>(4, 0.0), Array<double>(4, 1.0),
                  Array<char>(4, 0)};
  Array<int> block, group;
  Index n_features = 4;
  bool has_values = true, has_scaling = true;
  std::shared_ptr<const RawTiles> tiles = nullptr;
  // What some entry functions are given besides.
  Array<double> weights{1, 1, 1, 1};
  Array<double> outcome{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

  MatrixView raw() const {
    if (tiles)
      return view_of_tiles(tiles, 10, n_features);
    return view_by_feature(has_values ? values.data() : nullptr, 10,
                           n_features);
  }
  ScaledView x() const { return {raw(), has_scaling ? &scaling : nullptr}; }
  ClassIndex y() const { return {labels, n_classes}; }
  AllowedPairs allowed() const { return {block, group}; }
  Eigen::MatrixXd by_sample() const { // features x samples
    return Eigen::Map<const Eigen::MatrixXd>(values.data(), 10, 4).transpose();
  }
  template <class Options> Options options() const {
    Options result;
    result.allowed = allowed();
    return result;
  }
};

using Answer = Array<double>;
using Call = std::function<Answer(const Problem &, Runtime &)>;

/// A call that must be refused, and what is wrong with it.
struct Spoilt {
  std::string what;
  Call call;
};

struct Entry {
  std::string name;
  Call call;
  /// Which of the wrong data below it is given: of the values, of their
  /// scaling, of the labels, of the design.
  bool reads_values, reads_scaling, reads_labels, reads_design;
  Array<Spoilt> more;
};

Answer numbers(const Array<int> &values) {
  return {values.begin(), values.end()};
}

/// The entry function `call` with options that `spoil` has changed.
template <class Options, class Run, class Spoil>
Spoilt with(const std::string &what, Run run, Spoil spoil) {
  return {what, [run, spoil](const Problem &p, Runtime &r) {
            auto options = p.options<Options>();
            spoil(options);
            return run(p, options, r);
          }};
}

template <class Run, class Value>
Array<Spoilt> each_of(const Array<Value> &values, Run run) {
  Array<Spoilt> result;
  for (const Value &value : values)
    result.push_back({std::to_string(static_cast<double>(value)),
                      [run, value](const Problem &p, Runtime &r) {
                        return run(p, value, r);
                      }});
  return result;
}

void append(Array<Spoilt> &to, const Array<Spoilt> &more) {
  to.insert(to.end(), more.begin(), more.end());
}

// ---- the selectors ----------------------------------------------------------

Entry near_relief_entry() {
  const auto run = [](const Problem &p, const NearReliefOptions &o,
                      Runtime &r) { return near_relief(p.x(), p.y(), o, r); };
  using O = NearReliefOptions;
  return {
      "near_relief",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {with<O>("k = 0", run, [](O &o) { o.k = 0; }),
       with<O>("at_once = -1", run, [](O &o) { o.at_once = -1; })}};
}

Entry sampled_relief_entry() {
  return {"sampled_relief",
          [](const Problem &p, Runtime &r) {
            return sampled_relief(p.x(), p.y(), p.options<NearReliefOptions>(),
                                  4, r)
                .scores;
          },
          true,
          true,
          true,
          true,
          {{"-1 samples", [](const Problem &p, Runtime &r) {
              return sampled_relief(p.x(), p.y(), {}, -1, r).scores;
            }}}};
}

Entry radius_relief_entry() {
  return {"radius_relief",
          [](const Problem &p, Runtime &r) {
            return radius_relief(p.x(), p.y(), p.options<RadiusReliefOptions>(),
                                 0, r)
                .scores;
          },
          true,
          true,
          true,
          true,
          {{"-1 samples", [](const Problem &p, Runtime &r) {
              return radius_relief(p.x(), p.y(), {}, -1, r).scores;
            }}}};
}

Entry soft_relief_entry() {
  using O = IReliefOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return irelief(p.x(), p.y(), o, r).weights;
  };
  Entry entry{
      "irelief",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {with<O>("max_iter = 0", run, [](O &o) { o.max_iter = 0; })}};
  for (const double bad : {0.0, -1.0, nan}) {
    entry.more.push_back(with<O>("sigma", run, [=](O &o) { o.sigma = bad; }));
    entry.more.push_back(with<O>("tol", run, [=](O &o) { o.tol = bad; }));
  }
  return entry;
}

Entry parzen_entry() {
  using O = ParzenOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return parzen_margins(p.x(), p.y(), o, r);
  };
  Entry entry{
      "parzen_margins",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {}};
  for (const double bad : {0.0, -1.0, nan, inf})
    entry.more.push_back(
        with<O>("bandwidth", run, [=](O &o) { o.bandwidth = bad; }));
  return entry;
}

Entry rrelieff_entry() {
  const auto run = [](const Problem &p, const Array<double> &outcome,
                      Runtime &r) {
    return rrelieff(p.x(), outcome, p.options<NeighbourOptions>(), r).scores;
  };
  const auto given = [run](const Array<double> &outcome) {
    return [run, outcome](const Problem &p, Runtime &r) {
      return run(p, outcome, r);
    };
  };
  Array<double> gap(10, 1.0);
  gap[3] = nan;
  gap[4] = 2.0;
  return {"rrelieff",
          [run](const Problem &p, Runtime &r) { return run(p, p.outcome, r); },
          true,
          true,
          false,
          false,
          {{"two outcomes", given({1, 2})},
           {"constant outcome", given(Array<double>(10, 1.0))},
           {"NaN outcome", given(gap)}}};
}

Entry logo_entry() {
  using O = LogoOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return logo(p.x(), p.y(), o, r).weights;
  };
  Entry entry{
      "logo",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {with<O>("max_iter = 0", run, [](O &o) { o.max_iter = 0; }),
       with<O>("tol = -1", run, [](O &o) { o.tol = -1.0; })}};
  for (const double bad : {-1.0, nan}) {
    entry.more.push_back(with<O>("sigma", run, [=](O &o) { o.sigma = bad; }));
    entry.more.push_back(with<O>("lambda", run, [=](O &o) { o.lambda = bad; }));
  }
  return entry;
}

template <class Run> Array<Spoilt> bad_bfs_options(Run run) {
  using O = BfsOptions;
  return {with<O>("n_features", run, [](O &o) { o.n_features = 0; }),
          with<O>("lambda", run, [](O &o) { o.lambda = -1.0; }),
          with<O>("degree 0", run, [](O &o) { o.kernel.degree = 0; }),
          with<O>("degree 1e6", run, [](O &o) { o.kernel.degree = 1000000; }),
          with<O>("offset", run, [](O &o) { o.kernel.offset = nan; }),
          with<O>("redundancy", run, [](O &o) { o.redundancy = -1.0; }),
          with<O>("gram_memory", run, [](O &o) { o.gram_memory = -1.0; })};
}

Entry bfs_entry() {
  using O = BfsOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return bfs(p.x(), p.y(), o, r).mu;
  };
  return {
      "bfs",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      bad_bfs_options(run)};
}

Entry semi_bfs_entry() {
  using O = BfsOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return semi_bfs(p.x(), p.y(), o, {}, r).mu;
  };
  const auto manifold = [](auto spoil) {
    return [spoil](const Problem &p, Runtime &r) {
      ManifoldOptions options;
      spoil(options);
      return semi_bfs(p.x(), p.y(), p.options<BfsOptions>(), options, r).mu;
    };
  };
  Entry entry{
      "semi_bfs",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      bad_bfs_options(run)};
  entry.more.push_back({"weight", manifold([](auto &o) { o.weight = -1.0; })});
  entry.more.push_back({"k", manifold([](auto &o) { o.k = 0; })});
  entry.more.push_back(
      {"max_pairs", manifold([](auto &o) { o.max_pairs = nan; })});
  return entry;
}

Entry pwfp_entry() {
  using O = PwfpOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    return pwfp(p.x(), p.y(), o, r).scores;
  };
  Entry entry{
      "pwfp",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {}};
  for (const double bad : {0.0, -1.0, 1.5, nan})
    entry.more.push_back(
        with<O>("fraction", run, [=](O &o) { o.fraction = bad; }));
  return entry;
}

Entry llfs_entry() {
  using O = LlfsOptions;
  const auto run = [](const Problem &p, const O &o, Runtime &r) {
    Answer answer;
    for (const auto &one : llfs(p.x(), p.y(), o, r).representatives)
      answer.push_back(one.radius);
    return answer;
  };
  const auto bad = [run](const char *what, auto spoil) {
    return with<O>(what, run, spoil);
  };
  return {
      "llfs",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      true,
      true,
      true,
      true,
      {bad("no alpha", [](O &o) { o.alpha.clear(); }),
       bad("alpha .5", [](O &o) { o.alpha = {0.5}; }),
       bad("alpha NaN", [](O &o) { o.alpha = {nan}; }),
       bad("no beta", [](O &o) { o.beta.clear(); }),
       bad("beta twice",
           [](O &o) {
             o.beta = {0.0, 0.5, 0.5, 1.0};
           }),
       bad("beta NaN",
           [](O &o) {
             o.beta = {0.0, nan, 1.0};
           }),
       bad("beta from .1",
           [](O &o) {
             o.beta = {0.1, 1.0};
           }),
       bad("beta to .9",
           [](O &o) {
             o.beta = {0.0, 0.9};
           }),
       bad("gamma", [](O &o) { o.gamma = 0.0; }),
       bad("parsimony", [](O &o) { o.parsimony = -1.0; }),
       bad("draws", [](O &o) { o.draws = 0; }),
       bad("enumerate", [](O &o) { o.enumerate = 60; }),
       bad("working_set", [](O &o) { o.working_set = 0; }),
       bad("centre 10", [](O &o) { o.centres = {10}; }),
       bad("centre -1", [](O &o) { o.centres = {-1}; }),
       bad("centre twice", [](O &o) {
         o.centres = {0, 0};
       })}};
}

Entry interactions_entry() {
  using O = InteractionOptions;
  const auto of = [](const Eigen::MatrixXd &values, const Problem &p,
                     const O &o, Runtime &r) {
    const auto found = interactions(values, p.y(), o, r);
    return Answer(found.hits.data(), found.hits.data() + found.hits.size());
  };
  const auto run = [of](const Problem &p, const O &o, Runtime &r) {
    return of(p.by_sample(), p, o, r);
  };
  return {
      "interactions",
      [run](const Problem &p, Runtime &r) { return run(p, p.options<O>(), r); },
      false,
      false,
      true,
      true,
      {with<O>("orders", run,
               [](O &o) { o.orders = Eigen::MatrixXi::Constant(1, 1, 0); }),
       with<O>("categories", run, [](O &o) { o.categories = {true}; }),
       {"one feature",
        [of](const Problem &p, Runtime &r) {
          return of(p.by_sample().topRows(1), p, {}, r);
        }},
       {"NaN", [of](const Problem &p, Runtime &r) {
          Eigen::MatrixXd values = p.by_sample();
          values(1, 2) = nan;
          return of(values, p, {}, r);
        }}}};
}

// ---- votes ------------------------------------------------------------------

Answer vote(const Problem &p, const Array<double> &weights, int k,
            Runtime &runtime) {
  VoteOptions options;
  options.k = k;
  return nearest_vote(p.x(), p.x(), p.y(), weights, options, runtime).share;
}

Entry nearest_vote_entry() {
  Entry entry{
      "nearest_vote",
      [](const Problem &p, Runtime &r) { return vote(p, p.weights, 3, r); },
      true,
      true,
      false,
      false,
      {{"k = 0",
        [](const Problem &p, Runtime &r) { return vote(p, p.weights, 0, r); }},
       {"one weight",
        [](const Problem &p, Runtime &r) { return vote(p, {1.0}, 3, r); }},
       {"other features",
        [](const Problem &p, Runtime &r) {
          const Scaling three{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
          return nearest_vote({view_by_feature(p.values.data(), 10, 3), &three},
                              p.x(), p.y(), p.weights, {}, r)
              .share;
        }},
       {"two labels",
        [](const Problem &p, Runtime &r) {
          return nearest_vote(p.x(), p.x(), ClassIndex({0, 1}, 2), p.weights,
                              {}, r)
              .share;
        }},
       {"ten labels of eleven samples", [](const Problem &p, Runtime &r) {
          Array<int> labels{p.labels};
          labels.insert(labels.begin() + 3, ClassIndex::unlabelled);
          return nearest_vote(p.x(), p.x(), ClassIndex(labels, 2), p.weights,
                              {}, r)
              .share;
        }}}};
  append(entry.more, each_of(Array<double>{-1.0, nan, inf},
                             [](const Problem &p, double bad, Runtime &r) {
                               return vote(p, {1, 1, bad, 1}, 3, r);
                             }));
  return entry;
}

Entry nearest_mean_entry() {
  return {"nearest_mean",
          [](const Problem &p, Runtime &r) {
            return nearest_mean(p.x(), p.x(), p.outcome, p.weights, {}, r);
          },
          true,
          true,
          false,
          false,
          {{"one outcome",
            [](const Problem &p, Runtime &r) {
              return nearest_mean(p.x(), p.x(), {1.0}, p.weights, {}, r);
            }},
           {"NaN outcome", [](const Problem &p, Runtime &r) {
              return nearest_mean(p.x(), p.x(), Array<double>(10, nan),
                                  p.weights, {}, r);
            }}}};
}

Answer nested(const MatrixView &x, const Problem &p, const Array<Index> &sizes,
              const Array<Array<int>> &k, Runtime &runtime) {
  NestedVoteOptions options;
  options.sizes = sizes;
  options.k = k;
  options.want_share = true;
  return nested_vote(x, x, p.y(), options, runtime).share;
}

Entry nested_vote_entry() {
  const auto bad = [](const Array<Index> &sizes, const Array<Array<int>> &k) {
    return [=](const Problem &p, Runtime &r) {
      return nested(p.raw(), p, sizes, k, r);
    };
  };
  return {"nested_vote",
          [](const Problem &p, Runtime &r) {
            return nested(p.tiles ? Problem().raw() : p.raw(), p, {1, 4},
                          {{1, 3}, {1, 3}}, r);
          },
          false,
          false,
          false,
          false,
          {{"size 5", bad({5}, {{3}})},
           {"sizes fall", bad({3, 2}, {{3}, {3}})},
           {"no k", bad({2}, {{}})},
           {"k = 0", bad({2}, {{0}})},
           {"k of two lengths", bad({2, 3}, {{1, 3}, {3}})},
           {"k for one size", bad({2, 3}, {{3}})},
           {"integers",
            [](const Problem &p, Runtime &r) {
              const Array<int> ones(40, 1);
              return nested({ones.data(), Scalar::i32, 10, 4, 1, 10}, p, {2},
                            {{3}}, r);
            }},
           {"NaN",
            [](const Problem &p, Runtime &r) {
              Problem spoilt = p;
              spoilt.values[5] = nan;
              return nested(spoilt.raw(), p, {2}, {{3}}, r);
            }},
           {"features side by side", [](const Problem &p, Runtime &r) {
              MatrixView x = p.raw();
              x.sample_stride = 4;
              x.feature_stride = 1;
              return nested(x, p, {2}, {{3}}, r);
            }}}};
}

// ---- scores of other papers -------------------------------------------------

Entry fisher_entry() {
  return {"fisher_scores",
          [](const Problem &p, Runtime &r) {
            return fisher_scores(p.raw(), p.y(), r);
          },
          true,
          false,
          true,
          false,
          {{"an empty class", [](const Problem &p, Runtime &r) {
              return fisher_scores(p.raw(), ClassIndex(p.labels, 3), r);
            }}}};
}

Entry laplacian_entry() {
  return {"laplacian_scores",
          [](const Problem &p, Runtime &r) {
            return laplacian_scores(p.x(), 2, best_simd_level(), r);
          },
          true,
          true,
          false,
          false,
          {{"k = 0", [](const Problem &p, Runtime &r) {
              return laplacian_scores(p.x(), 0, best_simd_level(), r);
            }}}};
}

Answer binned(const Problem &p, BinRule rule, int bins, Runtime &runtime) {
  BinOptions options;
  options.rule = rule;
  options.bins = bins;
  return numbers(bin_features(p.raw(), p.y(), options, runtime).levels);
}

Entry bins_entry() {
  Entry entry{"bin_features",
              [](const Problem &p, Runtime &r) {
                return binned(p, BinRule::mdl, 5, r);
              },
              true,
              false,
              true,
              false,
              {}};
  append(entry.more, each_of(Array<int>{0, 1, -3, 100000},
                             [](const Problem &p, int bins, Runtime &r) {
                               return binned(p, BinRule::frequency, bins, r);
                             }));
  return entry;
}

BinnedFeatures two_levels(Runtime &runtime) {
  const Problem p;
  return bin_features(p.raw(), p.y(), {}, runtime);
}

template <class Score> Array<Spoilt> bad_bins(Score score) {
  const auto bad = [score](auto spoil) {
    return [score, spoil](const Problem &p, Runtime &r) {
      auto bins = two_levels(r);
      spoil(bins);
      return score(bins, p.y(), r);
    };
  };
  using B = BinnedFeatures;
  return {{"a code beyond its levels", bad([](B &b) { b.codes[3] = 900; })},
          {"too few codes", bad([](B &b) { b.codes.pop_back(); })},
          {"too few levels", bad([](B &b) { b.levels.pop_back(); })},
          {"no samples", bad([](B &b) { b = {}; })}};
}

Entry association_entry() {
  const auto score = [](const BinnedFeatures &x, const ClassIndex &y,
                        Runtime &r) {
    return association_scores(x, y, Association::information, r);
  };
  return {"association_scores",
          [score](const Problem &p, Runtime &r) {
            return score(two_levels(r), p.y(), r);
          },
          false,
          false,
          false,
          false,
          bad_bins(score)};
}

Entry mrmr_entry() {
  const auto score = [](const BinnedFeatures &x, const ClassIndex &y,
                        Runtime &r) { return mrmr(x, y, {}, r).relevance; };
  Entry entry{"mrmr",
              [score](const Problem &p, Runtime &r) {
                return score(two_levels(r), p.y(), r);
              },
              false,
              false,
              false,
              false,
              bad_bins(score)};
  entry.more.push_back(
      {"n = 0", [](const Problem &p, Runtime &r) {
         MrmrOptions options;
         options.n = 0;
         return mrmr(two_levels(r), p.y(), options, r).relevance;
       }});
  return entry;
}

Entry graph_entry() {
  const auto joined = [](int a, int b, double weight) {
    return [=](const Problem &p, Runtime &r) {
      return Answer(graph_forms(p.raw(), {{{a, b, weight}}}, r));
    };
  };
  return {"graph_forms",
          joined(0, 1, 1.0),
          true,
          false,
          false,
          false,
          {{"sample 10", joined(0, 10, 1.0)},
           {"sample -1", joined(-1, 1, 1.0)},
           {"weight NaN", joined(0, 1, nan)}}};
}

Entry ranks_entry() {
  return {"centred_ranks",
          [](const Problem &p, Runtime &r) {
            return Answer(centred_ranks(p.raw(), r));
          },
          true,
          false,
          false,
          false,
          {}};
}

Entry simba_entry() {
  const auto run = [](const Problem &p, int passes, Runtime &r) {
    SimbaOptions options;
    options.passes = passes;
    // Single values are read: tiles are refused, see below.
    return Answer(
        simba(p.tiles ? Problem().x() : p.x(), p.y(), options, r).scores);
  };
  Entry entry{"simba",
              [run](const Problem &p, Runtime &r) { return run(p, 1, r); },
              false,
              false,
              true,
              false,
              each_of(Array<int>{0, -1}, run)};
  entry.more.push_back({"NaN", [run](const Problem &p, Runtime &r) {
                          Problem spoilt = p;
                          spoilt.values[5] = nan;
                          return run(spoilt, 1, r);
                        }});
  return entry;
}

Entry scaling_entry() {
  const auto run = [](const MatrixView &x, Runtime &r) {
    return learn_scaling(x, ScaleMethod::zscore, r).scale;
  };
  return {"learn_scaling",
          [run](const Problem &p, Runtime &r) { return run(p.raw(), r); },
          false,
          false,
          false,
          false,
          {{"no samples",
            [run](const Problem &p, Runtime &r) {
              return run(view_by_feature(p.values.data(), 0, 4), r);
            }},
           {"no values", [run](const Problem &, Runtime &r) {
              return run(view_by_feature(nullptr, 10, 4), r);
            }}}};
}

Entry densities_entry() {
  const auto run = [](const Problem &p, const Array<double> &bandwidths,
                      Runtime &r) {
    return class_densities(p.x(), p.y(), bandwidths, best_simd_level(), r)
        .log_density;
  };
  return {"class_densities",
          [run](const Problem &p, Runtime &r) {
            return run(p, {0.5, 1.0}, r);
          },
          true,
          true,
          false,
          false,
          {{"bandwidth 0",
            [run](const Problem &p, Runtime &r) { return run(p, {0.0}, r); }},
           {"bandwidth NaN",
            [run](const Problem &p, Runtime &r) { return run(p, {nan}, r); }}}};
}

const Array<Entry> &all_entries() {
  static const Array<Entry> all{near_relief_entry(),   sampled_relief_entry(),
                                radius_relief_entry(), soft_relief_entry(),
                                parzen_entry(),        rrelieff_entry(),
                                logo_entry(),          bfs_entry(),
                                semi_bfs_entry(),      pwfp_entry(),
                                llfs_entry(),          interactions_entry(),
                                nearest_vote_entry(),  nearest_mean_entry(),
                                nested_vote_entry(),   fisher_entry(),
                                laplacian_entry(),     bins_entry(),
                                association_entry(),   mrmr_entry(),
                                graph_entry(),         ranks_entry(),
                                simba_entry(),         scaling_entry(),
                                densities_entry()};
  return all;
}

// ---- wrong data -------------------------------------------------------------

struct WrongData {
  std::string what;
  std::function<void(Problem &)> spoil;
};

/// Compressed columns of a problem, to be spoilt.
struct Columns {
  Array<int> starts{0, 10, 20, 30, 40};
  Array<int> samples;
  Array<double> values = Problem().values;
  Columns() {
    for (int k = 0; k < 40; ++k)
      samples.push_back(k % 10);
  }
};

void use(Problem &p, const Columns &columns) {
  p.tiles = std::make_shared<SparseTiles>(SparseColumns{columns.starts.data(),
                                                        columns.samples.data(),
                                                        columns.values.data()},
                                          10, true);
}

template <class Spoil> WrongData wrong_columns(const char *what, Spoil spoil) {
  const auto columns = std::make_shared<Columns>();
  spoil(*columns);
  return {what, [columns](Problem &p) { use(p, *columns); }};
}

Array<WrongData> wrong_values() {
  return {
      {"NaN", [](Problem &p) { p.values[13] = nan; }},
      {"infinite", [](Problem &p) { p.values[13] = inf; }},
      {"no values", [](Problem &p) { p.has_values = false; }},
      {"no features", [](Problem &p) { p.n_features = 0; }},
      wrong_columns("sparse NaN", [](Columns &c) { c.values[7] = nan; }),
      wrong_columns("sparse sample 10", [](Columns &c) { c.samples[9] = 10; }),
      wrong_columns("sparse sample -1", [](Columns &c) { c.samples[0] = -1; }),
      wrong_columns("sparse sample twice",
                    [](Columns &c) { c.samples[4] = 3; }),
      wrong_columns("sparse starts fall", [](Columns &c) { c.starts[2] = 5; }),
      wrong_columns("sparse starts from 1",
                    [](Columns &c) { c.starts[0] = 1; })};
}

Array<WrongData> wrong_scaling() {
  return {{"no scaling", [](Problem &p) { p.has_scaling = false; }},
          {"short scaling", [](Problem &p) { p.scaling.scale.pop_back(); }},
          {"centre NaN", [](Problem &p) { p.scaling.center[1] = nan; }},
          {"scale infinite", [](Problem &p) { p.scaling.scale[1] = inf; }},
          {"scale 0", [](Problem &p) { p.scaling.scale[1] = 0.0; }},
          {"scale -1", [](Problem &p) { p.scaling.scale[1] = -1.0; }}};
}

Array<WrongData> wrong_labels() {
  return {{"nine labels", [](Problem &p) { p.labels.pop_back(); }},
          {"eleven labels", [](Problem &p) { p.labels.push_back(0); }},
          {"a label beyond", [](Problem &p) { p.labels[3] = 2; }}};
}

/// Of selectors by pairs, which need hits and misses.
Array<WrongData> wrong_design() {
  return {{"one class", [](Problem &p) { p.labels = Array<int>(10, 0); }},
          {"the second class alone",
           [](Problem &p) { p.labels = Array<int>(10, 1); }},
          {"no labels", [](Problem &p) { p.labels = Array<int>(10, -1); }},
          {"two blocks",
           [](Problem &p) {
             p.block = {0, 1};
           }},
          {"blocks of one class", [](Problem &p) { p.block = p.labels; }},
          {"one group", [](Problem &p) { p.group = Array<int>(10, 3); }}};
}

/// Refused by name: std::invalid_argument, and nothing else.
bool refused(const Call &call, const Problem &problem) {
  return with_threads(2, [&](Runtime &runtime) {
    try {
      call(problem, runtime);
    } catch (const std::invalid_argument &) {
      return true;
    }
    return false;
  });
}

} // namespace

TEST_CASE("entries: each works by default, in every storage") {
  const Columns columns;
  Problem sparse;
  use(sparse, columns);
  for (const Entry &entry : all_entries())
    with_threads(2, [&](Runtime &runtime) {
      INFO(entry.name);
      const Answer answer = entry.call(Problem(), runtime);
      const Answer other = entry.call(sparse, runtime);
      REQUIRE(answer.size() > 0);
      REQUIRE(other.size() == answer.size());
      for (Index i = 0; i < answer.size(); ++i) {
        CHECK(std::isfinite(answer[i]));
        CHECK(other[i] == Approx(answer[i]).margin(1e-12));
      }
      return 0;
    });
}

TEST_CASE("entries: each refuses what it cannot do") {
  Index calls = 0;
  for (const Entry &entry : all_entries()) {
    const auto all = [&](bool reads, const Array<WrongData> &wrong) {
      for (Index i = 0; reads && i < wrong.size(); ++i, ++calls) {
        INFO(entry.name << ": " << wrong[i].what);
        Problem problem;
        wrong[i].spoil(problem);
        CHECK(refused(entry.call, problem));
      }
    };
    all(entry.reads_values, wrong_values());
    all(entry.reads_scaling, wrong_scaling());
    all(entry.reads_labels, wrong_labels());
    all(entry.reads_design, wrong_design());
    for (Index i = 0; i < entry.more.size(); ++i, ++calls) {
      INFO(entry.name << ": " << entry.more[i].what);
      CHECK(refused(entry.more[i].call, Problem()));
    }
  }
  // A table that has lost its rows must not pass.
  CHECK(all_entries().size() >= 24);
  CHECK(calls >= 475);
  WARN(all_entries().size() << " entries, " << calls << " spoilt calls");
}

TEST_CASE("entries: places that somebody hands in lie within the data") {
  const Problem p;
  with_threads(1, [&](Runtime &r) {
    double out[64], others[64];
    for (const Index bad : {Index{-1}, Index{10}}) {
      CHECK_THROWS_AS(copy_raw_features(p.raw(), {bad}, out, r),
                      std::invalid_argument);
      for (int k = 0; k < 3; ++k) {
        Array<Index> columns{0}, train{0, 1}, test{2};
        (k == 0 ? columns : k == 1 ? train : test)[0] = bad;
        CHECK_THROWS_AS(scale_parts(p.raw(), columns, train, test,
                                    ScaleMethod::zscore, out, others, r),
                        std::invalid_argument);
      }
    }
    CHECK_THROWS_AS(
        scale_parts(p.raw(), {0}, {}, {1}, ScaleMethod::zscore, out, others, r),
        std::invalid_argument);
    CHECK_THROWS_AS(rank_products(nullptr, 10, {1.0}, best_simd_level(), r),
                    std::invalid_argument);
    CHECK(
        draw_by_class({{}, {}}, 3, r.stream(0, Purpose::permutation)).empty());
    return 0;
  });
}

TEST_CASE("entries: only BFS takes samples without a label") {
  Problem problem;
  problem.labels[3] = problem.labels[9] = ClassIndex::unlabelled;
  for (const Entry &entry : all_entries()) {
    INFO(entry.name);
    const bool takes = entry.name == "bfs" || entry.name == "semi_bfs";
    if (entry.reads_labels)
      CHECK(refused(entry.call, problem) == !takes);
  }
}

TEST_CASE("entries: labels lie within the classes") {
  CHECK_THROWS_AS(ClassIndex({0, 2}, 2), std::invalid_argument);
  CHECK_THROWS_AS(ClassIndex({0, -2}, 2), std::invalid_argument);
  CHECK_THROWS_AS(ClassIndex({0}, -1), std::invalid_argument);
  CHECK(ClassIndex({0, -1}, 1).n_labelled() == 1);
}

} // namespace entries
