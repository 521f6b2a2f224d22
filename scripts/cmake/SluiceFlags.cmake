# SPDX-License-Identifier: Apache-2.0
# The one set of compile options; targets link sluice_flags.
add_library(sluice_flags INTERFACE)
target_include_directories(sluice_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(sluice_flags INTERFACE
  _GNU_SOURCE CL_TARGET_OPENCL_VERSION=300 SLUICE_VERSION="${PROJECT_VERSION}")
target_compile_options(sluice_flags INTERFACE
  -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes -Wstrict-prototypes -Werror=implicit-function-declaration>)
option(SLUICE_WERROR "warnings are errors (our own checks)" OFF)
if(SLUICE_WERROR)
  target_compile_options(sluice_flags INTERFACE -Werror)
endif()
if(SLUICE_SANITIZE)
  target_compile_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  # LeakSanitizer guesses how large the thread-local memory of a library is that was loaded later, wrongly,
  # and crashes on it when a thread is left at the end of the process.
  target_compile_options(sluice_flags INTERFACE -ftls-model=initial-exec)
  target_link_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE})
endif()
# What is linked into libsluice.so. Otherwise a thread's first touch of its thread-local data allocates, and glibc ends
# the process where it cannot; this way it is there when a thread starts (scripts/check_exports.sh says how little).
add_library(sluice_library_flags INTERFACE)
target_link_libraries(sluice_library_flags INTERFACE sluice_flags)
target_compile_options(sluice_library_flags INTERFACE -ftls-model=initial-exec)
# Threads of the application may have 16 KiB of stack (include/sluice/base/stack.h). What runs on larger ones is
# named by sl_on_larger_stacks().
if(NOT SLUICE_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
  target_compile_options(sluice_library_flags INTERFACE -Wframe-larger-than=2304)
endif()
function(sl_on_larger_stacks)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -Wno-frame-larger-than)
endfunction()
