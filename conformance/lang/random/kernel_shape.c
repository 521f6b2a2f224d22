/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes that random statements do not come to by themselves: state machines, structs, functions
 * that change what a pointer names. No shared state beyond the maker.
 */
#include "kernel_make.h"

/* ---- state machines -------------------------------------------------------------------------- */

static struct stmt *next_state(struct maker *g, uint32_t state, uint32_t states)
{
    struct stmt *s = new_stmt(g, S_ASSIGN);
    struct type type = g->p->vars[state].type;
    s->index = state;
    s->e = new_expr(g, X_CHOOSE, type);
    s->e->count = 3;
    s->e->args[0] = make_cond(g, 2);
    s->e->args[1] = make_number(g, type, pick(g, states));
    s->e->args[2] = make_number(g, type, pick(g, states));
    set_range(s->e, 0, states - 1);
    return s;
}

static struct stmt *make_cases(struct maker *g, uint32_t state, uint32_t states, int depth)
{
    struct stmt *s = new_stmt(g, S_SWITCH), **end = &s->body;
    s->e = make_var(g, state);
    g->breakable++;
    for (uint32_t i = 0; i < states; i++, end = &(*end)->next) {
        *end = new_stmt(g, S_CASE);
        (*end)->number = i;
        (*end)->is_default = i + 1 == states && chance(g, 30);
        struct stmt **at = &(*end)->body;
        *at = make_block(g, depth - 1, 2);
        while (*at)
            at = &(*at)->next;
        *at = next_state(g, state, states);
    }
    g->breakable--;
    return s;
}

/* { T state = 0; for (rounds) switch (state) { case 0: ...; state = c ? 1 : 2; break; ... } } */
static struct stmt *make_machine(struct maker *g, int depth)
{
    static const enum base bases[] = {I32, I32, U32, U8, I64};
    uint32_t states = 2 + pick(g, 4), visible = g->visible_count;
    struct stmt *s = new_stmt(g, S_LABEL), *start = new_stmt(g, S_DECLARE);
    s->index = g->p->label_count++;
    start->index = new_var(g, scalar(bases[pick(g, 5)]), 0);
    struct var *state = &g->p->vars[start->index];
    state->fixed = 1;
    state->lo = 0;
    state->hi = states - 1;
    start->e = make_number(g, state->type, pick(g, states));
    show(g, start->index);
    struct stmt *loop = new_stmt(g, S_FOR);
    loop->e = make_number(g, scalar(I32), 3 + pick(g, 9));
    loop->step = 1;
    loop->index = new_var(g, scalar(I32), 0);
    g->p->vars[loop->index].fixed = 1;
    g->p->vars[loop->index].lo = 0;
    g->p->vars[loop->index].hi = 12;
    show(g, loop->index);
    g->loops++;
    g->breakable++;
    loop->body = make_cases(g, start->index, states, depth);
    g->loops--;
    g->breakable--;
    g->visible_count = visible;
    s->body = start;
    start->next = loop;
    return s;
}

/* ---- structs --------------------------------------------------------------------------------- */

/* Variables for all members, of a new type or of an old one. */
static struct record *add_record(struct maker *g, const struct record *like, int plain)
{
    struct program *p = g->p;
    uint32_t number = p->record_count++;
    struct record *r = &p->records[number];
    *r = (struct record){.type = like ? like->type : number, .first = p->var_count};
    r->count = like ? like->count : 2 + pick(g, MOST_MEMBERS - 1);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct var *old = like ? &p->vars[like->first + i] : NULL;
        uint32_t length = old ? old->length : !plain && chance(g, 25) ? 2 + pick(g, 3) : 0;
        struct var *var = &p->vars[new_var(g, old ? old->type : any_type(g), length)];
        if (old) {
            var->lo = old->lo;
            var->hi = old->hi;
        }
        var->record = number + 1;
        var->member = i;
    }
    return r;
}

static void show_record(struct maker *g, const struct record *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        show(g, r->first + i);
}

static int has_room(const struct maker *g)
{
    return g->p->record_count < MOST_RECORDS && g->visible_count + MOST_MEMBERS < MOST_VARS &&
           g->p->var_count + 2 * MOST_MEMBERS < MOST_VARS;
}

