# SPDX-License-Identifier: GPL-3.0-or-later
# One target has the language standard, warnings, hardening and sanitizers; every other target links it.
add_library(gpuledger_options INTERFACE)
target_compile_features(gpuledger_options INTERFACE cxx_std_20)
target_include_directories(gpuledger_options INTERFACE "${CMAKE_SOURCE_DIR}")
option(GPULEDGER_QUICK "Compile in less time: without a warning that needs the optimizer, and the command line unoptimized" OFF)
target_compile_options(gpuledger_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $<$<NOT:$<BOOL:${GPULEDGER_QUICK}>>:-Wnull-dereference>
  -Wimplicit-fallthrough -Wno-unused-parameter -fstack-protector-strong -fno-omit-frame-pointer)
target_compile_definitions(gpuledger_options INTERFACE
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_KEYWORDS QT_NO_FOREACH QT_NO_URL_CAST_FROM_STRING
  QT_USE_QSTRINGBUILDER QT_DISABLE_DEPRECATED_BEFORE=0x060400 SPDLOG_FMT_EXTERNAL)
target_link_libraries(gpuledger_options INTERFACE tl::expected Threads::Threads)
if(GPULEDGER_WERROR)
  target_compile_options(gpuledger_options INTERFACE -Werror)
endif()
# Take a third of the compile time and double the code. A null pointer ends the program without them, and AddressSanitizer finds accesses
# beyond an object. `cmake --preset asan -DGPULEDGER_OMITTED_CHECKS=` before `./dev test` builds with all checks.
set(GPULEDGER_OMITTED_CHECKS "null,alignment,object-size,vptr,pointer-overflow" CACHE STRING "Checks of UndefinedBehaviorSanitizer that are left out")
if(GPULEDGER_SANITIZE)
  set(checks -fsanitize=${GPULEDGER_SANITIZE} -fno-sanitize-recover=all)
  if(GPULEDGER_SANITIZE MATCHES "undefined" AND GPULEDGER_OMITTED_CHECKS)
    list(APPEND checks -fno-sanitize=${GPULEDGER_OMITTED_CHECKS})
  endif()
  if(GPULEDGER_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It would register 420,000 constants, most of them of UndefinedBehaviorSanitizer, whenever the command line starts. The parsers' constants
    # are checked in the fuzz targets.
    list(APPEND checks --param=asan-globals=0)
  endif()
  target_compile_options(gpuledger_options INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:GPULEDGER_UNSANITIZED>>>:${checks}>")
  target_link_options(gpuledger_options INTERFACE -fsanitize=${GPULEDGER_SANITIZE})
  # gcc reports this warning falsely in sanitized code.
  target_compile_options(gpuledger_options INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized)
else()
  target_compile_definitions(gpuledger_options INTERFACE $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
endif()
if(GPULEDGER_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A position-independent program with sanitizers has 2.6 million relocations, a third of the time that it takes to start.
  target_link_options(gpuledger_options INTERFACE -no-pie)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Collecting garbage takes a tenth of the compile time with the default of 128 MiB.
  target_compile_options(gpuledger_options INTERFACE --param=ggc-min-heapsize=1048576)
endif()
find_program(GPULEDGER_MOLD mold)
if(GPULEDGER_MOLD)
  target_link_options(gpuledger_options INTERFACE -fuse-ld=mold)
endif()

# gpuledger_unoptimized(TARGET...): in builds with sanitizers, code that takes little of the tests' processor time is not optimized, which
# halves its compile time. The rest of the engine and the connectors that read much are: most of the tests wait for them.
function(gpuledger_unoptimized)
  if(GPULEDGER_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -O0)
    endforeach()
  endif()
endfunction()

# gpuledger_light_rooms(TARGET ROOM|ROOM...): moves the sources of these rooms of TARGET into TARGET_light, an object library whose objects TARGET
# keeps. The tests don't wait for this code, so it is compiled by itself, unoptimized in builds with sanitizers (precompiled headers `light`).
function(gpuledger_light_rooms target rooms)
  get_target_property(sources ${target} SOURCES)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set(light ${sources})
  list(FILTER light INCLUDE REGEX "/${folder}/(${rooms})/")
  list(FILTER sources EXCLUDE REGEX "/${folder}/(${rooms})/")
  add_library(${target}_light OBJECT ${light})
  set_target_properties(${target} PROPERTIES SOURCES "${sources};$<TARGET_OBJECTS:${target}_light>")
endfunction()

# gpuledger_without_stack_checks(TARGET...): AddressSanitizer doesn't guard the stack of the code that takes most of the tests' processor time:
# it compiles in two thirds of the time and runs a fifth faster. The connectors, the window and the command line are guarded, and what parses
# is again in the fuzz targets. `cmake --preset asan -DGPULEDGER_STACK_CHECKS=ON` before `./dev test` guards everything.
option(GPULEDGER_STACK_CHECKS "Guard the stack of the whole engine in builds with AddressSanitizer" OFF)
function(gpuledger_without_stack_checks)
  if(GPULEDGER_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT GPULEDGER_STACK_CHECKS)
    foreach(target ${ARGN})
      # gcc reports these warnings falsely in such code, in the constructor of a string.
      target_compile_options(${target} PRIVATE --param=asan-stack=0 -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
    endforeach()
  endif()
endfunction()

# gpuledger_unsanitized(TARGET...): the code of tests is compiled without AddressSanitizer, which takes half of its compile time. What it calls
# in the product is checked, and so is all memory for leaks. ThreadSanitizer must see everything.
function(gpuledger_unsanitized)
  if(GPULEDGER_SANITIZE MATCHES "address")
    set_target_properties(${ARGN} PROPERTIES GPULEDGER_UNSANITIZED ON)
  endif()
endfunction()
