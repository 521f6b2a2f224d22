/* SPDX-License-Identifier: Apache-2.0 */
/* A SPIR-V module of nothing but specialization constants, and what is true of them. */
#ifndef SPIRV_WORDS_H
#define SPIRV_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { SPIRV_WORDS_MOST = 128 };

#define OP(code, words) ((uint32_t)(words) << 16 | (code))
#define SPEC_ID(target, id) OP(71, 4), (target), 1, (id)
static const uint32_t spirv_words[] = {
    0x07230203,
    0x00010200,
    0,
    64,
    0, /* header of version 1.2; the bound of ids is 64 */
    OP(17, 2),
    6, /* OpCapability Kernel */
    OP(14, 3),
    2,
    2, /* OpMemoryModel Physical64 OpenCL */
    SPEC_ID(20, 0),
    SPEC_ID(21, 1),
    SPEC_ID(22, 7),
    SPEC_ID(23, 8),
    SPEC_ID(24, 0xffffffff),
    SPEC_ID(25, 11),
    SPEC_ID(26, 12), /* of half and bool */
    SPEC_ID(27, 13), /* of a constant that is not one of specialization */
    SPEC_ID(40, 14), /* of nothing */
    OP(71, 4),
    20,
    44,
    15, /* OpDecorate Alignment 15 */
    OP(20, 2),
    9, /* OpTypeBool */
    OP(21, 4),
    10,
    8,
    0, /* OpTypeInt 8, 16, 32, 64 */
    OP(21, 4),
    11,
    16,
    0,
    OP(21, 4),
    12,
    32,
    0,
    OP(21, 4),
    13,
    64,
    0,
    OP(22, 3),
    14,
    16,
    OP(22, 3),
    15,
    64, /* OpTypeFloat 16, 64 */
    OP(50, 4),
    10,
    20,
    1, /* OpSpecConstant */
    OP(50, 4),
    11,
    21,
    2,
    OP(50, 4),
    12,
    22,
    3,
    OP(50, 5),
    13,
    23,
    4,
    0,
    OP(50, 5),
    15,
    24,
    0,
    0,
    OP(50, 4),
    14,
    25,
    0,
    OP(48, 3),
    9,
    26, /* OpSpecConstantTrue */
    OP(43, 4),
    12,
    27,
    5, /* OpConstant */
};
#undef SPEC_ID

static const struct {
    uint32_t id;
    size_t bytes; /* 0: there is none */
} spirv_constants[] = {{0, 1},  {1, 2},  {2, 0},  {7, 4},  {8, 8},          {11, 2},
                       {12, 1}, {13, 0}, {14, 0}, {15, 0}, {0xffffffff, 8}, {0xfffffffe, 0}};
#endif
