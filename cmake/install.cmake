# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` brings: the tool with its man pages and completions, and loader and models as headers, static
# libraries and a CMake package, so that an outside project links the very code that the tool runs.
include(CMakePackageConfigHelpers)

install(TARGETS n6vp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/sim/cli/n6vp.1 ${PROJECT_BINARY_DIR}/sim/cli/n6vp-run.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/sim/cli/n6vp.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME n6vp)
install(FILES ${PROJECT_BINARY_DIR}/sim/cli/n6vp.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _n6vp)
install(FILES ${PROJECT_BINARY_DIR}/sim/cli/n6vp.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What `n6vp run MODEL` runs, and the image for the board. Built where the bare-metal compiler is; the tool says so if it is not there.
foreach(program n6vp_firmware_chip n6vp_firmware_chip_compat n6vp_firmware_stm32n6570_dk n6vp_firmware_validation
    n6vp_firmware_mcu_m4 n6vp_firmware_mcu_m33 n6vp_firmware_mcu_m7)
  install(FILES ${PROJECT_BINARY_DIR}/arm/loader/firmware/${program}.elf DESTINATION ${CMAKE_INSTALL_DATADIR}/n6vp/firmware OPTIONAL)
endforeach()

# Headers keep their rooms below one folder: #include "loader/install.h" with -I <prefix>/include/n6vp.
set(n6vp_include ${CMAKE_INSTALL_INCLUDEDIR}/n6vp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/memmap DESTINATION ${n6vp_include} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/loader DESTINATION ${n6vp_include} FILES_MATCHING PATTERN "*.h"
  PATTERN "firmware" EXCLUDE)

# What an application for a Cortex-M4, M7 or M33 compiles itself: the loader of the older family and static networks.
set(n6vp_source ${CMAKE_INSTALL_DATADIR}/n6vp/source)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/loader/legacy DESTINATION ${n6vp_source}/loader FILES_MATCHING PATTERN "*.cpp")
install(FILES ${PROJECT_SOURCE_DIR}/loader/container/diagnosis.cpp DESTINATION ${n6vp_source}/loader/container)
install(FILES ${PROJECT_SOURCE_DIR}/loader/install/direct_port.cpp DESTINATION ${n6vp_source}/loader/install)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/generate/emit/glue/ DESTINATION ${n6vp_source}/network
  FILES_MATCHING PATTERN "legacy_*" PATTERN "client_*")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/traces ${PROJECT_SOURCE_DIR}/models DESTINATION ${n6vp_include}
  FILES_MATCHING PATTERN "*.h")

# Two sets: who uses the loader needs no SystemC.
set(n6vp_exported n6vp_memmap n6vp_loader n6vp_loader_legacy n6vp_loader_ec_check n6vp_loader_log_info)
set(n6vp_exported_models n6vp_traces n6vp_core n6vp_npu n6vp_boot_image n6vp_soc n6vp_mcu n6vp_sc_main n6vp_systemc n6vp_models
  n6vp_traces_log n6vp_traces_diagnosis n6vp_traces_format n6vp_traces_page
  n6vp_fabric n6vp_memory n6vp_core_module n6vp_npu_module n6vp_cache n6vp_simulator n6vp_chip)
foreach(room base rif stubs system timers serial analog crypto dma can graphics sdmmc audio camera)
  list(APPEND n6vp_exported_models n6vp_soc_${room})
endforeach()
foreach(target ${n6vp_exported} ${n6vp_exported_models})
  string(REPLACE n6vp_ "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${n6vp_include}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
endforeach()
install(TARGETS ${n6vp_exported} EXPORT n6vp-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT n6vp-targets NAMESPACE n6vp:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/n6vp)
install(TARGETS ${n6vp_exported_models} EXPORT n6vp-models-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT n6vp-models-targets NAMESPACE n6vp:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/n6vp)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/n6vp-config.cmake.in
  ${PROJECT_BINARY_DIR}/n6vp-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/n6vp)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/n6vp-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/n6vp-config.cmake ${PROJECT_BINARY_DIR}/n6vp-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/n6vp)
