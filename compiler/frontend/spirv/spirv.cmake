# Khronos' tools and headers for SPIR-V: the validator as a static archive, and the grammar, of which
# spirv_grammar.py makes tables.
function(weft_add_spirv target)
  find_library(WEFT_SPIRV_TOOLS NAMES libSPIRV-Tools.a REQUIRED)
  find_path(WEFT_SPIRV_HEADERS spirv/unified1/spirv.core.grammar.json REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/spirv)
  set(generator ${PROJECT_SOURCE_DIR}/cmake/spirv_grammar.py)
  set(core ${WEFT_SPIRV_HEADERS}/spirv/unified1/spirv.core.grammar.json)
  set(standard ${WEFT_SPIRV_HEADERS}/spirv/unified1/extinst.opencl.std.100.grammar.json)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${folder}/spirv_grammar.inc
    COMMAND Python3::Interpreter ${generator} ${core} ${standard} ${folder}/spirv_grammar.inc
    DEPENDS ${generator} ${core} ${standard}
    COMMENT "Making tables of SPIR-V's grammar"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/spirv_grammar.inc)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/frontend/spirv/grammar.cpp PROPERTIES
    INCLUDE_DIRECTORIES ${folder})
  if(WEFT_LIBFUZZER)
    file(GLOB reader CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/frontend/spirv/*.cpp)
    set_source_files_properties(${reader} PROPERTIES COMPILE_OPTIONS -fsanitize=fuzzer-no-link
                                SKIP_PRECOMPILE_HEADERS ON)
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${WEFT_SPIRV_HEADERS})
  target_link_libraries(${target} PRIVATE ${WEFT_SPIRV_TOOLS})
endfunction()
