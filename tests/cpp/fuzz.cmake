# libFuzzer looks for problems on which a selector of the core breaks a promise.
# New inputs stay in the build folder; the corpus is kept small by hand. The limit
# for one input is by the clock, and a loaded machine is no fault: far above the
# seconds that the longest takes.
foreach(selector relief logo kbfs llfs pwfp)
  add_executable(fuzz_${selector} fuzz/fuzz_${selector}.cpp)
  target_link_libraries(fuzz_${selector} PRIVATE core)
  target_compile_options(fuzz_${selector} PRIVATE -O1
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  target_link_options(fuzz_${selector} PRIVATE
    -fsanitize=fuzzer,address,undefined)
  set(found ${CMAKE_CURRENT_BINARY_DIR}/found-${selector})
  file(MAKE_DIRECTORY ${found})
  add_test(NAME fuzz_${selector} COMMAND fuzz_${selector} -max_len=1024
    -timeout=300 -rss_limit_mb=4096 -max_total_time=${HITMISS_FUZZ_SECONDS}
    -artifact_prefix=${found}/ ${found}
    ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${selector})
  set_tests_properties(fuzz_${selector} PROPERTIES LABELS fuzz TIMEOUT 100000)
endforeach()
