# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, tools, models, a package for find_package(Renaissance) and
# files for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(TRPkgConfig)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Renaissance)

# The targets of each component; `base` comes with those that stand on it.
set(base_targets trf trs)
set(runtime_targets trk trrt trrt-shared)
set(planner_targets TRPlanner)
set(compiler_targets TRCompilerSettings TROptions TRDialectIR TRTransforms TRConversion TRPipelines
  TRPlanRecords TRPlanTranslation TRYaml)
set(blueprint_targets TRBlueprint TRBluePrintApi)
set(components runtime planner)
set(tools tr-run tr-memplan)
if(TR_ENABLE_COMPILER)
  list(APPEND components compiler blueprint)
  list(APPEND tools tr-compile tr-opt tr-translate tr-lsp-server tr-reduce)
  if(TARGET TRPlugin)
    install(TARGETS TRPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()
foreach(component base ${components})
  install(TARGETS ${${component}_targets} EXPORT Renaissance-${component}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT Renaissance-${component} NAMESPACE Renaissance:: DESTINATION ${package})
endforeach()
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(headers FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.inc"
                           PATTERN "CMakeFiles" EXCLUDE)
foreach(folder include/renaissance runtime/format/include/trf runtime/include/trrt
               kernels/include/trk)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          ${headers})
endforeach()
get_target_property(trf_binary_dir trf BINARY_DIR)
install(FILES ${trf_binary_dir}/include/trf/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trf)
if(TR_ENABLE_COMPILER) # what TableGen made
  install(DIRECTORY ${PROJECT_BINARY_DIR}/include/renaissance
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${headers})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/models
        DESTINATION ${CMAKE_INSTALL_DATADIR}/renaissance)

if(TARGET man)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR}
          PATTERN "*.stamp" EXCLUDE)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/RenaissanceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RenaissanceConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RenaissanceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RenaissanceConfig.cmake
              ${PROJECT_BINARY_DIR}/RenaissanceConfigVersion.cmake DESTINATION ${package})
