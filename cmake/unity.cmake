# SPDX-License-Identifier: GPL-3.0-or-later
# Unity builds: several sources of one folder are compiled as one, so that headers are parsed and templates instantiated once for all of
# them. On in the presets that build everything (release, bench, asan, tsan, cli-only); off in `dev` and `tidy`, where each file is
# compiled by itself and so still has to include what it uses.
option(GPULEDGER_UNITY "Compile the sources of a folder together" OFF)
set(GPULEDGER_UNITY_SIZE 10 CACHE STRING "At most so many sources in one compilation")

# gpuledger_alone(TARGET FILE...): sources of this folder that are compiled by themselves, because they share names of their own (in an
# unnamed namespace) with their neighbours.
function(gpuledger_alone target)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set_property(TARGET ${target} APPEND PROPERTY GPULEDGER_ALONE ${ARGN})
endfunction()

# gpuledger_unity(TARGET): to be called when TARGET has all its sources.
function(gpuledger_unity target)
  if(NOT GPULEDGER_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(alone ${target} GPULEDGER_ALONE)
  set(folders "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT source MATCHES "\\.cpp$" OR source IN_LIST alone)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND of_${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    list(SORT of_${folder})
    list(LENGTH of_${folder} count)
    math(EXPR groups "(${count} + ${GPULEDGER_UNITY_SIZE} - 1) / ${GPULEDGER_UNITY_SIZE}")
    math(EXPR size "(${count} + ${groups} - 1) / ${groups}")
    foreach(index RANGE 1 ${count})
      math(EXPR at "${index} - 1")
      math(EXPR group "${at} / ${size}")
      list(GET of_${folder} ${at} source)
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}_${group}")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
