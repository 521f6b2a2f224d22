/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of expressions, with the range of their values. No shared state beyond the maker. */
#include "kernel_make.h"

#include <math.h>

#define SINGLE_MOST 8388608.0 /* integers up to here are exact, also after an addition */
#define DOUBLE_MOST 1125899906842624.0

/* ---- types and ranges ------------------------------------------------------------------------ */

struct type scalar(enum base base)
{
    return (struct type){(uint8_t)base, 1};
}

enum base any_base(struct maker *g)
{
    static const enum base often[] = {I32, I32, U32, F32, F32, I64, U64};
    return chance(g, 60) ? often[pick(g, 7)] : (enum base)pick(g, BASES);
}

enum base integer_base(struct maker *g)
{
    return chance(g, 40) ? I32 : (enum base)pick(g, F32);
}

struct type any_type(struct maker *g)
{
    static const uint8_t widths[] = {2, 3, 4, 4, 8};
    return (struct type){(uint8_t)any_base(g), chance(g, 75) ? 1 : widths[pick(g, 5)]};
}

double base_highest(enum base base)
{
    if (base_is_float(base))
        return base == F32 ? SINGLE_MOST : DOUBLE_MOST;
    int bits = (int)base_bytes(base) * 8 - base_is_signed(base);
    return ldexp(1, bits) - (bits > 53 ? 0 : 1);
}

double base_lowest(enum base base)
{
    if (base_is_float(base))
        return -base_highest(base);
    return base_is_signed(base) ? -ldexp(1, (int)base_bytes(base) * 8 - 1) : 0;
}

/* With a margin where doubles are coarse. */
static int range_fits(enum base base, double lo, double hi)
{
    double margin = base == I64 || base == U64 ? 1e16 : 0;
    return hi <= base_highest(base) - margin &&
           lo >= base_lowest(base) + (base == I64 ? margin : 0);
}

struct expr *new_expr(struct maker *g, enum op op, struct type type)
{
    struct expr *e = node(g, sizeof *e);
    e->op = op;
    e->type = type;
    e->lo = base_lowest(type.base);
    e->hi = base_highest(type.base);
    return e;
}

struct expr *new_expr_of(struct maker *g, enum op op, struct type type, struct expr *a,
                         struct expr *b)
{
    struct expr *e = new_expr(g, op, type);
    e->args[0] = a;
    e->args[1] = b;
    e->count = b ? 2 : 1;
    return e;
}

struct expr *set_range(struct expr *e, double lo, double hi)
{
    e->lo = lo;
    e->hi = hi;
    return e;
}

static void multiply_range(struct expr *e, const struct expr *a, const struct expr *b)
{
    double c[4] = {a->lo * b->lo, a->lo * b->hi, a->hi * b->lo, a->hi * b->hi};
    set_range(e, fmin(fmin(c[0], c[1]), fmin(c[2], c[3])),
              fmax(fmax(c[0], c[1]), fmax(c[2], c[3])));
}

void find_range(struct expr *e)
{
    const struct expr *a = e->args[0], *b = e->args[1];
    double bits = exp2(ceil(log2(fmax(fmax(a->hi, b->hi), 1) + 1)));
    switch (e->op) {
    case X_ADD:
        set_range(e, a->lo + b->lo, a->hi + b->hi);
        break;
    case X_SUB:
        set_range(e, a->lo - b->hi, a->hi - b->lo);
        break;
    case X_MUL:
        multiply_range(e, a, b);
        break;
    case X_AND:
        if (a->lo >= 0 || b->lo >= 0)
            set_range(e, 0, a->lo < 0 ? b->hi : b->lo < 0 ? a->hi : fmin(a->hi, b->hi));
        break;
    case X_OR:
    case X_XOR:
        if (a->lo >= 0 && b->lo >= 0 && bits < e->hi)
            set_range(e, 0, bits - 1);
        break;
    case X_SHR:
    case X_DIV:
        set_range(e, fmin(a->lo, 0), fmax(a->hi, 0));
        break;
    case X_MOD:
        set_range(e, a->lo < 0 ? 1 - b->hi : 0, a->hi > 0 ? b->hi - 1 : 0);
        break;
    default:
        break;
    }
    if (!range_fits(e->type.base, e->lo, e->hi)) {
        set_range(e, base_lowest(e->type.base), base_highest(e->type.base));
        e->wraps = 1;
    }
}

