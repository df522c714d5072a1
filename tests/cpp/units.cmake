# One program of all tests/cpp/test_*.cpp, and one test of CTest for each of them;
# and what fuzzing has found, replayed.
# Who builds all of it at once halves the time by -DCMAKE_UNITY_BUILD=ON, as the
# presets do: what the sources share, Eigen above all, is compiled fewer times.
file(GLOB UNITS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test_*.cpp)
add_executable(core_tests support/main.cpp ${UNITS})

# What the R package calls is an entry of the core, and stands in the tables of
# tests, but for the functions here: they only count, copy or look at values.
set(WITHOUT_OPTIONS all_finite bad_entries bytes_needed copy_to_scratch
  feature_range fit_representatives gram_bytes positive_part sample_distances
  simd_supported view_of_columns walked_bytes_needed without_noise
  worth_nonzeros)
file(GLOB BINDINGS ${CMAKE_CURRENT_SOURCE_DIR}/../../src/*)
file(READ test_entries.cpp TABLES)
file(READ test_entry_options.cpp MORE_TABLES)
foreach(binding ${BINDINGS})
  file(STRINGS ${binding} text REGEX "hitmiss::[a-z_]+[(]")
  string(REGEX MATCHALL "hitmiss::[a-z_]+[(]" calls "${text}")
  foreach(call ${calls})
    string(REGEX REPLACE "hitmiss::|[(]" "" entry ${call})
    string(REGEX MATCH "[^a-z_]${entry}[(]" found "${TABLES}${MORE_TABLES}")
    if(NOT found AND NOT entry IN_LIST WITHOUT_OPTIONS)
      message(FATAL_ERROR "${entry}() is in no table of test_entries.cpp or "
        "test_entry_options.cpp")
    endif()
  endforeach()
endforeach()
# Catch itself takes half the time to compile where nothing is optimised.
set_source_files_properties(support/main.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O0)
target_compile_options(core_tests PRIVATE ${WARNINGS})
target_link_libraries(core_tests PRIVATE core)

# Where addresses are laid out too much at random, the thread sanitizer stops at
# its start; `setarch -R` helps, if it may be used.
if(HITMISS_SANITIZE STREQUAL "thread")
  set(WITHOUT_LAYOUT setarch ${CMAKE_HOST_SYSTEM_PROCESSOR} -R)
  execute_process(COMMAND ${WITHOUT_LAYOUT} true RESULT_VARIABLE REFUSED
    OUTPUT_QUIET ERROR_QUIET)
  if(REFUSED EQUAL 0)
    set(HITMISS_LAUNCHER ${WITHOUT_LAYOUT})
  endif()
endif()

# At its first start wine makes its folder; two that start together there fail.
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_NAME STREQUAL "Windows")
  add_custom_command(TARGET core_tests POST_BUILD COMMAND ${HITMISS_LAUNCHER}
    $<TARGET_FILE:core_tests> --help > first_start.txt)
endif()

foreach(unit ${UNITS})
  get_filename_component(name ${unit} NAME_WE)
  add_test(NAME ${name} COMMAND ${HITMISS_LAUNCHER} $<TARGET_FILE:core_tests>
    --filenames-as-tags "[#${name}]")
  set_tests_properties(${name} PROPERTIES LABELS unit
    FAIL_REGULAR_EXPRESSION "No tests ran")
endforeach()

# They take no time to run, and half the time to compile where nothing is optimised.
foreach(selector relief logo kbfs llfs pwfp)
  file(GLOB PROBLEMS CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${selector}/*)
  add_executable(replay_${selector} fuzz/fuzz_${selector}.cpp fuzz/replay.cpp)
  target_compile_options(replay_${selector} PRIVATE -O0)
  target_link_libraries(replay_${selector} PRIVATE core)
  add_test(NAME replay_${selector} COMMAND ${HITMISS_LAUNCHER}
    $<TARGET_FILE:replay_${selector}> ${PROBLEMS})
  set_tests_properties(replay_${selector} PROPERTIES LABELS unit)
endforeach()
