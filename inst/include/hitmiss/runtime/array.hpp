// The signed index type, and a `std::vector` indexed by it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RUNTIME_ARRAY_HPP
#define HITMISS_RUNTIME_ARRAY_HPP

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace hitmiss {

/// The type of all counts and indices of samples and features. It is signed, as
/// in Eigen, because differences may be negative.
using Index = std::ptrdiff_t;

template <class T> constexpr Index bytes_of = sizeof(T);

/// A std::vector indexed by Index. Converts from and to a std::vector.
template <class T> class Array : public std::vector<T> {
  using Base = std::vector<T>;

public:
  Array() = default;
  explicit Array(Index size) : Base(unsigned_of(size)) {}
  Array(Index size, const T &value) : Base(unsigned_of(size), value) {}
  Array(std::initializer_list<T> values) : Base(values) {}
  Array(const Base &values) : Base(values) {}
  Array(Base &&values) : Base(std::move(values)) {}
  template <class Iterator,
            class = typename std::iterator_traits<Iterator>::iterator_category>
  Array(Iterator first, Iterator last) : Base(first, last) {}

  Index size() const { return static_cast<Index>(Base::size()); }
  T &operator[](Index i) { return Base::operator[](unsigned_of(i)); }
  const T &operator[](Index i) const {
    return Base::operator[](unsigned_of(i));
  }
  void resize(Index size) { Base::resize(unsigned_of(size)); }
  void resize(Index size, const T &value) {
    Base::resize(unsigned_of(size), value);
  }
  void reserve(Index size) { Base::reserve(unsigned_of(size)); }
  void assign(Index size, const T &value) {
    Base::assign(unsigned_of(size), value);
  }

private:
  static std::size_t unsigned_of(Index i) {
    return static_cast<std::size_t>(i);
  }
};

/// An `Array` of fixed size.
template <class T, Index n_elements>
struct FixedArray : std::array<T, std::size_t{n_elements}> {
  using Base = std::array<T, std::size_t{n_elements}>;
  T &operator[](Index i) { return Base::data()[i]; }
  const T &operator[](Index i) const { return Base::data()[i]; }
};

} // namespace hitmiss

#endif