/* For DIV and MOD b must be positive; for floats the range must fit. */
struct expr *make_binary(struct maker *g, enum op op, struct expr *a, struct expr *b)
{
    struct expr *e = new_expr_of(g, op, a->type, a, b);
    find_range(e);
    return e;
}

struct expr *make_number(struct maker *g, struct type type, int64_t x)
{
    struct expr *e = new_expr(g, X_CONST, scalar(type.base));
    e->number = base_is_float(type.base) ? x : base_wrap(type.base, x);
    double as = type.base == U64 ? (double)(uint64_t)e->number : (double)e->number;
    set_range(e, as, as);
    if (type.width == 1)
        return e;
    struct expr *splat = new_expr_of(g, X_SPLAT, type, e, NULL);
    return set_range(splat, as, as);
}

/* ---- conversions ----------------------------------------------------------------------------- */

struct expr *make_fit(struct maker *g, struct expr *e, double lo, double hi)
{
    if (e->lo >= lo && e->hi <= hi)
        return e;
    if (base_is_float(e->type.base)) {
        struct expr *less =
            new_expr_of(g, X_BUILTIN, e->type, e, make_number(g, e->type, (int64_t)hi));
        less->index = B_FMIN;
        struct expr *more =
            new_expr_of(g, X_BUILTIN, e->type, less, make_number(g, e->type, (int64_t)lo));
        more->index = B_FMAX;
        return set_range(more, lo, hi);
    }
    int64_t most = (int64_t)hi;
    if (!(most & (most + 1)) && (chance(g, 50) || e->lo < 0))
        return make_binary(g, X_AND, e, make_number(g, e->type, most));
    if (e->lo < 0 && lo >= 0)
        e = make_binary(g, X_AND, e,
                        make_number(g, e->type, INT64_MAX >> (64 - 8 * base_bytes(e->type.base))));
    return make_binary(g, X_MOD, e, make_number(g, e->type, most + 1));
}

static struct expr *cast_to(struct maker *g, struct expr *e, enum base base)
{
    struct type type = {(uint8_t)base, e->type.width};
    if (e->type.base == base)
        return e;
    int was = base_is_float(e->type.base), fits = range_fits(base, e->lo, e->hi);
    if (was && !base_is_float(base) && !fits && base != I64)
        e = cast_to(g, e, I64);
    if (base_is_float(base) && !fits) {
        /* 127: what every integer type holds */
        double most = base_bytes(e->type.base) > 2 ? 1023 : 127;
        e = make_fit(g, e, base_is_signed(e->type.base) ? -most : 0, most);
    }
    struct expr *to = new_expr_of(g, X_CAST, type, e, NULL);
    if (range_fits(base, e->lo, e->hi))
        set_range(to, e->lo, e->hi);
    return to;
}

static struct expr *swizzled(struct maker *g, struct expr *e, uint32_t width)
{
    struct expr *to =
        new_expr_of(g, X_SWIZZLE, (struct type){e->type.base, (uint8_t)width}, e, NULL);
    for (uint32_t i = 0; i < width; i++)
        to->lanes[i] = (uint8_t)pick(g, e->type.width);
    return set_range(to, e->lo, e->hi);
}

struct expr *make_converted(struct maker *g, struct expr *e, struct type type)
{
    if (e->type.width > 1 && (e->type.width != type.width || chance(g, 20))) {
        if (e->op == X_SPLAT)
            e = e->args[0];
        else
            e = swizzled(g, e, type.width);
    }
    e = cast_to(g, e, type.base);
    if (e->type.width == type.width)
        return e;
    return set_range(new_expr_of(g, X_SPLAT, type, e, NULL), e->lo, e->hi);
}
