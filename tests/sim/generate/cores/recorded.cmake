# SPDX-License-Identifier: Apache-2.0
# For the scripts of this folder: commands that must succeed, and recordings of the TFLite interpreter.
# Runs a command; its standard output is `out`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: exit code ${code}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()
# Returns where the elements of an .npy file of version 1 begin.
function(elements_start file result)
  file(READ ${file} header OFFSET 8 LIMIT 2 HEX)
  string(REGEX REPLACE "(..)(..)" "\\2\\1" header ${header})
  math(EXPR start "0x${header} + 10")
  set(${result} ${start} PARENT_SCOPE)
endfunction()
# Returns the elements of an .npy file of bytes, as hexadecimal text.
function(elements file result)
  elements_start(${file} start)
  file(READ ${file} bytes OFFSET ${start} HEX)
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
# Writes the elements alone.
function(write_elements file to)
  elements_start(${file} start)
  math(EXPR first "${start} + 1")
  execute_process(COMMAND tail -c +${first} ${file} OUTPUT_FILE ${to} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
