// SPDX-License-Identifier: Apache-2.0
//
// Makes small plans by hand, as a compiler would: tensors and ops in any order, places at the end.
#ifndef TRF_TEST_PLAN_BUILDER_H
#define TRF_TEST_PLAN_BUILDER_H

#include "plan_draft.h"

#include <array>
#include <functional>

namespace trf::test {

using Shape = std::array<uint32_t, 4>;

class PlanBuilder {
public:
  // A plan of two slices for any CPU.
  PlanBuilder(const std::string &model, const std::string &producer, uint32_t classes);

  Draft draft;

  void variant(const std::string &name, bool training, Shape input, uint32_t shapeId);
  // One shape for each variant.
  uint32_t tensor(std::string_view name, Region region, DType dtype,
                  const std::vector<Shape> &shapes, uint32_t layer = kNone);
  // The first shape in training variants, the second one in the others.
  uint32_t tensor(std::string_view name, Region region, DType dtype, Shape train, Shape val,
                  uint32_t layer = kNone);
  uint32_t tensor(std::string_view name, Region region, DType dtype, Shape shape,
                  uint32_t layer = kNone) {
    return tensor(name, region, dtype, shape, shape, layer);
  }
  // Some channels of a tensor, in its slot.
  uint32_t runOf(std::string_view name, uint32_t parent, uint32_t firstChannel, uint32_t channels);
  // With name, role and type of the table.
  uint32_t shared(SharedTensor tensor, const std::vector<Shape> &shapes);
  uint32_t shared(SharedTensor tensor, Shape train, Shape val);
  uint32_t scalar(SharedTensor tensor) { return shared(tensor, {1, 1, 1, 1}, {1, 1, 1, 1}); }

  // The regions of a role, those of it with or without weight decay, those of an input half.
  uint32_t range(Role role);
  uint32_t range(Role role, bool decayed);
  uint32_t range(Half half);

  uint32_t layer(const std::string &path, const std::string &kind, bool first);
  void op(Opcode opcode, const std::vector<uint32_t> &operands,
          const std::vector<uint64_t> &attrs = {}, uint32_t layer = kNone) {
    addOp(draft, opcode, operands, attrs, layer);
  }
  void param(const std::string &name, uint32_t tensor, uint32_t grad, ParamLayout layout,
             Init init = Init::Zeros, double scale = 0);
  // Ends the run of ops that were added since the last call.
  void subgraph(Subgraph id, const std::string &reason = "");
  // Nodes are (op, subgraph) in the order of the subgraphs' ops; each depends on
  // the one before.
  void schedule(Schedule kind, const std::vector<Subgraph> &subgraphs);
  // Places everything and fills in what follows from the rest.
  Draft finish();

private:
  // A region of one element type, or of any where it is pooled.
  struct Home {
    Region region;
    uint32_t dtype;
    bool operator==(const Home &o) const { return region == o.region && dtype == o.dtype; }
    bool operator<(const Home &o) const;
  };
  using Choice = std::function<bool(Region)>;

  uint32_t addRange(Choice choice);
  void placeTensors();
  void resolveRanges();
  void makeAtlas();

  std::vector<Home> homes;     // of each tensor
  std::vector<Choice> choices; // of each range
  uint32_t endOfLastSubgraph = 0;
};

} // namespace trf::test

#endif // TRF_TEST_PLAN_BUILDER_H