struct stmt *make_record(struct maker *g, int plain)
{
    if (!has_room(g))
        return make_declaration(g, any_type(g), 0);
    struct record *r = add_record(g, NULL, plain);
    struct stmt *s = new_stmt(g, S_RECORD), **end = &s->body;
    s->index = (uint32_t)(r - g->p->records);
    for (uint32_t i = 0; i < r->count; i++, end = &(*end)->next) {
        const struct var *var = &g->p->vars[r->first + i];
        *end = new_stmt(g, var->length ? S_DECLARE_ARRAY : S_DECLARE);
        (*end)->index = r->first + i;
        (*end)->e = make_fit(g, make_expr(g, var->type, var->length ? 1 : 2), var->lo, var->hi);
    }
    show_record(g, r);
    return s;
}

/* Of those with a visible member. */
static const struct record *any_record(struct maker *g)
{
    for (int turn = 0; turn < 8 && g->visible_count; turn++) {
        const struct var *var = &g->p->vars[g->visible[pick(g, g->visible_count)]];
        if (var->record)
            return &g->p->records[var->record - 1];
    }
    return NULL;
}

/* A new one like another; or, where there are two of a type, all of it at once. */
static struct stmt *copy_record(struct maker *g)
{
    const struct record *from = any_record(g), *to = any_record(g);
    if (!from || !to || !has_room(g))
        return make_record(g, 0);
    struct stmt *s = new_stmt(g, S_COPY);
    s->number = from - g->p->records;
    if (to->type == from->type && to != from) {
        s->index = (uint32_t)(to - g->p->records);
        return s;
    }
    struct record *r = add_record(g, from, 0);
    s->kind = S_RECORD;
    s->index = (uint32_t)(r - g->p->records);
    show_record(g, r);
    return s;
}

/* ---- functions ------------------------------------------------------------------------------- */

void make_record_params(struct maker *g, struct function *f)
{
    struct record *r = add_record(g, NULL, 1);
    f->record = 1;
    f->param_count += r->count;
    show_record(g, r);
}

void make_pointer_param(struct maker *g, struct function *f)
{
    uint32_t index = new_var(g, any_type(g), 0);
    g->p->vars[index].pointed = 1;
    f->changes = 1;
    f->param_count++;
    show(g, index);
}

static struct expr *make_arguments(struct maker *g, uint32_t function, uint32_t changed)
{
    const struct function *f = &g->p->functions[function];
    struct expr *e = new_expr(g, X_CALL, f->type);
    e->index = function;
    e->count = f->param_count;
    for (uint32_t i = 0; i < f->param_count; i++) {
        const struct var *param = &g->p->vars[f->first_param + i];
        e->args[i] = param->pointed
                         ? make_var(g, changed)
                         : make_fit(g, make_expr(g, param->type, 1), param->lo, param->hi);
    }
    return set_range(e, base_is_float(f->type.base) ? -4096 : base_lowest(f->type.base),
                     base_is_float(f->type.base) ? 4096 : base_highest(f->type.base));
}

static struct stmt *declare(struct maker *g, struct type type, double lo, double hi)
{
    struct stmt *s = new_stmt(g, S_DECLARE);
    s->index = new_var(g, type, 0);
    g->p->vars[s->index].lo = lo;
    g->p->vars[s->index].hi = hi;
    s->e = make_fit(g, make_expr(g, type, 2), lo, hi);
    show(g, s->index);
    return s;
}

/* T changed = e; R result = e; result = f(..., &changed); */
static struct stmt *call_with_pointer(struct maker *g)
{
    uint32_t function = g->callable ? pick(g, g->callable) : 0;
    const struct function *f = &g->p->functions[function];
    if (!g->callable || !f->changes)
        return NULL;
    const struct var *param = &g->p->vars[f->first_param + f->param_count - 1];
    struct stmt *changed = declare(g, param->type, param->lo, param->hi);
    struct expr *e = make_arguments(g, function, changed->index);
    struct stmt *result = declare(g, f->type, e->lo, e->hi), *call = new_stmt(g, S_CALL);
    call->index = changed->index;
    call->number = result->index;
    call->e = e;
    changed->next = result;
    result->next = call;
    return changed;
}

struct stmt *make_shape(struct maker *g, int depth)
{
    uint32_t kind = pick(g, 10);
    if (kind < 4 && g->loops < 2)
        return make_machine(g, depth);
    if (kind < 8)
        return chance(g, 50) ? make_record(g, 0) : copy_record(g);
    return g->in_function || g->uniform ? NULL : call_with_pointer(g);
}
