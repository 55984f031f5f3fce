// SPDX-License-Identifier: Apache-2.0
//
// A network written, compiled and trained in one program; leaves net.plan and net.safetensors.
#include "renaissance/BluePrint/Compile.h"
#include "trrt/session.h"
#include <cstdio>
#include <random>
#include <stdexcept>
using namespace tr::dsl;

static void require(trrt_status_t status) {
  if (status.code != TRRT_OK)
    throw std::runtime_error(status.message);
}

int main() try {
  auto layers = seq(cbr(8, 3, 1, 1), block(8, RESNET_3_3), gap_fc(3, true));
  tr::Result<Plan> compiled = compile(model("stripes", {6, 6, 1}, 3, layers), Options{24});
  if (std::string fault = compiled ? compiled->save("net.plan") : compiled.error(); !fault.empty())
    throw std::runtime_error(fault);
  trrt_plan_t *plan;
  trrt_session_t *session;
  require(trrt_plan_load_bytes(compiled->data(), compiled->size(), &plan));
  require(trrt_session_create(plan, nullptr, &session));
  require(trrt_session_init(session, /*seed=*/1));
  require(trrt_session_set_scalar(session, "lr", 0.05));
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0.0f, 0.5f);
  float images[24 * 36];
  int32_t labels[24]; // the class is the bright third of the image
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < 24 * 36; ++i) {
      labels[i / 36] = i / 36 % 3;
      images[i] = noise(random) + (i / 12 % 3 == i / 36 % 3 ? 1.5f : 0.0f);
    }
    trrt_step_result_t result;
    require(trrt_session_train_step(session, "train_base", images, labels, 24, &result));
    if (step % 33 == 0)
      std::printf("step %d: loss %.3f\n", step, double(result.loss));
  }
  require(trrt_session_save_weights(session, "net.safetensors"));
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
} catch (const std::exception &failure) {
  return std::fprintf(stderr, "error: %s\n", failure.what()), 1;
}
