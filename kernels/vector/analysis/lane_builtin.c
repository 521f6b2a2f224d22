/* SPDX-License-Identifier: Apache-2.0 */
/* The table of builtins that are one instruction. No shared state. */
#include "vector/analysis/lane_builtin.h"

#include "ir/calls.h"

#include <stdlib.h>
#include <string.h>

static const struct sl_lane_builtin rows[] = {
    {"sl_lane_exponent", SL_LANE_UNARY, "mask.getexp.", 0},
    /* in [0.75, 1.5), NaN for negative numbers */
    {"sl_lane_significand", SL_LANE_UNARY_CONTROL, "mask.getmant.", 0xf},
    /* in [1, 2) */
    {"sl_lane_mantissa", SL_LANE_UNARY_CONTROL, "mask.getmant.", 0xc},
    /* the smaller magnitude with the first one's sign */
    {"sl_lane_limit", SL_LANE_BINARY_CONTROL, "mask.range.", 2},
    {"sl_lane_scale", SL_LANE_BINARY, "mask.scalef.", 0},
    {"sl_lane_rsqrt", SL_LANE_ESTIMATE, "rsqrt14.", 0},
    {"sl_lane_reciprocal", SL_LANE_ESTIMATE, "rcp14.", 0},
    {"sl_lane_entry16", SL_LANE_ENTRY_OF_16, "", 0},
    {"sl_lane_entry32", SL_LANE_ENTRY_OF_32, "", 0},
    {"sl_lane_dot_ss", SL_LANE_DOT, "", SL_DOT_A_SIGNED | SL_DOT_B_SIGNED},
    {"sl_lane_dot_uu", SL_LANE_DOT, "", 0},
    {"sl_lane_dot_us", SL_LANE_DOT, "", SL_DOT_B_SIGNED},
};

/* "_Z16sl_lane_exponentDv4_f" is sl_lane_exponent. */
const struct sl_lane_builtin *sl_lane_builtin(LLVMValueRef call)
{
    const char *name = sl_callee_name(call);
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    char *plain;
    unsigned long length = strtoul(name + 2, &plain, 10);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && !strncmp(plain, rows[i].name, length))
            return &rows[i];
    return NULL;
}
