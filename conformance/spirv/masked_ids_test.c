/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places that are a sum of ids of 64 bits, said not to wrap, and then masked to 32 bits, as DPC++
 * writes them; in a kernel with a border. Rows end below 2^32, cross it and begin there, in groups
 * that divide the row and in others.
 */
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "runner.h"
#include "spirv_cases.h"
#include "spirv_run.h"

enum {
    ROWS = 3,
    WIDTH = 1100,
    ROOM = 2048,          /* of each row */
    FAR = ROWS + 1,       /* rooms of places near zero, then as many of those below 2^32 */
    FIRST = (1 << 22) - 2 /* a row has 1024 places, so the one behind it begins at 2^32 - 1024 */
};

/* The place is p. Near zero it is out[p] of the row's room, else out[p - (2^32 - 2048)] of its
 * other one. */
static const struct spirv_case masked = {
    .name = "masked ids",
    .version = 0x10000,
    .before = "OpExtension \"SPV_KHR_no_integer_wrap_decoration\"\nOpDecorate %gid 11 28\n"
              "OpDecorate %scaled 4470\nOpDecorate %scaled 4469\nOpDecorate %added "
              "4470\nOpDecorate %added 4469\n",
    .globals = "%l3 = OpTypeVector %ulong 3\n%lp = OpTypePointer 1 %l3\n"
               "%gid = OpVariable %lp 1\n%l0 = OpConstant %ulong 0L\n%l1 = OpConstant %ulong 1L\n"
               "%l3c = OpConstant %ulong 3L\n%l10 = OpConstant %ulong 10L\n"
               "%l11 = OpConstant %ulong 11L\n%l4096 = OpConstant %ulong 4096L\n"
               "%rooms = OpConstant %ulong 8192L\n%low = OpConstant %ulong 4294967295L\n"
               "%below = OpConstant %ulong 4294965248L\n",
    .body =
        "%g = OpLoad %l3 %gid\n%i = OpCompositeExtract %ulong %g 0\n"
        "%j = OpCompositeExtract %ulong %g 1\n"
        "%scaled = OpShiftLeftLogical %ulong %j %l10\n%added = OpIAdd %ulong %scaled %i\n"
        "%p = OpBitwiseAnd %ulong %added %low\n%j3 = OpBitwiseAnd %ulong %j %l3c\n"
        "%room = OpShiftLeftLogical %ulong %j3 %l11\n"
        "%near = OpULessThan %bool %p %l4096\n%to1 = OpIAdd %ulong %room %p\n"
        "%far1 = OpISub %ulong %to1 %below\n%to2 = OpIAdd %ulong %far1 %rooms\n"
        "%xl = OpUConvert %ulong %x\n%is0 = OpIEqual %bool %i %l0\n"
        "%is1 = OpIEqual %bool %i %xl\n%b = OpLogicalOr %bool %is0 %is1\n"
        "OpBranchConditional %b %border %inside\n"
        "%border = OpLabel\nOpBranchConditional %near %bn %bf\n"
        "%bn = OpLabel\n%q1 = OpInBoundsPtrAccessChain %gp %out %to1\nOpStore %q1 %c1 2 4\n"
        "OpReturn\n%bf = OpLabel\n%q2 = OpInBoundsPtrAccessChain %gp %out %to2\n"
        "OpStore %q2 %c2 2 4\nOpReturn\n"
        "%inside = OpLabel\n%tripled = OpIMul %ulong %i %l3c\n%both = OpIAdd %ulong %tripled %j\n"
        "%v = OpUConvert %uint %both\nOpBranchConditional %near %in %if\n"
        "%in = OpLabel\n%q3 = OpInBoundsPtrAccessChain %gp %out %to1\nOpStore %q3 %v 2 4\n"
        "OpReturn\n%if = OpLabel\n%q4 = OpInBoundsPtrAccessChain %gp %out %to2\n"
        "OpStore %q4 %v 2 4\nOpReturn\nOpFunctionEnd\n",
    .functions = "",
};

static cl_uint got[2 * FAR * ROOM], want[2 * FAR * ROOM];

static void expect(cl_uint last, size_t offset)
{
    memset(want, 0, sizeof want);
    for (cl_uint row = 0; row < ROWS; row++)
        for (cl_uint k = 0; k < WIDTH; k++) {
            uint64_t x = offset + k, y = FIRST + row;
            uint32_t p = (uint32_t)((y << 10) + x);
            bool near = p < 4096, border = x == 0 || x == last;
            size_t at = (y & 3) * ROOM + (near ? p : FAR * ROOM + p - (UINT32_MAX - ROOM + 1));
            want[at] = !border ? (cl_uint)(x * 3 + y) : near ? 1 : 2;
        }
}

static void check_launch(cl_kernel kernel, size_t offset, size_t local, cl_uint last)
{
    const size_t from[] = {offset, FIRST}, global[] = {WIDTH, ROWS}, group[] = {local, 1};
    memset(got, 0, sizeof got);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, out);
    ARG(kernel, 1, last);
    run_nd(kernel, 2, from, global, local ? group : NULL);
    read_back(out, sizeof got, got);
    expect(last, offset);
    for (size_t k = 0; k < LEN(got); k++)
        if (got[k] != want[k]) {
            check_fail(__FILE__, __LINE__, "from %zu, groups of %zu: %zu is %u, not %u", offset,
                       local, k, got[k], want[k]);
            break;
        }
    RELEASE_MEM(out);
}

static void across(void)
{
    static const size_t groups[] = {0, 100, 64, 1100, 7};
    spirv_need();
    char *text = spirv_case_text(&masked);
    cl_program program = spirv_program(text, masked.version, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    for (size_t k = 0; k < LEN(groups); k++) {
        check_launch(kernel, 0, groups[k], WIDTH - 1);
        check_launch(kernel, 5, groups[k], 1050);
        check_launch(kernel, 0, groups[k], 1023);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
}

static const struct test_case cases[] = {
    CASE(across),
};
TEST_MAIN("masked_ids", cases)
