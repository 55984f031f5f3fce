// SPDX-License-Identifier: Apache-2.0
//
// Status values and the version of the library.
#include "base/status.h"

#include "trrt/version.h"

#include <cstring>

namespace trrt {

trrt_status_t okStatus() {
  trrt_status_t status;
  status.code = TRRT_OK;
  status.message[0] = '\0';
  return status;
}

// Copies what fits; a cut message ends in "..." and never inside a UTF-8 character.
static void copyMessage(char (&target)[TRRT_STATUS_MESSAGE_BYTES], const char *text) {
  static const char kCut[] = "...";
  size_t length = std::strlen(text);
  const bool cut = length >= sizeof(target);
  if (cut) {
    length = sizeof(target) - sizeof(kCut);
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
      --length;
  }
  std::memcpy(target, text, length);
  for (size_t i = 0; i < length; ++i)
    if (target[i] == '\n' || target[i] == '\r')
      target[i] = ' ';
  std::memcpy(target + length, cut ? kCut : "", cut ? sizeof(kCut) : 1);
}

static trrt_status_t statusOf(trrt_status_code_t code, const char *message) noexcept {
  trrt_status_t status;
  status.code = code;
  copyMessage(status.message, message);
  return status;
}

trrt_status_t makeStatus(trrt_status_code_t code, const std::string &message) {
  return statusOf(code, message.c_str());
}

trrt_status_t statusOfCurrentException() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return statusOf(error.code(), error.what());
  } catch (const std::bad_alloc &) {
    return statusOf(TRRT_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return statusOf(TRRT_INTERNAL, error.what());
  } catch (...) {
    return statusOf(TRRT_INTERNAL, "unknown exception");
  }
}

} // namespace trrt

extern "C" const char *trrt_status_code_name(trrt_status_code_t code) {
  switch (code) {
  case TRRT_OK:
    return "ok";
  case TRRT_INVALID_ARGUMENT:
    return "invalid_argument";
  case TRRT_INVALID_FILE:
    return "invalid_file";
  case TRRT_NOT_FOUND:
    return "not_found";
  case TRRT_IO_ERROR:
    return "io_error";
  case TRRT_UNSUPPORTED:
    return "unsupported";
  case TRRT_OUT_OF_MEMORY:
    return "out_of_memory";
  case TRRT_INTERNAL:
    return "internal";
  case TRRT_WRONG_ORDER:
    return "wrong_order";
  case TRRT_STATUS_CODE_MAX:
    break;
  }
  return "unknown";
}

extern "C" uint32_t trrt_version_number(void) { return TRRT_VERSION_NUMBER; }

extern "C" const char *trrt_version_string(void) { return TRF_VERSION; }
