/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instructions look like, from the tables that scripts/make_spirv_tables writes. Operands are
 * letters: t type of the result, r result, i id, n number of one word, s text, c number as wide as
 * the type, o an opcode with its operands, w number as wide as the selector with a label, M memory
 * access, I image operands, L loop control, D decoration, X execution mode; P is any count of "in".
 * "?" may be missing, "*" may repeat.
 */
#ifndef SL_KERNELS_SPIRV_GRAMMAR_H
#define SL_KERNELS_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_spirv_row {
    uint32_t number;
    const char *name, *operands;
};

extern const struct sl_spirv_row sl_spirv_opcodes[], sl_spirv_decorations[],
    sl_spirv_execution_modes[], sl_spirv_capabilities[];
extern const size_t sl_spirv_opcodes_count, sl_spirv_decorations_count,
    sl_spirv_execution_modes_count, sl_spirv_capabilities_count;

/* NULL: nobody knows this number. */
const struct sl_spirv_row *sl_spirv_find_opcode(uint32_t);
const struct sl_spirv_row *sl_spirv_find_decoration(uint32_t);
const struct sl_spirv_row *sl_spirv_find_execution_mode(uint32_t);
const struct sl_spirv_row *sl_spirv_find_capability(uint32_t);
/* Never NULL. */
const char *sl_spirv_opcode_name(uint32_t);
bool sl_spirv_has_type(const struct sl_spirv_row *opcode);
bool sl_spirv_has_result(const struct sl_spirv_row *opcode);

#endif
