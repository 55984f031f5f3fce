// SPDX-License-Identifier: Apache-2.0
//
// A network in C++ as text of the language, one call on a line, so that a fault in the text has a
// line in the caller's source.
#include "renaissance/BluePrint/BluePrint.h"

#include "Import.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>

namespace tr::dsl {

static std::string extentText(Extent value) {
  std::string text = std::to_string(value.h);
  return value.h == value.w ? text : text + "x" + std::to_string(value.w);
}

Arg::Arg(int64_t value) : text(std::to_string(value)) {}
Arg::Arg(Extent value)
    : text(value.h == SAME.h && value.w == SAME.w ? "same" : extentText(value)) {}

// The shortest digits that read back as the same number; not those of an integer.
Arg::Arg(double value) {
  char digits[64];
  std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  text.assign(digits, end.ptr);
  if (text.find_first_not_of("-0123456789") == std::string::npos)
    text += ".0";
}

Layer::Layer(const char *call, std::initializer_list<Arg> args, std::vector<Layer> layers,
             Site site) {
  auto node = std::make_shared<Node>();
  node->call = call;
  node->layers = std::move(layers);
  node->site = site;
  for (const Arg &arg : args)
    node->args.push_back(arg.text);
  shared = std::move(node);
}

// An empty seq() has no place.
static Site firstSite(const std::vector<Layer> &layers) {
  for (const Layer &layer : layers)
    if (layer.node().site.line != 0)
      return layer.node().site;
  return {};
}

Layer::Layer(const char *call, std::vector<Layer> layers)
    : Layer(call, {}, layers, firstSite(layers)) {}

Layer Layer::withText(std::string argument) const {
  auto node = std::make_shared<Node>(*shared);
  node->args.push_back(std::move(argument));
  return Layer(std::move(node));
}

Layer Layer::with(const char *name, Arg value) const {
  return withText(std::string(name) + " = " + value.text);
}

Arg Layer::asArgument() const {
  Arg value(Word{""});
  value.text = shared->call + "(" + llvm::join(shared->args, ", ") + ")";
  return value;
}

// Quotes and line ends would end the string of the language; the importer rejects what is left.
Layer Layer::named(const std::string &name) const {
  std::string kept;
  for (char c : name)
    kept += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return withText("name = \"" + kept + "\"");
}

namespace {

class Writer {
public:
  Writer(std::string &text, std::vector<Site> &sites) : text(text), sites(sites) {}

  void line(int depth, const std::string &content, Site site) {
    text.append(size_t(2 * depth), ' ');
    text += content + "\n";
    sites.push_back(site);
  }

  // The separator follows the call: a comma between layers.
  void write(const Layer &layer, int depth, const std::string &separator) {
    const Layer::Node &node = layer.node();
    std::string args = llvm::join(node.args, ", ");
    if (node.layers.empty()) {
      line(depth, node.call + "(" + args + ")" + separator, node.site);
      return;
    }
    line(depth, node.call + "(", node.site);
    for (size_t i = 0; i < node.layers.size(); ++i) {
      bool last = i + 1 == node.layers.size() && args.empty();
      write(node.layers[i], depth + 1, last ? "" : ",");
    }
    line(depth, args + ")" + separator, node.site);
  }

private:
  std::string &text;
  std::vector<Site> &sites;
};

} // namespace

BluePrint::BluePrint(std::string name, Input input, int64_t classes, Layer body, Site site)
    : modelName(std::move(name)) {
  Writer writer(text, sites);
  std::string extents =
      std::to_string(input.h) + "x" + std::to_string(input.w) + "x" + std::to_string(input.c);
  writer.line(0,
              "model " + modelName + "(input = " + extents +
                  ", classes = " + std::to_string(classes) + ") {",
              site);
  writer.write(body, 1, "");
  writer.line(0, "}", site);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  FaultCollector faultsOfText(context, *this);
  importNetwork(*this, context);
  faults = faultsOfText.take();
}

} // namespace tr::dsl
