// SPDX-License-Identifier: Apache-2.0
//
// Statuses and exceptions: inside the library code may throw, at the C ABI every
// function body runs in guard(), which lets nothing through.
#ifndef TRRT_BASE_STATUS_H
#define TRRT_BASE_STATUS_H

#include "trrt/status.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace trrt {

trrt_status_t okStatus();
trrt_status_t makeStatus(trrt_status_code_t code, const std::string &message);

// An error on its way to the C ABI.
class Error : public std::exception {
public:
  Error(trrt_status_code_t code, std::string message) : errorCode(code), text(std::move(message)) {}
  trrt_status_code_t code() const { return errorCode; }
  const char *what() const noexcept override { return text.c_str(); }

private:
  trrt_status_code_t errorCode;
  std::string text;
};

// The status of the exception being handled; call inside a catch clause only.
trrt_status_t statusOfCurrentException() noexcept;

// return guard([&] { ...; throw Error(TRRT_NOT_FOUND, "no such variant"); });
template <typename F> trrt_status_t guard(F &&body) noexcept {
  try {
    body();
    return okStatus();
  } catch (...) {
    return statusOfCurrentException();
  }
}

} // namespace trrt

#endif // TRRT_BASE_STATUS_H
