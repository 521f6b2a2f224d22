/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of SPIR-V's instructions share: the builtins archive, which their calls are looked
 * up in, sets of types, and types that are no numbers.
 */
#ifndef SLUICE_CONFORMANCE_UNIT_SPIRV_BUILTIN_HELP_H
#define SLUICE_CONFORMANCE_UNIT_SPIRV_BUILTIN_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_spirv.h"
#include "spirv/grammar/numbers.h"

/* Scopes of SPIR-V. */
enum { WORK_GROUP = 2, SUB_GROUP = 3 };

/* Bases of types as fake_spirv_numbers takes them; each set ends with NULL. */
extern const char *const reals[], *const integers[], *const all_types[];
extern const unsigned widths_of_vectors[6];

/* Set-up and end of a group of tests: opens the archive of $SLUICE_LIBRARY_DIR. */
int open_library(void **state);
int close_library(void **state);

/* Counts the functions that the module calls by a mangled name and the archive does not have. */
unsigned missing(struct sl_spirv *s);

/* Gives 0 when the instruction is a call of what is there, with a result of `type` (0: none). Ends
 * `s`. */
unsigned judge(struct sl_spirv *s, uint16_t opcode, uint32_t type, const uint32_t *operands,
               unsigned count);

/* Ends `s`, whose module must have the text. */
void expect_text(struct sl_spirv *s, const char *expected);

/* Ids of types: a structure of two of `type`, an object of LLVM's name, an image. */
uint32_t pair_of(struct sl_spirv *s, uint32_t type);
uint32_t object_type(struct sl_spirv *s, enum sl_spirv_type_kind kind, const char *name);
uint32_t image_type(struct sl_spirv *s, unsigned dim, unsigned arrayed, unsigned depth,
                    unsigned access);

#endif
