// SPDX-License-Identifier: Apache-2.0
//
// Three kinds of positions that must not be mixed up: layers of a network, values between
// them, and tensors of the table.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_IDS_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_IDS_H

#include <cstdint>
#include <utility>
#include <vector>

namespace tr {

enum class LayerId : int32_t { None = -1 };
enum class ValueId : int32_t { None = -1, Images = 0 };
/// Images stands for data_a or data_b, whichever half a step runs on.
enum class TensorId : int32_t { None = -1, Images = -2 };

/// As it stands in `tr.graph`: -1 for none.
template <typename Id> int64_t toNumber(Id id) { return static_cast<int64_t>(id); }

/// A vector with an entry for each id of one kind.
template <typename Id, typename T> class IdVector {
public:
  IdVector() = default;
  explicit IdVector(size_t size, const T &value = T()) : items(size, value) {}

  Id push_back(T item) {
    items.push_back(std::move(item));
    return static_cast<Id>(items.size() - 1);
  }
  typename std::vector<T>::reference operator[](Id id) { return items[static_cast<size_t>(id)]; }
  typename std::vector<T>::const_reference operator[](Id id) const {
    return items[static_cast<size_t>(id)];
  }
  size_t size() const { return items.size(); }
  auto begin() { return items.begin(); }
  auto end() { return items.end(); }
  auto begin() const { return items.begin(); }
  auto end() const { return items.end(); }

private:
  std::vector<T> items;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_IDS_H
