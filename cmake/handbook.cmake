# SPDX-License-Identifier: GPL-3.0-or-later
# The handbook: all docs/*.md and docs/pages/*.md. The window reads it from :/handbook, and it is installed with the program.
file(GLOB GPULEDGER_HANDBOOK CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/docs"
  "${CMAKE_SOURCE_DIR}/docs/*.md" "${CMAKE_SOURCE_DIR}/docs/pages/*.md")

# gpuledger_handbook(TARGET): compiles the chapters into TARGET.
function(gpuledger_handbook target)
  list(TRANSFORM GPULEDGER_HANDBOOK PREPEND "${CMAKE_SOURCE_DIR}/docs/" OUTPUT_VARIABLE chapters)
  qt_add_resources(${target} handbook PREFIX /handbook BASE "${CMAKE_SOURCE_DIR}/docs" FILES ${chapters})
endfunction()

function(gpuledger_install_handbook)
  foreach(chapter ${GPULEDGER_HANDBOOK})
    cmake_path(GET chapter PARENT_PATH folder)
    install(FILES "${CMAKE_SOURCE_DIR}/docs/${chapter}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/handbook/${folder}"
      COMPONENT handbook)
  endforeach()
endfunction()
