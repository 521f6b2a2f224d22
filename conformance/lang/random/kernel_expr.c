/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions. No shared state beyond the maker. */
#include "kernel_make.h"

#include <math.h>

/* ---- leaves ---------------------------------------------------------------------------------- */

struct expr *make_var(struct maker *g, uint32_t index)
{
    const struct var *var = &g->p->vars[index];
    struct expr *e = new_expr(g, X_VAR, var->type);
    e->index = index;
    return set_range(e, var->lo, var->hi);
}

static struct expr *constant(struct maker *g, struct type type)
{
    int64_t x = (int64_t)pick(g, 20) - (base_is_signed(type.base) ? 5 : 0);
    if (!base_is_float(type.base) && chance(g, 30))
        x = (int64_t)(((uint64_t)pick(g, UINT32_MAX) << 32 | pick(g, UINT32_MAX)) >> pick(g, 64));
    if (base_is_float(type.base) && chance(g, 30))
        x *= 37;
    return make_number(g, type, x);
}

struct expr *make_identity(struct maker *g)
{
    static const uint32_t kinds[] = {ID_GROUP, ID_GROUPS, ID_LOCAL_SIZE, ID_GLOBAL_SIZE, ID_DIM,
                                     ID_LOCAL, ID_LOCAL,  ID_LOCAL_ITEM, ID_ITEM,        ID_ITEM,
                                     ID_ITEM,  ID_GLOBAL, ID_GLOBAL,     ID_GLOBAL,      ID_GLOBAL};
    uint32_t id = kinds[pick(g, g->uniform ? 5 : 15)], d = 0;
    if (chance(g, g->p->dims == 1 ? 5 : 40))
        d = pick(g, 3);
    if (id == ID_GROUPS && chance(g, 50))
        id = ID_GROUP;
    if (!g->p->groups && (id == ID_GROUP || id == ID_GROUPS || id == ID_LOCAL_SIZE ||
                          id == ID_LOCAL || id == ID_LOCAL_ITEM))
        id = g->uniform ? ID_GLOBAL_SIZE : ID_GLOBAL;
    if (g->in_function && id > ID_DIM) /* these are variables of the kernel */
        id = ID_GLOBAL;
    enum base base = id < ID_DIM ? U64 : id == ID_ITEM ? g->p->item : U32;
    struct expr *e = new_expr(g, X_ID, scalar(base));
    e->index = id >= ID_DIM ? id : id + d;
    return set_range(e, 0, id == ID_GLOBAL ? 4095 : id == ID_DIM ? 3 : MOST_ITEMS);
}

static struct expr *argument(struct maker *g)
{
    uint32_t which = pick(g, ARGUMENTS);
    struct expr *e = new_expr(g, X_ARG, scalar(g->p->arguments[which]));
    e->index = which;
    if (g->p->argument_most[which])
        set_range(e, 0, (double)g->p->argument_most[which]);
    return e;
}

struct expr *make_variable(struct maker *g, struct type type)
{
    for (int turn = 0; turn < 6 && g->visible_count; turn++) {
        uint32_t index = g->visible[pick(g, g->visible_count)];
        const struct var *var = &g->p->vars[index];
        if (var->length || (g->uniform && !var->uniform))
            continue;
        if (turn < 3 && (var->type.base != type.base || var->type.width != type.width))
            continue;
        return make_var(g, index);
    }
    return constant(g, type);
}

static struct expr *leaf(struct maker *g, struct type type)
{
    uint32_t kind = pick(g, 10);
    if (kind < 2)
        return constant(g, type);
    if (kind < 6)
        return make_converted(g, make_variable(g, type), type);
    if (kind < 8 || g->in_function)
        return make_converted(g, make_identity(g), type);
    return make_converted(g, argument(g), type);
}

/* ---- operations ------------------------------------------------------------------------------ */

