# SPDX-License-Identifier: Apache-2.0
# Toolchain file: bare-metal Cortex-M55 with Helium and double-precision FPU, as on the STM32N6.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(n6vp_arm_flags "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard -fshort-enums -ffunction-sections -fdata-sections")
set(CMAKE_C_FLAGS_INIT "${n6vp_arm_flags}")
set(CMAKE_ASM_FLAGS_INIT "${n6vp_arm_flags}")
set(CMAKE_CXX_FLAGS_INIT "${n6vp_arm_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-unwind-tables -fno-asynchronous-unwind-tables -fno-use-cxa-atexit")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
