/* SPDX-License-Identifier: Apache-2.0
 *
 * Serves what train.cpp left behind: plain C, the runtime alone, no compiler. */
#include "trrt/session.h"

#include <stdio.h>

static int failed(trrt_status_t status) {
  if (status.code != TRRT_OK)
    fprintf(stderr, "error: %s\n", status.message);
  return status.code != TRRT_OK;
}

int main(void) {
  trrt_plan_t *plan = NULL;
  trrt_session_t *session = NULL;
  trrt_session_options_t options = {"auto", 1, 0};
  if (failed(trrt_plan_load("net.plan", &plan)) ||
      failed(trrt_session_create(plan, &options, &session)) ||
      failed(trrt_session_load_weights(session, "net.safetensors")))
    return 1;
  for (int bright = 0; bright < 3; ++bright) {
    float image[36], logits[3];
    for (int i = 0; i < 36; ++i)
      image[i] = i / 12 == bright ? 1.5f : 0.0f;
    if (failed(trrt_session_infer(session, "val_base", image, 1, logits)))
      return 1;
    int best = 0;
    for (int i = 1; i < 3; ++i)
      best = logits[i] > logits[best] ? i : best;
    printf("third %d is bright: class %d\n", bright, best);
  }
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
  return 0;
}
