/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that OpenCL C has functions for: which kind each is of. No locks. */
#include "spirv/builtins/builtin.h"

#include "spirv/grammar/numbers.h"

static const struct row {
    sl_builtin_fn translate;
    const char *name, *parameters;
    unsigned least, flags;
} rows[] = {
#define OP(opcode, least, kind, name, parameters, flags)                                           \
    {sl_builtin_##kind, name, parameters, least, flags},
#include "spirv/builtins/builtin.def"
#undef OP
};

enum place {
#define OP(opcode, least, kind, name, parameters, flags) PLACE_##opcode,
#include "spirv/builtins/builtin.def"
#undef OP
    PLACE_NONE
};

static enum place find(uint16_t number)
{
    switch ((enum sl_spirv_opcode)number) {
#define OP(opcode, least, kind, name, parameters, flags)                                           \
    case opcode:                                                                                   \
        return PLACE_##opcode;
#include "spirv/builtins/builtin.def"
#undef OP
    default:
        return PLACE_NONE;
    }
}

int sl_builtin_refused(const struct sl_builtin *op)
{
    return sl_spirv_fail(op->spirv, op->instruction, "%s", op->name);
}

int sl_spirv_builtin(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction)
{
    enum place place = find(instruction->opcode);
    if (place == PLACE_NONE)
        return 0;
    const struct row *row = &rows[place];
    if (instruction->operand_count < row->least)
        return sl_spirv_fail(spirv, instruction, "%u operands, not %u",
                             (unsigned)instruction->operand_count, row->least);
    struct sl_builtin builtin = {spirv, instruction, row->name, row->parameters, row->flags};
    return row->translate(&builtin);
}
