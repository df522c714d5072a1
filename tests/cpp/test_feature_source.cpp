// Blocks, scratch files and sparse columns give the numbers of an array.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

#include <testthat/vendor/catch.h>

#include <hitmiss/data/feature_tile.hpp>
#include <hitmiss/data/sparse_tiles.hpp>
#include <hitmiss/data/turned_source.hpp>

#include "support/host.hpp"
#include "support/scratch.hpp"

namespace {

using hitmiss::Array;
using hitmiss::Index;
using hitmiss::MatrixView;

/// Blocks of an array, in memory of their own, as a reader would bring them.
class ArraySource final : public hitmiss::FeatureSource {
public:
  ArraySource(const MatrixView &x, Index step, bool by_sample)
      : x_(x), step_(step), by_sample_(by_sample) {}
  Index n_chunks() const override {
    return (x_.n_features + step_ - 1) / step_;
  }
  hitmiss::FeatureChunk fetch(Index k) override {
    ++fetched;
    if (k == broken)
      throw std::runtime_error("disk on fire");
    const Index first = k * step_;
    const Index count = std::min(step_, x_.n_features - first);
    data_.assign(count * x_.n_samples, -1e300);
    MatrixView view =
        hitmiss::view_by_feature(data_.data(), x_.n_samples, count);
    if (by_sample_) {
      view.sample_stride = count;
      view.feature_stride = 1;
    }
    for (Index f = 0; f < count; ++f)
      for (Index n = 0; n < x_.n_samples; ++n)
        data_[n * view.sample_stride + f * view.feature_stride] =
            x_(n, first + f);
    return {first, view};
  }
  int fetched = 0;
  Index broken = -1;

private:
  MatrixView x_;
  Index step_;
  bool by_sample_;
  Array<double> data_;
};

Array<double> some_values(Index count) {
  Array<double> values(count);
  for (Index i = 0; i < count; ++i)
    values[i] = static_cast<double>((i * 7919) % 1009) / 7.0;
  return values;
}

Array<double> all_values(const MatrixView &x) {
  Array<double> values(x.n_samples * x.n_features);
  x.tiles->read(0, x.n_features, values.data());
  return values;
}

} // namespace

TEST_CASE("a scratch file holds what the chunks brought, in any shape") {
  const Index n = 7, features = 1000;
  const auto values = some_values(7000);
  const auto x = hitmiss::view_by_feature(values.data(), n, features);
  for (const Index step : {1, 64, 333, 1000})
    for (const bool by_sample : {false, true})
      for (const int threads : {1, 3}) {
        const std::string path = scratch_path();
        auto file = std::make_shared<hitmiss::ScratchFile>(path);
#ifndef _WIN32
        CHECK_FALSE(std::filesystem::exists(path));
#endif
        ArraySource source(x, step, by_sample);
        with_threads(threads, [&](hitmiss::Runtime &runtime) {
          hitmiss::copy_to_scratch(source, {}, *file, runtime);
          return 0;
        });
        CHECK(source.fetched == source.n_chunks());
        const auto tiles = hitmiss::view_of_tiles(
            std::make_shared<hitmiss::ScratchTiles>(file, n), n, features);
        CHECK((all_values(tiles) == values));
        CHECK(file->bytes_read() == 8 * 7000);
      }
}

TEST_CASE("a file by samples is turned into one by features") {
  const Index n = 6, features = 1000;
  const auto values = some_values(6000);
  // The samples are what the first file holds one after the other.
  Array<double> by_sample(6000);
  for (Index j = 0; j < 1000; ++j)
    for (Index i = 0; i < 6; ++i)
      by_sample[i * 1000 + j] = values[j * 6 + i];
  ArraySource source(hitmiss::view_by_feature(by_sample.data(), features, n), 4,
                     false);
  hitmiss::ScratchFile aside(scratch_path());
  auto file = new_scratch();
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    hitmiss::copy_to_scratch(source, {}, aside, runtime);
    hitmiss::TurnedSource turned(aside, n, features);
    hitmiss::copy_to_scratch(turned, {}, *file, runtime);
    return 0;
  });
  const auto tiles = hitmiss::view_of_tiles(
      std::make_shared<hitmiss::ScratchTiles>(file, n), n, features);
  CHECK((all_values(tiles) == values));
}

