/* SPDX-License-Identifier: Apache-2.0
 *
 * The public headers are C99 without extensions: this file is compiled as such, with each warning
 * an error. session_states_test.cpp calls the functions. */
#include "trf/plan_format.h"
#include "trrt/plan.h"
#include "trrt/session.h"
#include "trrt/status.h"
#include "trrt/version.h"

#if !defined(__STDC_VERSION__) || __STDC_VERSION__ != 199901L || !defined(__STRICT_ANSI__)
#error "expected strict C99"
#endif

int trrt_headers_are_c(void);

/* Each function with the type that C callers see. */
struct functions {
  trrt_status_t (*plan_load)(const char *, trrt_plan_t **);
  trrt_status_t (*plan_load_bytes)(const void *, size_t, trrt_plan_t **);
  void (*plan_destroy)(trrt_plan_t *);
  trrt_status_t (*plan_info)(const trrt_plan_t *, trrt_plan_info_t *);
  trrt_status_t (*variant_info)(const trrt_plan_t *, uint32_t, trrt_variant_info_t *);
  trrt_status_t (*param_info)(const trrt_plan_t *, uint32_t, trrt_param_info_t *);
  trrt_status_t (*create)(const trrt_plan_t *, const trrt_session_options_t *, trrt_session_t **);
  void (*destroy)(trrt_session_t *);
  trrt_status_t (*init)(trrt_session_t *, uint64_t);
  trrt_status_t (*load_weights)(trrt_session_t *, const char *);
  trrt_status_t (*load_mapped)(trrt_session_t *, const char *, const char *);
  trrt_status_t (*save_weights)(const trrt_session_t *, const char *);
  trrt_status_t (*set_scalar)(trrt_session_t *, const char *, double);
  trrt_status_t (*get_scalar)(const trrt_session_t *, const char *, double *);
  trrt_status_t (*train_step)(trrt_session_t *, const char *, const float *, const int32_t *,
                              int64_t, trrt_step_result_t *);
  trrt_status_t (*eval_step)(trrt_session_t *, const char *, const float *, const int32_t *,
                             int64_t, trrt_step_result_t *);
  trrt_status_t (*infer)(trrt_session_t *, const char *, const float *, int64_t, float *);
  trrt_status_t (*read_param)(const trrt_session_t *, const char *, float *, int64_t);
  const char *(*code_name)(trrt_status_code_t);
  uint32_t (*version_number)(void);
  const char *(*version_string)(void);
};

/* The number of functions that are missing, and of sizes that are none. */
int trrt_headers_are_c(void) {
  static const struct functions all = {trrt_plan_load,
                                       trrt_plan_load_bytes,
                                       trrt_plan_destroy,
                                       trrt_plan_info,
                                       trrt_plan_variant_info,
                                       trrt_plan_param_info,
                                       trrt_session_create,
                                       trrt_session_destroy,
                                       trrt_session_init,
                                       trrt_session_load_weights,
                                       trrt_session_load_weights_mapped,
                                       trrt_session_save_weights,
                                       trrt_session_set_scalar,
                                       trrt_session_get_scalar,
                                       trrt_session_train_step,
                                       trrt_session_eval_step,
                                       trrt_session_infer,
                                       trrt_session_read_param,
                                       trrt_status_code_name,
                                       trrt_version_number,
                                       trrt_version_string};
  trrt_session_options_t options = {0};
  trrt_session_t *session = NULL;
  const trrt_status_t status = all.create(NULL, &options, &session);
  return (status.code != TRRT_INVALID_ARGUMENT) + (status.message[0] == 0) + (session != NULL) +
         (all.version_number() != TRRT_VERSION_NUMBER) + (sizeof(trf_header) == 0);
}
