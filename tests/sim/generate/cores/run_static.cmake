# SPDX-License-Identifier: Apache-2.0
# Generates the C sources of a public network for CORE, compiles them with an application and runs it: outputs are those
# that the TFLite interpreter recorded, for every recorded input. Variables: N6VP, CORE, GXX, NETWORKS, NETWORK, WORK
# (scratch).
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/recorded.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/files)

run(${N6VP} generate ${NETWORKS}/${NETWORK}.tflite --target ${CORE} --form static --name net -o ${WORK}/net)
file(GLOB sources ${WORK}/net/*.c)
string(REGEX REPLACE "g\\+\\+$" "gcc" gcc "${GXX}")
run(${gcc} -mcpu=${CORE} -mthumb -mfloat-abi=hard -mfpu=auto -O2 -std=c11 -ffreestanding -fno-tree-loop-distribute-patterns
  -Wall -Wextra -Werror -I${WORK}/net -nostdlib -nostartfiles -T ${CMAKE_CURRENT_LIST_DIR}/core_program.ld
  -Wl,--build-id=none -Wl,--no-warn-rwx-segments -o ${WORK}/application.elf ${CMAKE_CURRENT_LIST_DIR}/static_program.c
  ${CMAKE_CURRENT_LIST_DIR}/core_board.c ${sources} -lgcc)

set(expected "")
set(number 0)
file(GLOB inputs ${NETWORKS}/expected/${NETWORK}/*_in.npy)
foreach(input IN LISTS inputs)
  write_elements(${input} ${WORK}/files/input_${number}.bin)
  string(REGEX REPLACE "_in.npy$" "_out0.npy" output ${input})
  elements(${output} one)
  string(APPEND expected "${one}")
  math(EXPR number "${number} + 1")
endforeach()
if(number LESS 5 OR number GREATER 10)
  message(FATAL_ERROR "${number} recorded inputs; the application takes 10")
endif()
run(${N6VP} exec ${WORK}/application.elf --core ${CORE} --vectors 0x24000000 --files ${WORK}/files)
foreach(buffers inside given)
  file(READ ${WORK}/files/${buffers}.bin got HEX)
  if(NOT got STREQUAL expected)
    message(FATAL_ERROR "${buffers}:\n${got}\nexpected\n${expected}")
  endif()
endforeach()
message("${number} inputs twice, all outputs as recorded")
