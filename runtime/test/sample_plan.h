// SPDX-License-Identifier: Apache-2.0
//
// A small valid plan made by hand: a convolution and an FC layer, trained by SGD
// at batch 3 and validated at batch 2.
#ifndef TRRT_TEST_SAMPLE_PLAN_H
#define TRRT_TEST_SAMPLE_PLAN_H

#include "plan/plan.h"
#include "renaissance/Target/PlanBinary/PlanWriter.h"

#include <array>
#include <string>
#include <vector>

namespace trrt::test {

using Shape = std::array<uint32_t, 4>;

// Assigns slots and regions to tensors given in any order.
class PlanBuilder {
public:
  tr::PlanImage image;

  // One shape for each variant of the image.
  uint32_t tensor(const std::string &name, Region region, trk::DType dtype,
                  const std::vector<Shape> &shapes, uint32_t layer = kNone);
  // The first shape in training variants, the second one in the others.
  uint32_t tensor(const std::string &name, Region region, trk::DType dtype, Shape train, Shape val,
                  uint32_t layer = kNone);
  uint32_t tensor(const std::string &name, Region region, trk::DType dtype, Shape shape,
                  uint32_t layer = kNone) {
    return tensor(name, region, dtype, shape, shape, layer);
  }
  uint32_t range(Region first, Region last);
  uint32_t layer(const std::string &path, const std::string &kind, bool first);
  void param(const std::string &name, uint32_t tensor, uint32_t grad, ParamLayout layout,
             Init init = Init::Zeros, double scale = 0);
  // Ends the run of ops that were added since the last call.
  void subgraph(Subgraph id, const std::string &reason = "");
  // Nodes are (op, subgraph) in the order of the subgraphs' ops; each depends on
  // the one before.
  void schedule(ScheduleKind kind, const std::vector<Subgraph> &subgraphs);
  // Places everything and fills in what follows from the rest.
  tr::PlanImage finish();

private:
  uint32_t endOfLastSubgraph = 0;
};

// `runnable`: with what a session asks for beside what the schedules use.
tr::PlanImage samplePlan(bool runnable = false);

// The record of the first tensor of this name.
uint32_t findTensor(const tr::PlanImage &image, const std::string &name);

// Makes one pool of all pooled regions: their tensors follow each other, but each pair's
// second tensor lies where its first one does, `shift` bytes on.
struct SharedPlace {
  std::string first, second;
  uint64_t shift = 0;
};
void poolTensors(tr::PlanImage &image, const std::vector<SharedPlace> &shared);

// The sample with the pool: the gradient of the features lies on the features, whose last
// reader is the node before, and no edge that a path of others replaces.
tr::PlanImage pooledPlan();

// Replaces the edges of every schedule by the transitive reduction of what the operands ask
// for, found by trying all pairs of nodes.
void reduceEdges(tr::PlanImage &image);

} // namespace trrt::test

#endif // TRRT_TEST_SAMPLE_PLAN_H
