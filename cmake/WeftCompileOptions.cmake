# Flags that every target of ours gets, through the interface target weft_options.
find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE)
  # Precompiled headers need these two relaxations; see ccache(1), "Precompiled headers".
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${WEFT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

find_package(Threads REQUIRED)

add_library(weft_options INTERFACE)
target_include_directories(weft_options INTERFACE ${CMAKE_SOURCE_DIR}/include)
target_compile_definitions(weft_options INTERFACE
  CL_TARGET_OPENCL_VERSION=300
  CL_USE_DEPRECATED_OPENCL_1_0_APIS
  CL_USE_DEPRECATED_OPENCL_1_1_APIS
  CL_USE_DEPRECATED_OPENCL_1_2_APIS
  CL_USE_DEPRECATED_OPENCL_2_0_APIS
  CL_USE_DEPRECATED_OPENCL_2_1_APIS
  CL_USE_DEPRECATED_OPENCL_2_2_APIS
  _GNU_SOURCE)
target_compile_options(weft_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter
  -ffunction-sections -fdata-sections -fno-semantic-interposition)
target_link_libraries(weft_options INTERFACE Threads::Threads)

if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(weft_options INTERFACE -Werror -Wthread-safety)
  # Lets ccache share precompiled headers between build folders.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  set(WEFT_LINKER_FLAG -fuse-ld=/usr/bin/ld.lld-19)
else()
  # Warnings are errors under Clang only. What GCC 12 sees in the middle of its optimiser depends on
  # what it inlines and is mostly not there (its bug 105329, in std::string); those are off.
  target_compile_options(weft_options INTERFACE
    -Wno-missing-field-initializers -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
    -Wno-maybe-uninitialized)
  # lld reads the archives of LLVM some five times faster than GNU ld; g++ 12 finds it by name in
  # this folder.
  set(WEFT_LINKER_FLAG -fuse-ld=lld -B/usr/lib/llvm-19/bin)
endif()
add_link_options(${WEFT_LINKER_FLAG})

if(WEFT_SANITIZE)
  add_compile_options(-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WEFT_SANITIZE})
  if(WEFT_SANITIZE MATCHES undefined)
    # vptr: LLVM's archives are not instrumented and their vtables foreign. function: it reads a
    # signature in front of the callee, which code from the JIT does not have.
    set(unchecked vptr)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      set(unchecked vptr,function)
    endif()
    add_compile_options(-fno-sanitize=${unchecked})
    add_link_options(-fno-sanitize=${unchecked})
  endif()
endif()

# Adds a static library of one folder, from all of its sources.
function(weft_add_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(tools|launch)/")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC weft_options)
endfunction()
