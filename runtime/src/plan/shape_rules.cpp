// SPDX-License-Identifier: Apache-2.0
//
// Shape rules of the kernel ops (checks V31 and V32 of docs/plan-format.md).
// Operands are named as in kernel_ops.def; a rule about an operand that an op
// does not have, or that is absent, holds.
#include "plan/shape_rules.h"

#include "plan/check.h"

#include <cstring>

namespace trrt {

namespace {

constexpr int64_t kMaxWindowAttr = 1 << 15;

class ShapeRules {
public:
  ShapeRules(const Plan &plan, uint32_t index, uint32_t variant)
      : plan(plan), op(plan.ops[index]), info(trk::info(op.opcode)), index(index),
        variant(variant) {}

  void check() const;

private:
  [[noreturn]] void reject(const char *what, const std::string &message) const {
    std::string place = "OPS record " + std::to_string(index) + " (" + info.name;
    if (op.layer != kNone)
      place += " of layer " + plan.layers[op.layer].path;
    rejectPlan(place + ") in variant " + plan.variants[variant].name + ", " + what + ": " +
               message);
  }

  // Null: no such operand, or it is absent.
  const Dims *dims(const char *name) const {
    for (uint32_t i = 0; i < info.operand_count; ++i)
      if (std::strcmp(info.operands[i].name, name) == 0)
        return op.operands[i] == kNone ? nullptr : &plan.shape(op.operands[i], variant);
    return nullptr;
  }
  const Dims &get(const char *name) const {
    const Dims *found = dims(name);
    if (!found)
      reject(name, "the operand is absent");
    return *found;
  }
  void expect(const char *name, const Dims &expected) const {
    const Dims *got = dims(name);
    if (got && *got != expected)
      reject(name, "expected " + dimsText(expected) + ", but got " + dimsText(*got));
  }
  static int64_t elements(const Dims &d) { return d[0] * d[1] * d[2] * d[3]; }
  void expectElements(const char *name, int64_t expected) const {
    const Dims *got = dims(name);
    if (got && elements(*got) != expected)
      reject(name, "expected " + std::to_string(expected) + " elements, but got " + dimsText(*got));
  }

  uint64_t attrBits(const char *name) const {
    for (uint32_t i = 0; i < info.attr_count; ++i)
      if (std::strcmp(info.attrs[i].name, name) == 0)
        return op.attrs[i];
    reject(name, "there is no such attribute");
  }
  int64_t attr(const char *name, int64_t low, int64_t high = kMaxWindowAttr) const {
    const int64_t value = static_cast<int64_t>(attrBits(name));
    if (value < low || value > high)
      reject(name, "expected " + std::to_string(low) + " to " + std::to_string(high) +
                       ", but got " + std::to_string(value));
    return value;
  }
  void attrRange(const char *name, double low, double high) const {
    const uint64_t bits = attrBits(name);
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (!(value >= low && value <= high))
      reject(name, "expected " + std::to_string(low) + " to " + std::to_string(high));
  }

  void allEqual(const Dims &expected) const;
  void vectors(std::initializer_list<const char *> names, int64_t channels) const;
  void scalars() const;
  Dims window(const Dims &in, int64_t channels, bool isConv) const;
  void conv(const char *x, const char *y) const;
  void pool(const char *x, const char *y) const;
  void fc(const char *x, const char *y) const;
  void norm() const;
  void normStats(const Dims &y) const;
  void loss(const char *logits) const;
  void channelPad(const char *narrow, const char *wide) const;

