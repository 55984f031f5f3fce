// SPDX-License-Identifier: Apache-2.0
//
// Options of AddressSanitizer for all fuzz targets. Its check of stack memory after
// return walks all frames at each exception, which most inputs end with. LLVM's
// allocators mark memory in headers that the uninstrumented library has compiled too.
extern "C" const char *__asan_default_options();

extern "C" const char *__asan_default_options() {
  return "detect_stack_use_after_return=0:allocator_may_return_null=0:quarantine_size_mb=16"
         ":malloc_context_size=4"
#ifdef FUZZ_WITH_LLVM
         ":allow_user_poisoning=0:detect_container_overflow=0"
#endif
      ;
}
