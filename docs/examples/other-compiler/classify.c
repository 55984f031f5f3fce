/* SPDX-License-Identifier: Apache-2.0
 *
 * Trains a plan on images whose class is the third that is bright, then asks it for one image of each
 * class. The runtime alone: no compiler, no C++. usage: classify PLAN */
#include "trrt/session.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 24, PIXELS = 36, STEPS = 100 };

static void require(trrt_status_t status) {
  if (status.code != TRRT_OK) {
    fprintf(stderr, "error: %s\n", status.message);
    exit(1);
  }
}

/* Uniform in [-1, 1), the same everywhere. */
static float noise(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / (float)(1 << 23) - 1.0f;
}

static void make_batch(float *images, int32_t *labels) {
  for (int i = 0; i < BATCH; ++i) {
    labels[i] = i % 3;
    for (int p = 0; p < PIXELS; ++p)
      images[i * PIXELS + p] = noise() + (p / 12 == labels[i] ? 1.5f : 0.0f);
  }
}

int main(int argc, char **argv) {
  trrt_plan_t *plan = NULL;
  trrt_session_t *session = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: classify PLAN\n");
    return 2;
  }
  require(trrt_plan_load(argv[1], &plan));
  require(trrt_session_create(plan, NULL, &session));
  trrt_plan_destroy(plan);
  require(trrt_session_init(session, 1));
  require(trrt_session_set_scalar(session, "lr", 0.05));

  float images[BATCH * PIXELS], logits[3];
  int32_t labels[BATCH];
  for (int step = 0; step < STEPS; ++step) {
    trrt_step_result_t result;
    make_batch(images, labels);
    require(trrt_session_train_step(session, "train_base", images, labels, BATCH, &result));
    if (step == 0 || step == 9 || step == STEPS - 1)
      printf("step %d: loss %.6f\n", step, (double)result.loss);
  }
  for (int bright = 0; bright < 3; ++bright) {
    for (int p = 0; p < PIXELS; ++p)
      images[p] = p / 12 == bright ? 1.5f : 0.0f;
    require(trrt_session_infer(session, "val_base", images, 1, logits));
    int best = 0;
    for (int i = 1; i < 3; ++i)
      best = logits[i] > logits[best] ? i : best;
    printf("third %d is bright: class %d\n", bright, best);
  }
  trrt_session_destroy(session);
  return 0;
}
