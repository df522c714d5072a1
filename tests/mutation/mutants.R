# Faults put into the core one at a time: what stands there, what replaces it,
# and the C++ test files that must notice. `from` occurs once in the file.
# SPDX-License-Identifier: GPL-3.0-or-later

mutant <- function(id, file, from, to, tests) {
  list(id = id, file = file, from = from, to = to, tests = tests)
}

# The test files of a subject, each with the cases of one header.
pairs_tests <- c(
  "aligned_buffer", "distances", "nearest", "nearest_terms",
  "nearest_vote", "pair_sums", "sample_margins", "soft_neighbours"
)
runtime_tests <- c(
  "executor", "monitor", "random"
)
data_tests <- c(
  "class_index", "feature_tile", "neighbour_key", "require_values",
  "scaling"
)
reference_scores_tests <- c(
  "association", "discretise", "fisher", "graph_forms",
  "laplacian", "mrmr", "rank_products", "simba"
)
bfs_tests <- c(
  "active_cholesky", "bfs", "nonneg_lasso", "nonneg_quadratic",
  "pair_gram", "pair_graph", "pair_kernel"
)
relief_tests <- c(
  "irelief", "margin_scores", "parzen_relief", "relief"
)
logo_tests <- c(
  "logo", "nonneg_logistic"
)

