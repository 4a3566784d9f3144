# SPDX-License-Identifier: Apache-2.0
# Compiles applications of the embedded client API as a project outside would: their sources copied to FOLDER, headers of
# HEADERS only (the installed capi folder). APPS: scenarios/apps. C for a Cortex-M where the compiler is, C++ with CXX.
find_program(N6VP_OUTSIDE_GCC arm-none-eabi-gcc)
set(warnings -Wall -Wextra -pedantic -Werror)

foreach(header ai_platform.h ai_platform_interface.h ai_datatypes_defines.h ai_buffer_format.h ai_reloc_network.h)
  if(NOT EXISTS ${HEADERS}/${header})
    message(FATAL_ERROR "not installed: ${header}")
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
foreach(app static relocatable split_weights several_activations observers double_buffering)
  file(COPY ${APPS}/${app}/${app}.c DESTINATION ${FOLDER})
  list(APPEND sources ${FOLDER}/${app}.c)
endforeach()
file(GLOB headers ${APPS}/networks/*.h ${APPS}/start/*.h)
file(COPY ${headers} DESTINATION ${FOLDER})
file(WRITE ${FOLDER}/application.cpp "#include \"ai_reloc_network.h\"\n#include \"dense_data.h\"\n"
  "ai_error start(ai_handle* network, const ai_handle* places) {\n"
  "    return ai_dense_create_and_init(network, places, AI_DENSE_DATA_WEIGHTS_TABLE_GET());\n}\n")

if(N6VP_OUTSIDE_GCC)
  foreach(source ${sources})
    execute_process(COMMAND ${N6VP_OUTSIDE_GCC} -mcpu=cortex-m4 -mthumb -std=c11 ${warnings} -I${HEADERS} -c ${source} -o ${source}.o
      RESULT_VARIABLE code ERROR_VARIABLE output)
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "does not compile against the installed headers: ${source}\n${output}")
    endif()
  endforeach()
endif()
execute_process(COMMAND ${CXX} -std=c++20 ${warnings} -I${HEADERS} -fsyntax-only ${FOLDER}/application.cpp
  RESULT_VARIABLE code ERROR_VARIABLE output)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "C++ does not compile against the installed headers:\n${output}")
endif()
