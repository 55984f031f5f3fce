// SPDX-License-Identifier: Apache-2.0
//
// --arch-to-yaml: one mapping for each layer.
#include "Format.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Target/Yaml/YamlTranslation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

using namespace mlir;
using namespace tr;

namespace {

// The shortest digits that read back as the same number, and not as an integer.
std::string realText(double value) {
  char digits[64];
  std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  std::string text(digits, end.ptr);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

// A code point of valid UTF-8, which is taken off the text.
uint32_t takeCodePoint(StringRef &text) {
  unsigned char first = text.front();
  size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  uint32_t point = length == 1 ? first : first & (0xff >> (length + 1));
  for (char c : text.substr(1, length - 1))
    point = point << 6 | (c & 0x3f);
  text = text.drop_front(length);
  return point;
}

std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '"';
  while (!text.empty()) {
    uint32_t point = takeCodePoint(text);
    if (point == '"' || point == '\\')
      os << '\\' << static_cast<char>(point);
    else if (point >= 0x20 && point < 0x7f)
      os << static_cast<char>(point);
    else
      os << "\\U" << llvm::format_hex_no_prefix(point, 8, /*Upper=*/true);
  }
  os << '"';
  return result;
}

std::string pair(Dims2 dims) {
  return "[" + std::to_string(dims.h) + ", " + std::to_string(dims.w) + "]";
}

class Writer {
public:
  explicit Writer(raw_ostream &os) : os(os) {}

  LogicalResult write(ModuleOp module) {
    os << "# tr.arch\nversion: " << yaml::kVersion << "\n";
    for (NamedAttribute attr : module->getAttrs()) {
      if (attr.getName() != yaml::kOptions)
        return module.emitError("expected no attribute but ")
               << yaml::kOptions << " on the module, but got " << attr.getName();
      std::string text;
      llvm::raw_string_ostream(text) << attr.getValue();
      os << "options: " << quoted(text) << "\n";
    }
    os << "networks:\n";
    for (Operation &op : module.getOps()) {
      auto network = dyn_cast<arch::NetworkOp>(op);
      if (!network)
        return op.emitOpError("expected nothing but tr.arch.network in the module");
      if (failed(writeNetwork(network)))
        return failure();
    }
    return success();
  }

private:
  LogicalResult writeNetwork(arch::NetworkOp network) {
    if (failed(checkAttributes(network, {"sym_name", "classes"})))
      return failure();
    if (!llvm::json::isUTF8(network.getSymName()))
      return network.emitOpError("expected a name in UTF-8");
    os << "  - name: " << quoted(network.getSymName()) << "\n    classes: " << network.getClasses()
       << "\n    input: " << shapeText(network.getBody().getArgument(0)) << "\n";
    numbers.clear();
    return writeBlock(network.getBody().front(), 4);
  }

  // The number of a value is its place among arguments and results.
  int64_t number(Value value) {
    return numbers.try_emplace(value, static_cast<int64_t>(numbers.size())).first->second;
  }
  static std::string shapeText(Value value) {
    std::string text = "[";
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
      text += (text.size() > 1 ? ", " : "") +
              std::to_string(ShapedType::isDynamic(extent) ? -1 : extent);
    return text + "]";
  }

  LogicalResult writeBlock(Block &block, int indent) {
    std::string margin(indent, ' ');
    os << margin << "argument: " << number(block.getArgument(0)) << "\n";
    if (!isa<arch::YieldOp>(block.front()))
      os << margin << "layers:\n";
    for (Operation &op : block) {
      if (auto yield = dyn_cast<arch::YieldOp>(op)) {
        os << margin << "yield: " << number(yield.getValue()) << "\n";
        return checkAttributes(&op, {});
      }
      if (failed(writeLayer(&op, indent + 4)))
        return failure();
    }
    return success();
  }

