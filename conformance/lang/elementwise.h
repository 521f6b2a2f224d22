/* SPDX-License-Identifier: Apache-2.0 */
/* Element types, widths, and kernels of the form out[i] = expression of a[i], b[i], c[i]. */
#ifndef SLUICE_TEST_ELEMENTWISE_H
#define SLUICE_TEST_ELEMENTWISE_H

#include "cl_help.h"

#include <stdint.h>

struct element {
    const char *name;
    unsigned bits;
    int is_signed, is_float;
};

static const struct element integers[] = {
    {"char", 8, 1, 0}, {"uchar", 8, 0, 0}, {"short", 16, 1, 0}, {"ushort", 16, 0, 0},
    {"int", 32, 1, 0}, {"uint", 32, 0, 0}, {"long", 64, 1, 0},  {"ulong", 64, 0, 0},
};
static const unsigned widths[] = {1, 2, 3, 4, 8, 16};

/* The value of element i, wide enough for all of them. */
static inline __int128 load_integer(const void *from, size_t i, const struct element *e)
{
    switch (e->bits) {
    case 8:
        return e->is_signed ? ((const int8_t *)from)[i] : ((const uint8_t *)from)[i];
    case 16:
        return e->is_signed ? ((const int16_t *)from)[i] : ((const uint16_t *)from)[i];
    case 32:
        return e->is_signed ? (__int128)((const int32_t *)from)[i]
                            : (__int128)((const uint32_t *)from)[i];
    default:
        return e->is_signed ? (__int128)((const int64_t *)from)[i]
                            : (__int128)((const uint64_t *)from)[i];
    }
}

static inline void store_integer(void *to, size_t i, const struct element *e, __int128 value)
{
    switch (e->bits) {
    case 8:
        ((uint8_t *)to)[i] = (uint8_t)value;
        break;
    case 16:
        ((uint16_t *)to)[i] = (uint16_t)value;
        break;
    case 32:
        ((uint32_t *)to)[i] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)to)[i] = (uint64_t)value;
    }
}

/* The value as the type would hold it. */
static inline __int128 wrapped(__int128 value, const struct element *e)
{
    uint64_t slot = 0;
    store_integer(&slot, 0, e, value);
    return load_integer(&slot, 0, e);
}

/* "int4", "int" for width 1 */
static inline const char *vector_name(char text[32], const struct element *e, unsigned width)
{
    if (width == 1)
        snprintf(text, 32, "%s", e->name);
    else
        snprintf(text, 32, "%s%u", e->name, width);
    return text;
}

/* Macros LD(p) and ST(v, p) for item i, and T, for a type and width. */
static inline int print_prologue(char *to, size_t size, const struct element *e, unsigned width)
{
    char vector[32];
    vector_name(vector, e, width);
    if (width == 1)
        return snprintf(to, size,
                        "typedef %s S;\ntypedef %s T;\n#define LD(p) (p)[i]\n"
                        "#define ST(v, p) (p)[i] = (v)\n",
                        e->name, vector);
    return snprintf(to, size,
                    "typedef %s S;\ntypedef %s T;\n#define LD(p) vload%u(i, p)\n"
                    "#define ST(v, p) vstore%u(v, i, p)\n",
                    e->name, vector, width, width);
}
#endif
