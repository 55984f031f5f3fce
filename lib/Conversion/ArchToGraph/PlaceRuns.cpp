// SPDX-License-Identifier: Apache-2.0
//
// A layer that joins its inputs along the channels was lowered to copies: of each input to its
// channels of the output, and of channels of the output's gradient to that of the input. Such a
// copy is needless where the tensor can lie in those channels from the start. It can if every
// kernel op on it works on channels of a wider tensor, and if nobody sees the difference: nothing
// else touches the channels while they stand for something else than the tensor.
#include "LoweredNetwork.h"

using namespace mlir;
using namespace tr;
namespace op = trf::ops::copy;

namespace {

// One operand of one call. Positions grow with time; those of inference follow those of training.
struct Use {
  size_t position;
  const trf::OperandInfo *operand;
  trf::Opcode kernel;
};

class RunPlacer {
public:
  explicit RunPlacer(LoweredNetwork &network)
      : network(network), tensors(network.table.tensors), uses(tensors.size()) {
    for (std::vector<TableCall> *calls :
         {&network.firstForward, &network.deepForward, &network.deepBackward,
          &network.firstBackward, &network.inference})
      for (TableCall &call : *calls) {
        positions.push_back(&call);
        addUses(positions.size() - 1);
      }
  }

  void run();

private:
  void addUses(size_t position);
  // Images are of one shape in both halves.
  TensorId resolve(TensorId tensor) const {
    return tensor == TensorId::Images ? network.table.getShared(trf::SharedTensor::DataA) : tensor;
  }
  TensorId getOwn(const TableCall &copy) const {
    return resolve(copy.tensors[isForward(copy) ? op::x : op::y]);
  }
  static bool isForward(const TableCall &copy) { return copy.tensors[op::y] == TensorId::None; }
  ChannelRun getTarget(const TableCall &copy) const;

  bool reshapes(const TableCall &call) const;
  std::string findObstacle(size_t position) const;
  bool isDisturbed(size_t position) const;
  void addRun(TableCall &copy);
  void erasePlaced();

