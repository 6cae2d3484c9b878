# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of a folder are one program, bin/tests_FOLDER. Each tst_*.cpp in it is a suite, which is run by name with its own process, HOME
# and XDG folders (tests/support/suite.h).

# gpuledger_tests(engine|window LIBS...): defines the program of this folder with its precompiled headers and libraries.
function(gpuledger_tests kind)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set(GPULEDGER_TESTS_PROGRAM "tests_${folder}" PARENT_SCOPE)
  set(GPULEDGER_TESTS_HEADERS "${kind}" PARENT_SCOPE)
  set(GPULEDGER_TESTS_LIBS "${ARGN}" PARENT_SCOPE)
endfunction()

# gpuledger_suites(NAME... [FOLDER subfolder] [SOURCES file...] [TIMEOUT s] [COST s] [LABELS label...] [ENV NAME=value...]): compiles NAME.cpp of this
# folder, or of its subfolder, into the program of this folder and adds the test NAME. A build for ThreadSanitizer has only the suites
# labelled `tsan`. COST is about what the last complete run took, for the longest suites only: ctest starts them first also in a new build folder,
# so that none of them runs alone at the end.
function(gpuledger_suites)
  cmake_parse_arguments(T "" "TIMEOUT;COST;FOLDER" "SOURCES;LABELS;ENV" ${ARGN})
  if(GPULEDGER_SANITIZE STREQUAL "thread" AND NOT "tsan" IN_LIST T_LABELS)
    return()
  endif()
  set(program ${GPULEDGER_TESTS_PROGRAM})
  if(NOT TARGET ${program})
    gpuledger_test_program(${program})
  endif()
  target_sources(${program} PRIVATE ${T_SOURCES})
  foreach(name ${T_UNPARSED_ARGUMENTS})
    gpuledger_suite(${program} ${name})
  endforeach()
endfunction()

function(gpuledger_test_program program)
  add_executable(${program} "${CMAKE_SOURCE_DIR}/tests/support/suitemain.cpp")
  target_include_directories(${program} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/moc")
  target_link_libraries(${program} PRIVATE gpuledger_options Qt6::Test ${GPULEDGER_TESTS_LIBS})
  if(GPULEDGER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc takes a suite for a header, because it is included, and sees false bounds in strings of tests.
    target_compile_options(${program} PRIVATE -Wno-subobject-linkage -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
  endif()
  gpuledger_precompile(tests_${GPULEDGER_TESTS_HEADERS} ${program})
  gpuledger_unsanitized(${program})
  # All programs with suites. In a build for ThreadSanitizer, these are the few that `./dev test` builds.
  if(NOT TARGET test_programs)
    add_custom_target(test_programs)
  endif()
  add_dependencies(test_programs ${program})
endfunction()

# Suites are compiled a few at a time, because parsing the headers takes more than half of the compile time of one. That is why each suite
# has a namespace with the name of its file.
function(gpuledger_group_suite program file)
  if(NOT GPULEDGER_UNITY)
    return()
  endif()
  get_target_property(count ${program} GPULEDGER_SUITE_COUNT)
  if(NOT count)
    set(count 0)
  endif()
  math(EXPR group "${count} / 6")
  math(EXPR count "${count} + 1")
  set_target_properties(${program} PROPERTIES GPULEDGER_SUITE_COUNT ${count} UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties("${file}" PROPERTIES UNITY_GROUP suites_${group})
endfunction()

# Reads T_TIMEOUT, T_COST, T_FOLDER, T_LABELS and T_ENV of gpuledger_suites.
function(gpuledger_suite program name)
  # Runs moc directly, because AUTOMOC's own work takes longer than moc for each of these files.
  set(file "${name}.cpp")
  if(T_FOLDER)
    set(file "${T_FOLDER}/${file}")
  endif()
  set(moc "${CMAKE_CURRENT_BINARY_DIR}/moc/${name}.moc")
  qt_generate_moc("${file}" "${moc}")
  target_sources(${program} PRIVATE "${file}" "${moc}")
  gpuledger_group_suite(${program} "${file}")

  set(home "${CMAKE_BINARY_DIR}/test-home/${name}")
  file(MAKE_DIRECTORY "${home}/run" "${home}/config" "${home}/data" "${home}/cache" "${home}/state")
  file(CHMOD "${home}/run" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 900)
  endif()
  # QTest ends a function after 5 minutes by itself, which a busy machine needs for a long one: only ctest's limit is meant.
  add_test(NAME ${name} COMMAND ${program} ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}"
    ENVIRONMENT "HOME=${home};XDG_RUNTIME_DIR=${home}/run;XDG_CONFIG_HOME=${home}/config;XDG_DATA_HOME=${home}/data;XDG_CACHE_HOME=${home}/cache;XDG_STATE_HOME=${home}/state;QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=1800000;GPULEDGER_SOURCE_DIR=${CMAKE_SOURCE_DIR};GPULEDGER_BIN_DIR=${CMAKE_BINARY_DIR}/bin;UBSAN_OPTIONS=print_stacktrace=1;${T_ENV}")
  if(T_COST)
    set_tests_properties(${name} PROPERTIES COST ${T_COST})
  endif()
endfunction()
