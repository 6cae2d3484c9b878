# SPDX-License-Identifier: GPL-3.0-or-later
# gpuledger_translations(TARGET FILE.ts...): compiles the translations into TARGET, readable under :/i18n.
function(gpuledger_translations target)
  set(folder "${CMAKE_BINARY_DIR}/translations")
  set_source_files_properties(${ARGN} PROPERTIES OUTPUT_LOCATION "${folder}")
  qt_add_lrelease(${target} TS_FILES ${ARGN} QM_FILES_OUTPUT_VARIABLE compiled OPTIONS -silent)
  qt_add_resources(${target} translations PREFIX /i18n BASE "${folder}" FILES ${compiled})
endfunction()
