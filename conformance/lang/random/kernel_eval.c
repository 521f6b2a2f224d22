/* SPDX-License-Identifier: Apache-2.0 */
/* The values of expressions of a random kernel, for one item. No shared state. */
#include "kernel_interpret.h"

int64_t number(struct machine *m, struct item *item, const struct expr *e)
{
    return eval(m, item, e).i[0];
}

size_t own_place(const struct machine *m, const struct item *item, uint32_t index)
{
    const struct output *out = &m->program->outputs[index];
    int64_t at = item->ids[ID_ITEM];
    if (out->backwards)
        at = item->ids[ID_ITEMS] - 1 - at;
    return PAD + (size_t)at * out->slots;
}

static double as_double(enum base from, int64_t x)
{
    return from == U64 ? (double)(uint64_t)x : (double)x;
}

static struct value cast(const struct expr *e, const struct value *from)
{
    enum base was = e->args[0]->type.base, now = e->type.base;
    struct value to = {0};
    for (uint32_t i = 0; i < e->type.width; i++) {
        if (base_is_float(now))
            to.d[i] = base_is_float(was) ? from->d[i] : as_double(was, from->i[i]);
        else
            to.i[i] = base_wrap(now, base_is_float(was) ? (int64_t)from->d[i] : from->i[i]);
    }
    return to;
}

static struct value arithmetic(const struct expr *e, const struct value *a, const struct value *b)
{
    struct value to = {0};
    for (uint32_t i = 0; i < e->type.width; i++) {
        if (base_is_float(e->type.base))
            to.d[i] = lane_operate_double(e->op, a->d[i], b->d[i]);
        else
            to.i[i] = lane_operate(e->op, e->type.base, a->i[i], b->i[i]);
    }
    return to;
}

static struct value compare(const struct expr *e, const struct value *a, const struct value *b)
{
    struct value to = {0};
    for (uint32_t i = 0; i < e->type.width; i++) {
        int holds = lane_compare(e->op, e->args[0]->type.base, a, b, i);
        to.i[i] = e->type.width > 1 ? -holds : holds;
    }
    return to;
}

static struct value rearranged(struct machine *m, struct item *item, const struct expr *e)
{
    struct value to = {0}, from = eval(m, item, e->args[0]);
    for (uint32_t i = 0; i < e->type.width; i++) {
        if (e->op == X_BUILD)
            to.i[i] = eval(m, item, e->args[i]).i[0];
        else
            to.i[i] = from.i[e->op == X_SPLAT ? 0 : e->lanes[i]];
    }
    return to;
}

static struct value selected(struct machine *m, struct item *item, const struct expr *e)
{
    struct value no = eval(m, item, e->args[0]), yes = eval(m, item, e->args[1]);
    struct value mask = eval(m, item, e->args[2]);
    for (uint32_t i = 0; i < e->type.width; i++)
        if (mask.i[i] < 0)
            no.i[i] = yes.i[i];
    return no;
}

static int64_t reduced(struct machine *m, struct item *item, const struct expr *e)
{
    struct value of = eval(m, item, e->args[0]);
    int any = 0, all = 1;
    for (uint32_t i = 0; i < e->args[0]->type.width; i++) {
        any |= of.i[i] < 0;
        all &= of.i[i] < 0;
    }
    return e->op == X_ANY ? any : all;
}

static struct value builtin(struct machine *m, struct item *item, const struct expr *e)
{
    struct value to = {0}, args[3] = {0};
    for (uint32_t i = 0; i < e->count; i++)
        args[i] = eval(m, item, e->args[i]);
    for (uint32_t i = 0; i < e->type.width; i++) {
        int64_t integers[3] = {args[0].i[i], args[1].i[i], args[2].i[i]};
        double numbers[3] = {args[0].d[i], args[1].d[i], args[2].d[i]};
        if (base_is_float(e->type.base))
            to.d[i] = lane_builtin_double(e->index, numbers);
        else
            to.i[i] = lane_builtin(e->index, e->type.base, integers);
    }
    return to;
}