static struct expr *float_operation(struct maker *g, struct type type, int depth)
{
    static const uint32_t unary[] = {B_FABS, B_HALVE};
    struct expr *a = make_expr(g, type, depth - 1), *e;
    double most = base_highest(type.base);
    if (chance(g, 20)) {
        e = new_expr_of(g, X_BUILTIN, type, a, NULL);
        e->index = unary[pick(g, 2)];
        double reach = fmax(fabs(a->lo), fabs(a->hi));
        return set_range(e, -reach, reach);
    }
    struct expr *b = make_expr(g, type, depth - 1);
    if (chance(g, 15)) {
        e = new_expr_of(g, X_BUILTIN, type, a, b);
        e->index = chance(g, 50) ? B_FMIN : B_FMAX;
        return set_range(e, fmin(a->lo, b->lo), fmax(a->hi, b->hi));
    }
    enum op op = pick(g, 3) + X_ADD;
    e = new_expr_of(g, op, type, a, b);
    find_range(e);
    if (!e->wraps)
        return e;
    most = op == X_MUL ? floor(sqrt(most)) - 1 : floor(most / 2) - 1;
    return make_binary(g, op, make_fit(g, a, -most, most), make_fit(g, b, -most, most));
}

static struct expr *integer_builtin(struct maker *g, struct type type, int depth)
{
    struct expr *e = new_expr(g, X_BUILTIN, type);
    e->index = pick(g, B_FMIN);
    e->count = e->index == B_BITSELECT ? 3 : e->index == B_POPCOUNT || e->index == B_CLZ ? 1 : 2;
    for (uint32_t i = 0; i < e->count; i++)
        e->args[i] = make_expr(g, type, depth - 1);
    if (e->index == B_MIN || e->index == B_MAX)
        set_range(e, fmin(e->args[0]->lo, e->args[1]->lo), fmax(e->args[0]->hi, e->args[1]->hi));
    if (e->count == 1)
        set_range(e, 0, 64);
    return e;
}

/* A variable that is known to be positive here, or else something that is. */
static struct expr *divisor(struct maker *g, struct type type, int depth)
{
    for (int turn = 0; turn < 8 && g->visible_count; turn++) {
        uint32_t index = g->visible[pick(g, g->visible_count)];
        const struct var *var = &g->p->vars[index];
        if (var->fixed && var->lo >= 1 && !g->uniform && var->hi <= base_highest(type.base))
            return make_converted(g, make_var(g, index), type);
    }
    if (chance(g, 60))
        return make_number(g, type, 1 + (int64_t)pick(g, 100));
    return make_binary(g, X_ADD, make_fit(g, make_expr(g, type, depth - 1), 0, 15),
                       make_number(g, type, 1));
}

static struct expr *integer_operation(struct maker *g, struct type type, int depth)
{
    struct expr *a = make_expr(g, type, depth - 1);
    enum op op = X_ADD + (chance(g, 60) ? pick(g, 3) : pick(g, 10));
    if (chance(g, 5)) {
        struct expr *e = new_expr_of(g, X_NOT, type, a, NULL);
        return e;
    }
    if (op == X_DIV || op == X_MOD) {
        return make_binary(g, op, a, divisor(g, type, depth));
    }
    if (op == X_SHL || op == X_SHR)
        return make_binary(g, op, a,
                           chance(g, 50) ? make_number(g, type, pick(g, 8))
                                         : make_expr(g, type, depth - 1));
    return make_binary(g, op, a, make_expr(g, type, depth - 1));
}

static enum base mask_base(enum base base)
{
    static const enum base masks[] = {[1] = I8, [2] = I16, [4] = I32, [8] = I64};
    return masks[base_bytes(base)];
}

static struct expr *comparison(struct maker *g, struct type of, int depth)
{
    enum base base = of.width > 1 ? mask_base(of.base) : I32;
    struct expr *a = make_expr(g, of, depth - 1);
    struct expr *b = chance(g, 50) ? constant(g, of) : make_expr(g, of, depth - 1);
    struct expr *e =
        new_expr_of(g, X_LT + pick(g, 4), (struct type){(uint8_t)base, of.width}, a, b);
    return set_range(e, of.width > 1 ? -1 : 0, of.width > 1 ? 0 : 1);
}

struct expr *make_between(struct maker *g, uint32_t var, int64_t lo, int64_t hi)
{
    struct expr *of = make_var(g, var);
    struct expr *low = new_expr_of(g, X_LE, scalar(I32), make_number(g, of->type, lo), of);
    struct expr *high = new_expr_of(g, X_LE, scalar(I32), of, make_number(g, of->type, hi));
    if (!base_is_signed(of->type.base) && !lo)
        return set_range(high, 0, 1);
    return set_range(new_expr_of(g, X_LAND, scalar(I32), low, high), 0, 1);
}

