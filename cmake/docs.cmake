# SPDX-License-Identifier: Apache-2.0
# Target docs: the reference of models and loader as HTML, in docs/html of the build folder. A warning is an error.
find_program(N6VP_DOXYGEN doxygen)
if(NOT N6VP_DOXYGEN)
  return()
endif()
add_custom_target(docs
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
  COMMAND ${CMAKE_COMMAND} -E env N6VP_DOCS=${PROJECT_BINARY_DIR}/docs ${N6VP_DOXYGEN} Doxyfile
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Reference: ${PROJECT_BINARY_DIR}/docs/html/index.html" VERBATIM)
