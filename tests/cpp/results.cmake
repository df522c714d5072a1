# The same results on another platform? The preset's program compares what every
# family of selectors, scores and voters comes to with what the same program wrote,
# built for this machine by HITMISS_HOST_CXX.
set(SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/results/results.cpp)
add_executable(results ${SOURCE})
target_compile_options(results PRIVATE ${WARNINGS})
target_link_libraries(results PRIVATE core)
file(GLOB_RECURSE HEADERS CONFIGURE_DEPENDS ${CORE}/*.hpp)
add_custom_command(OUTPUT results_here.txt
  COMMAND ${HITMISS_HOST_CXX} -std=c++17 -O2 -pthread -o results_here
    -I ${CORE} -isystem ${SITMO} -isystem ${EIGEN} ${SOURCE}
  COMMAND ./results_here > results_here.txt
  DEPENDS ${SOURCE} ${HEADERS})
add_custom_target(host ALL DEPENDS results_here.txt)
add_test(NAME results COMMAND ${HITMISS_LAUNCHER} $<TARGET_FILE:results>
  results_here.txt)
set_tests_properties(results PROPERTIES LABELS results)
