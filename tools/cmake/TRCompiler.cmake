# SPDX-License-Identifier: Apache-2.0
# LLVM and MLIR 22, and the functions that add compiler libraries and tools.
#
# Upstream libraries are linked only through mlir_target_link_libraries, which
# honours the shared/static switch; a plain target_link_libraries beside
# libMLIR.so would put a second copy of MLIR into the binary.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22) # Debian's place; not on CMake's own path
find_package(MLIR 22.1 REQUIRED CONFIG)         # the version file wants the exact minor
set(MLIR_LINK_MLIR_DYLIB ${TR_LINK_DYLIB})      # MLIRConfig.cmake does not export it
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
separate_arguments(TR_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(TRCompilerSettings INTERFACE)
# Generated headers count as system headers: their warnings are TableGen's. The installed package
# takes the headers of LLVM from where it finds them.
target_include_directories(TRCompilerSettings SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
target_include_directories(TRCompilerSettings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include>)
target_link_libraries(TRCompilerSettings INTERFACE LLVM) # libLLVM.so, which every MLIR library needs
target_compile_definitions(TRCompilerSettings INTERFACE ${TR_LLVM_DEFINITIONS})

# tr_add_library(TRFoo a.cpp b.cpp LINK TRBar MLIR MLIRIR MLIRPass)
function(tr_add_library name)
  cmake_parse_arguments(ARG "NO_PCH" "" "LINK;MLIR" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} TRTableGen)
  target_link_libraries(${name} PUBLIC TRCompilerSettings ${ARG_LINK})
  mlir_target_link_libraries(${name} PUBLIC ${ARG_MLIR})
  if(TR_ENABLE_PCH AND NOT ARG_NO_PCH)
    # One precompiled header serves all compiler libraries.
    if(name STREQUAL "TRDialectIR")
      target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/cmake/mlir-pch.h)
    else()
      target_precompile_headers(${name} REUSE_FROM TRDialectIR)
    endif()
  endif()
endfunction()

# tr_add_tool(tr-foo tr-foo.cpp LINK TRBar MLIR MLIROptLib)
function(tr_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK;MLIR" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} TRTableGen)
  target_link_libraries(${name} PRIVATE TRCompilerSettings ${ARG_LINK})
  mlir_target_link_libraries(${name} PRIVATE ${ARG_MLIR})
endfunction()