TEST_CASE("chunks may arrive in another order than the features") {
  const Index n = 3, features = 50;
  const auto values = some_values(150);
  Array<int> places(50);
  Array<double> expected(150);
  for (Index j = 0; j < 50; ++j) {
    places[j] = static_cast<int>((j * 17) % 50);
    for (Index i = 0; i < 3; ++i)
      expected[places[j] * 3 + i] = values[j * 3 + i];
  }
  auto file = new_scratch();
  ArraySource source(hitmiss::view_by_feature(values.data(), n, features), 8,
                     true);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    hitmiss::copy_to_scratch(source, places, *file, runtime);
    return 0;
  });
  const auto tiles = hitmiss::view_of_tiles(
      std::make_shared<hitmiss::ScratchTiles>(file, n), n, features);
  CHECK((all_values(tiles) == expected));
}

TEST_CASE(
    "what a reader throws reaches the caller, and nothing is read after") {
  const auto values = some_values(4000);
  ArraySource source(hitmiss::view_by_feature(values.data(), 4, 1000), 10,
                     false);
  source.broken = 7;
  hitmiss::ScratchFile file(scratch_path());
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    CHECK_THROWS_WITH(hitmiss::copy_to_scratch(source, {}, file, runtime),
                      "disk on fire");
    return 0;
  });
  CHECK(source.fetched == 8);
}

TEST_CASE("whole numbers read as doubles, a missing one is not finite") {
  Array<int> whole{3, -2, 0, 7, std::numeric_limits<int>::max(), 1};
  const MatrixView chunk{whole.data(), hitmiss::Scalar::i32, 3, 2, 1, 3};
  const auto as_is = hitmiss::identity_scaling(2);
  const hitmiss::ScaledView raw{chunk, &as_is};
  Array<double> out(6);
  hitmiss::copy_tile(raw, 0, 2, out.data(), 3);
  CHECK(out == Array<double>(whole.begin(), whole.end()));
  CHECK(hitmiss::all_finite(out.data(), 6));
  whole[4] = std::numeric_limits<int>::min(); // as R has it
  hitmiss::copy_tile(raw, 0, 2, out.data(), 3);
  CHECK(std::isnan(out[4]));
}

TEST_CASE("a value that is not finite is found where it is") {
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
    for (const int threads : {1, 2}) {
      auto values = some_values(4000);
      values[4 * 777 + 2] = odd;
      ArraySource source(hitmiss::view_by_feature(values.data(), 4, 1000), 100,
                         true);
      hitmiss::ScratchFile file(scratch_path());
      Index feature = -1, sample = -1;
      with_threads(threads, [&](hitmiss::Runtime &runtime) {
        try {
          hitmiss::copy_to_scratch(source, {}, file, runtime);
        } catch (const hitmiss::NotFinite &bad) {
          feature = bad.feature;
          sample = bad.sample;
        }
        return 0;
      });
      CHECK(feature == 777);
      CHECK(sample == 2);
    }
}

TEST_CASE("a scratch file that cannot be made or read says so") {
  CHECK_THROWS_AS(hitmiss::ScratchFile("/nowhere/at/all"), std::runtime_error);
  hitmiss::ScratchFile file(scratch_path());
  double number = 0.0;
  CHECK_THROWS_AS(file.read(&number, 1, 5), std::runtime_error);
}

TEST_CASE("sparse columns read as the array they stand for") {
  // 5 samples, 4 features; the third has no entry.
  const Array<int> starts{0, 2, 3, 3, 6}, samples{1, 4, 0, 0, 2, 3};
  const Array<double> entries{1.5, -2.0, 3.0, 4.0, 5.0, 6.0};
  const Array<double> dense{0, 1.5, 0, 0, -2, 3, 0, 0, 0, 0,
                            0, 0,   0, 0, 0,  4, 0, 5, 6, 0};
  const auto x = hitmiss::view_of_columns(
      {starts.data(), samples.data(), entries.data()}, 5, 4, true);
  CHECK((all_values(x) == dense));
  const auto plain = hitmiss::view_by_feature(dense.data(), 5, 4);
  with_threads(2, [&](hitmiss::Runtime &runtime) {
    const auto a =
        hitmiss::learn_scaling(x, hitmiss::ScaleMethod::zscore, runtime);
    const auto b =
        hitmiss::learn_scaling(plain, hitmiss::ScaleMethod::zscore, runtime);
    CHECK((a.center == b.center));
    CHECK((a.constant == Array<char>{0, 0, 1, 0}));
    Array<double> tile(3 * 8, -1.0), expected(3 * 8, -1.0);
    hitmiss::copy_tile(hitmiss::ScaledView{x, &a}, 1, 3, tile.data(), 8);
    hitmiss::copy_tile(hitmiss::ScaledView{plain, &b}, 1, 3, expected.data(),
                       8);
    CHECK((tile == expected));
    return 0;
  });
}
