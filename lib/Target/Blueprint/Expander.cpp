// SPDX-License-Identifier: Apache-2.0
//
// Ops are built in the order of the text. Extents are followed only in models that ask for `cin`; a
// repeat whose body does is written out, because each time may be another.
#include "Expander.h"

#include "renaissance/Dialect/TR/IR/BPModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlir;

namespace tr::blueprint {

// Whether the layers of a block are a branch, which may be empty.
static bool isBranch(Block *block) {
  auto parent = dyn_cast<TreeOpInterface>(block->getParentOp());
  return parent && parent.joinsBranches();
}

Expander::Expander(const Source &source, const File &file, const Model &model,
                   std::optional<int64_t> mostLayers)
    : file(file), model(model), mostLayers(mostLayers), builder(source.file.getContext()) {
  frames.push_back({source, std::nullopt, std::nullopt});
  if (file.nodes[model.root].readsInput)
    tracker.emplace(source.locate(model.name.at), model.input, model.classes);
}

Binder Expander::makeBinder(const Frame &frame) const {
  Numbers numbers{model.classes, frame.cin, std::nullopt};
  if (frame.params)
    numbers.params = *frame.params;
  else if (tracker)
    numbers.cin = tracker->getChannels();
  return Binder(frame.source, file, numbers, [] { return Binder::NameList(); });
}

LogicalResult Expander::expand(Block *block) {
  Item root;
  root.node = model.root;
  root.frame = &frames.front();
  root.block = block;
  pending.push_back(std::move(root));
  while (!pending.empty()) {
    Item item = pending.pop_back_val();
    if (failed(run(item)))
      return failure();
  }
  return success();
}

LogicalResult Expander::run(Item &item) {
  switch (item.step) {
  case Step::Build:
    return failure(failed(resolve(item)) || failed(build(item)));
  case Step::OpenBranch:
    tracker->openBranch(item.branch);
    return success();
  case Step::CloseJoin:
    tracker->closeJoin();
    return success();
  case Step::Repeat:
    return tracker->repeat(item.op, item.path);
  }
  llvm_unreachable("all steps handled");
}

LogicalResult Expander::countLayers(const Item &item, int64_t copies) {
  const int64_t most = mostLayers.value_or(kMaxNodes);
  count += std::min(copies, most + 1);
  if (count <= most)
    return success();
  const Source &source = item.frame->source;
  Position at = file.nodes[item.node].token.at;
  if (!mostLayers)
    return source.error(at) << "expected at most " << most
                            << " layers after expansion, but got more";
  mlir::emitWarning(source.locate(at))
      << "more than " << most << " layers up to here: their extents are not looked at";
  return failure();
}

// A function's numbers are those where it is used; `cin` is what gets there.
LogicalResult Expander::enterFunction(Item &item) {
  const Node &call = file.nodes[item.node];
  const Function &function = file.functions[call.function];
  Binder binder = makeBinder(*item.frame);
  FailureOr<BoundFunction> bound = binder.bindFunction(item.node);
  if (failed(bound))
    return failure();
  Frame frame{item.frame->source, bound->values, std::nullopt};
  frame.source.caller = item.frame->source.locate(call.token.at);
  if (tracker)
    frame.cin = tracker->getChannels();
  frames.push_back(std::move(frame));
  if (!item.name)
    item.name = bound->name;
  item.frame = &frames.back();
  item.node = function.body;
  return success();
}

// To the call of the language that a let, a function or if() stands for.
LogicalResult Expander::resolve(Item &item) {
  while (true) {
    const Node &node = file.nodes[item.node];
    if (!node.isCall) {
      item.node = node.target;
      if (!item.frame->params)
        continue;
      // Lets know no parameters.
      frames.push_back({item.frame->source, std::nullopt, std::nullopt});
      item.frame = &frames.back();
      continue;
    }
    if (!node.isChoice() && node.function == kNoNode)
      return success();
    if (failed(countLayers(item, item.copies)))
      return failure();
    if (node.function != kNoNode) {
      if (failed(enterFunction(item)))
        return failure();
      continue;
    }
    FailureOr<NodeId> chosen = makeBinder(*item.frame).choose(node);
    if (failed(chosen))
      return failure();
    item.node = *chosen;
  }
}

std::string Expander::pathOf(Operation *op, StringRef around) const {
  if (!tracker)
    return "";
  auto index = static_cast<unsigned>(std::distance(op->getBlock()->begin(), op->getIterator()));
  return bp::getLayerPath(*op->getParentRegion(), around, op, index);
}

// The op of a call. One time of a repeat that is written out has its number and then its name.
Operation *Expander::place(const Item &item, const BoundLayers &call) {
  Location loc = item.frame->source.locate(file.nodes[item.node].token.at);
  builder.setInsertionPointToEnd(item.block);
  if (item.isIteration && call.name) {
    auto seq = bp::SeqOp::create(builder, loc, StringAttr());
    builder.setInsertionPointToEnd(&seq.getBody().emplaceBlock());
  }
  return call.signature->build(builder, loc, call);
}

LogicalResult Expander::build(Item &item) {
  const Node &node = file.nodes[item.node];
  const Source &source = item.frame->source;
  if (failed(countLayers(item, item.copies)))
    return failure();
  if (item.depth > bp::kMaxNesting)
    return source.error(node.token.at)
           << "expected at most " << bp::kMaxNesting << " nested layers, but got more";
  FailureOr<BoundLayers> call = makeBinder(*item.frame).bind(item.node);
  if (failed(call))
    return failure();
  if (item.name)
    call->name = item.name;
  if (node.token.text == "repeat" && node.readsInput)
    return unroll(item, *call);
  Operation *op = place(item, *call);
  if (!op)
    return failure();
  if (isa<bp::SeqOp>(op) && call->nodes.empty() && !isBranch(item.block))
    return source.error(node.token.at)
           << "expected at least one layer in seq() that is no branch, but got none";
  std::string around = item.path;
  if (op->getBlock() != item.block)
    around = pathOf(op->getParentOp(), around);
  std::string path = pathOf(op, around);
  if (op->getNumRegions() > 0)
    pushLayers(item, *call, op, path);
  else if (tracker)
    return tracker->add(op, path);
  return success();
}

// A branch takes one layer, the body of another op takes all.
void Expander::pushLayers(const Item &item, const BoundLayers &call, Operation *op,
                          const std::string &path) {
  bool joins = cast<TreeOpInterface>(op).joinsBranches();
  auto repeat = dyn_cast<bp::RepeatOp>(op);
  Item step;
  step.op = op;
  step.path = path;
  if (tracker && (joins || repeat)) {
    step.step = joins ? Step::CloseJoin : Step::Repeat;
    pending.push_back(step);
  }
  Item layer = item;
  layer.name = {};
  layer.isIteration = false;
  ++layer.depth;
  layer.path = path;
  if (repeat) {
    layer.copies =
        std::min<int64_t>(item.copies, kMaxNodes + 1) * static_cast<int64_t>(repeat.getTimes());
    if (tracker)
      layer.path += path.empty() ? "0" : ".0";
  }
  for (size_t i = call.nodes.size(); i-- > 0;) {
    layer.node = call.nodes[i];
    layer.block = &op->getRegion(joins ? i : 0).front();
    pending.push_back(layer);
    if (!tracker || !joins)
      continue;
    step.step = Step::OpenBranch;
    step.branch = static_cast<unsigned>(i);
    pending.push_back(step);
  }
  if (tracker && joins)
    tracker->openJoin(op, path);
}

// As a seq, in which each time has its number too.
LogicalResult Expander::unroll(const Item &item, const BoundLayers &call) {
  int64_t times = call["times"].integer;
  if (times > mostLayers.value_or(kMaxNodes) && failed(countLayers(item, times)))
    return failure();
  builder.setInsertionPointToEnd(item.block);
  Location loc = item.frame->source.locate(file.nodes[item.node].token.at);
  auto seq = bp::SeqOp::create(builder, loc, call.name);
  Item layer = item;
  layer.block = &seq.getBody().emplaceBlock();
  layer.name = {};
  layer.isIteration = true;
  layer.node = call.nodes.front();
  layer.depth += 2; // one named may lie in a seq of its own
  layer.path = pathOf(seq, item.path);
  pending.append(static_cast<size_t>(times), layer);
  return success();
}

} // namespace tr::blueprint
