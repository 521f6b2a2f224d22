/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "clang/builtin_names.h"

const char *const sl_builtin_names[] = {
#include "compiler/builtin_names.inc"
};
const size_t sl_builtin_name_count = sizeof sl_builtin_names / sizeof *sl_builtin_names;
