/* SPDX-License-Identifier: Apache-2.0 */
/* What a module asks for as a whole: capabilities, the memory model, sets of instructions. */
#include <string.h>

#include "sluice/base/spirv.h"
#include "spirv/grammar/grammar.h"
#include "spirv/module/module.h"

static int check_capability(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    uint32_t wanted = i->operands[0];
    if (sl_spirv_takes_capability(wanted))
        return 0;
    const struct sl_spirv_row *row = sl_spirv_find_capability(wanted);
    if (row && !strcmp(row->name, "Shader"))
        return sl_spirv_fail(s, i,
                             "capability %s is not supported: the module is for Vulkan or "
                             "OpenGL, not for OpenCL",
                             row->name);
    return row ? sl_spirv_fail(s, i, "capability %s is not supported", row->name)
               : sl_spirv_fail(s, i, "capability %u is not supported", wanted);
}

static int check_import(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    static const char *const known_sets[] = {"OpenCL.std", "NonSemantic.", "OpenCL.DebugInfo.",
                                             "DebugInfo", "SPIRV.debug"};
    const char *name = (const char *)i->operands;
    for (size_t k = 0; k < sizeof known_sets / sizeof *known_sets; k++)
        if (!strncmp(name, known_sets[k], strlen(known_sets[k])))
            return 0;
    return sl_spirv_fail(s, i, "the instructions of \"%.100s\" are not supported", name);
}

static int check_model(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (s->address_bits)
        return sl_spirv_fail(s, i, "there is more than one");
    if (i->operands[0] == AddressingModelPhysical32)
        return sl_spirv_fail(s, i, "no device has 32-bit addresses (Physical32)");
    if (i->operands[0] != AddressingModelPhysical64)
        return sl_spirv_fail(s, i, "addressing model %u is not OpenCL's", i->operands[0]);
    if (i->operands[1] != MemoryModelOpenCL)
        return sl_spirv_fail(s, i, "memory model %u is not OpenCL's", i->operands[1]);
    s->address_bits = 64;
    return 0;
}

/* Products and sums may become one operation unless a kernel says that they may not. */
static bool may_contract(const struct sl_spirv *s)
{
    bool kernels = false;
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        kernels |= i->opcode == OpEntryPoint;
        if (i->opcode == OpExecutionMode && i->operands[1] == ExecutionModeContractionOff)
            return false;
    }
    return kernels;
}

int sl_spirv_check_capabilities(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if ((i->opcode == OpCapability && check_capability(s, i)) ||
            (i->opcode == OpExtInstImport && check_import(s, i)) ||
            (i->opcode == OpMemoryModel && check_model(s, i)))
            return -1;
    }
    s->contracts = may_contract(s);
    return s->address_bits ? 0 : sl_spirv_fail(s, NULL, "the module has no memory model");
}
