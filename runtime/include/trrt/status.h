/* SPDX-License-Identifier: Apache-2.0
 *
 * Result of a call into the runtime. A status is a plain value: nothing to free,
 * valid for as long as the caller keeps it. A null pointer where a function does not
 * allow one is TRRT_INVALID_ARGUMENT, and the message names the argument. A call that
 * fails in a check has changed nothing in a session.
 */
#ifndef TRRT_STATUS_H
#define TRRT_STATUS_H

typedef enum {
  TRRT_OK = 0,
  TRRT_INVALID_ARGUMENT = 1, /* a bad value from the caller */
  TRRT_INVALID_FILE = 2,     /* the content of a file is damaged or not accepted */
  TRRT_NOT_FOUND = 3,        /* no such file, tensor, variant or data set */
  TRRT_IO_ERROR = 4,         /* reading or writing failed */
  TRRT_UNSUPPORTED = 5,      /* no kernel, device or feature for this plan */
  TRRT_OUT_OF_MEMORY = 6,
  TRRT_INTERNAL = 7,                /* a fault of the runtime itself */
  TRRT_WRONG_ORDER = 8,             /* a call came before one that it needs: see session.h */
  TRRT_STATUS_CODE_MAX = 0x7fffffff /* no code: makes every later one a value of the type */
} trrt_status_code_t;

#define TRRT_STATUS_MESSAGE_BYTES 1020

typedef struct {
  trrt_status_code_t code;
  /* One line without a trailing newline, cut where longer; empty for TRRT_OK. */
  char message[TRRT_STATUS_MESSAGE_BYTES];
} trrt_status_t;

#ifdef __cplusplus
extern "C" {
#endif

/* "invalid_file" and so on; never null. */
const char *trrt_status_code_name(trrt_status_code_t code);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif // TRRT_STATUS_H
