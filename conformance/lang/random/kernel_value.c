/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenCL's operations do to one lane, in plain C. No shared state. */
#include "kernel.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes, is_float, is_signed;
} bases[BASES] = {
    [I8] = {"char", 1, 0, 1},    [U8] = {"uchar", 1, 0, 0},  [I16] = {"short", 2, 0, 1},
    [U16] = {"ushort", 2, 0, 0}, [I32] = {"int", 4, 0, 1},   [U32] = {"uint", 4, 0, 0},
    [I64] = {"long", 8, 0, 1},   [U64] = {"ulong", 8, 0, 0}, [F32] = {"float", 4, 1, 1},
    [F64] = {"double", 8, 1, 1},
};

static const char *const builtin_names[BUILTINS] = {
    "min",  "max",       "add_sat", "sub_sat", "rotate", "popcount", "clz", "mul_hi",
    "hadd", "bitselect", "fmin",    "fmax",    "fabs",   "floor",    "fma"};

static const char *const counter_names[COUNTER_OPS] = {"add", "min", "max", "or", "xor"};

size_t base_bytes(enum base base)
{
    return bases[base].bytes;
}

int base_is_float(enum base base)
{
    return bases[base].is_float;
}

int base_is_signed(enum base base)
{
    return bases[base].is_signed;
}

const char *base_name(enum base base)
{
    return bases[base].name;
}

const char *builtin_name(enum builtin builtin)
{
    return builtin_names[builtin];
}

const char *counter_name(uint32_t op)
{
    return counter_names[op];
}

int64_t base_wrap(enum base base, int64_t x)
{
    switch (base) {
    case I8:
        return (int8_t)x;
    case U8:
        return (uint8_t)x;
    case I16:
        return (int16_t)x;
    case U16:
        return (uint16_t)x;
    case I32:
        return (int32_t)x;
    case U32:
        return (uint32_t)x;
    default:
        return x;
    }
}

void value_from_memory(struct value *to, enum base base, uint32_t lane, const void *buffer,
                       size_t at)
{
    const char *from = (const char *)buffer + at * base_bytes(base);
    float single;
    if (base == F32) {
        memcpy(&single, from, sizeof single);
        to->d[lane] = (double)single;
        return;
    }
    to->i[lane] = 0;
    memcpy(&to->i[lane], from, base_bytes(base));
    if (base != F64)
        to->i[lane] = base_wrap(base, to->i[lane]);
}

void value_to_memory(const struct value *from, enum base base, uint32_t lane, void *buffer,
                     size_t at)
{
    float single = base == F32 ? (float)from->d[lane] : 0;
    const void *bits = base == F32 ? (const void *)&single : (const void *)&from->i[lane];
    memcpy((char *)buffer + at * base_bytes(base), bits, base_bytes(base));
}

static int64_t divide(enum op op, enum base base, int64_t a, int64_t b)
{
    if (base == U64)
        return (int64_t)(op == X_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    return op == X_DIV ? a / b : a % b;
}

int64_t lane_operate(enum op op, enum base base, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b, count = y & (base_bytes(base) * 8 - 1);
    switch (op) {
    case X_ADD:
        return base_wrap(base, (int64_t)(x + y));
    case X_SUB:
        return base_wrap(base, (int64_t)(x - y));
    case X_MUL:
        return base_wrap(base, (int64_t)(x * y));
    case X_AND:
        return a & b;
    case X_OR:
        return a | b;
    case X_XOR:
        return a ^ b;
    case X_NOT:
        return base_wrap(base, ~a);
    case X_SHL:
        return base_wrap(base, (int64_t)(x << count));
    case X_SHR:
        return base_is_signed(base) ? a >> count : (int64_t)(x >> count);
    default:
        return divide(op, base, a, b);
    }
}

double lane_operate_double(enum op op, double a, double b)
{
    return op == X_ADD ? a + b : op == X_SUB ? a - b : a * b;
}

int lane_compare(enum op op, enum base base, const struct value *a, const struct value *b,
                 uint32_t lane)
{
    int less = base == U64 ? (uint64_t)a->i[lane] < (uint64_t)b->i[lane] : a->i[lane] < b->i[lane];
    int equal = a->i[lane] == b->i[lane];
    if (base_is_float(base)) {
        less = a->d[lane] < b->d[lane];
        equal = !(less || a->d[lane] > b->d[lane]);
    }
    switch (op) {
    case X_LT:
        return less;
    case X_LE:
        return less || equal;
    case X_EQ:
        return equal;
    default:
        return !equal;
    }
}

static int64_t saturate(enum base base, __int128 x)
{
    unsigned bits = (unsigned)base_bytes(base) * 8;
    __int128 most = ((__int128)1 << (base_is_signed(base) ? bits - 1 : bits)) - 1;
    __int128 least = base_is_signed(base) ? -most - 1 : 0;
    return (int64_t)(x > most ? most : x < least ? least : x);
}

int64_t lane_builtin(enum builtin builtin, enum base base, const int64_t *args)
{
    unsigned bits = (unsigned)base_bytes(base) * 8;
    __int128 a = base == U64 ? (__int128)(uint64_t)args[0] : (__int128)args[0];
    __int128 b = base == U64 ? (__int128)(uint64_t)args[1] : (__int128)args[1];
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t x = (uint64_t)args[0] & mask, count = (uint64_t)args[1] & (bits - 1);
    switch (builtin) {
    case B_MIN:
        return a < b ? args[0] : args[1];
    case B_MAX:
        return a > b ? args[0] : args[1];
    case B_ADD_SAT:
        return saturate(base, a + b);
    case B_SUB_SAT:
        return saturate(base, a - b);
    case B_ROTATE:
        return base_wrap(base, (int64_t)(x << count | (count ? x >> (bits - count) : 0)));
    case B_POPCOUNT:
        return __builtin_popcountll(x);
    case B_CLZ:
        return x ? __builtin_clzll(x) - (int)(64 - bits) : (int64_t)bits;
    case B_MUL_HI:
        if (base == U64)
            return (int64_t)(((unsigned __int128)(uint64_t)args[0] *
                              (unsigned __int128)(uint64_t)args[1]) >>
                             64);
        return (int64_t)((a * b) >> bits);
    case B_HADD:
        return (int64_t)((a + b) >> 1);
    default:
        return (args[0] & ~args[2]) | (args[1] & args[2]);
    }
}

double lane_builtin_double(enum builtin builtin, const double *args)
{
    switch (builtin) {
    case B_FMIN:
        return args[0] < args[1] ? args[0] : args[1];
    case B_FMAX:
        return args[0] > args[1] ? args[0] : args[1];
    case B_FABS:
        return fabs(args[0]);
    case B_HALVE:
        return floor(args[0] * 0.5);
    default:
        return args[0] * args[1] + args[2];
    }
}

void counter_apply(uint32_t op, uint32_t *cell, uint32_t with)
{
    switch (op) {
    case 0:
        *cell += with;
        break;
    case 1:
        *cell = *cell < with ? *cell : with;
        break;
    case 2:
        *cell = *cell > with ? *cell : with;
        break;
    case 3:
        *cell |= with;
        break;
    default:
        *cell ^= with;
    }
}
