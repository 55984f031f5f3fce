# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, tools, models and a package for find_package(Renaissance).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Renaissance)

set(libraries trf trk trrt trs)
set(tools tr-run tr-memplan)
if(TR_ENABLE_COMPILER)
  list(APPEND libraries TRCompilerSettings TROptions TRDialectIR TRPlanner TRTransforms
    TRConversion TRPipelines TRPlanTranslation TRBlueprint
    TRBluePrintApi TRYaml)
  list(APPEND tools tr-compile tr-opt tr-translate tr-lsp-server tr-reduce)
  if(TARGET TRPlugin)
    install(TARGETS TRPlugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()
install(TARGETS ${libraries} EXPORT RenaissanceTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS trrt-shared EXPORT RenaissanceTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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

install(EXPORT RenaissanceTargets NAMESPACE Renaissance:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/RenaissanceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/RenaissanceConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RenaissanceConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RenaissanceConfig.cmake
              ${PROJECT_BINARY_DIR}/RenaissanceConfigVersion.cmake DESTINATION ${package})
