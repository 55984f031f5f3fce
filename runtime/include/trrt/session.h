/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: a plan bound to a device, to train, evaluate and infer. A session is used by
 * one thread at a time; several sessions may run at once. A child of fork() may destroy
 * the sessions of its parent and nothing else.
 *
 * A session goes through these states, and never back:
 *
 * *Created*: by trrt_session_create(). Scalars are 0 and there are no weights.
 *
 * *With weights*: after the first trrt_session_init() or load_weights() that succeeds.
 *
 * *Ready to train*: with weights, and set_scalar() has set "lr" and, where the plan's
 * optimizer is adamw, "adam_eps", in any order.
 *
 * Scalars can be set and read in each state, and weights initialised and loaded. What
 * reads weights (save_weights, read_param, eval_step, infer) needs a session with
 * weights, train_step one that is ready to train. Before that they are
 * TRRT_WRONG_ORDER, with a message that names the call to make.
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
  int threads;           /* 1 to 1024; 0: every CPU that the process may use */
  uint64_t memory_bytes; /* what the session may allocate; 0: what the system has available */
} trrt_session_options_t;

typedef struct {
  float loss;         /* mean over the valid samples */
  int64_t top1, top5; /* hits among them */
  int32_t nonfinite;  /* 1: a gradient was not finite and the step changed nothing */
} trrt_step_result_t;

/* Allocates all memory of the session. `options` may be null: all zero. The plan may be
 * destroyed before the session. On success `*session` must go to trrt_session_destroy(); on
 * failure it is null. Errors: INVALID_ARGUMENT (a device or number of threads that there is
 * not), INVALID_FILE (the plan lacks what a session needs), UNSUPPORTED (the device cannot run
 * it), OUT_OF_MEMORY. */
trrt_status_t trrt_session_create(const trrt_plan_t *plan, const trrt_session_options_t *options,
                                  trrt_session_t **session);
/* Null is allowed. */
void trrt_session_destroy(trrt_session_t *session);

/* Random initial values, the same on every device and thread count. Allowed in each state; what
 * the optimizer remembers of earlier steps stays, so make a new session to begin anew. */
trrt_status_t trrt_session_init(trrt_session_t *session, uint64_t seed);
/* safetensors files with PyTorch's layouts. Values must have the checksums that the file gives, or
 * be finite where it gives none; PyTorch's num_batches_tracked are left out. Allowed in each
 * state. Errors: NOT_FOUND, IO_ERROR, INVALID_FILE (damaged, or it does not fit the plan);
 * the session keeps the weights that it had. */
trrt_status_t trrt_session_load_weights(trrt_session_t *session, const char *path);
/* The same for a file with other names: `map_path` is a text file with lines
 * `module.{name} -> {name}` or `head.{name} -> ignore`; null: no map. */
trrt_status_t trrt_session_load_weights_mapped(trrt_session_t *session, const char *path,
                                               const char *map_path);
/* Replaces the file as a whole, or leaves it as it was and says why. Needs weights. Errors:
 * WRONG_ORDER, IO_ERROR. */
trrt_status_t trrt_session_save_weights(const trrt_session_t *session, const char *path);

/* "lr", "momentum", "weight_decay", ...: what the plan's optimizer has. Allowed in each state;
 * a scalar that was never set is 0. Errors: NOT_FOUND (the plan has no such scalar; the message
 * names the optimizer and what it has), INVALID_ARGUMENT (a value out of the scalar's range). */
trrt_status_t trrt_session_set_scalar(trrt_session_t *session, const char *name, double value);
trrt_status_t trrt_session_get_scalar(const trrt_session_t *session, const char *name,
                                      double *value);

/* `images` holds count x height x width x channels floats and `labels` count class
 * numbers. A training step takes exactly the batch of the variant; evaluation and
 * inference take 1 to that many samples. `result` may be null. A training step needs a
 * session that is ready to train, the others one with weights. Errors: WRONG_ORDER,
 * NOT_FOUND (no such variant), INVALID_ARGUMENT (a count or label out of range, or a variant
 * that has no such step). */
trrt_status_t trrt_session_train_step(trrt_session_t *session, const char *variant,
                                      const float *images, const int32_t *labels, int64_t count,
                                      trrt_step_result_t *result);
trrt_status_t trrt_session_eval_step(trrt_session_t *session, const char *variant,
                                     const float *images, const int32_t *labels, int64_t count,
                                     trrt_step_result_t *result);
/* Writes count x classes logits. Needs weights; errors as above. */
trrt_status_t trrt_session_infer(trrt_session_t *session, const char *variant, const float *images,
                                 int64_t count, float *logits);

/* Copies a parameter or running statistic ("0.conv.weight", in the layout of weight
 * files) into `values`, which must have room for `capacity` floats. Needs weights. Errors:
 * WRONG_ORDER, NOT_FOUND (no such parameter), INVALID_ARGUMENT (not enough room). */
trrt_status_t trrt_session_read_param(const trrt_session_t *session, const char *name,
                                      float *values, int64_t capacity);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif // TRRT_SESSION_H
