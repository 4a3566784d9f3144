# SPDX-License-Identifier: Apache-2.0
# A job file that cannot be followed ends the firmware with exit code 1 and says which job; nothing hangs.
if(QEMU STREQUAL "")
  message("skipped: qemu-system-arm or arm-none-eabi-g++ is not installed")
  return()
endif()
file(MAKE_DIRECTORY ${FOLDER})

function(expect code text)
  string(REPLACE "\\n" "\n" job "${ARGN}")
  file(WRITE ${FOLDER}/jobs.txt "${job}\n")
  execute_process(
    COMMAND ${QEMU} -M mps3-an547 -nographic -monitor none -serial none
      -semihosting-config enable=on,target=native,arg=firmware,arg=jobs.txt -kernel ${PROGRAM}
    WORKING_DIRECTORY ${FOLDER} INPUT_FILE /dev/null OUTPUT_VARIABLE out ERROR_VARIABLE out
    RESULT_VARIABLE result TIMEOUT 300)
  string(FIND "${out}" "${text}" at)
  if(NOT result EQUAL ${code} OR at EQUAL -1)
    message(FATAL_ERROR "'${ARGN}': exit code ${result} instead of ${code}, or no '${text}' in: ${out}")
  endif()
  message("ok: ${text}")
endfunction()

expect(0 "map 0x60000000:0x80000000" "map")
expect(0 "map " "# a comment\\n\\nmap\\nquit\\nnot reached")
expect(1 "error: unknown job" "format")
expect(1 "error: fill: range" "fill 0x20000000 4 0")
expect(1 "error: fill: range" "fill 0xDFFFFFFF 2 0")
expect(1 "error: fill: range" "fill 0xFFFFFFFF 0xFFFFFFFF 0")
expect(1 "error: fill: range" "fill 0x60000000 -1 0")
expect(1 "error: fill: byte" "fill 0x60000000 4 256")
expect(1 "error: load: arguments" "load jobs.txt")
expect(1 "error: load: cannot open the file" "load missing.bin 0x60000000")
expect(1 "error: load: no memory there" "load jobs.txt 0x5FFFFFFF")
expect(1 "error: dump: arguments or range" "dump out.bin 0x0 16")
expect(1 "error: dump: cannot open the file" "dump missing/out.bin 0x60000000 16")
expect(1 "error: install: color" "install color=1")
expect(1 "error: install: file" "install file=0x1G")
expect(1 "error: install: grant" "install grant=0x60000000")
expect(1 "error: install: policy" "install policy=lenient")
expect(1 "error: install: generation" "install generation=5")
string(REPEAT "x" 1100 long)
expect(1 "error: line too long" "# ${long}")
# A refused install is a result and not an error: nothing is installed at 0, and the next job still runs.
expect(0 "install status=1" "install file=0x60000000 generation=2.2 mode=1 exec=0x64000000 exec_bytes=4096 instance=0x66000000\\nmap")
