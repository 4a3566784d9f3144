# SPDX-License-Identifier: Apache-2.0
# Generates a public network for CORE, checks the file and runs it in both modes; outputs are the recorded ones of the
# TFLite interpreter. Variables: N6VP, CORE, PROGRAM, NETWORKS, NETWORK, CASE, WORK (scratch).
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/recorded.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

run(${N6VP} generate ${NETWORKS}/${NETWORK}.tflite --target ${CORE} -o ${WORK}/model)
run(${N6VP} check ${WORK}/model/network_rel.bin --core ${CORE})
if(NOT out MATCHES "0 errors, 0 warnings, 0 hints")
  message(FATAL_ERROR "check:\n${out}")
endif()
file(COPY ${WORK}/model/network_rel.bin DESTINATION ${WORK})
write_elements(${NETWORKS}/expected/${NETWORK}/${CASE}_in.npy ${WORK}/input_0.bin)
run(${N6VP} exec ${PROGRAM} --core ${CORE} --vectors 0x24000000 --files ${WORK})
elements(${NETWORKS}/expected/${NETWORK}/${CASE}_out0.npy expected)
foreach(mode xip copy)
  file(READ ${WORK}/${mode}.bin got HEX)
  if(NOT got STREQUAL expected)
    message(FATAL_ERROR "${mode}:\n${got}\nexpected\n${expected}")
  endif()
endforeach()
