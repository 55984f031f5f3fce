// SPDX-License-Identifier: Apache-2.0
//
// A network written, compiled and trained in one program; leaves net.plan and net.safetensors.
#include "renaissance/BluePrint/Compile.h"
#include "trrt/session.h"

#include <cstdio>
#include <random>

using namespace tr::dsl;

static void require(trrt_status_t status) {
  if (status.code != TRRT_OK) {
    std::fprintf(stderr, "error: %s\n", status.message);
    std::exit(1);
  }
}

int main() {
  BluePrint net =
      model("stripes", {6, 6, 1}, 3, seq(cbr(8, 3, 1, 1), block(8, RESNET_3_3), gap_fc(3, true)));
  Options options;
  options.batch = 24;
  tr::Result<Plan> compiled = compile(net, options);
  if (!compiled || !compiled->save("net.plan").empty())
    return std::fprintf(stderr, "%s\n", compiled.error().c_str()), 1;
  trrt_plan_t *plan;
  trrt_session_t *session;
  require(trrt_plan_load_bytes(compiled->data(), compiled->size(), &plan));
  require(trrt_session_create(plan, nullptr, &session));
  require(trrt_session_init(session, /*seed=*/1));
  require(trrt_session_set_scalar(session, "lr", 0.05));
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0.0f, 0.5f);
  for (int step = 0; step < 100; ++step) { // the class is the bright third of the image
    std::vector<float> images(24 * 36);
    std::vector<int32_t> labels(24);
    for (size_t i = 0; i < images.size(); ++i) {
      labels[i / 36] = int32_t(i / 36 % 3);
      images[i] = noise(random) + (i % 36 / 12 == i / 36 % 3 ? 1.5f : 0.0f);
    }
    trrt_step_result_t result;
    require(
        trrt_session_train_step(session, "train_base", images.data(), labels.data(), 24, &result));
    if (step % 33 == 0)
      std::printf("step %d: loss %.3f, %d of 24 right\n", step, double(result.loss),
                  int(result.top1));
  }
  require(trrt_session_save_weights(session, "net.safetensors"));
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
}
