/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans: loading a file and asking what is in it. A loaded plan never changes,
 * so several threads and sessions may use one.
 */
#ifndef TRRT_PLAN_H
#define TRRT_PLAN_H

#include "trrt/status.h"

#include <stddef.h>
#include <stdint.h>

/* As C spells it. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct trrt_plan_t trrt_plan_t;

/* Strings in these structures belong to the plan and live as long as it does. */
typedef struct {
  const char *model;     /* "resnet50" */
  const char *producer;  /* the compiler that made the plan */
  const char *device;    /* the kind that it was compiled for: "cpu" */
  const char *feature;   /* what the device must have: "x86-64-v3", or "any" */
  const char *precision; /* "fp32" */
  const char *optimizer; /* "sgd" or "adamw" */
  uint32_t slices;       /* batch slices: threads beyond this number do not help */
  uint32_t classes;
  uint32_t variant_count;
  uint32_t param_count; /* parameters and running statistics */
  uint64_t arena_bytes; /* device memory of a session, library scratch apart */
  uint8_t content_id[16];
} trrt_plan_info_t;

typedef struct {
  const char *name; /* "train_base" */
  int is_training;
  int64_t batch, height, width, channels;
} trrt_variant_info_t;

typedef struct {
  const char *name; /* "0.conv.weight" */
  int is_trainable; /* 0: a running statistic */
  uint32_t rank;
  int64_t shape[4]; /* as in weight files (PyTorch's layout), `rank` entries */
  int64_t elements;
} trrt_param_info_t;

/* Reads and checks a plan. On success `*plan` must go to trrt_plan_destroy(); on failure it is
 * null. Errors: NOT_FOUND (no such file), IO_ERROR (it cannot be read), INVALID_FILE (it is
 * no plan, is damaged, or needs a newer runtime), OUT_OF_MEMORY. */
trrt_status_t trrt_plan_load(const char *path, trrt_plan_t **plan);
/* The same from memory, which is not kept. `bytes` may be null where `size` is 0, which is no
 * plan. Errors: INVALID_FILE, OUT_OF_MEMORY. */
trrt_status_t trrt_plan_load_bytes(const void *bytes, size_t size, trrt_plan_t **plan);
/* Null is allowed. Sessions keep what they need: the plan may go first. The strings that
 * it gave are gone then. */
void trrt_plan_destroy(trrt_plan_t *plan);

/* The functions below need a loaded plan and fill `*info`. Errors: INVALID_ARGUMENT where
 * `index` is not below info.variant_count or info.param_count. */
trrt_status_t trrt_plan_info(const trrt_plan_t *plan, trrt_plan_info_t *info);
trrt_status_t trrt_plan_variant_info(const trrt_plan_t *plan, uint32_t index,
                                     trrt_variant_info_t *info);
trrt_status_t trrt_plan_param_info(const trrt_plan_t *plan, uint32_t index,
                                   trrt_param_info_t *info);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif // TRRT_PLAN_H
