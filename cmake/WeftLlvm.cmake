# LLVM and Clang 19 as static archives behind two interface targets. Only compiler/ links them.
set(WEFT_LLVM_ROOT /usr/lib/llvm-19 CACHE PATH "Prefix of LLVM and Clang 19")
find_program(WEFT_CLANG clang-19 HINTS ${WEFT_LLVM_ROOT}/bin REQUIRED)
find_program(WEFT_LLVM_CONFIG llvm-config-19 HINTS ${WEFT_LLVM_ROOT}/bin REQUIRED)

execute_process(
  COMMAND ${WEFT_LLVM_CONFIG} --link-static --libs
    core orcjit x86 native passes irreader bitreader bitwriter linker ipo option support
    frontenddriver frontendopenmp frontendhlsl lto coverage targetparser debuginfodwarf
  OUTPUT_VARIABLE llvm_libs OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_libs)
# Only named by a part of Clang that is not used; see compiler/frontend/no_polly.cpp.
list(FILTER llvm_libs EXCLUDE REGEX Polly)

add_library(weft_llvm INTERFACE)
target_include_directories(weft_llvm SYSTEM INTERFACE ${WEFT_LLVM_ROOT}/include)
target_link_directories(weft_llvm INTERFACE ${WEFT_LLVM_ROOT}/lib)
target_link_libraries(weft_llvm INTERFACE ${llvm_libs} z zstd m)

add_library(weft_clang INTERFACE)
target_link_libraries(weft_clang INTERFACE
  clangFrontend clangDriver clangCodeGen clangParse clangSerialization clangSema
  clangEdit clangAnalysis clangASTMatchers clangAST clangAPINotes clangSupport clangLex
  clangBasic weft_llvm)

if(WEFT_SANITIZE MATCHES address)
  target_compile_options(weft_llvm INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-include${CMAKE_SOURCE_DIR}/cmake/llvm_under_asan.h>)
endif()
