# SPDX-License-Identifier: Apache-2.0
# Writes a C++ source with the text of FILES: `n6vp generate` compiles models with them, wherever it
# is installed. Called with -DFILES=a;b -DFUNCTION=name -DTABLE=kName -DOUTPUT=file.
set(text "// SPDX-License-Identifier: Apache-2.0\n// Written by sim/generate/emit/embed_files.cmake.\n")
string(APPEND text "#include \"sim/generate/emit/glue_files.h\"\n\nnamespace n6vp::sim::generate {\n\n")
# The table stands outside of the function: clang-tidy counts the lines of a function.
string(APPEND text "namespace {\n\nconstexpr GlueFile ${TABLE}[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"glue(${content})glue\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\nstd::span<const GlueFile> ${FUNCTION}() {\n    return ${TABLE};\n}\n\n}  // namespace n6vp::sim::generate\n")
file(WRITE ${OUTPUT} "${text}")
