// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of plans.
#include "base/arguments.h"
#include "base/status.h"
#include "plan/param_layout.h"
#include "plan/plan_file.h"
#include "plan/plan_handle.h"
#include "trrt/plan.h"

#include <cstring>

using namespace trf;
using namespace trrt;

static void requireIndex(const char *function, uint32_t index, size_t count) {
  if (index >= count)
    throw Error(TRRT_INVALID_ARGUMENT, std::string(function) + ": expected an index below " +
                                           std::to_string(count) + ", but got " +
                                           std::to_string(index));
}

extern "C" trrt_status_t trrt_plan_load(const char *path, trrt_plan_t **plan) {
  return guard([&] {
    if (plan)
      *plan = nullptr;
    requireArguments("trrt_plan_load", {{"path", path}, {"plan", plan}});
    *plan = new trrt_plan_t{std::make_shared<const Plan>(readPlanFile(path))};
  });
}

extern "C" trrt_status_t trrt_plan_load_bytes(const void *bytes, size_t size, trrt_plan_t **plan) {
  return guard([&] {
    if (plan)
      *plan = nullptr;
    requireArguments("trrt_plan_load_bytes", {{"plan", plan}});
    if (size != 0)
      requireArguments("trrt_plan_load_bytes", {{"bytes", bytes}});
    Plan content;
    std::string error;
    if (!readPlan(static_cast<const uint8_t *>(bytes), size, content, error))
      throw Error(TRRT_INVALID_FILE, "plan: " + error);
    *plan = new trrt_plan_t{std::make_shared<const Plan>(std::move(content))};
  });
}

extern "C" void trrt_plan_destroy(trrt_plan_t *plan) { delete plan; }

extern "C" trrt_status_t trrt_plan_info(const trrt_plan_t *plan, trrt_plan_info_t *info) {
  return guard([&] {
    requireArguments("trrt_plan_info", {{"plan", plan}, {"info", info}});
    const Plan &p = *plan->plan;
    *info = {};
    info->model = p.model.c_str();
    info->producer = p.producer.c_str();
    // Spellings of tables are literals, and so end in a zero.
    info->device = name(row(p.target).device).data();
    info->feature = name(p.target).data();
    info->precision = name(p.precision).data();
    info->optimizer = name(p.optimizer).data();
    info->slices = p.slices;
    info->classes = p.classes;
    info->variant_count = static_cast<uint32_t>(p.variants.size());
    info->param_count = static_cast<uint32_t>(p.params.size());
    info->arena_bytes = p.arena_bytes;
    std::memcpy(info->content_id, p.content_id.data(), p.content_id.size());
  });
}

extern "C" trrt_status_t trrt_plan_variant_info(const trrt_plan_t *plan, uint32_t index,
                                                trrt_variant_info_t *info) {
  return guard([&] {
    requireArguments("trrt_plan_variant_info", {{"plan", plan}, {"info", info}});
    requireIndex("trrt_plan_variant_info", index, plan->plan->variants.size());
    const Variant &v = plan->plan->variants[index];
    *info = {v.name.c_str(), v.training ? 1 : 0, v.batch, v.height, v.width, v.channels};
  });
}

extern "C" trrt_status_t trrt_plan_param_info(const trrt_plan_t *plan, uint32_t index,
                                              trrt_param_info_t *info) {
  return guard([&] {
    requireArguments("trrt_plan_param_info", {{"plan", plan}, {"info", info}});
    requireIndex("trrt_plan_param_info", index, plan->plan->params.size());
    const Param &p = plan->plan->params[index];
    const std::vector<int64_t> shape = fileShape(p);
    *info = {};
    info->name = p.name.c_str();
    info->is_trainable = p.trainable ? 1 : 0;
    info->rank = static_cast<uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), info->shape);
    info->elements = fileElements(p);
  });
}
