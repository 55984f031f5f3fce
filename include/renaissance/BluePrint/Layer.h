// SPDX-License-Identifier: Apache-2.0
//
// A layer of a network in C++; Calls.h makes them.
#ifndef RENAISSANCE_BLUEPRINT_LAYER_H
#define RENAISSANCE_BLUEPRINT_LAYER_H

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tr::dsl {

/// A line of the caller's source.
struct Site {
  const char *file = "";
  int line = 0;
};

/// Height and width: `3` is 3x3, `{3, 5}` is 3x5.
struct Extent {
  int64_t h, w;
  constexpr Extent(int64_t n) : h(n), w(n) {}
  constexpr Extent(int64_t height, int64_t width) : h(height), w(width) {}
};

/// A pad of such an extent that a layer of stride 1 keeps the extents of its input.
inline constexpr Extent SAME{-1, -1};

/// A word of the language.
struct Word {
  const char *text;
};
/// Block styles.
struct Style : Word {};
/// Activations.
struct Act : Word {};

/// The value of an argument, as text of the language.
struct Arg {
  std::string text;
  Arg(int64_t value);
  Arg(int value) : Arg(int64_t(value)) {}
  Arg(double value);
  Arg(bool value) : text(value ? "true" : "false") {}
  Arg(Extent value);
  Arg(Word value) : text(value.text) {}
};

/// One call: a layer, or layers in a sequence, a sum or a repetition. A value: copies share what
/// they hold, each use in a network has parameters of its own.
class Layer {
public:
  Layer(const char *call, std::initializer_list<Arg> args, std::vector<Layer> layers, Site site);
  /// A call of layers alone. Its place is that of the first one.
  Layer(const char *call, std::vector<Layer> layers);

  /// A copy with one more argument, by name: `conv(8, 3).with("groups", 2)`.
  Layer with(const char *name, Arg value) const;
  Layer bias(bool value = true) const { return with("bias", value); }
  Layer groups(int64_t value) const { return with("groups", value); }
  Layer dilation(Extent value) const { return with("dilation", value); }
  Layer act(Act value) const { return with("act", value); }
  /// With the parameter of a call: `act(leaky_relu(0.2))`.
  Layer act(const Layer &activation) const { return with("act", activation.asArgument()); }
  Layer eps(double value) const { return with("eps", value); }
  Layer momentum(double value) const { return with("momentum", value); }
  Layer ceil(bool value = true) const { return with("ceil", value); }
  /// The pad at the bottom and at the right, where it is another.
  Layer padEnd(Extent value) const { return with("pad_end", value); }
  /// Averages are of the pad, too.
  Layer countIncludePad(bool value = true) const { return with("count_include_pad", value); }
  /// The layer's name in paths of parameters.
  Layer named(const std::string &name) const;

  struct Node {
    std::string call;
    std::vector<Layer> layers;     // come first
    std::vector<std::string> args; // "3", "act = relu"
    Site site;
  };
  const Node &node() const { return *shared; }

private:
  explicit Layer(std::shared_ptr<const Node> node) : shared(std::move(node)) {}
  Layer withText(std::string argument) const;
  Arg asArgument() const; // of a call without layers
  std::shared_ptr<const Node> shared;
};

} // namespace tr::dsl

#endif // RENAISSANCE_BLUEPRINT_LAYER_H
