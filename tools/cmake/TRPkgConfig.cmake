# SPDX-License-Identifier: Apache-2.0
# renaissance-*.pc, for builds that ask pkg-config. Archives are named as files, because the linker
# would take libtrrt.so for -ltrrt.

# tr_install_pc(NAME "description" [REQUIRES "a, b"] [CFLAGS ...] [ARCHIVES target...] [LIBS ...]):
# LIBS and what the archives need of the system come after all archives.
function(tr_install_pc name description)
  cmake_parse_arguments(PC "" "REQUIRES" "CFLAGS;ARCHIVES;LIBS" ${ARGN})
  set(libraries "-L\${libdir}")
  set(system "")
  foreach(target IN LISTS PC_ARCHIVES)
    list(APPEND libraries -l:lib${target}.a)
    get_target_property(needed ${target} TR_SYSTEM_LIBRARIES)
    if(needed)
      list(TRANSFORM needed REPLACE "^([^-].*)" "-l\\1")
      list(APPEND system ${needed})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES system)
  list(TRANSFORM PC_CFLAGS PREPEND " " OUTPUT_VARIABLE cflags)
  list(JOIN cflags "" cflags)
  list(APPEND libraries ${PC_LIBS} ${system})
  list(JOIN libraries " " libs)
  set(pc_name renaissance-${name})
  set(requires "")
  if(PC_REQUIRES)
    set(requires "Requires: ${PC_REQUIRES}")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/renaissance.pc.in
                 ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# From lib/pkgconfig to the prefix, wherever that is moved to.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

tr_install_pc(runtime "runtime for compiled neural networks, as libtrrt.so" LIBS -ltrrt)
tr_install_pc(runtime-static "runtime for compiled neural networks, as archives"
  ARCHIVES trrt trk trf trs)
tr_install_pc(planner "memory planner" ARCHIVES TRPlanner LIBS -lstdc++)
if(TR_ENABLE_COMPILER AND TR_LINK_DYLIB)
  set(definitions ${TR_LLVM_DEFINITIONS})
  tr_install_pc(compiler "passes and plan files, for MLIR 22"
    CFLAGS -isystem ${LLVM_INCLUDE_DIRS} ${definitions}
    ARCHIVES TRPlanTranslation TRPipelines TRConversion TRTransforms TRPlanRecords TRYaml TRDialectIR TROptions
             TRPlanner trf trs
    LIBS -L${LLVM_LIBRARY_DIR} -Wl,-rpath,${LLVM_LIBRARY_DIR} -lMLIR -lLLVM)
  tr_install_pc(blueprint "networks in C++ and the compiler as a function"
    REQUIRES renaissance-compiler ARCHIVES TRBluePrintApi TRBlueprint)
endif()
