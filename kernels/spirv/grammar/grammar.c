/* SPDX-License-Identifier: Apache-2.0 */
/* Look-ups in the tables of the grammar. No state. */
#include "spirv/grammar/grammar.h"

#include <string.h>

static const struct sl_spirv_row *find(const struct sl_spirv_row *rows, size_t count,
                                       uint32_t number)
{
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        if (rows[low + half].number == number)
            return &rows[low + half];
        if (rows[low + half].number < number) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return NULL;
}

const struct sl_spirv_row *sl_spirv_find_opcode(uint32_t number)
{
    return find(sl_spirv_opcodes, sl_spirv_opcodes_count, number);
}

const struct sl_spirv_row *sl_spirv_find_decoration(uint32_t number)
{
    return find(sl_spirv_decorations, sl_spirv_decorations_count, number);
}

const struct sl_spirv_row *sl_spirv_find_execution_mode(uint32_t number)
{
    return find(sl_spirv_execution_modes, sl_spirv_execution_modes_count, number);
}

const struct sl_spirv_row *sl_spirv_find_capability(uint32_t number)
{
    return find(sl_spirv_capabilities, sl_spirv_capabilities_count, number);
}

const char *sl_spirv_opcode_name(uint32_t opcode)
{
    const struct sl_spirv_row *row = sl_spirv_find_opcode(opcode);
    return row ? row->name : "unknown";
}

bool sl_spirv_has_type(const struct sl_spirv_row *opcode)
{
    return opcode->operands[0] == 't';
}

bool sl_spirv_has_result(const struct sl_spirv_row *opcode)
{
    return opcode->operands[sl_spirv_has_type(opcode)] == 'r';
}
