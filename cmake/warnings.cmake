# SPDX-License-Identifier: Apache-2.0
# One interface target carries the compile options of every target of this project.
add_library(n6vp_options INTERFACE)
target_compile_features(n6vp_options INTERFACE cxx_std_20)
target_include_directories(n6vp_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
option(N6VP_WERROR "Treat warnings as errors" ON)
# -ffp-contract=off: results must not depend on the host having fused multiply-add.
target_compile_options(n6vp_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off $<$<BOOL:${N6VP_WERROR}>:-Werror>)

option(N6VP_COVERAGE "Count the lines and branches that run (gcov)" OFF)
if(N6VP_COVERAGE)
  # Tests of one program run at the same time and share its counters.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

set(N6VP_SANITIZE "" CACHE STRING "Value of -fsanitize= for every target, empty for none")
if(N6VP_SANITIZE)
  add_compile_options(-fsanitize=${N6VP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${N6VP_SANITIZE})
  find_program(N6VP_LLD NAMES ld.lld ld.lld-14)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND N6VP_LLD)
    add_link_options(-fuse-ld=lld)  # a third of the time
  endif()
  # Shared, as gcc has it: sim/cli/asan_stacks.cpp stands between SystemC and the runtime. libFuzzer's programs have no
  # SystemC threads, and clang 14's shared runtime of ThreadSanitizer does not start before libstdc++.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT N6VP_FUZZ AND NOT N6VP_SANITIZE STREQUAL "thread")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir
      OUTPUT_VARIABLE runtime_dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    add_link_options(-shared-libsan -Wl,-rpath,${runtime_dir})
  endif()
endif()
