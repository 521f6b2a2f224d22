/* SPDX-License-Identifier: Apache-2.0 */
/* Random statements. No shared state beyond the maker. */
#include "kernel_make.h"

#include <stdlib.h>

uint32_t new_var(struct maker *g, struct type type, uint32_t length)
{
    struct program *p = g->p;
    if (p->var_count == MOST_VARS || p->slot_count + length + 1 > MOST_SLOTS)
        abort();
    struct var *var = &p->vars[p->var_count];
    *var = (struct var){.type = type, .slot = p->slot_count, .length = length};
    p->slot_count += length ? length : 1;
    var->lo = base_is_float(type.base) ? -4096 : base_lowest(type.base);
    var->hi = base_is_float(type.base) ? 4096 : base_highest(type.base);
    if (!base_is_float(type.base) && base_bytes(type.base) > 1 && chance(g, 40)) {
        var->hi = chance(g, 50) ? 1000 : 31;
        var->lo = base_is_signed(type.base) ? -var->hi : 0;
    }
    return p->var_count++;
}

void show(struct maker *g, uint32_t var)
{
    g->visible[g->visible_count++] = var;
}

struct stmt *new_stmt(struct maker *g, enum stmt_kind kind)
{
    struct stmt *s = node(g, sizeof *s);
    s->kind = kind;
    return s;
}

static struct expr *for_var(struct maker *g, uint32_t var, int depth)
{
    const struct var *to = &g->p->vars[var];
    return make_fit(g, make_expr(g, to->type, depth), to->lo, to->hi);
}

/* ---- simple statements ----------------------------------------------------------------------- */

struct stmt *make_declaration(struct maker *g, struct type type, uint32_t length)
{
    struct stmt *s = new_stmt(g, length ? S_DECLARE_ARRAY : S_DECLARE);
    s->index = new_var(g, type, length);
    s->e = length && chance(g, 50) ? make_number(g, type, pick(g, 30))
                                   : for_var(g, s->index, length ? 1 : 2);
    s->e = make_fit(g, s->e, g->p->vars[s->index].lo, g->p->vars[s->index].hi);
    show(g, s->index);
    return s;
}

static struct stmt *assign(struct maker *g, int depth)
{
    for (int turn = 0; turn < 10 && g->visible_count; turn++) {
        uint32_t index = g->visible[pick(g, g->visible_count)];
        const struct var *var = &g->p->vars[index];
        if (var->fixed)
            continue;
        int lane = var->type.width > 1 && chance(g, 40);
        struct stmt *s = new_stmt(g, var->length ? S_ELEMENT : lane ? S_LANE : S_ASSIGN);
        s->index = index;
        if (var->length)
            s->at = make_index(g, var->length, 2);
        s->number = lane ? pick(g, var->type.width) : 0;
        struct type type = {var->type.base, lane && !var->length ? 1 : var->type.width};
        struct expr *e = make_expr(g, type, depth);
        if (!var->length && !lane && chance(g, 30)) /* v = v + e */
            e = make_binary(g, X_ADD, make_var(g, index), make_fit(g, e, var->lo, var->hi));
        s->e = make_fit(g, e, var->lo, var->hi);
        return s;
    }
    return make_declaration(g, any_type(g), 0);
}

static struct stmt *store(struct maker *g, int depth)
{
    uint32_t which = pick(g, OUTPUTS);
    const struct output *out = &g->p->outputs[which];
    int wide = out->slots > 1 && chance(g, 40);
    struct stmt *s = new_stmt(g, !wide                              ? S_STORE
                                 : out->slots == 3 || chance(g, 50) ? S_VSTORE
                                                                    : S_POINTER);
    s->index = which;
    struct type type = {(uint8_t)out->base, (uint8_t)(wide ? out->slots : 1)};
    if (!wide)
        s->at = make_index(g, out->slots, depth - 1);
    s->e = make_expr(g, type, depth);
    if (base_is_float(type.base))
        s->e = make_fit(g, s->e, -4096, 4096);
    return s;
}

static struct stmt *count(struct maker *g)
{
    struct stmt *s = new_stmt(g, S_COUNT);
    s->index = pick(g, COUNTER_OPS);
    s->at = make_index(g, 4, 2);
    s->e = make_expr(g, scalar(U32), 2);
    return s;
}

