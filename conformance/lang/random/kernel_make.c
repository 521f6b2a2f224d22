/* SPDX-License-Identifier: Apache-2.0 */
/* Whole random kernels. No shared state beyond the maker. */
#include "kernel_make.h"

#include <stdlib.h>

uint32_t pick(struct maker *g, uint32_t below)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(((z ^ z >> 31) >> 32) % below);
}

int chance(struct maker *g, uint32_t percent)
{
    return pick(g, 100) < percent;
}

void *node(struct maker *g, size_t bytes)
{
    void **made = calloc(1, sizeof *made + bytes);
    if (!made)
        abort();
    *made = g->p->memory;
    g->p->memory = made;
    return made + 1;
}

void program_destroy(struct program *p)
{
    for (void **at = p ? p->memory : NULL, **next; at; at = next) {
        next = *at;
        free(at);
    }
    free(p);
}

static struct stmt **append(struct stmt **end, struct stmt *s)
{
    *end = s;
    while (*end)
        end = &(*end)->next;
    return end;
}

/* ---- with barriers --------------------------------------------------------------------------- */

static struct stmt *make_put(struct maker *g, uint32_t width)
{
    struct stmt *put = new_stmt(g, S_LOCAL);
    put->e = make_expr(g, (struct type){(uint8_t)g->p->local, (uint8_t)width}, 3);
    if (base_is_float(g->p->local))
        put->e = make_fit(g, put->e, -4096, 4096);
    return put;
}

/* What C defines to wrap. */
static int may_add(const struct maker *g)
{
    enum base b = g->p->local;
    return !base_is_float(b) && (!base_is_signed(b) || base_bytes(b) < 4);
}

/* Items put numbers into components of vectors into which others put theirs. */
static struct stmt **make_components(struct maker *g, struct stmt **end)
{
    const uint32_t width = g->p->local_width, puts = 1 + pick(g, width + 2), down = pick(g, 256);
    const int any = chance(g, 25);
    g->readable = 0;
    for (uint32_t i = 0; i < puts; i++) {
        uint32_t c = any ? ANY_COMPONENT : pick(g, width), other = pick(g, width);
        int both = !any && other != c && (down >> c & 1) == (down >> other & 1) && chance(g, 40);
        struct stmt *put = make_put(g, both ? 2 : 1);
        put->index = c;
        put->number = both ? other + 1 : 0;
        put->down = (int)(down >> (any ? 0 : c) & 1);
        uint32_t bits = 1u << c | (both ? 1u << other : 0);
        put->step = (g->readable & bits) == bits && may_add(g) && chance(g, 60);
        g->readable |= bits;
        end = append(end, put);
    }
    return end;
}

static struct stmt **make_exchange(struct maker *g, struct stmt **end)
{
    end = g->p->local_width > 1 ? make_components(g, end) : append(end, make_put(g, 1));
    end = append(end, new_stmt(g, S_BARRIER));
    g->may_read_local = 1;
    g->may_return = 0;
    end = append(end, make_block(g, 2, 4));
    g->may_read_local = 0;
    return append(end, new_stmt(g, S_BARRIER));
}

/* Where all items of the group come. Sums of small numbers fit any type. */
static struct stmt **make_sub_group(struct maker *g, struct stmt **end)
{
    static const enum base bases[] = {I32, U32, I64, U64};
    struct type type = scalar(bases[pick(g, 4)]);
    struct stmt *s = new_stmt(g, S_SUB_GROUP);
    s->number = pick(g, SUB_GROUP_OPS);
    s->e = make_fit(g, make_expr(g, type, 3), base_is_signed(type.base) ? -4096 : 0, 4096);
    if (s->number == G_SHUFFLE)
        s->at = make_index(g, 32, 2);
    s->index = new_var(g, type, 0);
    struct var *result = &g->p->vars[s->index]; /* sums exceed what a variable may be kept within */
    result->lo = base_lowest(type.base);
    result->hi = base_highest(type.base);
    show(g, s->index);
    return append(end, s);
}

static struct stmt **make_together(struct maker *g, struct stmt **end, int depth)
{
    for (uint32_t left = g->p->sub_groups ? 1 + pick(g, 3) : 0; left; left--)
        end = make_sub_group(g, end);
    uint32_t kind = pick(g, 4);
    if (kind < 2 || !depth)
        return make_exchange(g, end);
    struct stmt *s = new_stmt(g, kind == 2 ? S_GROUP_FOR : S_GROUP_IF);
    struct stmt **inner = &s->body;
    g->uniform = 1;
    if (s->kind == S_GROUP_IF) {
        s->e = make_cond(g, 2);
        g->uniform = 0;
    } else {
        s->e = make_fit(g, make_expr(g, scalar(I32), 1), 0, 3);
        g->uniform = 0;
        s->index = new_var(g, scalar(I32), 0);
        g->p->vars[s->index].fixed = g->p->vars[s->index].uniform = 1;
        g->p->vars[s->index].lo = 0;
        g->p->vars[s->index].hi = 4;
        show(g, s->index);
    }
    uint32_t visible = g->visible_count;
    inner = append(inner, make_block(g, 1, 2));
    inner = make_together(g, inner, depth - 1);
    append(inner, make_block(g, 1, 2));
    g->visible_count = visible - (s->kind == S_GROUP_FOR);
    return append(end, s);
}

/* ---- whole programs -------------------------------------------------------------------------- */

