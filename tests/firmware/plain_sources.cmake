# SPDX-License-Identifier: Apache-2.0
# The loader without its build system: every source of the folder on one compiler command line.
if(GXX STREQUAL "")
  message("skipped: arm-none-eabi-g++ is not installed")
  return()
endif()
file(GLOB sources ${SOURCE}/loader/check/*.cpp ${SOURCE}/loader/container/*.cpp ${SOURCE}/loader/epoch_controller/*.cpp
  ${SOURCE}/loader/install/*.cpp)
file(GLOB capi ${SOURCE}/loader/capi/*.cpp)
list(LENGTH sources count)
if(count LESS 5)
  message(FATAL_ERROR "no sources found in ${SOURCE}/loader")
endif()
file(MAKE_DIRECTORY ${FOLDER})
execute_process(
  COMMAND ${GXX} -std=c++20 -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -Os -Wall -Wextra -Werror
    -fno-exceptions -fno-rtti -I${SOURCE} -I${SOURCE}/loader/capi -r -nostdlib -o ${FOLDER}/loader.o ${sources} ${capi}
  RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the plain source list does not compile")
endif()
message("${count} sources compiled")