  LogicalResult writeLayer(Operation *op, int indent) {
    std::string margin(indent, ' ');
    StringRef kind = op->getName().getStringRef();
    auto layer = dyn_cast<LayerOpInterface>(op);
    if (!kind.consume_front("tr.arch.") || !layer)
      return op->emitOpError("expected a layer of tr.arch");
    os << margin.substr(2) << "- layer: " << kind << "\n"
       << margin << "input: " << number(op->getOperand(0)) << "\n";
    for (StringRef part : layer.getParts().getAsValueRange<StringAttr>())
      if (!llvm::json::isUTF8(part))
        return op->emitOpError("expected parts in UTF-8");
    SmallVector<StringRef> known;
    for (const LayerField &field : layer.getFields()) {
      Attribute attr = op->getAttr(field.name);
      known.push_back(field.name);
      if (attr)
        os << margin << field.name << ": " << fieldText(field.kind, attr) << "\n";
    }
    if (failed(checkAttributes(op, known)))
      return failure();
    if (op->getNumRegions() > 0)
      os << margin << yaml::kBranches << ":\n";
    for (Region &branch : op->getRegions()) {
      os << margin << "  -\n";
      if (failed(writeBlock(branch.front(), indent + 4)))
        return failure();
    }
    os << margin << "result: " << number(op->getResult(0)) << "\n"
       << margin << "output: " << shapeText(op->getResult(0)) << "\n";
    return success();
  }

  static LogicalResult checkAttributes(Operation *op, ArrayRef<StringRef> known) {
    for (NamedAttribute attr : op->getAttrs())
      if (!llvm::is_contained(known, attr.getName().getValue()))
        return op->emitOpError("expected attributes that YAML can hold, but got ")
               << attr.getName();
    return success();
  }

  // Pads at the ends, where they are others.
  static std::string moreText(Dims2 more) {
    return more == Dims2{0, 0} ? "" : ", more: " + pair(more);
  }

  static std::string fieldText(FieldKind kind, Attribute attr) {
    switch (kind) {
    case FieldKind::Int:
      return std::to_string(cast<IntegerAttr>(attr).getInt());
    case FieldKind::Real:
      return realText(cast<FloatAttr>(attr).getValueAsDouble());
    case FieldKind::Bool:
      return cast<BoolAttr>(attr).getValue() ? "true" : "false";
    case FieldKind::Unit:
      return "true";
    case FieldKind::Ints:
    case FieldKind::Style:
      llvm_unreachable("layers of tr.arch have no such fields");
    case FieldKind::Act:
      return spell(cast<ActivationAttr>(attr).getValue());
    case FieldKind::Strings: {
      std::string text = "[";
      for (StringRef part : cast<ArrayAttr>(attr).getAsValueRange<StringAttr>())
        text += (text.size() > 1 ? ", " : "") + quoted(part);
      return text + "]";
    }
    case FieldKind::Conv: {
      auto g = cast<ConvAttr>(attr);
      return "{out: " + std::to_string(g.getOut()) + ", kernel: " + pair(g.getKernel()) +
             ", stride: " + pair(g.getStride()) + ", pad: " + pair(g.getPad()) +
             ", dilation: " + pair(g.getDilation()) + ", groups: " + std::to_string(g.getGroups()) +
             ", bias: " + (g.getBias() ? "true" : "false") + moreText(g.getMore()) + "}";
    }
    case FieldKind::Pool: {
      auto p = cast<PoolAttr>(attr);
      return "{kernel: " + pair(p.getKernel()) + ", stride: " + pair(p.getStride()) +
             ", pad: " + pair(p.getPad()) + ", ceil: " + (p.getCeil() ? "true" : "false") +
             moreText(p.getMore()) +
             (p.getDilation() == Dims2{1, 1} ? "" : ", dilation: " + pair(p.getDilation())) +
             (p.getCountPad() ? ", count_pad: true" : "") + "}";
    }
    case FieldKind::Block: {
      auto block = cast<BlockAttr>(attr);
      return ("{family: " + spell(block.getFamily()) + ", inner: " + Twine(block.getInner()) +
              ", out: " + Twine(block.getOut()) + ", stride: " + Twine(block.getStride()) +
              ", groups: " + Twine(block.getGroups()) +
              ", shortcut: " + spell(block.getShortcut()) + ", act: " + spell(block.getAct()) + "}")
          .str();
    }
    }
    llvm_unreachable("all kinds are handled");
  }

  raw_ostream &os;
  llvm::DenseMap<Value, int64_t> numbers;
};

} // namespace

LogicalResult tr::archToYaml(ModuleOp module, raw_ostream &os) { return Writer(os).write(module); }