static void make_function(struct maker *g)
{
    uint32_t number = g->p->function_count++;
    struct function *f = &g->p->functions[number];
    uint32_t params = 1 + pick(g, 3);
    f->type = any_type(g);
    f->apart = chance(g, 15);
    f->first_param = g->p->var_count;
    f->param_count = params;
    g->in_function = g->may_return = 1;
    g->result = f->type;
    if (g->p->shapes && chance(g, 40))
        make_record_params(g, f);
    for (uint32_t i = 0; i < params; i++)
        show(g, new_var(g, any_type(g), 0));
    if (g->p->shapes && chance(g, 40))
        make_pointer_param(g, f);
    g->budget = 8;
    struct stmt **end = append(&f->body, make_block(g, 2, 4));
    *end = make_return(g);
    g->visible_count = 0;
    g->in_function = 0;
    g->callable++;
}

static void choose_shapes(struct maker *g)
{
    static const uint32_t slots[] = {1, 1, 1, 2, 3, 4, 4, 8};
    static const enum base items[] = {I32, U32, I64, U64, U64};
    static const uint32_t widths[] = {2, 3, 4, 8};
    struct program *p = g->p;
    for (uint32_t i = 0; i < INPUTS; i++) {
        p->inputs[i] = any_base(g);
        p->constant[i] = chance(g, 10);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++)
        p->outputs[i] = (struct output){i ? any_base(g) : U32, slots[pick(g, 8)], chance(g, 20)};
    for (uint32_t i = 0; i < ARGUMENTS; i++) {
        p->arguments[i] = i ? integer_base(g) : I32;
        p->argument_most[i] = chance(g, 60) ? 1 + pick(g, 20) : 0;
    }
    p->item = items[pick(g, 5)];
    p->dims = chance(g, 60) ? 1 : 2 + pick(g, 2);
    p->offsets = chance(g, 30);
    p->barriers = chance(g, 30);
    p->groups = p->barriers || chance(g, 50);
    p->local = any_base(g);
    if (p->shapes && chance(g, 25)) {
        p->task = 1 + (int)pick(g, 2);
        p->dims = 1;
        p->offsets = 0;
    }
    p->sub_groups = p->shapes && p->barriers && !p->task && chance(g, 60);
    p->local_width = 1;
    if (p->components) {
        p->local_width = widths[pick(g, 4)];
        p->barriers = p->groups = 1;
    }
}

/* Tests name some programs by their number: those are what they were before there were shapes, and
 * before there were components. */
static int has_shapes(uint64_t seed)
{
    return (uint32_t)seed % 5 > 2;
}

static int has_components(uint64_t seed)
{
    return has_shapes(seed) && (uint32_t)seed % 10 < 5;
}

/* Loops in front of what a program does mainly and behind it. */
static struct stmt **make_margin(struct maker *g, struct stmt **end)
{
    for (uint32_t left = g->p->shapes ? pick(g, 3) : 0; left; left--)
        end = append(end, make_loop(g, 1));
    return end;
}

/* What a program does mainly; some of it has no branches and loops. */
static struct stmt **make_main(struct maker *g, struct stmt **end)
{
    struct program *p = g->p;
    int depth = p->shapes && chance(g, 15) ? 0 : 3;
    g->budget = 6 + pick(g, 25);
    g->may_return = !p->barriers && chance(g, 60);
    end = append(end, make_block(g, depth, 6));
    if (p->barriers)
        end = make_together(g, end, 2);
    g->may_return = chance(g, 50);
    return append(end, make_block(g, depth, 4));
}

/* What the variables are in the end. */
static struct stmt **make_epilogue(struct maker *g, struct stmt **end)
{
    for (uint32_t i = 0; i < g->visible_count; i++) {
        const struct var *var = &g->p->vars[g->visible[i]];
        const struct output *out = &g->p->outputs[i % OUTPUTS];
        if (var->length)
            continue;
        struct stmt *s = new_stmt(g, S_STORE);
        struct expr *old = node(g, sizeof *old), *e;
        s->index = i % OUTPUTS;
        s->at = make_number(g, scalar(I32), i / OUTPUTS % out->slots);
        *old = (struct expr){.op = X_OWN, .type = scalar(out->base), .index = s->index, .count = 1};
        old->args[0] = s->at;
        int is_float = base_is_float(out->base);
        old->lo = is_float ? -4096 : base_lowest(out->base);
        old->hi = is_float ? 4096 : base_highest(out->base);
        e = make_converted(g, make_var(g, g->visible[i]), scalar(out->base));
        if (is_float)
            e = make_fit(g, e, -4096, 4096);
        s->e = make_binary(g, is_float ? X_SUB : X_ADD, e, old);
        if (is_float)
            s->e = make_fit(g, s->e, -4096, 4096);
        end = append(end, s);
    }
    return end;
}

struct program *program_make(uint64_t seed)
{
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    struct maker g = {.p = p, .state = seed * 0xd1342543de82ef95u};
    p->seed = seed;
    p->shapes = has_shapes(seed);
    p->components = has_components(seed);
    choose_shapes(&g);
    for (uint32_t left = pick(&g, MOST_FUNCTIONS + 1); left; left--)
        make_function(&g);
    struct stmt **end = &p->body;
    for (uint32_t i = 0, vars = 2 + pick(&g, 4); i < vars; i++)
        end = append(end, make_declaration(&g, any_type(&g), chance(&g, 15) ? 8 : 0));
    for (uint32_t i = 0, records = p->shapes ? pick(&g, 3) : 0; i < records; i++)
        end = append(end, make_record(&g, 0));
    g.may_return = 0;
    end = make_margin(&g, end);
    end = make_main(&g, end);
    end = make_margin(&g, end);
    make_epilogue(&g, end);
    return p;
}
