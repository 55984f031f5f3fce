// SPDX-License-Identifier: Apache-2.0
//
// Networks in C++, with the calls of the BluePrint language (docs/blueprint.md):
//
//   using namespace tr::dsl;
//   BluePrint net = model("small", {28, 28, 1}, 10,
//                         seq(cbr(32, 3, 1, 1), maxpool(3, 2, 1), block(64, RESNET_3_3_DS),
//                             gap_fc(10, true)));
//
// What is wrong is reported at the line of the call. No header of LLVM is needed.
#ifndef RENAISSANCE_BLUEPRINT_BLUEPRINT_H
#define RENAISSANCE_BLUEPRINT_BLUEPRINT_H

#include "renaissance/BluePrint/Calls.h"

namespace tr::dsl {

/// Height, width and channels of one sample.
struct Input {
  int64_t h, w, c;
};

/// A network. Its constructor checks names, ranges, styles and nesting, so that a wrong call is
/// reported where the network is put together and not where it is compiled.
class BluePrint {
public:
  BluePrint(std::string name, Input input, int64_t classes, Layer body, Site site);

  const std::string &name() const { return modelName; }
  /// Empty, or one line for each fault: "net.cpp:12: error: expected ..., but got ...".
  const std::string &error() const { return faults; }
  bool ok() const { return faults.empty(); }
  /// The same network as a `.bp` file.
  const std::string &toText() const { return text; }
  /// For each line of toText(), the call that it holds.
  const std::vector<Site> &lines() const { return sites; }

private:
  std::string modelName, text, faults;
  std::vector<Site> sites;
};

/// The last two parameters are the place in the caller's source.
inline BluePrint model(std::string name, Input input, int64_t classes, Layer body,
                       const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return BluePrint(std::move(name), input, classes, std::move(body), {file, line});
}

} // namespace tr::dsl

#endif // RENAISSANCE_BLUEPRINT_BLUEPRINT_H
