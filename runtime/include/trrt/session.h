/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: a plan bound to a device, ready to train, evaluate and infer. A
 * session is used by one thread at a time; several sessions may run at once.
 */
#ifndef TRRT_SESSION_H
#define TRRT_SESSION_H

#include "trrt/plan.h"
#include "trrt/status.h"

#include <stddef.h>
#include <stdint.h>

/* As C spells it. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct trrt_session_t trrt_session_t;

typedef struct {
  const char *device;    /* "auto", "cpu", "reference"; null: "auto" */
  int threads;           /* 0: every CPU that the process may use */
  uint64_t memory_bytes; /* what the session may allocate; 0: what the system has available */
} trrt_session_options_t;

typedef struct {
  float loss;         /* mean over the valid samples */
  int64_t top1, top5; /* hits among them */
  int32_t nonfinite;  /* 1: a gradient was not finite and the step changed nothing */
} trrt_step_result_t;

/* Allocates all memory of the session. `options` may be null. The plan may be
 * destroyed before the session. */
trrt_status_t trrt_session_create(const trrt_plan_t *plan, const trrt_session_options_t *options,
                                  trrt_session_t **session);
void trrt_session_destroy(trrt_session_t *session);

/* Random initial values, the same on every device and thread count. */
trrt_status_t trrt_session_init(trrt_session_t *session, uint64_t seed);
/* safetensors files with PyTorch's layouts. Values must have the checksums that the file gives, or
 * be finite where it gives none; PyTorch's num_batches_tracked are left out. */
trrt_status_t trrt_session_load_weights(trrt_session_t *session, const char *path);
/* The same for a file with other names: `map_path` is a text file with lines
 * `module.{name} -> {name}` or `head.{name} -> ignore`; null: no map. */
trrt_status_t trrt_session_load_weights_mapped(trrt_session_t *session, const char *path,
                                               const char *map_path);
/* Replaces the file as a whole, or leaves it as it was and says why. */
trrt_status_t trrt_session_save_weights(const trrt_session_t *session, const char *path);

/* "lr", "momentum", "weight_decay", ...: what the plan's optimizer has. */
trrt_status_t trrt_session_set_scalar(trrt_session_t *session, const char *name, double value);
trrt_status_t trrt_session_get_scalar(const trrt_session_t *session, const char *name,
                                      double *value);

/* `images` holds count x height x width x channels floats and `labels` count class
 * numbers. A training step takes exactly the batch of the variant; evaluation and
 * inference take 1 to that many samples. `result` may be null. */
trrt_status_t trrt_session_train_step(trrt_session_t *session, const char *variant,
                                      const float *images, const int32_t *labels, int64_t count,
                                      trrt_step_result_t *result);
trrt_status_t trrt_session_eval_step(trrt_session_t *session, const char *variant,
                                     const float *images, const int32_t *labels, int64_t count,
                                     trrt_step_result_t *result);
/* Writes count x classes logits. */
trrt_status_t trrt_session_infer(trrt_session_t *session, const char *variant, const float *images,
                                 int64_t count, float *logits);

/* Copies a parameter or running statistic ("0.conv.weight", in the layout of weight
 * files) into `values`, which must have room for `capacity` floats. */
trrt_status_t trrt_session_read_param(const trrt_session_t *session, const char *name,
                                      float *values, int64_t capacity);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif // TRRT_SESSION_H
