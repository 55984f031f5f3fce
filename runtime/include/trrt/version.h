/* SPDX-License-Identifier: Apache-2.0
 *
 * Version of the runtime library, which is that of the project. The format of plan files
 * has its own number, in trf/plan_format.h.
 */
#ifndef TRRT_VERSION_H
#define TRRT_VERSION_H

#include "trf/version.h"

#include <stdint.h>

#define TRRT_VERSION_MAJOR TRF_VERSION_MAJOR
#define TRRT_VERSION_MINOR TRF_VERSION_MINOR
#define TRRT_VERSION_PATCH TRF_VERSION_PATCH

/* major << 16 | minor << 8 | patch, as the field min_runtime of a plan. */
#define TRRT_VERSION_NUMBER TRF_VERSION_NUMBER

#ifdef __cplusplus
extern "C" {
#endif

/* Of the library that is linked, which may differ from this header. */
uint32_t trrt_version_number(void);
/* "0.1.0" */
const char *trrt_version_string(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif // TRRT_VERSION_H
