# SPDX-License-Identifier: Apache-2.0
# Runs PROGRAM on QEMU's mps3-an547: every line must say PASS, and the program itself must agree.
if(QEMU STREQUAL "")
  message("skipped: qemu-system-arm or arm-none-eabi-g++ is not installed")
  return()
endif()
execute_process(
  COMMAND ${QEMU} -M mps3-an547 -nographic -monitor none -serial none
    -semihosting-config enable=on,target=native -kernel ${PROGRAM}
  INPUT_FILE /dev/null OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE code TIMEOUT 300)
message("${text}")
string(REGEX MATCHALL "PASS " passed "${text}")
list(LENGTH passed count)
if(NOT code EQUAL 0 OR text MATCHES "FAIL " OR NOT text MATCHES "total ${count} passed, 0 failed" OR count LESS 100)
  message(FATAL_ERROR "exit code ${code}, ${count} cases passed")
endif()
