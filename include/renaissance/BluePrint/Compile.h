// SPDX-License-Identifier: Apache-2.0
//
// From a BluePrint to a plan, in a program of your own. Nothing is global: compilations with
// different options may run in several threads at once. No header of LLVM is needed.
#ifndef RENAISSANCE_BLUEPRINT_COMPILE_H
#define RENAISSANCE_BLUEPRINT_COMPILE_H

#include "renaissance/BluePrint/BluePrint.h"
#include "renaissance/Options/CompileOptions.h"

#include <optional>

namespace tr {

/// A value, or why there is none.
template <typename T> class Result {
public:
  Result(T value) : held(std::move(value)) {}
  static Result failure(std::string error) {
    Result result;
    result.why = std::move(error);
    return result;
  }
  explicit operator bool() const { return held.has_value(); }
  const T &operator*() const { return *held; }
  const T *operator->() const { return &*held; }
  /// One line for each fault: "net.cpp:12: error: expected ..., but got ...".
  const std::string &error() const { return why; }

private:
  Result() = default;
  std::optional<T> held;
  std::string why;
};

namespace dsl {

/// What to compile for: the flags of tr-compile, a member each. Variants have their batches and
/// resolutions here: `options.trainResolution = {{224, 224}, {160, 160}, 30}` is
/// `--train-res 224,160@30`, `options.valResolution = {256, 256}` is `--val-res 256`.
using Options = CompileOptions;

/// The bytes of a plan, for trrt_plan_load_bytes() or a file.
class Plan {
public:
  explicit Plan(std::vector<uint8_t> content) : bytes(std::move(content)) {}
  const uint8_t *data() const { return bytes.data(); }
  size_t size() const { return bytes.size(); }
  /// Writes the file whole or not at all. Returns an empty string or what went wrong.
  std::string save(const std::string &path) const;

private:
  std::vector<uint8_t> bytes;
};

/// Requires nothing: what is wrong with the network and with the options is told at once, a line
/// for each fault; then what passes find, at every layer that does not follow from another faulty
/// one.
Result<Plan> compile(const BluePrint &network, const Options &options = {});

} // namespace dsl
} // namespace tr

#endif // RENAISSANCE_BLUEPRINT_COMPILE_H
