/* SPDX-License-Identifier: Apache-2.0
 *
 * The public headers are C: this file only has to compile, as C99. */
#include "trf/plan_format.h"
#include "trrt/plan.h"
#include "trrt/session.h"
#include "trrt/status.h"
#include "trrt/version.h"

int trrtHeadersAreC(void);
int trrtHeadersAreC(void) {
  return (int)sizeof(trrt_plan_info_t) + (int)sizeof(trrt_step_result_t) + (int)sizeof(trf_header);
}
