/* SPDX-License-Identifier: Apache-2.0 */
/* Hands each instruction to those who know it. */
#include "spirv/instructions/instruction.h"
#include "spirv/instructions/matrix.h"

#include <string.h>

#include "spirv/module/debug_lines.h"
#include "spirv/module/module.h"
#include "spirv/values/operand.h"

/* What says nothing about what is computed. */
static int quiet(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    switch (i->opcode) {
    case OpLine:
    case OpNoLine:
        return sl_spirv_take_line(s, i) ? -1 : 1;
    case OpNop:
    case OpModuleProcessed:
    case OpLoopMerge: /* control_flow.c looks for it */
    case OpSelectionMerge:
    case OpLoopControlINTEL:
    case OpAliasDomainDeclINTEL:
    case OpAliasScopeDeclINTEL:
    case OpAliasScopeListDeclINTEL:
        return 1;
    }
    return 0;
}

static int extended(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (i->opcode != OpExtInst)
        return 0;
    const struct sl_spirv_instruction *set = sl_spirv_definition(s, i->operands[0]);
    if (!set || set->opcode != OpExtInstImport)
        return sl_spirv_fail(s, i, "id %u is no set of instructions", i->operands[0]);
    if (strcmp((const char *)set->operands, "OpenCL.std"))
        return sl_spirv_take_line(s, i) ? -1 : 1; /* debug information and the like */
    int rc = sl_spirv_opencl_std(s, i, i->operands[1], i->operands + 2, i->operand_count - 2u);
    return rc ? rc
              : sl_spirv_fail(s, i, "instruction %u of OpenCL.std is not known", i->operands[1]);
}

int sl_spirv_translate(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    static int (*const kinds[])(struct sl_spirv *, const struct sl_spirv_instruction *) = {
        quiet,
        sl_spirv_matrix,
        sl_spirv_builtin,
        sl_spirv_memory,
        sl_spirv_access_chain,
        sl_spirv_arithmetic,
        sl_spirv_comparison,
        sl_spirv_composite,
        sl_spirv_pointer,
        sl_spirv_call,
        sl_spirv_call_pointer,
        extended,
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int rc = kinds[k](s, i);
        if (rc)
            return rc < 0 ? -1 : 0;
    }
    return sl_spirv_fail(s, i, "is not supported");
}