  const Plan &plan;
  const Op &op;
  const trk::OpInfo &info;
  uint32_t index, variant;
};

// Every operand has these dims.
void ShapeRules::allEqual(const Dims &expected) const {
  for (uint32_t i = 0; i < info.operand_count; ++i)
    expect(info.operands[i].name, expected);
}

void ShapeRules::vectors(std::initializer_list<const char *> names, int64_t channels) const {
  for (const char *name : names)
    expect(name, {1, 1, 1, channels});
}

// Every operand that is not a range has one element.
void ShapeRules::scalars() const {
  for (uint32_t i = 0; i < info.operand_count; ++i)
    if (!info.operands[i].range)
      expect(info.operands[i].name, {1, 1, 1, 1});
}

// Dims of the result of a window that slides over `in`, and its attributes.
Dims ShapeRules::window(const Dims &in, int64_t channels, bool isConv) const {
  auto extent = [&](int64_t size, const char *kernelName, const char *strideName,
                    const char *padName, const char *dilationName) {
    const int64_t kernel = attr(kernelName, 1), stride = attr(strideName, 1),
                  dilation = isConv ? attr(dilationName, 1) : 1;
    // A window of a pool always holds a cell of the input.
    const int64_t pad = attr(padName, 0, isConv ? kMaxWindowAttr : kernel - 1);
    const int64_t covered = dilation * (kernel - 1) + 1;
    if (size + 2 * pad < covered)
      reject(kernelName, "the kernel covers " + std::to_string(covered) +
                             " cells, but the padded input has " + std::to_string(size + 2 * pad));
    return (size + 2 * pad - covered) / stride + 1;
  };
  const int64_t height = extent(in[1], "kernel_h", "stride_h", "pad_h", "dilation_h");
  const int64_t width = extent(in[2], "kernel_w", "stride_w", "pad_w", "dilation_w");
  return {in[0], height, width, channels};
}

// `x` and `y` name the larger and the smaller side, gradients or not.
void ShapeRules::conv(const char *x, const char *y) const {
  const Dims &in = get(x), &out = get(y);
  const char *weight = dims("w") ? "w" : "dw";
  const int64_t groups = attr("groups", 1, 0x7fffffff);
  if (in[3] % groups != 0 || out[3] % groups != 0)
    reject("groups", std::to_string(groups) + " does not divide the channels of " + dimsText(in) +
                         " and " + dimsText(out));
  expect(y, window(in, out[3], true));
  expect(weight, {out[3], attr("kernel_h", 1), attr("kernel_w", 1), in[3] / groups});
  vectors({"bias", "dbias"}, out[3]);
}

void ShapeRules::pool(const char *x, const char *y) const {
  const Dims &in = get(x);
  const Dims out = window(in, in[3], false);
  expect(y, out);
  expect("index", out);
  for (uint32_t i = 0; i < info.operand_count; ++i)
    if (std::strcmp(info.operands[i].name, "index") == 0 && op.operands[i] != kNone) {
      const bool bytes = attr("kernel_h", 1) * attr("kernel_w", 1) <= 256;
      if (plan.tensors[op.operands[i]].dtype != (bytes ? trk::DType::U8 : trk::DType::I32))
        reject("index", std::string("expected ") + (bytes ? "u8" : "i32") + " for this window");
    }
}

// Features may be flattened on either side, in the order h, w, c.
void ShapeRules::fc(const char *x, const char *y) const {
  const Dims &in = get(x), &weight = get(dims("w") ? "w" : "dw");
  expect(y, {in[0], 1, 1, weight[0]});
  const int64_t features = in[1] * in[2] * in[3], columns = weight[1] * weight[2] * weight[3];
  if (features != columns)
    reject(dims("w") ? "w" : "dw",
           "expected " + std::to_string(features) + " columns, but got " + std::to_string(columns));
  vectors({"bias", "dbias"}, weight[0]);
}

// Parameters of a normalised input x, and of a normalised shortcut.
void ShapeRules::norm() const {
  vectors({"mean", "inv_std", "gamma", "beta", "scale", "bias", "dgamma", "dbeta", "shortcut_mean",
           "shortcut_inv_std", "shortcut_gamma", "shortcut_beta", "shortcut_scale", "shortcut_bias",
           "shortcut_dgamma", "shortcut_dbeta"},
          get("x")[3]);
}

void ShapeRules::normStats(const Dims &y) const {
  vectors({"prev_mean", "prev_var", "mean", "inv_std", "next_mean", "next_var"}, y[3]);
  attrRange("eps", 0, 1e30);
  attrRange("momentum", 0, 1);
}

void ShapeRules::loss(const char *logits) const {
  const Dims &in = get(logits);
  for (const char *name : {"probs", "dlogits"})
    expect(name, in);
  for (const char *name : {"labels", "predicted"})
    expect(name, {in[0], 1, 1, 1});
  for (const char *name : {"valid", "label_smoothing", "loss", "top1", "top5"})
    expect(name, {1, 1, 1, 1});
}

void ShapeRules::channelPad(const char *narrow, const char *wide) const {
  const Dims &small = get(narrow), &large = get(wide);
  expect(wide, {small[0], small[1], small[2], large[3]});
  if (large[3] < small[3])
    reject(wide, "expected " + std::to_string(small[3]) + " channels or more, but got " +
                     std::to_string(large[3]));
}

void ShapeRules::check() const {
  using trk::Opcode;
  switch (op.opcode) {
  case Opcode::copy:
    return expectElements("y", elements(get("x")));
  case Opcode::conv_fwd:
    return conv("x", "y");
  case Opcode::conv_stats_fwd:
    conv("x", "y");
    return normStats(get("y"));
  case Opcode::bn_stats:
    return normStats(get("x"));
  case Opcode::bn_apply:
  case Opcode::bn_apply_add:
  case Opcode::bn_apply_add_bn:
  case Opcode::bn_inf:
  case Opcode::bn_inf_add:
  case Opcode::bn_inf_add_bn:
    for (const char *name : {"y", "shortcut", "shortcut_x"})
      expect(name, get("x"));
    return norm();
  case Opcode::bn_apply_pool:
  case Opcode::bn_inf_pool:
    norm();
    return pool("x", "y");
  case Opcode::bn_bwd_reduce:
  case Opcode::bn_bwd_apply:
    for (const char *name : {"dy", "dx"})
      expect(name, get("x"));
    return norm();
  case Opcode::join_bwd_reduce:
  case Opcode::join_bwd_apply:
    for (const char *name : {"dy", "dy2", "y", "g", "shortcut_x", "dx", "shortcut_dx"})
      expect(name, get("x"));
    return norm();
  case Opcode::act_fwd:
  case Opcode::add_fwd:
  case Opcode::act_bwd:
  case Opcode::act_bwd_out:
    return allEqual(plan.shape(op.operands[0], variant));
  case Opcode::maxpool_fwd:
  case Opcode::avgpool_fwd:
    return pool("x", "y");
  case Opcode::maxpool_bwd:
  case Opcode::avgpool_bwd:
    return pool("dx", "dy");
  case Opcode::gap_fwd:
    return expect("y", {get("x")[0], 1, 1, get("x")[3]});
  case Opcode::gap_bwd:
    return expect("dy", {get("dx")[0], 1, 1, get("dx")[3]});
  case Opcode::fc_fwd:
    return fc("x", "y");
  case Opcode::fc_bwd_data:
    return fc("dx", "dy");
  case Opcode::fc_bwd_weight:
    return fc("x", "dy");
  case Opcode::channel_pad_fwd:
    return channelPad("x", "y");
  case Opcode::channel_pad_bwd:
    return channelPad("dx", "dy");
  case Opcode::dropout_fwd:
    for (const char *name : {"y", "mask"})
      expect(name, get("x"));
    expect("seed", {1, 1, 1, 2});
    expect("step", {1, 1, 1, 1});
    return attrRange("p", 0, 1);
  case Opcode::dropout_bwd:
    attrRange("p", 0, 1);
    return allEqual(get("dy"));
  case Opcode::softmax_ce_fwd:
    return loss("logits");
  case Opcode::softmax_ce_bwd:
    return loss("probs");
  case Opcode::conv_bwd_data:
    return conv("dx", "dy");
  case Opcode::conv_bwd_weight:
    return conv("x", "dy");
  case Opcode::conv_inf:
    conv("x", "y");
    vectors({"scale", "shift"}, get("y")[3]);
    expect("shortcut", get("y"));
    return expect("folds", {1, 1, 1, 1});
  case Opcode::bn_fold:
    attrRange("eps", 0, 1e30);
    return allEqual({1, 1, 1, get("gamma")[3]});
  case Opcode::range_h2d:
  case Opcode::range_clear:
  case Opcode::range_check_finite:
  case Opcode::range_commit:
  case Opcode::range_sgd:
  case Opcode::range_adamw:
  case Opcode::adam_step:
  case Opcode::counter_add:
  case Opcode::accum_metrics:
    return scalars();
  }
}

} // namespace

std::string dimsText(const Dims &dims) {
  std::string text;
  for (int64_t dim : dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

void checkShapes(const Plan &plan, uint32_t op, uint32_t variant) {
  ShapeRules(plan, op, variant).check();
}

} // namespace trrt