static struct value loaded(struct machine *m, struct item *item, const struct expr *e)
{
    struct value to = {0};
    size_t at = (size_t)number(m, item, e->args[0]) * e->type.width;
    for (uint32_t i = 0; i < e->type.width; i++)
        value_from_memory(&to, e->type.base, i, m->launch->inputs[e->index], at + i);
    return to;
}

static struct value own(struct machine *m, struct item *item, const struct expr *e)
{
    struct value to = {0};
    size_t at = own_place(m, item, e->index) + (size_t)number(m, item, e->args[0]);
    value_from_memory(&to, e->type.base, 0, m->launch->outputs[e->index], at);
    return to;
}

static struct value called(struct machine *m, struct item *item, const struct expr *e)
{
    const struct function *f = &m->program->functions[e->index];
    struct value args[MOST_LANES];
    for (uint32_t i = 0; i < f->param_count; i++)
        args[i] = eval(m, item, e->args[i]);
    for (uint32_t i = 0; i < f->param_count; i++)
        item->slots[m->program->vars[f->first_param + i].slot] = args[i];
    run_stmts(m, item, f->body);
    return m->result;
}

static struct value logical(struct machine *m, struct item *item, const struct expr *e)
{
    int first = number(m, item, e->args[0]) != 0;
    struct value to = {0};
    if (e->op == X_LNOT)
        to.i[0] = !first;
    else if (first == (e->op == X_LOR))
        to.i[0] = first;
    else
        to.i[0] = number(m, item, e->args[1]) != 0;
    return to;
}

static struct value leaf(struct machine *m, struct item *item, const struct expr *e)
{
    struct value to = {0};
    uint32_t lane,
        slot = m->program->vars[e->op == X_VAR || e->op == X_ELEMENT ? e->index : 0].slot;
    switch (e->op) {
    case X_VAR:
        return item->slots[slot];
    case X_ELEMENT:
        return item->slots[slot + (uint32_t)number(m, item, e->args[0])];
    case X_LOCAL:
        to = *local_place(m, e->index, number(m, item, e->args[0]), &lane);
        to.i[0] = to.i[lane];
        return to;
    case X_ARG:
        return m->launch->arguments[e->index];
    case X_ID:
        to.i[0] = item->ids[e->index];
        return to;
    default:
        if (base_is_float(e->type.base))
            to.d[0] = (double)e->number;
        else
            to.i[0] = e->number;
        return to;
    }
}

struct value eval(struct machine *m, struct item *item, const struct expr *e)
{
    struct value a, b = {0};
    switch (e->op) {
    case X_SPLAT:
    case X_BUILD:
    case X_SWIZZLE:
        return rearranged(m, item, e);
    case X_LAND:
    case X_LOR:
    case X_LNOT:
        return logical(m, item, e);
    case X_CHOOSE:
        return eval(m, item, e->args[number(m, item, e->args[0]) ? 1 : 2]);
    case X_SELECT:
        return selected(m, item, e);
    case X_ANY:
    case X_ALL:
        b.i[0] = reduced(m, item, e);
        return b;
    case X_LOAD:
    case X_VLOAD:
    case X_POINTER:
        return loaded(m, item, e);
    case X_OWN:
        return own(m, item, e);
    case X_CALL:
        return called(m, item, e);
    case X_BUILTIN:
        return builtin(m, item, e);
    default:
        break;
    }
    if (e->op < X_CAST || e->op > X_CHOOSE)
        return leaf(m, item, e);
    a = eval(m, item, e->args[0]);
    if (e->op == X_CAST)
        return cast(e, &a);
    if (e->count > 1)
        b = eval(m, item, e->args[1]);
    return e->op >= X_LT && e->op <= X_NE ? compare(e, &a, &b) : arithmetic(e, &a, &b);
}
