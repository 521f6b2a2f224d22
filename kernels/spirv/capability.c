/* SPDX-License-Identifier: Apache-2.0 */
/* What a module asks for as a whole: capabilities, the memory model, sets of instructions. */
#include <string.h>

#include "spirv/grammar.h"
#include "spirv/module.h"

/* Of first and last; what is within is translated, or a wish that may be left unheard. */
static const struct {
    uint32_t first, last;
} known[] = {
    {4, 14},      /* Addresses, Linkage, Kernel, Vector16, Float16Buffer ... ImageReadWrite */
    {17, 20},     /* Pipes, Groups, DeviceEnqueue, LiteralSampler */
    {22, 22},     /* Int16 */
    {38, 39},     /* GenericPointer, Int8 */
    {43, 44},     /* Sampled1D, Image1D */
    {46, 47},     /* SampledBuffer, ImageBuffer */
    {58, 58},     /* SubgroupDispatch */
    {60, 68},     /* PipeStorage, GroupNonUniform... */
    {4423, 4423}, /* SubgroupBallotKHR */
    {4431, 4431}, /* SubgroupVoteKHR */
    {4464, 4467}, /* DenormPreserve ... RoundingModeRTE */
    {5055, 5055}, /* ShaderClockKHR */
    {5568, 5570}, /* SubgroupShuffleINTEL, ...BufferBlockIO, ...ImageBlockIO */
    {5582, 5584}, /* RoundToInfinity, FloatingPointMode, IntegerFunctions2 */
    {5612, 5616}, /* AtomicFloat..MinMaxEXT */
    {5629, 5629}, /* ExpectAssumeKHR */
    {5824, 5824}, /* FPGAMemoryAttributesINTEL */
    {5837, 5837}, /* FPFastMathModeINTEL */
    {5886, 5920}, /* loop controls, kernel attributes, aliasing, buffer location... */
    {5935, 5948}, /* USMStorageClasses, IOPipes, BlockingPipes, FPGAReg */
    {6016, 6019}, /* DotProduct... */
    {6025, 6026}, /* BitInstructions, GroupNonUniformRotateKHR */
    {6029, 6034}, /* FloatControls2, FMAKHR, AtomicFloat32Add, 64 */
    {6089, 6095}, /* LongComposites, OptNone, AtomicFloat16Add */
    {6114, 6115}, /* DebugInfoModule, BFloat16Conversion */
    {6141, 6146}, /* SplitBarrier, ArithmeticFence, GlobalVariableDecorations */
    {6150, 6161}, /* FPGACluster..., FPGAKernelAttributesv2 */
    {6169, 6189}, /* FPMaxError, latency, argument interfaces, host access */
    {6400, 6400}, /* GroupUniformArithmeticKHR */
    {6441, 6441}, /* CacheControlsINTEL */
    {6460, 6460}, /* RegisterLimitsINTEL */
};

static int check_capability(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    uint32_t wanted = i->operands[0];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (wanted >= known[k].first && wanted <= known[k].last)
            return 0;
    const struct sl_spirv_row *row = sl_spirv_find_capability(wanted);
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

int sl_spirv_check_capabilities(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if ((i->opcode == OpCapability && check_capability(s, i)) ||
            (i->opcode == OpExtInstImport && check_import(s, i)) ||
            (i->opcode == OpMemoryModel && check_model(s, i)))
            return -1;
    }
    s->contracts = sl_spirv_may_contract(s);
    return s->address_bits ? 0 : sl_spirv_fail(s, NULL, "the module has no memory model");
}
