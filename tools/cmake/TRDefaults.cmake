# SPDX-License-Identifier: Apache-2.0
# Settings shared by the whole project and by a stand-alone build of the runtime.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# -O3 buys a compiler nothing and costs build time; kernels ask for it themselves.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON) # LLVM lies outside the loader's path
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(TR_CCACHE ccache)
if(TR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${TR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TR_CCACHE})
endif()
find_program(TR_MOLD mold)
if(TR_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra)
option(TR_WERROR "Treat warnings as errors" OFF)
if(TR_WERROR)
  add_compile_options(-Werror)
endif()

# tr_link_system(TARGET NAME [LIBRARY]): a library of the system, which is linked here as LIBRARY, a
# file or a target. What is installed names it as the linker does, so that whoever links our archive
# needs neither CMake's package of that library nor a C++ compiler.
function(tr_link_system target name)
  target_link_libraries(${target} PRIVATE $<INSTALL_INTERFACE:${name}>)
  foreach(library IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  set_property(TARGET ${target} APPEND PROPERTY TR_SYSTEM_LIBRARIES ${name})
endfunction()

# What takes long and finds little; tools/check.sh --long sets it.
option(TR_LONG_TESTS "Give tests every network of the zoo and larger numbers" OFF)

# A build of its own for tests and fuzz targets: every finding ends the program.
option(TR_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(TR_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(TR_FUZZ ON) # libFuzzer, which GCC does not have
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
