# SPDX-License-Identifier: Apache-2.0
# What `n6vp generate --target` refuses, before anything is written; the static form compiles with an application.
# Variables: N6VP, NETWORKS, WORK (scratch), GXX.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(network ${NETWORKS}/ad01_int8.tflite)
function(refused pattern)
  execute_process(COMMAND ${N6VP} generate ${network} -o ${WORK}/no ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 2 OR NOT err MATCHES "${pattern}")
    message(SEND_ERROR "generate ${ARGN}: exit code ${code}, stderr lacks '${pattern}':\n${err}")
  endif()
  if(EXISTS ${WORK}/no)
    message(SEND_ERROR "generate ${ARGN}: left a folder")
  endif()
endfunction()
refused("no target 'stm32h8'.*did you mean stm32h7.*cortex-m55" --target stm32h8)
refused("install gcc-arm-none-eabi" --target stm32l4 --compiler ${WORK}/missing-gcc)
refused("--generation with --target stm32l4" --target stm32l4 --generation 3.0)
# An option that was never given was to be left out.
refused("--form does not apply to the STM32N6, the default target\n.*add --target with another target, or leave --form out" --form static)
refused("--name does not apply to the STM32N6\n.*leave --name out" --name kws --target stm32n6)
refused("lower-case letter" --target stm32l4 --name Net)
refused("inside.*apart" --target stm32l4 --weights npuRAM6)

# It was a failure of the disk, exit code 7.
file(WRITE ${WORK}/file "")
foreach(target stm32n6 stm32l4)
  foreach(place file file/below)
    execute_process(COMMAND ${N6VP} generate ${network} -o ${WORK}/${place} --target ${target}
      RESULT_VARIABLE code ERROR_VARIABLE err)
    if(NOT code EQUAL 2 OR NOT err MATCHES "-o: .*/${place} is not a folder\n +name a writable folder")
      message(SEND_ERROR "generate -o ${place} --target ${target}: exit code ${code}:\n${err}")
    endif()
  endforeach()
endforeach()

execute_process(COMMAND ${N6VP} generate ${network} -o ${WORK}/static --target stm32u5 --form static --name ad
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
string(REGEX REPLACE "g\\+\\+$" "gcc" gcc "${GXX}")
file(WRITE ${WORK}/main.c "#include \"ad.h\"\n#include \"ad_data.h\"
static ai_u8 room[AI_AD_DATA_ACTIVATIONS_SIZE];
int main(void);\nint main(void) {
    ai_handle network = AI_HANDLE_NULL;\n    const ai_handle activations[] = {AI_HANDLE_PTR(room)};
    return ai_ad_create_and_init(&network, activations, NULL).type != AI_ERROR_NONE ||
           ai_ad_run(network, ai_ad_inputs_get(network, NULL), ai_ad_outputs_get(network, NULL)) != 1;\n}\n")
file(GLOB sources ${WORK}/static/*.c)
execute_process(COMMAND ${gcc} -mcpu=cortex-m33 -mthumb -mfloat-abi=hard -O2 -std=c11 -Wall -Wextra -Werror -I${WORK}/static
    --specs=nosys.specs -Wl,--no-warnings -o ${WORK}/application.elf ${WORK}/main.c ${sources}
  RESULT_VARIABLE code ERROR_VARIABLE err)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the static form does not compile:\n${err}")
endif()

# Weights in a file of their own; a later run without them removes it.
execute_process(COMMAND ${N6VP} generate ${network} -o ${WORK}/apart --target stm32f7 --weights apart COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
if(NOT EXISTS ${WORK}/apart/network_data.bin)
  message(SEND_ERROR "--weights apart: no network_data.bin")
endif()
execute_process(COMMAND ${N6VP} check ${WORK}/apart/network_rel.bin --params ${WORK}/apart/network_data.bin
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${N6VP} generate ${network} -o ${WORK}/apart --target stm32f7 COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
if(EXISTS ${WORK}/apart/network_data.bin)
  message(SEND_ERROR "weights of an older model stay")
endif()