  LoweredNetwork &network;
  IdVector<TensorId, TableTensor> &tensors;
  IdVector<TensorId, std::vector<Use>> uses;
  std::vector<TableCall *> positions;
};

void RunPlacer::addUses(size_t position) {
  const TableCall &call = *positions[position];
  for (auto [operand, id] : llvm::zip_equal(trf::info(call.kernel).operands, call.tensors))
    if (toNumber(id) >= 0)
      uses[id].push_back({position, &operand, call.kernel});
}

void RunPlacer::run() {
  for (size_t position = 0; position < positions.size(); ++position) {
    TableCall &copy = *positions[position];
    if (!copy.joins())
      continue;
    TensorId own = getOwn(copy);
    std::string obstacle = findObstacle(position);
    if (obstacle.empty()) {
      tensors[own].parent = copy.whole;
      tensors[own].firstChannel = copy.firstChannel;
      copy.tensors.clear(); // it is done
      copy.whole = TensorId::None;
      continue;
    }
    addRun(copy);
    addUses(position);
    network.copies.push_back({copy.layer, tensors[own].row.name, std::move(obstacle)});
  }
  erasePlaced();
  for (size_t i = 0; i < tensors.size(); ++i) {
    auto id = static_cast<TensorId>(i);
    ChannelRun run = network.table.getRun(id);
    if (run.root == id)
      continue;
    tensors[id].parent = run.root;
    tensors[id].firstChannel = run.begin;
  }
}

ChannelRun RunPlacer::getTarget(const TableCall &copy) const {
  ChannelRun whole = network.table.getRun(copy.whole);
  int64_t begin = whole.begin + copy.firstChannel;
  return {whole.root, begin, begin + tensors[getOwn(copy)].row.dims[3]};
}

// A copy to another shape knows no channels.
bool RunPlacer::reshapes(const TableCall &call) const {
  if (call.kernel != op::kOpcode || call.joins() || call.tensors.empty())
    return false;
  return tensors[resolve(call.tensors[op::x])].row.dims != tensors[call.tensors[op::y]].row.dims;
}

// Why the tensor of a copy cannot lie in the channels; empty if it can.
std::string RunPlacer::findObstacle(size_t position) const {
  const TableCall &copy = *positions[position];
  TensorId own = getOwn(copy);
  const TableTensor &tensor = tensors[own], &whole = tensors[copy.whole];
  if (tensor.layer == LayerId::None || tensor.row.region != whole.row.region ||
      tensor.row.dtype != whole.row.dtype)
    return "it lies in another region";
  if (tensor.parent != TensorId::None)
    return "it already lies in channels of another tensor";
  assert(network.table.getRun(copy.whole).root != own &&
         "a value is made after what it is made of");
  for (const Use &use : uses[own])
    if (use.position != position &&
        (!use.operand->takesPitch() || reshapes(*positions[use.position])))
      return ("kernel op '" + spell(use.kernel) + "' cannot work there as its operand '" +
              toRef(use.operand->name) + "'")
          .str();
  return isDisturbed(position) ? "its channels are used for something else meanwhile" : "";
}

// Before a copy to the channels nobody touches them, and afterwards nobody writes there or to the
// tensor. Before a copy from them nobody touches the tensor; afterwards, nobody writes to the
// channels but as the tensor, and if anybody does that, nobody else reads them.
bool RunPlacer::isDisturbed(size_t position) const {
  const TableCall &copy = *positions[position];
  bool forward = isForward(copy);
  TensorId own = getOwn(copy);
  ChannelRun target = getTarget(copy);
  bool ownWritten = false, othersRead = false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    auto id = static_cast<TensorId>(i);
    ChannelRun run = network.table.getRun(id);
    bool isOwn = run.root == own;
    if (!isOwn && !run.overlaps(target))
      continue;
    for (const Use &use : uses[id]) {
      if (use.position == position)
        continue;
      bool before = use.position < position;
      if (forward ? (before ? !isOwn : use.operand->writes())
                  : (before ? isOwn : !isOwn && use.operand->writes()))
        return true;
      ownWritten |= !before && isOwn && use.operand->writes();
      othersRead |= !before && !isOwn && use.operand->reads();
    }
  }
  for (size_t other = 0; other < positions.size(); ++other) {
    const TableCall &pending = *positions[other];
    if (other == position || !pending.joins() || !getTarget(pending).overlaps(target))
      continue;
    bool before = other < position, writes = isForward(pending);
    if (forward ? (before || writes) : (!before && writes))
      return true;
    othersRead |= !before && !writes;
  }
  return ownWritten && othersRead;
}

// The channels as a tensor, for a copy that stays.
void RunPlacer::addRun(TableCall &copy) {
  TensorId own = getOwn(copy);
  TableTensor run = tensors[copy.whole];
  run.row.name += "." + std::to_string(copy.firstChannel);
  run.row.dims[3] = tensors[own].row.dims[3];
  run.layer = copy.layer;
  run.parent = copy.whole;
  run.firstChannel = copy.firstChannel;
  copy.tensors[isForward(copy) ? op::y : op::x] = tensors.push_back(std::move(run));
  copy.whole = TensorId::None;
  uses.push_back({});
}

void RunPlacer::erasePlaced() {
  for (std::vector<TableCall> *calls :
       {&network.firstForward, &network.deepForward, &network.deepBackward, &network.firstBackward,
        &network.inference})
    llvm::erase_if(*calls, [](const TableCall &call) {
      return call.kernel == op::kOpcode && call.tensors.empty();
    });
}

} // namespace

void tr::placeRuns(LoweredNetwork &network) {
  auto joins = [](const std::vector<TableCall> &calls) {
    return llvm::any_of(calls, [](const TableCall &call) { return call.joins(); });
  };
  if (joins(network.firstForward) || joins(network.deepForward) || joins(network.inference))
    RunPlacer(network).run();
}
