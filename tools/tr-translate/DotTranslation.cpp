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

  void write(arch::NetworkOp plan) {
    os << "digraph \"" << plan.getSymName() << "\" {\n"
       << "  node [shape=box, fontname=\"sans-serif\"];\n";
    nodes[plan.getBody().getArgument(0)] = addNode("images");
    writeBlock(plan.getBody().front());
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
      if (auto add2 = dyn_cast<arch::Add2Op>(op))
        writeAdd2(add2);
      else
        writeLayer(&op);
    }
  }
  void writeLayer(Operation *op) {
    StringRef kind = op->getName().getStringRef();
    kind.consume_front("tr.arch.");
    auto path = cast<StringAttr>(op->getAttrOfType<ArrayAttr>("parts")[0]).getValue();
    int node = addNode((path + "\n" + kind).str());
    addEdge(op->getOperand(0), node);
    nodes[op->getResult(0)] = node;
  }
  // Both branches begin at the input; the sum is a node of its own.
  void writeAdd2(arch::Add2Op op) {
    for (Region *branch : {&op.getStem(), &op.getShortcut()}) {
      nodes[branch->getArgument(0)] = nodes.lookup(op.getInput());
      writeBlock(branch->front());
    }
    int node = addNode((op.getPath() + "\n+").str());
    for (Region *branch : {&op.getStem(), &op.getShortcut()})
      addEdge(cast<arch::YieldOp>(branch->front().back()).getValue(), node);
    nodes[op.getOutput()] = node;
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
        auto plans = module.getOps<arch::NetworkOp>();
        if (plans.empty())
          return LogicalResult(module.emitError("expected a tr.arch.network, but got none"));
        for (arch::NetworkOp plan : plans)
          DotWriter(os).write(plan);
        return success();
      },
      [](DialectRegistry &registry) { registry.insert<TRDialect>(); });
}

} // namespace tr