struct expr *make_cond(struct maker *g, int depth)
{
    uint32_t kind = pick(g, 12);
    struct expr *e;
    if (kind < 2 && depth > 1) {
        e = new_expr_of(g, kind ? X_LAND : X_LOR, scalar(I32), make_cond(g, depth - 1),
                        make_cond(g, depth - 1));
    } else if (kind == 2 && depth > 1) {
        e = new_expr_of(g, X_LNOT, scalar(I32), make_cond(g, depth - 1), NULL);
    } else if (kind == 3) {
        struct type type = {(uint8_t)any_base(g), chance(g, 50) ? 4 : 2};
        e = new_expr_of(g, X_ANY + pick(g, 2), scalar(I32), comparison(g, type, depth), NULL);
    } else if (kind < 9) { /* some of them, whatever the values */
        struct type type = scalar(integer_base(g));
        int64_t most = (1 << (1 + pick(g, 3))) - 1;
        struct expr *bits = make_bits(g, type, most);
        e = new_expr_of(g, X_LT + pick(g, 4), scalar(I32), bits,
                        make_number(g, type, 1 + pick(g, (uint32_t)most)));
    } else {
        return comparison(g, scalar(any_base(g)), depth);
    }
    return set_range(e, 0, 1);
}

static struct expr *call(struct maker *g, struct type type, int depth)
{
    struct expr *e = new_expr(g, X_CALL, scalar(I32));
    e->index = pick(g, g->callable);
    const struct function *f = &g->p->functions[e->index];
    if (f->changes)
        return leaf(g, type);
    e->type = f->type;
    set_range(e, base_lowest(f->type.base), base_highest(f->type.base));
    if (base_is_float(f->type.base))
        set_range(e, -4096, 4096);
    e->count = f->param_count;
    for (uint32_t i = 0; i < f->param_count; i++) {
        const struct var *param = &g->p->vars[f->first_param + i];
        e->args[i] = make_expr(g, param->type, depth - 2);
        e->args[i] = make_fit(g, e->args[i], param->lo, param->hi);
    }
    return make_converted(g, e, type);
}

static struct expr *chosen(struct maker *g, struct type type, int depth)
{
    struct expr *e, *a = make_expr(g, type, depth - 1), *b = make_expr(g, type, depth - 1);
    if (type.width > 1) {
        e = new_expr_of(g, X_SELECT, type, a, b);
        e->args[2] = comparison(g, type, depth - 1);
    } else {
        e = new_expr_of(g, X_CHOOSE, type, make_cond(g, depth - 1), a);
        e->args[2] = b;
    }
    e->count = 3;
    return set_range(e, fmin(a->lo, b->lo), fmax(a->hi, b->hi));
}

static struct expr *built_vector(struct maker *g, struct type type, int depth)
{
    struct expr *e = new_expr(g, X_BUILD, type);
    e->count = type.width;
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < type.width; i++) {
        e->args[i] = make_expr(g, scalar(type.base), type.width > 4 ? 0 : depth - 1);
        lo = fmin(lo, e->args[i]->lo);
        hi = fmax(hi, e->args[i]->hi);
    }
    return set_range(e, lo, hi);
}

struct expr *make_expr(struct maker *g, struct type type, int depth)
{
    uint32_t kind = pick(g, 100);
    int is_float = base_is_float(type.base);
    if (depth <= 0)
        return leaf(g, type);
    if (kind < 40)
        return is_float ? float_operation(g, type, depth) : integer_operation(g, type, depth);
    if (kind < 55)
        return make_access(g, type, depth);
    if (kind < 62)
        return chosen(g, type, depth);
    if (kind < 68 && g->callable && !g->uniform)
        return call(g, type, depth);
    if (kind < 74 && !is_float)
        return integer_builtin(g, type, depth);
    if (kind < 78 && type.width == 1 && !is_float)
        return make_converted(g, make_cond(g, depth - 1), type);
    if (kind < 83 && type.width > 1)
        return built_vector(g, type, depth);
    if (kind < 90)
        return make_converted(g, make_expr(g, any_type(g), depth - 1), type);
    return leaf(g, type);
}
