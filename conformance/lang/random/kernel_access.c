/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions that read memory, and their indices. No shared state beyond the maker. */
#include "kernel_make.h"

/* From a variable whose range a condition around it vouches for; NULL: there is none. */
static struct expr *near_index(struct maker *g, uint32_t below)
{
    uint32_t index = g->visible_count ? g->visible[g->visible_count - 1] : 0;
    const struct var *near = g->visible_count ? &g->p->vars[index] : NULL;
    if (!near || !near->fixed || g->uniform || near->lo < 0 || near->hi >= below || chance(g, 40))
        return NULL;
    struct expr *e = make_var(g, index), *by = make_number(g, e->type, (int64_t)near->lo);
    if (chance(g, 50))
        e = make_binary(g, X_SUB, e, by);
    if (chance(g, 50) && e->hi + 9 < below && e->hi + 9 <= base_highest(e->type.base))
        e = make_binary(g, X_ADD, e, make_number(g, e->type, 1 + pick(g, 9)));
    if (chance(g, 30) && e->hi * 3 < below && e->hi * 3 <= base_highest(e->type.base))
        e = make_binary(g, X_MUL, e, make_number(g, e->type, 2 + pick(g, 2)));
    if (chance(g, 50) && e->type.base < I64)
        e = make_converted(g, e, scalar(U64));
    return e;
}

struct expr *make_index(struct maker *g, uint32_t below, int depth)
{
    struct expr *e;
    if (below == 1)
        return make_number(g, scalar(I32), 0);
    struct type type = scalar(chance(g, 50) ? I32 : chance(g, 50) ? U64 : integer_base(g));
    if (base_bytes(type.base) == 1 && below > 100)
        type = scalar(U32);
    uint32_t form = pick(g, 6);
    if ((e = near_index(g, below)))
        return e;
    if (g->uniform || form == 0 || (below < 600 && form < 4))
        e = make_expr(g, type, depth);
    else
        e = make_converted(g, make_identity(g), type);
    if (form == 1)
        e = make_binary(g, X_ADD, e, make_number(g, type, pick(g, 9)));
    else if (form == 2 && base_highest(type.base) > 2000)
        e = make_binary(g, X_SUB, make_number(g, type, 1030 + (int64_t)pick(g, 60)), e);
    else if (form == 3)
        e = make_binary(g, X_MUL, e, make_number(g, type, 2 + pick(g, 3)));
    else if (form == 4 && !g->uniform && g->visible_count)
        e = make_binary(g, X_ADD, e, make_converted(g, make_variable(g, type), type));
    return make_fit(g, e, 0, below - 1);
}

/* An integer from 0 to most, a power of two less one, that differs between items at random. */
struct expr *make_bits(struct maker *g, struct type type, int64_t most)
{
    uint32_t which = pick(g, INPUTS);
    struct expr *e;
    if (g->uniform)
        return make_fit(g, make_expr(g, type, 2), 0, (double)most);
    if (base_is_float(g->p->inputs[which]) || chance(g, 30)) {
        e = make_converted(g, make_identity(g), scalar(U32));
        if (chance(g, 50))
            e = make_binary(g, X_MUL, e, make_number(g, scalar(U32), 3 + 2 * pick(g, 1000)));
    } else {
        e = new_expr(g, X_LOAD, scalar(g->p->inputs[which]));
        e->index = which;
        e->count = 1;
        e->args[0] = make_index(g, INPUT_LENGTH, 1);
    }
    if (chance(g, 50))
        e = make_binary(g, X_SHR, e, make_number(g, e->type, pick(g, 5)));
    return make_converted(g, make_fit(g, e, 0, (double)most), type);
}

static struct expr *load(struct maker *g, struct type type, int depth)
{
    uint32_t which = pick(g, INPUTS), width = type.width;
    for (int turn = 0; turn < 4 && g->p->inputs[which] != type.base; turn++)
        which = pick(g, INPUTS);
    enum op op = width == 1 ? X_LOAD : width == 3 ? X_VLOAD : chance(g, 50) ? X_VLOAD : X_POINTER;
    struct expr *e = new_expr(g, op, (struct type){(uint8_t)g->p->inputs[which], (uint8_t)width});
    e->index = which;
    e->count = 1;
    e->args[0] = make_index(g, width == 3 ? 1024 : INPUT_LENGTH / width, depth - 1);
    if (base_is_float(e->type.base))
        set_range(e, -100, 100);
    return make_converted(g, e, type);
}

static struct expr *element(struct maker *g, struct type type, int depth)
{
    for (uint32_t i = 0; i < g->visible_count; i++) {
        uint32_t index = g->visible[(i + pick(g, 4)) % g->visible_count];
        const struct var *var = &g->p->vars[index];
        if (!var->length)
            continue;
        struct expr *e = new_expr(g, X_ELEMENT, var->type);
        e->index = index;
        e->count = 1;
        e->args[0] = make_index(g, var->length, depth - 1);
        return make_converted(g, set_range(e, var->lo, var->hi), type);
    }
    return load(g, type, depth);
}

static struct expr *local_element(struct maker *g, struct type type, int depth)
{
    struct expr *own = new_expr(g, X_ID, scalar(U32)), *all = new_expr(g, X_ID, scalar(U32)),
                *at = own;
    own->index = ID_LOCAL_ITEM;
    all->index = ID_LOCAL_ITEMS;
    set_range(own, 0, MOST_LOCAL - 1);
    set_range(all, 1, MOST_LOCAL);
    if (chance(g, 40))
        at = make_binary(g, X_ADD, own, make_number(g, scalar(U32), pick(g, 20)));
    else if (chance(g, 50))
        at = make_expr(g, scalar(U32), depth - 1);
    struct expr *e = new_expr(g, X_LOCAL, scalar(g->p->local));
    if (g->p->local_width > 1)
        do
            e->index = pick(g, ANY_COMPONENT + 1);
        while (!(g->readable >> e->index & 1));
    e->count = 1;
    e->args[0] = make_binary(g, X_MOD, at, all);
    if (base_is_float(g->p->local))
        set_range(e, -4096, 4096);
    return make_converted(g, e, type);
}

static struct expr *own(struct maker *g, struct type type, int depth)
{
    uint32_t which = pick(g, OUTPUTS);
    struct expr *e = new_expr(g, X_OWN, scalar(g->p->outputs[which].base));
    e->index = which;
    e->count = 1;
    e->args[0] = make_index(g, g->p->outputs[which].slots, depth - 1);
    if (base_is_float(e->type.base))
        set_range(e, -4096, 4096);
    return make_converted(g, e, type);
}

struct expr *make_access(struct maker *g, struct type type, int depth)
{
    uint32_t kind = g->uniform ? 0 : pick(g, 10);
    if (kind > 7 && !g->in_function)
        return own(g, type, depth);
    if (kind > 4 && g->may_read_local)
        return local_element(g, type, depth);
    return kind > 3 ? element(g, type, depth) : load(g, type, depth);
}
