// SPDX-License-Identifier: Apache-2.0
//
// `--arch-to-dot`: the layers of tr.arch as a Graphviz graph.
#include "Translations.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tr {
namespace {

class DotWriter {
public:
  explicit DotWriter(raw_ostream &os) : os(os) {}

  void write(arch::NetworkOp network) {
    os << "digraph \"" << network.getSymName() << "\" {\n"
       << "  node [shape=box, fontname=\"sans-serif\"];\n";
    nodes[network.getBody().getArgument(0)] = addNode("images");
    writeBlock(network.getBody().front());
    os << "}\n";
  }

private:
  int addNode(StringRef label) {
    os << "  n" << count << " [label=\"";
    os.write_escaped(label) << "\"];\n";
    return count++;
  }
  // The edge's label is the shape that goes along it.
  void addEdge(Value from, int to) {
    os << "  n" << nodes.lookup(from) << " -> n" << to << " [label=\"" << shapeText(from)
       << "\"];\n";
  }
  static std::string shapeText(Value value) {
    std::string text;
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t extent : type.getShape().drop_front())
      text += (text.empty() ? "" : "x") +
              (ShapedType::isDynamic(extent) ? std::string("?") : std::to_string(extent));
    return text;
  }

  void writeBlock(Block &block) {
    for (Operation &op : block) {
      if (isa<arch::YieldOp>(op))
        return;
      writeLayer(cast<LayerOpInterface>(op));
    }
  }
  // Branches begin at the input; what joins them is a node of its own.
  void writeLayer(LayerOpInterface layer) {
    if (auto join = dyn_cast<JoinOpInterface>(layer.getOperation()))
      for (Region *branch : join.getBranches()) {
        nodes[branch->getArgument(0)] = nodes.lookup(layer->getOperand(0));
        writeBlock(branch->front());
      }
    StringRef kind = isa<arch::Add2Op>(layer) ? StringRef("+") : layer.getLayerKind();
    int node = addNode((layer.getPath() + "\n" + kind).str());
    for (Value input : getLayerInputs(layer))
      addEdge(input, node);
    nodes[layer->getResult(0)] = node;
  }

  raw_ostream &os;
  llvm::DenseMap<Value, int> nodes;
  int count = 0;
};

} // namespace

void registerDotTranslation() {
  static TranslateFromMLIRRegistration toDot(
      "arch-to-dot", "write each tr.arch.network as a Graphviz graph",
      [](ModuleOp module, raw_ostream &os) {
        auto networks = module.getOps<arch::NetworkOp>();
        if (networks.empty())
          return LogicalResult(module.emitError("expected a tr.arch.network, but got none"));
        for (arch::NetworkOp network : networks)
          DotWriter(os).write(network);
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
}

} // namespace tr
