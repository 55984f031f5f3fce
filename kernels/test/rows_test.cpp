// SPDX-License-Identifier: Apache-2.0
//
// The conformance cases against the rows of kernel_ops.def: what kernels are tested with is
// what a plan may hold, as the plan format checks it.
#include "conformance.h"
#include "trf/plan_records.h"
#include "trf/shape_rules.h"

namespace trk::test {
namespace {

// A plan of this one call in one variant, as far as the shape rules read it.
trf::Plan planOf(const Invocation &call) {
  trf::Plan plan;
  plan.variants.resize(1);
  trf::Op op;
  op.opcode = call.op;
  op.instance = call.instance;
  op.attrs = call.attrs;
  for (const Host &host : call.operands) {
    op.operands.push_back(host.present() ? uint32_t(plan.tensors.size()) : trf::kNone);
    if (!host.present())
      continue;
    plan.tensors.emplace_back();
    plan.tensors.back().dtype = host.dtype;
    plan.shapes.push_back(host.dims);
  }
  plan.ops.push_back(op);
  return plan;
}

std::string shapeFault(const Case &c) {
  try {
    trf::checkShapes(planOf(c.call), 0, 0);
  } catch (const trf::FormatError &error) {
    return c.name + ": " + error.what();
  }
  return std::string();
}

bool isInRange(const trf::AttrInfo &attr, Attr value) {
  switch (attr.type) {
  case trf::AttrType::Int:
    return value.i >= attr.low && value.i <= attr.high;
  case trf::AttrType::Float:
    return value.f >= attr.leastReal && value.f <= attr.mostReal;
  case trf::AttrType::Act: {
    trf::ActAttr act;
    act.bits = value.i;
    return act.rowNumber() < trf::kCount<Activation> && trf::Act(act).isValid();
  }
  case trf::AttrType::Enum:
    break;
  }
  return value.i >= 0 && value.i < attr.high;
}

} // namespace

TEST(RowsTest, CasesAreCallsThatAPlanMayHold) {
  for (const KernelId &id : kernelsOf("reference"))
    for (const Case *c : casesOf(id)) {
      Case whole = *c;
      whole.call.makeOutputs();
      EXPECT_EQ(whole.call.findFault(), "") << c->name;
      EXPECT_EQ(shapeFault(whole), "");
      for (size_t i = 0; i < c->call.attrs.size(); ++i)
        EXPECT_TRUE(isInRange(c->call.info().attrs[i], c->call.attrs[i])) << c->name;
    }
}

// The harness itself: a kernel whose row says nothing of a pitch never sees one.
TEST(RowsTest, OperandsWithoutTheFlagAreDense) {
  Data data(43);
  for (const KernelId &id : kernelsOf("reference"))
    for (size_t i = 0; i < id.info().operands.size(); ++i) {
      Invocation call = casesOf(id).front()->call;
      if (call.row(i).takesPitch())
        continue;
      RunOptions options;
      options.margins.resize(call.operands.size());
      options.margins[i] = {0, 1};
      EXPECT_EQ(runKernel(referenceSetup(), call, options),
                "the test gives a pitch to " + std::string(id.info().name) + "'s " +
                    std::string(call.row(i).name));
      for (const RunOptions &run : channelRuns(call, data))
        EXPECT_EQ(run.margins[i].before + run.margins[i].after, 0);
    }
}

} // namespace trk::test
