// SPDX-License-Identifier: Apache-2.0
//
// Attributes of an op as a call takes them, from the op's structure: what makes calls by hand,
// tests and benchmarks, says ops::NAME::Attrs too.
#ifndef TRK_COMMON_ATTR_LIST_H
#define TRK_COMMON_ATTR_LIST_H

#include "trk/kernel.h"

#include <cstring>
#include <vector>

namespace trk {

template <typename Attrs> std::vector<Attr> attrList(const Attrs &attrs) {
  std::vector<Attr> list;
  if constexpr (!std::is_empty_v<Attrs>) {
    list.resize(sizeof(attrs) / sizeof(Attr));
    std::memcpy(list.data(), &attrs, sizeof(attrs));
  }
  return list;
}

} // namespace trk

#endif // TRK_COMMON_ATTR_LIST_H
