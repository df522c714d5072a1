# Tests of the text of the sources. A header by itself shows what it forgot to
# include: each of them with test.R --long, else those that users include. All in
# one source show names that clash.
file(GLOB_RECURSE HEADERS CONFIGURE_DEPENDS RELATIVE ${CORE} ${CORE}/*.hpp)
set(COMPILE ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only ${WARNINGS}
  -I ${CORE} -I ${EIGEN} -isystem ${SITMO} -x c++)
set(together "")
foreach(header ${HEADERS})
  string(APPEND together "#include \"${header}\"\n")
  if(header MATCHES "/.*/" AND NOT DEFINED ENV{HITMISS_ALL_PROBLEMS})
    continue()
  endif()
  # By a source that includes it: a main file is looked at in another way.
  set(source ${CMAKE_CURRENT_BINARY_DIR}/alone/${header}.cpp)
  file(WRITE ${source} "#include \"${header}\"\n")
  add_test(NAME ${header} COMMAND ${COMPILE} ${source})
  set_tests_properties(${header} PROPERTIES LABELS header)
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/together.cpp "${together}")
add_test(NAME headers_together
  COMMAND ${COMPILE} ${CMAKE_CURRENT_BINARY_DIR}/together.cpp)
set_tests_properties(headers_together PROPERTIES LABELS header)
# Programs that only the long tests build, not forgotten until then.
file(GLOB PROGRAMS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  results/*.cpp fuzz/*.cpp)
foreach(program ${PROGRAMS})
  add_test(NAME ${program} COMMAND ${COMPILE} -I ${CMAKE_CURRENT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/${program})
  set_tests_properties(${program} PROPERTIES LABELS header)
endforeach()

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(CLANG_FORMAT)
  execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE VERSION)
endif()
# Another major version formats differently: one test, which says so.
if(NOT VERSION MATCHES "version 14[.]")
  add_test(NAME format_needs_clang-format_14 COMMAND false)
  set_tests_properties(format_needs_clang-format_14 PROPERTIES DISABLED ON)
  return()
endif()
get_filename_component(ROOT ${CORE}/../.. ABSOLUTE)
file(GLOB_RECURSE FORMATTED CONFIGURE_DEPENDS RELATIVE ${ROOT}
  ${CORE}/*.hpp ${ROOT}/src/*.h ${ROOT}/src/*.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
list(FILTER FORMATTED EXCLUDE REGEX "RcppExports|/build-")
foreach(file ${FORMATTED})
  add_test(NAME format:${file} COMMAND ${CLANG_FORMAT} --dry-run -Werror
    ${ROOT}/${file})
  set_tests_properties(format:${file} PROPERTIES LABELS format)
endforeach()