core_mutants <- list(
  # ---- data -----------------------------------------------------------------
  mutant("scaling: divisor n for n - 1", "data/scaling.hpp",
    "squares / static_cast<double>(n - 1)", "squares / static_cast<double>(n)",
    data_tests
  ),
  mutant("scaling: range without the minimum", "data/scaling.hpp",
    "return {low, high - low, false};", "return {low, high, false};", data_tests
  ),
  mutant("class means: a class further on", "data/scaling.hpp",
    "means->values[c * n_features + j]", "means->values[c + j]", data_tests
  ),
  mutant("features: place within the block for the feature",
    "data/for_each_feature.hpp", "work(j, values);", "work(j - first, values);",
    data_tests
  ),
  mutant("neighbour key truncates", "pairs/neighbour_key.hpp",
    "(bits + (std::int64_t(1) << (dropped - 1))) >> dropped",
    "bits >> dropped", data_tests
  ),
  mutant("class densities: the sample counts itself",
    "vote/class_densities.hpp", "y.count(c) - (y[sample] == c ? 1.0 : 0.0)",
    "y.count(c)", "class_densities"
  ),
  mutant("class index skips the first sample", "data/class_index.hpp",
    "for (int n = 0; n < labels_.size(); ++n)",
    "for (int n = 1; n < labels_.size(); ++n)", data_tests
  ),
  mutant("frequency bins: off by one", "comparators/discretise.hpp",
    "(first + end) * bins", "(first + end - 1) * bins", reference_scores_tests
  ),
  mutant("three levels: < becomes <=", "comparators/discretise.hpp",
    "values[i] * unit < mean - half", "values[i] * unit <= mean - half",
    reference_scores_tests
  ),
  mutant("description length: every cut pays", "comparators/discretise.hpp",
    "cut.gain <= cut.penalty", "cut.gain < 0.0", reference_scores_tests
  ),
  mutant("description length: wrong sign of the right part",
    "comparators/discretise.hpp", "present * whole + k_left * h_left +",
    "present * whole - k_left * h_left -", reference_scores_tests
  ),

  # ---- pairs ----------------------------------------------------------------
  mutant("distance: dropped abs", "pairs/distance_kernel.hpp",
    "S::absolute(difference);", ";", pairs_tests
  ),
  mutant("distance: squared without its weight", "pairs/distance_kernel.hpp",
    "const V weighted = difference * weight;", "const V weighted = difference;",
    pairs_tests
  ),
  mutant("near hits: wrong sign", "relief/class_weights.hpp",
    ": -1.0;", ": 1.0;", c(pairs_tests, relief_tests)
  ),
  mutant("near hits: a sample is its own", "pairs/allowed_pairs.hpp",
    "return n != i && (block_.empty()", "return (block_.empty()",
    c(pairs_tests, "radius_relief")
  ),
  mutant("blocks: samples of other blocks are compared",
    "pairs/allowed_pairs.hpp",
    "block_.empty() || block_[n] == block_[i]", "true", "radius_relief"
  ),
  mutant("groups: samples of a group are compared", "pairs/allowed_pairs.hpp",
    "group_.empty() || group_[n] != group_[i]", "true", "radius_relief"
  ),
  mutant("nearest: a block of distances is offered to its rows only",
    "pairs/nearest.hpp", "if (same && c > r)", "if (same && c > r && false)",
    c("nearest", pairs_tests)
  ),
  mutant("balance: one neighbour more", "relief/balanced_weights.hpp",
    "std::ceil(wanted - 1e-9)", "std::floor(wanted + 1.0)", "balanced_weights"
  ),
  mutant("balance: a rank's weight without the share of the subset",
    "relief/balanced_weights.hpp",
    "weights.push_back(share * at[r] / at[k]);",
    "weights.push_back(at[r] / at[k]);", "balanced_weights"
  ),
  mutant("balance: a block at the rank before its mean",
    "relief/balanced_weights.hpp",
    "over > rounding ? weight[b] * over : 0.0;", "0.0;", "balanced_weights"
  ),
  mutant("balance: each that ties has the weight of its own rank",
    "relief/balanced_weights.hpp", "sum / here * steps[i].part",
    "sum * steps[i].part",
    "balanced_weights"
  ),
  mutant("balance: all samples of a group are candidates",
    "relief/balanced_weights.hpp", "return i.key > reach[",
    "return i.key < 0 * reach[", "balanced_weights"
  ),
  mutant("balance: samples of a group that tie have a place each",
    "relief/balanced_weights.hpp", "step.part = 1.0 / of_group",
    "step.part = 1.0 + 0.0 * of_group", "balanced_weights"
  ),
  mutant("balance: lists as long as k", "relief/nearest_terms.hpp",
    "search.set_k(", "if (rule.k < 0)\n      search.set_k(", "balanced_weights"
  ),
  mutant("balance: the own group is a candidate too",
    "pairs/allowed_pairs.hpp", "std::min(own.samples, 1)", "0",
    "walked_relief"
  ),
  mutant("walk: weights of the ranks before a neighbour's",
    "relief/walked_relief.hpp", "(before[i] - after)", "before[i]",
    "walked_relief"
  ),
  mutant("walk: a group gives several neighbours", "relief/walked_relief.hpp",
    "none + infinite", "of_group", "walked_relief"
  ),
  mutant("walk: the rest of a list is not weighed", "relief/walked_relief.hpp",
    "      weigh(job, rows, first, width);\n      std::copy_n",
    "      std::copy_n", "walked_relief"
  ),
  mutant("near misses: prior and conditional swapped",
    "relief/class_weights.hpp",
    "rule_ == MissRule::prior ? 1.0 : 1.0 - p_",
    "rule_ == MissRule::prior ? 1.0 - p_ : 1.0", c(pairs_tests, relief_tests)
  ),
  mutant("radius: half a standard deviation becomes a whole",
    "relief/radius.hpp",
    "std::sqrt(squares / count) / 2.0", "std::sqrt(squares / count)",
    "radius_relief"
  ),
  mutant("nearest: one neighbour too many", "pairs/nearest.hpp",
    "const auto reach = near_[k_ - 1].key;",
    "const auto reach = near_[k_].key;",
    c("nearest", pairs_tests)
  ),
  mutant("votes: ties go to the first class", "vote/nearest_vote.hpp",
    "i.key == nearest && c < winner", "c < winner", pairs_tests
  ),
  mutant("ties: each has a whole place", "pairs/nearest.hpp",
    "static_cast<double>(end - first)", "static_cast<double>(places - first)",
    c(pairs_tests, "radius_relief")
  ),
  mutant("ties: who is met later is left out", "pairs/nearest.hpp",
    "if (neighbour.key > reach_ ||", "if (neighbour.key >= reach_ ||",
    c(pairs_tests, "nearest")
  ),
  mutant("mean distances: zeros are not below what is positive",
    "pairs/mean_distances.hpp", "(2.0 * (r.below + zeros) - n)",
    "(2.0 * r.below - n)", "mean_distances"
  ),
  mutant("missing: a place is shared by all that tie",
    "relief/walked_relief.hpp",
    "taken /= here[v] > one ? here[v] : one;",
    "taken = taken > one ? one : taken;", "walked_relief"
  ),
  mutant("missing: a sample without the feature has neighbours",
    "relief/walked_relief.hpp", "at[v] == at[v] ? k - left[v] : none;",
    "k - left[v];", "walked_relief"
  ),
  mutant("missing: more than k neighbours", "relief/walked_relief.hpp",
    "V taken = here[v] < left[v] ? here[v] : left[v];", "V taken = here[v];",
    "walked_relief"
  ),
  mutant("missing: a walk ends when the second vector is full",
    "relief/walked_relief.hpp", "left[0] > left[1] ? left[0] : left[1];",
    "left[1];", "walked_relief"
  ),
  mutant("missing: a hit is not needed", "relief/walked_relief.hpp",
    "if (count[own * feature_group + f] == 0.0 &&", "if (n < 0 &&",
    "walked_relief"
  ),
  mutant("missing: a score without the share", "relief/walked_relief.hpp",
    "result.scores[j] *= share;", "", "walked_relief"
  ),
  mutant("missing: pairs that lack a feature are 0 apart",
    "pairs/distance_kernel.hpp", "S::replace_nan(difference, job.gaps[f]);",
    "S::replace_nan(difference, 0.0);", "walked_relief"
  ),
  mutant("missing: a sample's mean counts itself", "pairs/mean_distances.hpp",
    "factor * (gap * (sizes_[set_[n]] - 1.0)",
    "factor * (gap * sizes_[set_[n]]", "mean_distances"
  ),
  mutant("mean distances: squares without twice the product",
    "pairs/mean_distances.hpp", "(n * value - 2.0 * r.total)",
    "(n * value - r.total)", "mean_distances"
  ),
  mutant("mean distances: a group counts among the others",
    "pairs/mean_distances.hpp", "others += 1.0 - of_group.size_around(i);", "",
    "mean_distances"
  ),
  mutant("mean distances: sums that depend on the order",
    "pairs/mean_distances.hpp", "(values[i] + step) - step", "values[i]",
    "mean_distances"
  ),
  mutant("centred order: the mean is added", "pairs/mean_distances.hpp",
    "offset = 2.0 * most - offset", "offset = 2.0 * most + offset",
    "mean_distances"
  ),
  mutant("class margins: near hits of a list without weight",
    "relief/sample_margins.hpp", "part.of_hits = each * hits",
    "part.of_hits = each", "sample_margins"
  ),
  mutant("class margins: the sum of the class for its mean",
    "relief/sample_margins.hpp", "0.5 / own_[own]", "0.5", "sample_margins"
  ),
  mutant("class margins: also samples that see none of the class",
    "relief/sample_margins.hpp",
    "c != y[n] && counts.of_class(n, c) > 0)", "c != y[n])", "sample_margins"
  ),
  mutant("class margins: a part from the list's begin",
    "relief/sample_margins.hpp", "list.begin = part.end;", "",
    "sample_margins"
  ),
  mutant("votes: times listed at all sizes", "vote/nested_vote.hpp",
    "if (s + 1 == most.size())", "", "nested_vote"
  ),
  mutant("ties: those beyond the k-th are dropped", "pairs/nearest.hpp",
    "return i.key > reach; }", "return i.key >= reach; }", pairs_tests
  ),
  mutant("expected margins: hit and miss swapped", "soft/soft_neighbours.hpp",
    "alone ? 0.0 : -1.0 / hits;", "alone ? 0.0 : 1.0 / hits;", pairs_tests
  ),
  mutant("expected margins: sigma forgotten", "soft/soft_neighbours.hpp",
    "std::min(1.0 / rule.sigma,", "std::min(1.0,", pairs_tests
  ),
  mutant("expected margins: one shift for both kinds",
    "soft/soft_kernels.hpp",
    "detail::nearness<Bytes>(e, hit ? nearest_hit : nearest_miss, job.rate);",
    "detail::nearness<Bytes>(e, nearest_miss, job.rate);", pairs_tests
  ),
  mutant("expected margins: not normalised", "soft/soft_neighbours.hpp",
    "counts ? 1.0 / misses : 0.0;", "counts ? 1.0 : 0.0;", pairs_tests
  ),
  mutant("expected margins: gamma of the misses", "soft/soft_neighbours.hpp",
    "hits / (hits + misses", "misses / (hits + misses", pairs_tests
  ),
  mutant("symmetric margins: the other direction subtracted",
    "soft/soft_kernels.hpp", "miss_n) + back *", "miss_n) - back *",
    c(logo_tests, pairs_tests)
  ),
  mutant("gradient: rows of S from the first on", "soft/pair_sum_kernels.hpp",
    "(n - job.first) * job.pair_stride", "(n % 32) * job.pair_stride",
    pairs_tests
  ),
  mutant("sparse gradient: sums of one side", "soft/sparse_pair_sums.hpp",
    "sums_[rows.begin + n] += s.row(n)[i];", ";", "sparse_distances"
  ),

  # ---- selectors ------------------------------------------------------------
  mutant("P-Relief: the sample counts among its hits",
    "relief/parzen_relief.hpp",
    "profile(y[n], hits,",
    "profile(y[n], hits + 1,", relief_tests
  ),
  mutant("P-Relief: one direction of the misses", "relief/parzen_relief.hpp",
    "-(miss[a] + miss[b])", "-miss[a]", relief_tests
  ),
  mutant("P-Relief: the grid forgets its last vector of points",
    "relief/parzen_relief.hpp", "j < reach; j += S::lanes",
    "j + S::lanes < reach; j += S::lanes", relief_tests
  ),
  mutant("P-Relief: samples of a group are compared",
    "relief/parzen_relief.hpp", "- within_groups", "- 0.0 * within_groups",
    relief_tests
  ),
  mutant("Relief: no near hits or misses beyond the first",
    "relief/relief.hpp", "options.rule, options.k,", "options.rule, 1,",
    relief_tests
  ),
  mutant("I-Relief: negative margins count as positive",
    "relief/margin_scores.hpp",
    "weights[j] = std::max(margins[j], 0.0) / largest;",
    "weights[j] = std::abs(margins[j]) / largest;", c(logo_tests, relief_tests)
  ),
  mutant("LOGO: never converges", "logo/logo.hpp",
    "if (move.relative < options.tol)\n      break;",
    "if (false)\n      break;", logo_tests
  ),
  mutant("LOGO: keeps the worst iterate", "logo/logo.hpp",
    "if (move.relative < best.relative) {",
    "if (move.relative > best.relative || answer.weights.empty()) {", logo_tests
  ),
  mutant("LOGO: skips the check of all features", "logo/logo_step.hpp",
    "if (!choose_candidates(all.values, lambda_ - all.error))",
    "if (all.error > 0.0)", logo_tests
  ),
  mutant("gradient: a part of the rows is left out", "soft/pair_sums.hpp",
    "for (Index part = 0; part < parts; ++part)",
    "for (Index part = 0; part < std::max<Index>(parts - 1, 1); ++part)",
    pairs_tests
  ),
  mutant("distances: memory of another step is taken for granted",
    "pairs/distances.hpp",
    "distances_.measure(all, all, memory, runtime);", "", pairs_tests
  ),
  mutant("LOGO: wrong sign in the dual", "logo/logo_step.hpp",
    "dual -= (1.0 - a) * std::log1p(-a);",
    "dual += (1.0 - a) * std::log1p(-a);", logo_tests
  ),
  mutant("PWFP: shares of a tie off by one", "pwfp/pwfp.hpp",
    "static_cast<double>(k_ - pair.n_below)",
    "static_cast<double>(k_ - pair.n_below + 1)", "pwfp"
  ),
  mutant("PWFP: no pairs of samples side by side", "pwfp/pwfp.hpp",
    "std::max(a + 1, second.first)", "std::max(a + 2, second.first)", "pwfp"
  ),
  mutant("PWFP: the ratio is not of shares", "pwfp/pwfp.hpp",
    "const double q = between / n_between;",
    "const double q = between / n_within;", "pwfp"
  ),
  mutant("PWFP: same and other class swapped", "pwfp/pwfp.hpp",
    "pair.same = y_[a] == y_[b];", "pair.same = y_[a] != y_[b];", "pwfp"
  ),
  mutant("BFS: worst weight first", "bfs/bfs.hpp",
    "return first[i] > first[k];", "return first[i] < first[k];", bfs_tests
  ),
  mutant("Fisher: classes count alike", "comparators/fisher.hpp",
    "between += y.count(c) * off * off;", "between += off * off;",
    reference_scores_tests
  ),
  mutant("mRMR: redundancy is sought", "comparators/mrmr.hpp",
    "relevance_[j] - mean", "relevance_[j] + mean", reference_scores_tests
  ),
  mutant("chi-squared: not by what is expected", "comparators/association.hpp",
    "terms_.push_back(off * off / expected);", "terms_.push_back(off * off);",
    reference_scores_tests
  ),
  mutant("information: columns added", "comparators/association.hpp",
    "sum -= entropy_(total);", "sum += entropy_(total);",
    reference_scores_tests
  ),
  mutant("Laplacian: an edge found from both sides counts twice",
    "pairs/neighbour_graph.hpp", "if (a < near.sample || !mutual)", "",
    c("pair_graph", reference_scores_tests)
  ),
  mutant("graph forms: not in units of the range",
    "comparators/graph_forms.hpp",
    "total += edge.weight * step * step;",
    "total += edge.weight * step * step * range;", reference_scores_tests
  ),
  mutant("rank products: pairs of two blocks once",
    "comparators/rank_products.hpp",
    "if (j >= first + size)", "if (j >= first + size + count)",
    reference_scores_tests
  ),
  mutant("Simba: hits are sought apart", "comparators/simba.hpp",
    "term(near.miss, j) - term(near.hit, j)",
    "term(near.miss, j) + term(near.hit, j)", reference_scores_tests
  ),

  # ---- solvers --------------------------------------------------------------
  mutant("logistic regression: stays where nothing curves",
    "logo/nonneg_logistic.hpp", "!start.isZero(0.0)", "false", logo_tests
  ),
  mutant("logistic regression: penalty with the wrong sign",
    "logo/nonneg_logistic.hpp",
    "(z_.transpose() * result.chance).array() - options_.lambda",
    "(z_.transpose() * result.chance).array() + options_.lambda", logo_tests
  ),
  mutant("logistic regression: dropped abs in the residual",
    "logo/nonneg_logistic.hpp", "w[j] > 0.0 ? std::abs(pull[j]) : pull[j]",
    "w[j] > 0.0 ? pull[j] : pull[j]", logo_tests
  ),
  mutant("logistic regression: chance of the wrong side",
    "logo/nonneg_logistic.hpp", "(margin[n] > 0.0 ? e : 1.0)",
    "(margin[n] < 0.0 ? e : 1.0)", logo_tests
  ),
  mutant("lasso: lambda_max halved", "bfs/nonneg_lasso.hpp",
    "return 2.0 * std::max(0.0,", "return 1.0 * std::max(0.0,", bfs_tests
  ),
  mutant("lasso: no check of the features left out",
    "bfs/nonneg_lasso.hpp", "if (missing.empty() ||",
    "if (true || missing.empty() ||", bfs_tests
  ),
  mutant("quadratic program: nothing leaves the support",
    "bfs/nonneg_quadratic.hpp",
    "const bool leaves =\n            target[i] <= 0.0 &&",
    "const bool leaves =\n            target[i] <= -1e300 &&", bfs_tests
  ),
  mutant("separation: hits measured by misses",
    "llfs/separation_problem.hpp", "spread(totals.head(same_rows()))",
    "spread(totals.tail(same_rows()))", "separation"
  ),
  mutant("separation: steps leave the box", "llfs/separation_cost.hpp",
    "std::min(room, x[down])", "std::max(room, x[down])", "separation"
  ),
  mutant("separation: stops at once", "llfs/separation_cost.hpp",
    "if (within.up - within.down <= allowed_gap())\n        break;",
    "if (within.up - within.down <= 1e300)\n        break;", "separation"
  ),
  mutant("separation: the path keeps the digits of rounding",
    "llfs/separation_path.hpp", "= on_grid<26>(entry.second)",
    "= 1.0 * entry.second", "separation"
  ),
  mutant("separation: steps keep the digits of rounding",
    "llfs/separation_cost.hpp", "t = on_grid<32>(better / bent)",
    "t = better / bent", "separation"
  ),
  mutant("gain: derivative without its square", "llfs/gain_kernels.hpp",
    "e *= job.sigma * logistic * logistic;", "e *= job.sigma * logistic;",
    "gain_kernels"
  ),
  mutant("rounding: wrong sign of the cut", "llfs/rounding.hpp",
    "problem_.other_totals(f)) >= required_",
    "problem_.other_totals(f)) < required_",
    "separation"
  ),
  mutant("rounding: alpha features are too many", "llfs/rounding.hpp",
    "static_cast<double>(size) > alpha_", "static_cast<double>(size) >= alpha_",
    "separation"
  ),
  mutant("rounding: keeps the widest", "llfs/rounding.hpp",
    "spread >= best_.spread - 1e-12", "spread <= best_.spread + 1e-12",
    "separation"
  ),
  mutant("separation: features without spread are all alike",
    "llfs/separation_path.hpp", "own == 0.0 ? -preference * separates_[j]",
    "own == 0.0 ? 0.0 * separates_[j]", "separation"
  ),
  mutant("lagrangian: the price goes the wrong way",
    "llfs/separation_cost.hpp", "(away < 0.0 ? farther : -farther)",
    "(away > 0.0 ? farther : -farther)", "separation"
  ),
  mutant("lagrangian: mass moves to the worst column",
    "llfs/separation_cost.hpp", "if (losses[k] < little) {",
    "if (losses[k] > little) {", "separation"
  ),
  mutant("lagrangian: the mass's dual has the wrong sign",
    "llfs/separation_cost.hpp", "std::isfinite(within.up) ? -within.up : 0.0",
    "std::isfinite(within.up) ? within.up : 0.0", "separation"
  ),
  mutant("gain: curvature upside down", "llfs/gain_kernels.hpp",
    "e *= job.sigma * (2.0 * logistic - 1.0);",
    "e *= job.sigma * (1.0 - 2.0 * logistic);", "gain_kernels"
  ),
  mutant("gain: the slope on a line forgets the way",
    "llfs/logistic_gain.hpp", "terms.form(gain, from + t * way, count)",
    "terms.form(gain, from, count)", "gain_kernels"
  ),
  mutant("LLFS: what pads the hits is a sample", "llfs/llfs_candidates.hpp",
    "rows_.resize(problem_.same_rows(), centre)",
    "rows_.resize(problem_.same_rows(), (centre + 1) % y.n_samples())", "llfs"
  ),
  mutant("rounding: a feature more, the same distances",
    "llfs/rounding.hpp", "within_[left] + column.head(problem_.same_rows())",
    "within_[left]", "separation"
  ),
  mutant("rounding: the last set is kept though it separates too little",
    "llfs/rounding.hpp", "places == open_ && is_enough(last_, required)",
    "places == open_", "separation"
  ),
  mutant("separation: bounds of the gradient do not move",
    "llfs/separation_problem.hpp", "(weights - weights_).cwiseMax(0.0).norm()",
    "0.0", "separation"
  ),
  mutant("rounding: what may come is forgotten", "llfs/rounding.hpp",
    "problem_.other_totals(all)", "problem_.other_totals(f)", "separation"
  ),
  mutant("LLFS: a set is left that could be as good", "llfs/llfs.hpp",
    "std::max(enough, best.score - less)",
    "std::max(enough, best.score + less)", "llfs"
  ),
  mutant("LLFS: features at their floor look perfect", "llfs/llfs.hpp",
    "static_cast<double>(constant) /", "0.0 /", "llfs"
  ),
  mutant("LLFS: kept intercepts count a sample's own vote",
    "llfs/local_classifier.hpp", "1.0 / (voters[label] - (own ? 1.0 : 0.0))",
    "1.0 / voters[label]", "llfs"
  ),
  mutant("LLFS: scores end too soon", "llfs/llfs_frame.hpp",
    "return n_asked_ == side_.asked.size();",
    "return n_asked_ + 1 >= side_.asked.size();", "llfs"
  ),
  mutant("lagrangian: a gradient outlives a move",
    "llfs/separation_problem.hpp",
      "std::fill(known_.begin(), known_.end(), 0);",
    ";", "separation"
  ),
  mutant("gains: half of a vector is added twice", "llfs/gain_kernels.hpp",
    "(&x) + k * bytes", "(&x)", "gain_kernels"
  ),
  mutant("single features: ties to the lower index",
    "llfs/llfs_columns.hpp", "if (apart <= separation + 1e-12)",
    "if (separation >= 0.0)", "llfs"
  ),
  mutant("nearest: a sample is its own neighbour", "llfs/llfs_nearest.hpp",
    "left_out[q] < 0 ? -1 : row_[left_out[q]]", "-1", "llfs"
  ),
  mutant("nearest: ties are the first class's", "llfs/llfs_nearest.hpp",
    "reach[q] = holders > 1 ?", "reach[q] = holders > 9 ?", "llfs"
  ),
  mutant("intercepts: drawn samples stand for themselves alone",
    "llfs/local_classifier.hpp", "(classes * static_cast<double>(some.size()))",
    "(classes * y.count(c))", "llfs"
  ),
  mutant("spheres: sorted only as far as the first samples", "llfs/sphere.hpp",
    "if (at >= sorted_)", "if (sorted_ == 0)", "llfs"
  ),
  mutant("polish: nothing is brought in", "llfs/swap_polish.hpp",
    "search.consider(base, {in});", "search.consider(base, {});", "separation"
  ),
  mutant("polish: the dearest columns", "llfs/swap_polish.hpp",
    "return cost[a] < cost[b]", "return cost[a] > cost[b]", "separation"
  ),

  # ---- classifiers ----------------------------------------------------------
  mutant("spheres: the surface is as rounding has it",
    "llfs/sphere.hpp",
    "distance <= radius * (1.0 + 1e-12)", "distance <= radius", "llfs"
  ),
  mutant("spheres: numbers of misses are shares", "llfs/sphere.hpp",
    "n_other = by_count ? 1 :", "n_other =", "llfs"
  ),
  mutant("frames: one ridge for all weights", "llfs/frame_regression.hpp",
    "2.0 / (64.0 * weights[y[j]])", "2.0 / 64.0", "frame_regression"
  ),
  mutant("frames: the similarity of another row", "llfs/llfs_nearest.hpp",
    "halves[r / 2] * a[r ^ 1]", "halves[r / 2] * a[r]", "frame_regression"
  ),
  mutant("frames: each subset counts once", "llfs/local_classifier.hpp",
    "times_[i] / frames()", "std::min(1, times_[i]) / frames()",
    "frame_regression"
  ),
  mutant("frames: the consensus counts features alike",
    "llfs/local_classifier.hpp", "weights = weights.cwiseSqrt().eval();", "",
    "frame_regression"
  ),
  mutant("frames: slopes of the first steps", "llfs/frame_regression.hpp",
    "change >= 1e-3", "change >= 1e-1", "frame_regression"
  ),
  mutant("frames: half of the consensus", "llfs/local_classifier.hpp",
    "to.width = to.share = 1.0;", "to.width = 1.0, to.share = 0.5;",
    "frame_regression"
  ),
  mutant("frames: rows of which there are none are read",
    "llfs/llfs_nearest.hpp", "i + r * apart < end ? i + r * apart : i;",
    "i + r * apart;", "frame_regression"
  ),
  mutant("frames: rows of which there are none get sums",
    "llfs/llfs_nearest.hpp", "if (r * NearestJob::whole < rows) {", "{",
    "frame_regression"
  ),
  mutant("frames: a skipped row is one of another vector",
    "llfs/llfs_nearest.hpp", "job.left_out[q + s] - at[r])",
    "job.left_out[q + s] - i)", "frame_regression"
  ),
  mutant("spheres: large classes win", "llfs/local_classifier.hpp",
    "share = 1.0 / voters(label, rows[k]);", "share = 1.0;", "llfs"
  ),
  mutant("spheres: those left out count in their class",
    "llfs/local_classifier.hpp", "share = 1.0 / voters(label, rows[k]);",
    "share = 1.0 / model_.y.count(label);", "llfs"
  ),
  mutant("LLFS: of ties without spread the first", "llfs/llfs.hpp",
    "first->objective > 0.0", "first->objective >= 0.0", "llfs"
  ),
  mutant("evidence: of numbers, not of shares of the classes",
    "llfs/llfs_evidence.hpp", "std::log1p(count * scale / totals_[k])",
    "std::log1p(count * scale)", "llfs"
  ),
  mutant("evidence: not against the mean of the classes",
    "llfs/llfs_evidence.hpp", "votes.array() -= sum /",
    "votes.array() -= 0.0 * sum /", "llfs"
  ),
  mutant("intercepts: the ridge is forgotten", "llfs/llfs_evidence.hpp",
    "RowVectorXd gradient = beta;", "RowVectorXd gradient = 0.0 * beta;", "llfs"
  ),
  mutant("LLFS: the nearest neighbour's veto by any of the class",
    "llfs/local_classifier.hpp", "near[label] > 0.5", "near[label] > 0.0",
    "llfs"
  ),
  mutant("contracts: labels may lie beyond the classes", "data/class_index.hpp",
    "label >= 0 && label < n_classes", "label >= 0", "entries"
  ),

  # ---- survival times -------------------------------------------------------
  mutant("survival: an event is as far as a censoring's time",
    "relief/srelieff.hpp", "return (1.0 + high) / 2.0 - low;",
    "return high - low;", "srelieff"
  ),
  mutant("survival: what is left after a censoring does not count",
    "relief/srelieff.hpp", "+ left * left) / (2.0 * all)", ") / (2.0 * all)",
    "srelieff"
  ),
  mutant("survival: two censored samples, a half for a third",
    "relief/srelieff.hpp", "(3.0 * all)", "(2.0 * all)", "srelieff"
  ),
  mutant("survival: neighbours are not centred on their mean",
    "relief/srelieff.hpp", "(outcome.apart(n, i) - mean[n]) / spread",
    "outcome.apart(n, i) / spread", "srelieff"
  ),
  mutant("survival: H without the mean of the neighbours",
    "relief/srelieff.hpp", "std::max(outcome.apart(n, i) - mean[n], 0.0)",
    "outcome.apart(n, i)", "srelieff"
  ),
  mutant("survival votes: hubs weigh as much as others",
    "vote/nearest_survival.hpp", "share / (1.0 + served[i.sample])", "share",
    "nearest_survival"
  ),
  mutant("survival votes: a sample serves itself",
    "vote/nearest_survival.hpp", "return i.sample == sample;",
    "return i.sample != sample;", "nearest_survival"
  ),
  mutant("survival votes: all neighbours stay at risk",
    "vote/nearest_survival.hpp", "dying[t] / leaving[t]",
    "dying[t] / leaving[0]", "nearest_survival"
  ),
  mutant("survival votes: a step more of the curve",
    "vote/nearest_survival.hpp", "t < voters.grid[g]", "t <= voters.grid[g]",
    "nearest_survival"
  ),
  mutant("Cox: strata share their squares", "comparators/cox_score.hpp",
    "mean = squares = {};", "mean = {};", "cox_score"
  ),
  mutant("Cox: variance of n - 1", "comparators/cox_score.hpp",
    "squares[f] * one_of_[number(f)];",
    "squares[f] * one_of_[std::max<Index>(1, number(f) - 1)];",
    "cox_score"
  ),
  mutant("Cox: a standard deviation over strata", "comparators/cox_score.hpp",
    "number(f) - 1, 0", "number(f) - (stratum == 1 ? 1 : 0), 0", "cox_score"
  ),
  mutant("Cox: squares not of differences from the mean",
    "comparators/cox_score.hpp", "(value(i) - mean) * (value(i) - mean)",
    "value(i) * value(i)", "cox_score"
  ),

  # ---- runtime --------------------------------------------------------------
  mutant("executor: the last failure is reported", "runtime/executor.hpp",
    "if (unit < failing_unit)", "if (unit > failing_unit || !error)",
    runtime_tests
  ),
  mutant("monitor: a wish to stop is not heard", "runtime/monitor.hpp",
    "if (stop_.load(std::memory_order_relaxed))", "if (false)", runtime_tests
  ),
  mutant("random streams: purposes share one", "runtime/random.hpp",
    "key, unit, static_cast<std::uint64_t>(purpose), 0", "key, unit, 0, 0",
    runtime_tests
  )
)
