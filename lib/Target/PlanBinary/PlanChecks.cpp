// SPDX-License-Identifier: Apache-2.0
//
// The checks of the plan format on what a program becomes: a fault in a record is reported at the
// op that the record came from.
#include "renaissance/Target/PlanBinary/PlanTranslation.h"

using namespace mlir;

namespace tr {
namespace {

using trf::Place;
using trf::Section;

// From a record back to its op. Only looked at where there is a fault, so searching is fine.
class RecordOrigins {
public:
  RecordOrigins(graph::ProgramOp program, const trf::PlanRecords &records)
      : program(program), body(program.getBody().front()), r(records) {}

  // The program itself where the fault is nobody else's.
  Operation *find(Place place) const;

private:
  template <typename Op> Operation *nth(size_t index) const {
    for (auto op : body.getOps<Op>())
      if (index-- == 0)
        return op;
    return program;
  }
  Operation *kernelOp(size_t index) const;
  Operation *userOfString(uint32_t string) const;
  Operation *userOfRange(uint32_t range) const;
  // The schedule whose run of nodes or edges holds the record.
  Operation *scheduleOf(uint32_t record, uint32_t trf_schedule::*first,
                        uint32_t trf_schedule::*count) const;

  Operation *program;
  Block &body;
  const trf::PlanRecords &r;
};

Operation *RecordOrigins::kernelOp(size_t index) const {
  for (auto subgraph : body.getOps<graph::SubgraphOp>())
    for (Operation &op : subgraph.getBody().front())
      if (index-- == 0)
        return &op;
  return program;
}

// Equal strings are stored once: the first op that has it.
Operation *RecordOrigins::userOfString(uint32_t string) const {
  std::optional<Place> found;
  auto look = [&](Section section, const auto &table, auto... members) {
    for (uint32_t i = 0; i < table.size() && !found; ++i)
      if (((table[i].*members == string) || ...))
        found = Place{section, i};
  };
  look(Section::Variants, r.variants, &trf_variant::name);
  look(Section::Layers, r.layers, &trf_layer::path, &trf_layer::kind);
  look(Section::Loc, r.locs, &trf_loc::file);
  look(Section::Tensors, r.tensors, &trf_tensor::name);
  look(Section::Params, r.params, &trf_param::name);
  look(Section::Fusions, r.fusions, &trf_fusion::op);
  look(Section::Subgraphs, r.subgraphs, &trf_subgraph::reason);
  return found ? find(*found) : program;
}

Operation *RecordOrigins::userOfRange(uint32_t range) const {
  for (auto [index, op] : llvm::enumerate(r.ops))
    for (auto [position, operand] :
         llvm::enumerate(trf::info(static_cast<trf::Opcode>(op.opcode)).operands))
      if (operand.isRun() && r.operands[op.first_operand + position] == range)
        return kernelOp(index);
  return program;
}

Operation *RecordOrigins::scheduleOf(uint32_t record, uint32_t trf_schedule::*first,
                                     uint32_t trf_schedule::*count) const {
  for (auto [index, schedule] : llvm::enumerate(r.schedules))
    if (record >= schedule.*first && record - schedule.*first < schedule.*count)
      return nth<graph::ScheduleOp>(index);
  return program;
}

Operation *RecordOrigins::find(Place place) const {
  if (place.record == Place::kWhole)
    return program;
  switch (place.section) {
  case Section::Strings:
    return userOfString(place.record);
  case Section::Variants:
    return nth<graph::VariantOp>(place.record);
  case Section::Regions:
    return nth<graph::RegionOp>(place.record);
  case Section::Tensors:
    return nth<graph::TensorOp>(place.record);
  case Section::Shapes:
    return nth<graph::TensorOp>(place.record / r.variants.size());
  case Section::Subgraphs:
    return nth<graph::SubgraphOp>(place.record);
  case Section::Ops:
    return kernelOp(place.record);
  case Section::Ranges:
    return userOfRange(place.record);
  case Section::Schedules:
    return nth<graph::ScheduleOp>(place.record);
  case Section::Schedule:
    return scheduleOf(place.record, &trf_schedule::first_node, &trf_schedule::node_count);
  case Section::ScheduleEdges:
    return scheduleOf(place.record, &trf_schedule::first_edge, &trf_schedule::edge_count);
  case Section::Atlas:
    return nth<graph::AtlasOp>(place.record / trf::kCount<trf::Subgraph>);
  case Section::Params:
    return nth<graph::ParamOp>(place.record);
  case Section::Fusions:
    return nth<graph::FusionOp>(place.record);
  case Section::Loc:
    for (auto [index, layer] : llvm::enumerate(r.layers))
      if (layer.loc == place.record)
        return nth<graph::LayerOp>(index);
    return program;
  case Section::Layers:
    return nth<graph::LayerOp>(place.record);
  case Section::StringBytes:
  case Section::Operands:
  case Section::Attrs:
  case Section::Target:
  case Section::Meta:
    return program;
  }
  return program;
}

} // namespace

LogicalResult checkRecords(graph::ProgramOp program, const trf::PlanRecords &records) {
  std::optional<trf::FormatError> error = trf::findFault(records);
  if (!error)
    return success();
  RecordOrigins origins(program, records);
  if (error->places.empty() || error->places.front().record == Place::kWhole)
    return program.emitOpError() << error->what();
  InFlightDiagnostic diagnostic = origins.find(error->places.front())->emitOpError()
                                  << error->fault;
  for (Place other : ArrayRef(error->places).drop_front()) {
    Operation *op = origins.find(other);
    diagnostic.attachNote(op->getLoc()) << "this '" << op->getName() << "' is concerned too";
  }
  return diagnostic;
}

FailureOr<trf::PlanRecords> exportPlan(graph::ProgramOp program) {
  FailureOr<trf::PlanRecords> records = makeRecords(program);
  if (failed(records) || failed(checkRecords(program, *records)))
    return failure();
  return records;
}

} // namespace tr