struct stmt *make_return(struct maker *g)
{
    struct stmt *s = new_stmt(g, S_RETURN);
    if (g->in_function) {
        s->e = make_expr(g, g->result, 2);
        if (base_is_float(g->result.base))
            s->e = make_fit(g, s->e, -4096, 4096);
    }
    return s;
}

/* Always under a condition, so that what follows is not dead. */
static struct stmt *jump(struct maker *g)
{
    struct stmt *s = new_stmt(g, S_IF);
    uint32_t visible = g->visible_count; /* what is declared in it is gone behind it */
    s->e = make_cond(g, 2);
    uint32_t kind = pick(g, 4);
    if (kind == 0 && g->label_count) {
        s->body = new_stmt(g, S_GOTO);
        s->body->index = g->labels[pick(g, g->label_count)];
    } else if (kind == 1 && g->may_return) {
        s->body = make_return(g);
    } else if (g->breakable && (kind < 3 || !g->loops)) {
        s->body = new_stmt(g, S_BREAK);
    } else if (g->loops) {
        s->body = new_stmt(g, S_CONTINUE);
    } else {
        s->body = assign(g, 2);
    }
    if (chance(g, 20) && s->body->kind >= S_BREAK) {
        struct stmt *first = g->in_function ? assign(g, 2) : chance(g, 50) ? store(g, 2) : count(g);
        if (first->kind != S_DECLARE) {
            first->next = s->body;
            s->body = first;
        }
    }
    g->visible_count = visible;
    return s;
}

/* ---- control flow ---------------------------------------------------------------------------- */

static struct stmt *branch(struct maker *g, int depth)
{
    struct stmt *s = new_stmt(g, S_IF);
    s->e = make_cond(g, 3);
    s->body = make_block(g, depth - 1, 4);
    if (chance(g, 50))
        s->other = make_block(g, depth - 1, 4);
    return s;
}

static struct expr *make_bound(struct maker *g, enum base base, int depth)
{
    int uniform = g->uniform;
    g->uniform = uniform || chance(g, 35);
    struct expr *e = chance(g, 60) ? make_bits(g, scalar(base), 7)
                                   : make_fit(g, make_expr(g, scalar(base), depth), 0, 7);
    g->uniform = uniform;
    return e;
}

static struct stmt *loop_body(struct maker *g, int depth)
{
    g->loops++;
    g->breakable++;
    struct stmt *body = make_block(g, depth - 1, 4);
    g->loops--;
    g->breakable--;
    return body;
}

static struct stmt *count_loop(struct maker *g, int depth)
{
    static const enum base bases[] = {I32, I32, I32, U32, U64, I64, U8, I16};
    struct stmt *s = new_stmt(g, S_FOR);
    enum base base = bases[pick(g, 8)];
    s->e = make_bound(g, base, 2);
    s->step = 1 + chance(g, 25);
    s->down = chance(g, 25);
    s->index = new_var(g, scalar(base), 0);
    g->p->vars[s->index].fixed = 1;
    g->p->vars[s->index].lo = 0;
    g->p->vars[s->index].hi = 9;
    show(g, s->index);
    s->body = loop_body(g, depth);
    g->visible_count--;
    return s;
}

struct stmt *make_loop(struct maker *g, int depth)
{
    return count_loop(g, depth);
}

static struct stmt *condition_loop(struct maker *g, int depth)
{
    struct stmt *s = new_stmt(g, chance(g, 60) ? S_WHILE : S_DO);
    s->number = 2 + pick(g, 7);
    s->index = new_var(g, scalar(I32), 0);
    g->p->vars[s->index].fixed = 1;
    g->p->vars[s->index].lo = 0;
    g->p->vars[s->index].hi = 10;
    show(g, s->index);
    s->e = make_cond(g, 3);
    s->body = loop_body(g, depth);
    g->visible_count--;
    return s;
}

static struct stmt *choice(struct maker *g, int depth)
{
    struct stmt *s = new_stmt(g, S_SWITCH), **end = &s->body;
    struct type type = scalar(integer_base(g));
    s->e = chance(g, 60) ? make_bits(g, type, chance(g, 50) ? 7 : 3)
                         : make_fit(g, make_expr(g, type, 2), 0, chance(g, 50) ? 7 : 4);
    uint32_t cases = 2 + pick(g, 4), otherwise = pick(g, 7);
    int64_t value = 0;
    g->breakable++;
    for (uint32_t i = 0; i < cases; i++, end = &(*end)->next) {
        *end = new_stmt(g, S_CASE);
        (*end)->is_default = i == otherwise;
        (*end)->falls = chance(g, 30);
        (*end)->number = value;
        value += 1 + pick(g, 2);
        (*end)->body = make_block(g, depth - 1, 2);
    }
    g->breakable--;
    return s;
}

