/* SPDX-License-Identifier: Apache-2.0
 *
 * Version of the runtime library. The format of plan files has its own number,
 * in plan_format.h.
 */
#ifndef TRRT_VERSION_H
#define TRRT_VERSION_H

#include <stdint.h>

#define TRRT_VERSION_MAJOR 0
#define TRRT_VERSION_MINOR 1
#define TRRT_VERSION_PATCH 0

/* major << 16 | minor << 8 | patch, as the field min_runtime of a plan. */
#define TRRT_VERSION_NUMBER                                                                        \
  (TRRT_VERSION_MAJOR << 16 | TRRT_VERSION_MINOR << 8 | TRRT_VERSION_PATCH)

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

#endif /* TRRT_VERSION_H */
