/* SPDX-License-Identifier: Apache-2.0 */
/* The machines that have vector forms. No shared state. */
#include "vector/analysis/target.h"

#include <string.h>

/* A register of 512 bits with masks. */
#define WIDE                                                                                       \
    .register_bits = 512, .registers = 32, .mask_registers = true, .masked_words = true,           \
    .gathers = true, .fused = true
/* All that have products of bytes put a register's bytes in any order, too (level.c). */
#define ICE_LAKE .byte_products = true, .orders_bytes = true
/* What a lane takes beside other instructions, four of which begin in a cycle: measured. */
#define FAST .gather = 2, .scatter = 4
#define SLOW .gather = 6, .scatter = 6

/* Of two rows that fit the first. Who has tiles has products of bfloat16, and those of bytes. */
static const struct row {
    const char *cpu;         /* has all that is needed */
    const char *features[2]; /* or these; NULL: no more */
    const char *also;        /* and this, in any case; NULL: nothing */
    uint32_t flags;          /* of the pass: and these */
    struct sl_vector_target is;
} rows[] = {
    {"x86-64-v4",
     {"+avx512bw", "+avx512vl"},
     "+amx-int8",
     SL_PASS_FAST_GATHERS,
     {WIDE, ICE_LAKE, .bfloat_products = true, .tiles = true, FAST}},
    {"x86-64-v4",
     {"+avx512bw", "+avx512vl"},
     "+amx-int8",
     0,
     {WIDE, ICE_LAKE, .bfloat_products = true, .tiles = true, SLOW}},
    {"x86-64-v4",
     {"+avx512bw", "+avx512vl"},
     "+avx512bf16",
     SL_PASS_FAST_GATHERS,
     {WIDE, ICE_LAKE, .bfloat_products = true, FAST}},
    {"x86-64-v4",
     {"+avx512bw", "+avx512vl"},
     "+avx512bf16",
     0,
     {WIDE, ICE_LAKE, .bfloat_products = true, SLOW}},
    {"x86-64-v4",
     {"+avx512bw", "+avx512vl"},
     "+avx512vnni",
     SL_PASS_FAST_GATHERS,
     {WIDE, ICE_LAKE, FAST}},
    {"x86-64-v4", {"+avx512bw", "+avx512vl"}, "+avx512vnni", 0, {WIDE, ICE_LAKE, SLOW}},
    {"x86-64-v4", {"+avx512bw", "+avx512vl"}, NULL, SL_PASS_FAST_GATHERS, {WIDE, FAST}},
    {"x86-64-v4", {"+avx512bw", "+avx512vl"}, NULL, 0, {WIDE, SLOW}},
    {"x86-64-v3",
     {"+avx2", NULL},
     NULL,
     0,
     {.register_bits = 256,
      .registers = 16,
      .masked_words = true,
      .fused = true,
      .shuffle = "llvm.x86.avx2.permd",
      SLOW}},
    {"x86-64-v2",
     {"+sse4.2", NULL},
     NULL,
     0,
     {.register_bits = 128,
      .registers = 16,
      .shuffle = "llvm.x86.ssse3.pshuf.b.128",
      .shuffles_bytes = true,
      SLOW}},
};

static bool has(const char *features, const char *const *wanted)
{
    for (size_t k = 0; k < 2 && wanted[k]; k++)
        if (!strstr(features, wanted[k]))
            return false;
    return true;
}

const struct sl_vector_target *sl_vector_target(const struct sl_pass *pass)
{
    char *features = LLVMGetTargetMachineFeatureString(pass->machine);
    char *cpu = LLVMGetTargetMachineCPU(pass->machine);
    const struct sl_vector_target *found = NULL;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !found; k++)
        if ((!strcmp(cpu, rows[k].cpu) || has(features, rows[k].features)) &&
            (!rows[k].also || strstr(features, rows[k].also)) &&
            (pass->flags & rows[k].flags) == rows[k].flags)
            found = &rows[k].is;
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(cpu);
    return found;
}
