/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the logits of one image of a plan with initial weights. usage: infer PLAN */
#include "trrt/session.h"

#include <stdio.h>
#include <stdlib.h>

static void require(trrt_status_t status) {
  if (status.code != TRRT_OK) {
    fprintf(stderr, "error: %s\n", status.message);
    exit(1);
  }
}

int main(int argc, char **argv) {
  trrt_plan_t *plan = NULL;
  trrt_plan_info_t info;
  trrt_variant_info_t variant;
  trrt_session_t *session = NULL;
  const trrt_session_options_t options = {"auto", 1, 0};
  if (argc != 2)
    return 2;
  require(trrt_plan_load(argv[1], &plan));
  require(trrt_plan_info(plan, &info));
  require(trrt_plan_variant_info(plan, info.variant_count - 1, &variant));
  require(trrt_session_create(plan, &options, &session));
  require(trrt_session_init(session, 1));
  const int64_t pixels = variant.height * variant.width * variant.channels;
  float *image = malloc(sizeof(float) * (size_t)pixels);
  float *logits = malloc(sizeof(float) * info.classes);
  if (!image || !logits)
    return 1;
  for (int64_t i = 0; i < pixels; ++i)
    image[i] = (float)(i % 7) - 3.0f;
  require(trrt_session_infer(session, variant.name, image, 1, logits));
  for (uint32_t i = 0; i < info.classes; ++i)
    printf("%a\n", (double)logits[i]);
  free(image);
  free(logits);
  trrt_session_destroy(session);
  trrt_plan_destroy(plan);
  return 0;
}
