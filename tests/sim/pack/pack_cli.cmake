# SPDX-License-Identifier: Apache-2.0
# `n6vp pack` as a user runs it. Variables: N6VP, MODELS (folder of the built samples), WORK (scratch folder), GCC, OBJCOPY.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/out)
set(elf ${MODELS}/pools/3.0/model.elf)

# Runs n6vp pack ARGN and fails unless its exit code is `code` and stderr matches `pattern`.
function(pack code pattern)
  execute_process(COMMAND ${N6VP} pack ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT result STREQUAL "${code}")
    message(SEND_ERROR "pack ${ARGN}: exit code ${result}, expected ${code}\n${err}")
  endif()
  if(NOT err MATCHES "${pattern}")
    message(SEND_ERROR "pack ${ARGN}: stderr lacks '${pattern}':\n${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect_same left right)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${left} ${right} RESULT_VARIABLE differ)
  if(differ)
    message(SEND_ERROR "${left} and ${right} differ")
  endif()
endfunction()

function(expect_files folder)
  file(GLOB found RELATIVE ${folder} ${folder}/*)
  list(SORT found)
  if(NOT found STREQUAL "${ARGN}")
    message(SEND_ERROR "${folder} holds '${found}', expected '${ARGN}'")
  endif()
endfunction()

# The same bytes as during the build, and no temporary file left.
pack(0 "" ${elf} -o ${WORK}/out/a.bin)
expect_same(${WORK}/out/a.bin ${MODELS}/pools/3.0/network_rel.bin)
expect_files(${WORK}/out a.bin)

# JSON on stdout: tagged, and its numbers are those of the file. The report file holds the same document.
pack(0 "" ${elf} -o ${WORK}/out/a.bin --json --report ${WORK}/out/report.json)
string(JSON schema GET "${out}" schema)
string(JSON size GET "${out}" reloc_binary_image img_size)
file(SIZE ${WORK}/out/a.bin bytes)
if(NOT schema STREQUAL "n6vp.pack/1" OR NOT size EQUAL bytes)
  message(SEND_ERROR "--json: schema ${schema}, img_size ${size}, file ${bytes}")
endif()
file(READ ${WORK}/out/report.json report)
if(NOT report STREQUAL out)
  message(SEND_ERROR "--report and --json differ")
endif()
string(JSON pools LENGTH "${out}" reloc_binary_image mempool_c_descriptors)
string(JSON flags GET "${out}" reloc_binary_image mempool_c_descriptors 2 flags_desc)
string(JSON items GET "${out}" reloc_binary_image rt_context rt_c_struct_sizes epochblock_item)
if(NOT pools EQUAL 4 OR NOT flags STREQUAL "COPY.MIXED.WRITE" OR NOT items EQUAL 48)
  message(SEND_ERROR "report: ${pools} pools, third ${flags}, epoch items of ${items} bytes")
endif()

# Split, with and without a name.
pack(0 "" ${elf} -o ${WORK}/out/s.bin --split)
pack(0 "" ${elf} -o ${WORK}/out/t.bin --split=${WORK}/out/t.par)
expect_same(${WORK}/out/s.bin ${WORK}/out/t.bin)
expect_same(${WORK}/out/s_params.bin ${WORK}/out/t.par)

# A pool's content from a file: taking the payload out of the ELF and giving it back changes nothing.
foreach(pool flash npuRAM3 npuRAM4)
  execute_process(COMMAND ${OBJCOPY} -O binary --set-section-flags .pool.${pool}=alloc -j .pool.${pool} ${elf}
    ${WORK}/${pool}.raw COMMAND_ERROR_IS_FATAL ANY)
endforeach()
pack(0 "" ${elf} -o ${WORK}/out/p.bin --pool flash=${WORK}/flash.raw --pool npuRAM3=${WORK}/npuRAM3.raw
  --pool npuRAM4=${WORK}/npuRAM4.raw)
expect_same(${WORK}/out/p.bin ${WORK}/out/a.bin)
pack(0 "" ${elf} -o ${WORK}/out/p.bin --pool flash=${WORK}/npuRAM3.raw)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${WORK}/out/p.bin ${WORK}/out/a.bin RESULT_VARIABLE differ ERROR_QUIET)
if(NOT differ)
  message(SEND_ERROR "--pool has no effect")
endif()

# C sources: they compile without a warning and hold the file.
pack(0 "" ${elf} -o ${WORK}/c.bin --gen-c-file --c-name "my model")
execute_process(COMMAND ${GCC} -mcpu=cortex-m55 -std=c11 -Wall -Wextra -Wpedantic -Werror -c ${WORK}/c.c -o ${WORK}/c.o
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${OBJCOPY} -O binary -j .rodata ${WORK}/c.o ${WORK}/c.raw COMMAND_ERROR_IS_FATAL ANY)
expect_same(${WORK}/c.raw ${WORK}/c.bin)
file(READ ${WORK}/c.h header)
foreach(text "AI_MY_MODEL_RELOC_RAM_SIZE_XIP 472u" "AI_MY_MODEL_RELOC_MPOOL_DESC_2_DST 0x34201000u"
    "uintptr_t ai_my_model_reloc_img_get(void)")
  string(FIND "${header}" "${text}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "c.h lacks '${text}'")
  endif()
endforeach()

# Several models into a folder.
file(MAKE_DIRECTORY ${WORK}/many)
file(COPY_FILE ${elf} ${WORK}/one.elf)
file(COPY_FILE ${MODELS}/user_io/2.1/model.elf ${WORK}/two.elf)
pack(0 "" ${WORK}/one.elf ${WORK}/two.elf -o ${WORK}/many --split)
expect_files(${WORK}/many one_rel.bin one_rel_params.bin two_rel.bin two_rel_params.bin)

# Containers in the parameters.
pack(0 "" ${MODELS}/blobs_in_params/4.x/model.elf -o ${WORK}/out/b.bin --ecblob-in-params --generation 4.x)

# Mistakes: exit code 2, one line of cause, and what was there before stays.
file(WRITE ${WORK}/keep/old.bin "precious")
pack(2 "of generation 3.0, not 2.2" ${elf} -o ${WORK}/keep/old.bin --generation 2.2)
pack(2 "cannot read" ${WORK}/missing.elf -o ${WORK}/keep/old.bin)
pack(2 "is not an ELF file" ${WORK}/out/a.bin -o ${WORK}/keep/old.bin)
pack(2 "no pool of that name" ${elf} -o ${WORK}/keep/old.bin --pool nope=${WORK}/flash.raw)
pack(2 "not of the form NAME=FILE" ${elf} -o ${WORK}/keep/old.bin --pool flash)
pack(2 "no epoch-controller container" ${elf} -o ${WORK}/keep/old.bin --ecblob-in-params)
pack(2 "--c-name without" ${elf} -o ${WORK}/keep/old.bin --c-name x)
pack(2 "written twice" ${elf} -o ${WORK}/keep/old.bin --split=${WORK}/keep/old.bin)
pack(2 "over its own input" ${WORK}/one.elf -o ${WORK}/one.elf)
pack(2 "cannot create" ${elf} -o ${WORK}/nowhere/x.bin)
pack(2 "is not a folder" ${WORK}/one.elf ${WORK}/two.elf -o ${WORK}/keep/old.bin)
pack(2 "name one file" ${WORK}/one.elf ${WORK}/two.elf -o ${WORK}/many --report ${WORK}/keep/r.json)
file(COPY_FILE ${elf} ${WORK}/many/one.elf)
pack(2 "would both become one_rel.bin" ${WORK}/one.elf ${WORK}/many/one.elf -o ${WORK}/keep)
pack(2 "generation" ${elf} -o ${WORK}/keep/old.bin --generation 5)
pack(2 "" ${elf})
expect_files(${WORK}/keep old.bin)
file(READ ${WORK}/keep/old.bin old)
if(NOT old STREQUAL "precious")
  message(SEND_ERROR "a failed pack changed its output file")
endif()
