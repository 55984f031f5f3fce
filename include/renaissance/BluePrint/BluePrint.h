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

/// Height, width and channels of one sample.
struct Input {
  int64_t h, w, c;
};

/// A word of the language.
struct Word {
  const char *text;
};
/// Block styles.
struct Style : Word {};
inline constexpr Style RESNET_1_3_1{{"RESNET_1_3_1"}}, RESNET_1_3_1_DS{{"RESNET_1_3_1_DS"}},
    RESNET_3_3{{"RESNET_3_3"}}, RESNET_3_3_DS{{"RESNET_3_3_DS"}}, MB_E1_K3{{"MB_E1_K3"}},
    MB_E1_K3_DS{{"MB_E1_K3_DS"}}, MB_E6_K3{{"MB_E6_K3"}}, MB_E6_K3_DS{{"MB_E6_K3_DS"}};
/// Activations, for `Layer::act`.
struct Act : Word {};
inline constexpr Act RELU{{"relu"}}, RELU6{{"relu6"}}, TANH{{"tanh"}}, SILU{{"silu"}},
    LEAKY_RELU{{"leaky_relu"}}, HARDSWISH{{"hardswish"}}, ELU{{"elu"}}, SIGMOID{{"sigmoid"}};

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

  /// A copy with one more argument, by name: `conv(8, 3).with("groups", 2)`.
  Layer with(const char *name, Arg value) const;
  Layer bias(bool value = true) const { return with("bias", value); }
  Layer groups(int64_t value) const { return with("groups", value); }
  Layer dilation(Extent value) const { return with("dilation", value); }
  Layer act(Act value) const { return with("act", value); }
  Layer eps(double value) const { return with("eps", value); }
  Layer momentum(double value) const { return with("momentum", value); }
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
  std::shared_ptr<const Node> shared;
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

// The last two parameters of each call are its place in the caller's source.
#define TR_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline BluePrint model(std::string name, Input input, int64_t classes, Layer body, TR_SITE) {
  return BluePrint(std::move(name), input, classes, std::move(body), {file, line});
}

/// Layers in order. Its place is that of its first layer.
template <typename... Layers> Layer seq(const Layers &...layers) {
  std::vector<Layer> list{layers...};
  Site site = list.empty() ? Site() : list.front().node().site;
  return Layer("seq", {}, std::move(list), site);
}
inline Layer repeat(const Layer &body, int64_t times, TR_SITE) {
  return Layer("repeat", {times}, {body}, {file, line});
}
inline Layer add2(const Layer &shortcut, const Layer &stem, TR_SITE) {
  return Layer("add2", {}, {shortcut, stem}, {file, line});
}
inline Layer conv(int64_t out, Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("conv", {out, kernel, stride, pad}, {}, {file, line});
}
inline Layer conv_dw(Extent kernel, Extent stride = 1, Extent pad = 0, TR_SITE) {
  return Layer("conv_dw", {kernel, stride, pad}, {}, {file, line});
}
inline Layer group_conv(int64_t out, int64_t groups, Extent kernel, Extent stride = 1,
                        Extent pad = 0, TR_SITE) {
  return Layer("group_conv", {out, groups, kernel, stride, pad}, {}, {file, line});
}
inline Layer bn(double momentum = 0.1, double eps = 1e-5, TR_SITE) {
  return Layer("bn", {momentum, eps}, {}, {file, line});
}
inline Layer dropout(double p, TR_SITE) { return Layer("dropout", {p}, {}, {file, line}); }
inline Layer maxpool(Extent kernel, Extent stride, Extent pad, TR_SITE) {
  return Layer("maxpool", {kernel, stride, pad}, {}, {file, line});
}
inline Layer avgpool(Extent kernel, Extent stride, Extent pad, TR_SITE) {
  return Layer("avgpool", {kernel, stride, pad}, {}, {file, line});
}
inline Layer fc(int64_t out, bool bias, TR_SITE) {
  return Layer("fc", {out, bias}, {}, {file, line});
}
inline Layer gap_fc(int64_t out, bool bias, TR_SITE) {
  return Layer("gap_fc", {out, bias}, {}, {file, line});
}
inline Layer cbr(int64_t out, Extent kernel, Extent stride, Extent pad, TR_SITE) {
  return Layer("cbr", {out, kernel, stride, pad}, {}, {file, line});
}
inline Layer cbrp(int64_t out, Extent kernel, Extent stride, Extent pad, Extent poolKernel,
                  Extent poolStride, Extent poolPad, TR_SITE) {
  return Layer("cbrp", {out, kernel, stride, pad, poolKernel, poolStride, poolPad}, {},
               {file, line});
}
inline Layer block(int64_t mid, int64_t out, Style style, TR_SITE) {
  return Layer("block", {mid, out, style}, {}, {file, line});
}
inline Layer block(int64_t out, Style style, TR_SITE) {
  return Layer("block", {out, style}, {}, {file, line});
}
inline Layer mbconv(int64_t expand, int64_t out, int64_t stride, TR_SITE) {
  return Layer("mbconv", {expand, out, stride}, {}, {file, line});
}

#define TR_PLAIN_CALL(name)                                                                        \
  inline Layer name(TR_SITE) { return Layer(#name, {}, {}, {file, line}); }
TR_PLAIN_CALL(relu)
TR_PLAIN_CALL(relu6)
TR_PLAIN_CALL(tanh_act)
TR_PLAIN_CALL(silu)
TR_PLAIN_CALL(leaky_relu)
TR_PLAIN_CALL(hardswish)
TR_PLAIN_CALL(elu)
TR_PLAIN_CALL(sigmoid)
TR_PLAIN_CALL(flatten)
TR_PLAIN_CALL(channel_padding)
TR_PLAIN_CALL(gap)
TR_PLAIN_CALL(identity)
TR_PLAIN_CALL(softmax_ce)
#undef TR_PLAIN_CALL
#undef TR_SITE

} // namespace tr::dsl

#endif // RENAISSANCE_BLUEPRINT_BLUEPRINT_H
