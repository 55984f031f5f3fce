// SPDX-License-Identifier: Apache-2.0
//
// Treats denormal floats as zero on the current thread for as long as the object
// lives: they are a hundred times slower and carry nothing for training.
#ifndef TRK_FLOAT_MODE_H
#define TRK_FLOAT_MODE_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace trk {

class FlushDenormals {
public:
#if defined(__x86_64__)
  FlushDenormals() : saved(_mm_getcsr()) { _mm_setcsr(saved | kFlushToZero | kDenormalsAreZero); }
  // Puts back the two mode bits only: exception flags raised meanwhile stay.
  ~FlushDenormals() {
    const unsigned mask = kFlushToZero | kDenormalsAreZero;
    _mm_setcsr((_mm_getcsr() & ~mask) | (saved & mask));
  }

private:
  static constexpr unsigned kFlushToZero = 1u << 15;
  static constexpr unsigned kDenormalsAreZero = 1u << 6;
  unsigned saved;
#else
  FlushDenormals() {}
#endif

public:
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;
};

} // namespace trk

#endif // TRK_FLOAT_MODE_H
