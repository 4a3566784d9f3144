# SPDX-License-Identifier: Apache-2.0
# Run by CTest. Installs the build tree below a DESTDIR, checks what arrived and that nothing names the build or
# source folder, then configures, builds and runs an outside project against it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed (${code}): ${ARGN}\n${output}")
  endif()
  set(run_output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(stage ${WORK_DIR}/stage)
set(ENV{DESTDIR} ${stage})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix /opt/n6vp)
unset(ENV{DESTDIR})
set(root ${stage}/opt/n6vp)

foreach(glob
    bin/n6vp share/man/man1/n6vp.1 share/man/man1/n6vp-run.1 share/bash-completion/completions/n6vp
    share/zsh/site-functions/_n6vp share/fish/vendor_completions.d/n6vp.fish include/n6vp/loader/install.h
    include/n6vp/loader/capi/ll_aton_reloc_network.h include/n6vp/models/chip/stm32n6.h include/n6vp/memmap/regions.h
    include/n6vp/loader/legacy/capi/ai_platform.h include/n6vp/loader/legacy/capi/ai_reloc_network.h
    include/n6vp/loader/legacy/capi/ai_platform_interface.h include/n6vp/loader/legacy/capi/ai_datatypes_defines.h
    share/n6vp/source/loader/legacy/capi/capi.cpp share/n6vp/source/network/client_network.c
    lib*/libn6vp_loader.a lib*/libn6vp_loader_legacy.a lib*/cmake/n6vp/n6vp-config.cmake
    lib/*/libn6vp_loader.a lib/*/libn6vp_loader_legacy.a lib/*/cmake/n6vp/n6vp-config.cmake)
  file(GLOB found ${root}/${glob})
  if(found)
    list(APPEND seen ${glob})
  elseif(NOT glob MATCHES "^lib")
    message(FATAL_ERROR "not installed: ${glob}")
  endif()
endforeach()
if(NOT "${seen}" MATCHES "libn6vp_loader.a" OR NOT "${seen}" MATCHES "libn6vp_loader_legacy.a" OR NOT "${seen}" MATCHES "n6vp-config.cmake")
  message(FATAL_ERROR "static loader or CMake package not installed; found: ${seen}")
endif()

file(GLOB_RECURSE everything ${stage}/*)
foreach(file ${everything})
  if(NOT file MATCHES "^${root}/")
    message(FATAL_ERROR "installed outside the prefix: ${file}")
  endif()
endforeach()
file(GLOB_RECURSE package_files ${root}/*.cmake)
foreach(file ${package_files})
  file(READ ${file} text)
  string(FIND "${text}" "${BUILD_DIR}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()

run(${root}/bin/n6vp --version)
if(NOT run_output MATCHES "${VERSION}")
  message(FATAL_ERROR "n6vp --version does not print ${VERSION}: ${run_output}")
endif()

# With its firmware it runs models from where it is installed.
set(model ${BUILD_DIR}/scenarios/models/user_io/3.0/network_rel.bin)
if(EXISTS ${BUILD_DIR}/arm/loader/firmware/n6vp_firmware_chip.elf AND EXISTS ${model})
  run(${root}/bin/n6vp run ${model})
  if(NOT run_output MATCHES "inference 1: ")
    message(FATAL_ERROR "the installed tool does not run a model: ${run_output}")
  endif()
endif()

run(${CMAKE_COMMAND} -DHEADERS=${root}/include/n6vp/loader/legacy/capi -DAPPS=${EXAMPLES_DIR}/../scenarios/apps
  -DFOLDER=${WORK_DIR}/embedded_client -DCXX=${CXX_COMPILER} -P ${CMAKE_CURRENT_LIST_DIR}/embedded_client.cmake)

# Each example as a project of its own. The generator of this tree: CMake's default is make, which a machine with ninja
# need not have.
function(build_example name)
  run(${CMAKE_COMMAND} -S ${EXAMPLES_DIR}/${name} -B ${WORK_DIR}/${name} -G ${GENERATOR}
    -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM} -DCMAKE_PREFIX_PATH=${root}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DN6VP_SANITIZE=${SANITIZE} -DCMAKE_BUILD_TYPE=Release)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${name})
  run(${WORK_DIR}/${name}/example_${name})
  set(run_output "${run_output}" PARENT_SCOPE)
endfunction()
build_example(loader)
build_example(systemc)
# Names of the hierarchy, and a bandwidth that two RAMs on the NOC can have: 64-byte bursts, one at a time.
if(NOT run_output MATCHES "traffic: 16384 bytes in [0-9.]+ us, ([0-9.]+) MB/s\nchip.core stands still; the copy is right")
  message(FATAL_ERROR "examples/systemc prints: ${run_output}")
endif()
if(CMAKE_MATCH_1 LESS 100 OR CMAKE_MATCH_1 GREATER 3200)
  message(FATAL_ERROR "examples/systemc copies ${CMAKE_MATCH_1} MB/s")
endif()

# An application of the older family, from the installed sources and headers, for a chip with a Cortex-M33.
set(model ${BUILD_DIR}/scenarios/models/legacy)
find_program(arm_gcc arm-none-eabi-gcc)
find_program(arm_gxx arm-none-eabi-g++)
if(arm_gcc AND arm_gxx AND EXISTS ${model}/dense/cortex-m33-crc/network_rel.bin)
  set(app ${WORK_DIR}/app)
  file(COPY ${APPS_DIR}/start ${APPS_DIR}/networks ${APPS_DIR}/observers DESTINATION ${app})
  file(COPY ${APPS_DIR}/../models/legacy/dense.c DESTINATION ${app}/networks)
  set(source ${root}/share/n6vp/source)
  file(GLOB loader ${source}/loader/legacy/*.cpp ${source}/loader/legacy/capi/*.cpp)
  file(GLOB start ${app}/start/*.c)
  set(cpu -mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard -ffreestanding -ffunction-sections -fdata-sections -O1
    -Wall -Wextra -Wpedantic -Werror)
  set(c -std=c11 -I${root}/include/n6vp/loader/legacy/capi -I${source}/network -I${app}/networks -I${app}/start)
  run(${arm_gxx} ${cpu} -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -I${root}/include/n6vp -r -nostdlib
    -o ${app}/loader.o ${loader} ${source}/loader/container/diagnosis.cpp ${source}/loader/install/direct_port.cpp)
  run(${arm_gcc} ${cpu} ${c} -DN6VP_CLIENT_NAME=dense -c ${app}/networks/dense.c -o ${app}/dense.o)
  run(${arm_gcc} ${cpu} ${c} -DBOARD_M33 "-DAPP_MODELS=\"${model}\"" "-DAPP_CORE=\"cortex-m33\"" -DN6VP_LEGACY_CRC -nostdlib
    -nostartfiles -Wl,--gc-sections -Wl,-T,${app}/start/board.ld -o ${app}/observers.elf ${app}/observers/observers.c ${start}
    ${source}/network/legacy_network.c ${source}/network/client_network.c ${app}/dense.o ${app}/loader.o -lgcc)
  run(${root}/bin/n6vp run --chip u575 --elf ${app}/observers.elf --quiet --max-time 1s)
  if(NOT run_output MATCHES "calls 00000009 00000003 00000003")
    message(FATAL_ERROR "the application from the installed tree prints: ${run_output}")
  endif()
endif()
