/* SPDX-License-Identifier: Apache-2.0 */
/* Writes which element of an array of channels is meant, in one of the ways that tell before
 * anything runs which ones it may be. All say the same: `turn` modulo `span`, counted from a base.
 */
#include "graph.h"

/* t is a uint of any value, n the span; nothing overflows. */
static const char spellings[] =
    "#ifndef PICKS\n#define PICKS\n"
    "constant uint pick_same[] = {0, 1, 2, 3, 4, 5, 6, 7};\n"
    "uint pick_rest(uint t, uint n) { return t % n; }\n"
    "void pick_to(uint t, uint n, uint *to) { *to = t % n; }\n"
    "uint pick_by_address(uint t, uint n) { uint to; pick_to(t, n, &to); return to; }\n"
    "uint pick_case(uint t, uint n)\n{\n    uint to;\n    switch (t % n) {\n"
    "    case 0: to = 0; break;\n    case 1: to = 1; break;\n    case 2: to = 2; break;\n"
    "    default: to = n - 1;\n    }\n    return min(to, n - 1u);\n}\n"
    "#define PICK_REST(t, n) ((t) % (n))\n"
    "#define PICK_LEAST(t, n) min((t) % (n), (n) - 1u)\n"
    "#define PICK_CLAMP(t, n) clamp((int)((t) % (n)), 0, (int)(n) - 1)\n"
    "#define PICK_CUT(t, n) ((t) % (n) > (n) - 1u ? (n) - 1u : (t) % (n))\n"
    "#define PICK_CHOICE(t, n) ((t) % (n) == 0u ? 0u : (t) % (n) == 1u ? 1u : (n) - 1u - ((n) - 1u "
    "- (t) % (n)))\n"
    "#define PICK_TABLE(t, n) pick_same[(t) % (n)]\n"
    "#define PICK_DOWN(t, n) ((n) - 1u - ((n) - 1u - (t) % (n)))\n"
    "#define PICK_BYTE(t, n) (uchar)((t) % (n))\n"
    "#define PICK_SHORT(t, n) (short)((t) % (n))\n"
    "#define PICK_LONG(t, n) ((ulong)(t) % (n))\n"
    "#define PICK_MASK(t, n) ((t) & ((n) - 1u))\n"
    "#define PICK_FLIP(t, n) ((((t) & ((n) - 1u)) ^ ((n) - 1u)) ^ ((n) - 1u))\n"
    "#define PICK_SHIFT(t, n) ((((t) & ((n) - 1u)) << 2) >> 2)\n"
    "#define PICK_BARE(t, n) (t)\n"
    "#define PICK_MOST(t, n) min((t), (n) - 1u)\n"
    "#endif\n";

/* What each needs: nothing, a span that is a power of two, a turn that is below the span for sure.
 */
enum needs { NOTHING, POWER, BELOW };

static const struct {
    const char *name;
    enum needs needs;
} picks[] = {
    {"PICK_REST", NOTHING}, {"PICK_LEAST", NOTHING},      {"PICK_CLAMP", NOTHING},
    {"PICK_CUT", NOTHING},  {"PICK_CHOICE", NOTHING},     {"PICK_TABLE", NOTHING},
    {"PICK_DOWN", NOTHING}, {"PICK_BYTE", NOTHING},       {"PICK_SHORT", NOTHING},
    {"PICK_LONG", NOTHING}, {"pick_rest", NOTHING},       {"pick_case", NOTHING},
    {"PICK_MASK", POWER},   {"PICK_FLIP", POWER},         {"PICK_SHIFT", POWER},
    {"PICK_BARE", BELOW},   {"pick_by_address", NOTHING}, {"PICK_MOST", BELOW},
};

/* All say get_compute_id(0), of less than so many. */
static const char *const units[] = {
    "get_compute_id(0)",
    "(uint)get_compute_id(0) %% %uu",
    "min((uint)get_compute_id(0), %uu - 1u)",
    "clamp((int)get_compute_id(0), 0, %d - 1)",
    "pick_same[get_compute_id(0)]",
};

void graph_declare_picks(struct text *source)
{
    text_add(source, "%s", spellings);
}

static int fits(size_t row, uint32_t span, uint32_t below)
{
    if (picks[row].needs == POWER)
        return !(span & (span - 1));
    return picks[row].needs == NOTHING || (below && below <= span);
}

void graph_pick(const char *turn, uint32_t span, uint32_t below, uint32_t spelling, struct text *to)
{
    uint32_t fit = 0;
    for (size_t i = 0; i < LEN(picks); i++)
        fit += (uint32_t)fits(i, span, below);
    size_t row = 0;
    for (spelling %= fit; !fits(row, span, below) || spelling--; row++)
        ;
    text_add(to, "%s(%s, %uu)", picks[row].name, turn, span);
}

void graph_compute_id(uint32_t count, uint32_t spelling, struct text *to)
{
    text_add(to, units[spelling % LEN(units)], count);
}
