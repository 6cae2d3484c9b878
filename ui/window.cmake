# SPDX-License-Identifier: GPL-3.0-or-later
# The window: one library, to which each folder adds its own sources, and the program.
add_library(gpuledger_ui STATIC navigation.cpp format/local/language.cpp format/local/localphrase.cpp format/local/connectortexts.cpp format/local/localtext.cpp format/local/numbertext.cpp format/local/pricetext.cpp)
foreach(folder viewmodels pages dialogs export window)
  add_subdirectory(${folder})
endforeach()
set_target_properties(gpuledger_ui PROPERTIES AUTOMOC ON)
target_link_libraries(gpuledger_ui PUBLIC gpuledger_app gpuledger_format gpuledger_widgets Qt6::Widgets Qt6::PrintSupport
  Qt6::Network Qt6::DBus)
gpuledger_translations(gpuledger_ui "${CMAKE_SOURCE_DIR}/translations/gpuledger_de.ts"
  "${CMAKE_SOURCE_DIR}/translations/gpuledger_en.ts")
gpuledger_handbook(gpuledger_ui)
gpuledger_unity(gpuledger_ui)
gpuledger_precompile(window gpuledger_ui)

add_executable(gpuledger main.cpp startoptions.cpp)
target_link_libraries(gpuledger PRIVATE gpuledger_ui gpuledger_connectors)
target_compile_definitions(gpuledger PRIVATE GPULEDGER_VERSION="${PROJECT_VERSION}")
