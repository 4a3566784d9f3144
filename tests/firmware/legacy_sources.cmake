# SPDX-License-Identifier: Apache-2.0
# The loader of the older family, for each of its cores and policies from one compiler command line: freestanding, without
# variables, and smaller than LIMIT bytes of code and constants.
if(GXX STREQUAL "")
  message("skipped: arm-none-eabi-g++ is not installed")
  return()
endif()
string(REGEX REPLACE "g\\+\\+$" "" prefix "${GXX}")
file(GLOB sources ${SOURCE}/loader/legacy/*.cpp ${SOURCE}/loader/legacy/capi/*.cpp)
list(LENGTH sources count)
if(count LESS 10)
  message(FATAL_ERROR "no sources found in ${SOURCE}/loader/legacy")
endif()
# Names of rules are linked by programs that ask for them.
list(FILTER sources EXCLUDE REGEX "/rule_name.cpp$")
list(APPEND sources ${SOURCE}/loader/container/diagnosis.cpp ${SOURCE}/loader/install/direct_port.cpp)
file(MAKE_DIRECTORY ${FOLDER})

foreach(core "cortex-m4|-mfpu=fpv4-sp-d16|-DAI_RELOC_MALLOC=own_malloc|-DAI_RELOC_FREE=own_free|-include|${FOLDER}/heap.h" cortex-m33
    "cortex-m7|-mfpu=fpv5-d16|-DN6VP_RELOC_POLICY_COMPAT")
  string(REPLACE "|" ";" options "${core}")
  file(WRITE ${FOLDER}/headers.c "#include \"ai_datatypes_defines.h\"\n#include \"ai_platform_interface.h\"\n"
    "#include \"ai_reloc_network.h\"\nconst ai_u32 one = AI_SHAPE_CHANNEL;\n")
  file(WRITE ${FOLDER}/heap.h "void* own_malloc(unsigned); void own_free(void*);\n")
  list(POP_FRONT options name)
  execute_process(
    COMMAND ${GXX} -std=c++20 -mcpu=${name} -mthumb -mfloat-abi=hard ${options} -Os -Wall -Wextra -Werror -fno-exceptions -fno-rtti
      -fno-threadsafe-statics -ffreestanding -I${SOURCE} -r -nostdlib -o ${FOLDER}/${name}.o ${sources}
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name}: the sources do not compile")
  endif()
  # An application, which may be C or C++. One core tries the other standards.
  set(languages "c|-std=c11" "c++|-std=c++20")
  if(name STREQUAL "cortex-m4")
    list(APPEND languages "c|-std=gnu17" "c++|-std=c++11")
  endif()
  foreach(language IN LISTS languages)
    string(REPLACE "|" ";" language "${language}")
    execute_process(
      COMMAND ${GXX} -x ${language} -mcpu=${name} -mthumb -mfloat-abi=hard -Os -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror
        -I${SOURCE}/loader/legacy/capi -c -o ${FOLDER}/client.o ${SOURCE}/tests/firmware/legacy_client.c
      RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "${name}: the client API does not compile as documented")
    endif()
  endforeach()
  execute_process(COMMAND ${GXX} -x c -std=c99 -mcpu=${name} -mthumb -mfloat-abi=hard -Wall -Wextra -pedantic -Werror
      -I${SOURCE}/loader/legacy/capi -c -o ${FOLDER}/headers.o ${FOLDER}/headers.c
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name}: the headers are not C99")
  endif()
  execute_process(COMMAND ${prefix}nm -u ${FOLDER}/${name}.o OUTPUT_VARIABLE undefined)
  string(REGEX MATCHALL "U [^\n]+" undefined "${undefined}")
  list(FILTER undefined EXCLUDE REGEX "^U (memcpy|memmove|memset|memcmp|__aeabi_.*|_Z10own_malloc.*|_Z8own_free.*)$")
  if(undefined)
    message(FATAL_ERROR "${name}: undefined symbols: ${undefined}")
  endif()
  execute_process(COMMAND ${prefix}size ${FOLDER}/${name}.o OUTPUT_VARIABLE sizes)
  string(REGEX MATCH "\n *([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)" found "${sizes}")
  if(NOT found OR NOT CMAKE_MATCH_2 EQUAL 0 OR NOT CMAKE_MATCH_3 EQUAL 0)
    message(FATAL_ERROR "${name}: has variables: ${sizes}")
  endif()
  message("${name}: ${CMAKE_MATCH_1} bytes of code and constants")
  if(NOT CMAKE_MATCH_1 LESS LIMIT)
    message(FATAL_ERROR "${name}: the limit is ${LIMIT}")
  endif()
endforeach()
