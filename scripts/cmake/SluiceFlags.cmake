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
