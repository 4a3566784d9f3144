# SPDX-License-Identifier: Apache-2.0
# The bare-metal build of this very tree, beside the host's where the compiler exists: the firmware that
# `n6vp run MODEL` runs, and with the tests their programs. It is n6vp_arm, in the folder arm of the build. Both languages
# have the launcher of C: before C++ the preset tidy puts one that leaves no object.
include(ExternalProject)
find_program(N6VP_ARM_GXX arm-none-eabi-g++)
if(NOT N6VP_ARM_GXX)
  return()
endif()
set(n6vp_arm_targets n6vp_firmware_chip n6vp_firmware_chip_compat n6vp_firmware_stm32n6570_dk n6vp_firmware_validation
  n6vp_firmware_mcu_m4 n6vp_firmware_mcu_m33 n6vp_firmware_mcu_m7)
if(N6VP_BUILD_TESTS)
  set(n6vp_arm_targets all)
endif()
ExternalProject_Add(n6vp_arm
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${PROJECT_BINARY_DIR}/arm
  PREFIX ${PROJECT_BINARY_DIR}/arm_steps
  CMAKE_ARGS -DCMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/arm-none-eabi.cmake
    -DCMAKE_BUILD_TYPE=MinSizeRel
    -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER}
  BUILD_COMMAND ${CMAKE_COMMAND} --build . --target ${n6vp_arm_targets}
  INSTALL_COMMAND ""
  BUILD_ALWAYS ON)