static struct stmt *labelled(struct maker *g, int depth)
{
    struct stmt *s = new_stmt(g, S_LABEL);
    if (g->label_count == 8)
        return branch(g, depth);
    s->index = g->p->label_count++;
    g->labels[g->label_count++] = s->index;
    s->body = make_block(g, depth - 1, 5);
    g->label_count--;
    return s;
}

/* Mostly in the range, but not in all lanes; or steps into it or out of it. */
static struct expr *half_in_range(struct maker *g, struct type type, int64_t most)
{
    if (chance(g, 50)) {
        struct expr *e = make_converted(g, make_identity(g), type);
        enum op op = chance(g, 60) ? X_SUB : chance(g, 50) ? X_ADD : X_MUL;
        return make_binary(g, op, e, make_number(g, type, 2 + pick(g, 30)));
    }
    struct expr *e = new_expr(g, X_CHOOSE, type);
    e->count = 3;
    e->args[0] = make_cond(g, 1);
    e->args[1] = make_expr(g, type, 1);
    e->args[2] = make_fit(g, make_expr(g, type, 1), 0, (double)most);
    return e;
}

/* A block that counts on the range of a variable: what is computed for lanes that do not run must
 * do no harm. */
static struct stmt *guarded(struct maker *g, int depth)
{
    static const enum base bases[] = {I32, I32, U32, U32, I64, U64, I16, U16};
    static const int16_t ranges[][2] = {{0, 4095}, {0, 4095}, {1, 100}, {1, 7},
                                        {0, 7},    {0, 1000}, {3, 500}, {20, 80}};
    const int16_t *range = ranges[pick(g, 8)];
    struct type type = scalar(bases[pick(g, 8)]);
    struct stmt *s = new_stmt(g, S_LABEL), *test = new_stmt(g, S_IF);
    uint32_t visible = g->visible_count;
    s->index = g->p->label_count++;
    s->body = new_stmt(g, S_DECLARE);
    s->body->next = test;
    s->body->e = half_in_range(g, type, range[1]);
    s->body->index = new_var(g, type, 0);
    struct var *var = &g->p->vars[s->body->index];
    *var = (struct var){.type = type, .slot = var->slot, .fixed = 1};
    var->lo = base_lowest(type.base);
    var->hi = base_highest(type.base);
    test->e = make_between(g, s->body->index, range[0], range[1]);
    var->lo = range[0];
    var->hi = range[1];
    show(g, s->body->index);
    test->body = make_block(g, depth - 1, 4);
    g->visible_count = visible;
    return s;
}

static struct stmt *make_stmt(struct maker *g, int depth)
{
    uint32_t kind = pick(g, 100);
    int room = g->p->var_count < MOST_VARS - 40 && g->p->slot_count < MOST_SLOTS - 200;
    if (depth > 0 && room) {
        if (kind < 18)
            return branch(g, depth);
        if (kind < 30 && g->loops < 2)
            return chance(g, 60) ? count_loop(g, depth) : condition_loop(g, depth);
        if (kind < 37)
            return choice(g, depth);
        if (kind < 40)
            return labelled(g, depth);
        if (kind < 52)
            return guarded(g, depth);
        struct stmt *shape = g->p->shapes && kind < 68 ? make_shape(g, depth) : NULL;
        if (shape)
            return shape;
    }
    kind = pick(g, 100);
    if (kind < 20 && (g->breakable || g->may_return || g->label_count))
        return jump(g);
    if (kind < 38 && room)
        return make_declaration(g, any_type(g), chance(g, 15) ? 4u << pick(g, 3) : 0);
    if (!g->in_function && kind < 52)
        return store(g, 3);
    if (!g->in_function && kind < 58)
        return count(g);
    return assign(g, 3);
}

struct stmt *make_block(struct maker *g, int depth, uint32_t most)
{
    struct stmt *first = NULL, **end = &first;
    uint32_t visible = g->visible_count, wanted = 1 + pick(g, most);
    for (uint32_t i = 0; i < wanted && (g->budget || !i); i++) {
        g->budget -= g->budget > 0;
        *end = make_stmt(g, g->budget ? depth : 0);
        while (*end)
            end = &(*end)->next;
    }
    g->visible_count = visible;
    return first;
}
