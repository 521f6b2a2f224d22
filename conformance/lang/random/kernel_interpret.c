/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a random kernel: item after item, group by group, from barrier to barrier. No shared state
 * beyond the launch that is passed. */
#include "kernel_interpret.h"

#include <stdlib.h>

/* ---- statements of one item ------------------------------------------------------------------ */

static void store(struct machine *m, struct item *item, const struct stmt *s)
{
    const struct output *out = &m->program->outputs[s->index];
    struct value from = eval(m, item, s->e);
    size_t at = own_place(m, item, s->index);
    if (s->at)
        at += (size_t)number(m, item, s->at);
    for (uint32_t i = 0; i < s->e->type.width; i++)
        value_to_memory(&from, out->base, i, m->launch->outputs[s->index], at + i);
}

static void declare_array(struct machine *m, struct item *item, const struct stmt *s)
{
    const struct var *var = &m->program->vars[s->index];
    for (uint32_t i = 0; i < var->length; i++)
        item->slots[var->slot + i] = eval(m, item, s->e);
}

static enum flow run_for(struct machine *m, struct item *item, const struct stmt *s)
{
    struct value *counter = &item->slots[m->program->vars[s->index].slot];
    *counter = (struct value){0};
    if (s->down)
        counter->i[0] = number(m, item, s->e);
    while (s->down ? counter->i[0] > 0 : counter->i[0] < number(m, item, s->e)) {
        enum flow flow = run_stmts(m, item, s->body);
        if (flow == BREAK)
            break;
        if (flow >= RETURN)
            return flow;
        counter->i[0] += s->down ? -1 : (int64_t)s->step;
    }
    return GO_ON;
}

static enum flow run_while(struct machine *m, struct item *item, const struct stmt *s)
{
    struct value *counter = &item->slots[m->program->vars[s->index].slot];
    *counter = (struct value){0};
    int first = s->kind == S_DO;
    while (first || (counter->i[0] < s->number && number(m, item, s->e))) {
        first = 0;
        counter->i[0]++;
        enum flow flow = run_stmts(m, item, s->body);
        if (flow == BREAK)
            break;
        if (flow >= RETURN)
            return flow;
    }
    return GO_ON;
}

static enum flow run_switch(struct machine *m, struct item *item, const struct stmt *s)
{
    int64_t of = number(m, item, s->e);
    const struct stmt *at = s->body, *otherwise = NULL;
    for (; at && (at->is_default || at->number != of); at = at->next)
        if (at->is_default)
            otherwise = at;
    for (at = at ? at : otherwise; at; at = at->next) {
        enum flow flow = run_stmts(m, item, at->body);
        if (flow != GO_ON)
            return flow == BREAK ? GO_ON : flow;
        if (!at->falls)
            break;
    }
    return GO_ON;
}

static void assign(struct machine *m, struct item *item, const struct stmt *s)
{
    struct value *to = &item->slots[m->program->vars[s->index].slot];
    struct value from = eval(m, item, s->e);
    if (s->kind == S_LANE)
        to->i[s->number] = from.i[0];
    else if (s->kind == S_ELEMENT)
        to[number(m, item, s->at)] = from;
    else
        *to = from;
}

/* All slots of one record, to another of its type. */
static void copy_record(struct machine *m, struct item *item, uint32_t to, uint32_t from)
{
    const struct program *p = m->program;
    for (uint32_t i = 0; i < p->records[to].count; i++) {
        const struct var *var = &p->vars[p->records[to].first + i];
        const struct var *old = &p->vars[p->records[from].first + i];
        for (uint32_t k = 0; k < (var->length ? var->length : 1); k++)
            item->slots[var->slot + k] = item->slots[old->slot + k];
    }
}

/* The function's last parameter points to a variable of the caller. */
static void call_with_pointer(struct machine *m, struct item *item, const struct stmt *s)
{
    const struct var *vars = m->program->vars;
    const struct function *f = &m->program->functions[s->e->index];
    struct value result = eval(m, item, s->e);
    item->slots[vars[s->index].slot] = item->slots[vars[f->first_param + f->param_count - 1].slot];
    item->slots[vars[s->number].slot] = result;
}

struct value *local_place(struct machine *m, uint32_t component, int64_t at, uint32_t *lane)
{
    const int64_t width = m->program->local_width;
    *lane = component == ANY_COMPONENT ? (uint32_t)(at % width) : component;
    return &m->local[component == ANY_COMPONENT ? at / width : at];
}

static void put(struct machine *m, struct item *item, const struct stmt *s)
{
    const enum base base = m->program->local;
    const struct value from = eval(m, item, s->e);
    const int64_t own = item->ids[ID_LOCAL_ITEM], at = s->down ? m->item_count - 1 - own : own;
    for (uint32_t i = 0; i < (s->number ? 2 : 1); i++) {
        uint32_t lane, component = i ? (uint32_t)s->number - 1 : s->index;
        int64_t *to = &local_place(m, component, at, &lane)->i[lane];
        *to = s->step ? base_wrap(base, *to + from.i[i]) : from.i[i];
    }
}

static enum flow run_one(struct machine *m, struct item *item, const struct stmt *s)
{
    enum flow flow;
    switch (s->kind) {
    case S_DECLARE_ARRAY:
        declare_array(m, item, s);
        return GO_ON;
    case S_STORE:
    case S_VSTORE:
    case S_POINTER:
        store(m, item, s);
        return GO_ON;
    case S_COUNT:
        counter_apply(s->index, &m->launch->counters[s->index * 4 + number(m, item, s->at)],
                      (uint32_t)number(m, item, s->e));
        return GO_ON;
    case S_IF:
        return run_stmts(m, item, number(m, item, s->e) ? s->body : s->other);
    case S_FOR:
        return run_for(m, item, s);
    case S_WHILE:
    case S_DO:
        return run_while(m, item, s);
    case S_SWITCH:
        return run_switch(m, item, s);
    case S_BREAK:
        return BREAK;
    case S_CONTINUE:
        return CONTINUE;
    case S_RETURN:
        if (s->e)
            m->result = eval(m, item, s->e);
        return RETURN;
    case S_GOTO:
        m->label = s->index;
        return GOTO;
    case S_LABEL:
        flow = run_stmts(m, item, s->body);
        return flow == GOTO && m->label == s->index ? GO_ON : flow;
    case S_RECORD:
        if (s->body)
            return run_stmts(m, item, s->body);
        copy_record(m, item, s->index, (uint32_t)s->number);
        return GO_ON;
    case S_COPY:
        copy_record(m, item, s->index, (uint32_t)s->number);
        return GO_ON;
    case S_CALL:
        call_with_pointer(m, item, s);
        return GO_ON;
    case S_LOCAL:
        put(m, item, s);
        return GO_ON;
    default:
        assign(m, item, s);
        return GO_ON;
    }
}

enum flow run_stmts(struct machine *m, struct item *item, const struct stmt *s)
{
    enum flow flow = GO_ON;
    for (; s && flow == GO_ON; s = s->next)
        flow = run_one(m, item, s);
    return flow;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void run_group(struct machine *m, const struct stmt *s);

/* In the order of their numbers. */
static int64_t sub_group_step(int64_t op, int64_t so_far, int64_t x)
{
    switch (op) {
    case G_REDUCE_MIN:
        return x < so_far ? x : so_far;
    case G_REDUCE_MAX:
        return x > so_far ? x : so_far;
    case G_ANY:
        return so_far || x;
    case G_LAST:
        return x;
    default:
        return so_far + x;
    }
}

/* Small numbers, none of which is negative as an unsigned one. */
static void run_sub_group(struct machine *m, const struct stmt *s, struct item *items,
                          uint32_t count)
{
    const uint32_t slot = m->program->vars[s->index].slot;
    int64_t x[MOST_LOCAL], all = 0;
    for (uint32_t i = 0; i < count; i++) {
        x[i] = number(m, &items[i], s->e);
        all = i || s->number == G_ANY ? sub_group_step(s->number, all, x[i]) : x[i];
    }
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; sum += x[i++]) {
        int64_t result = s->number == G_SCAN_INCLUSIVE_ADD   ? sum + x[i]
                         : s->number == G_SCAN_EXCLUSIVE_ADD ? sum
                         : s->number == G_SHUFFLE ? x[number(m, &items[i], s->at) % count]
                                                  : all;
        items[i].slots[slot] = (struct value){0};
        items[i].slots[slot].i[0] = result;
    }
}

static void run_sub_groups(struct machine *m, const struct stmt *s)
{
    uint32_t size = (uint32_t)m->launch->sub_group_size;
    for (uint32_t first = 0; first < m->item_count; first += size)
        run_sub_group(m, s, m->items + first,
                      m->item_count - first < size ? m->item_count - first : size);
}

static void run_together(struct machine *m, const struct stmt *s)
{
    const uint32_t slot = m->program->vars[s->index].slot;
    if (s->kind == S_GROUP_IF) {
        run_group(m, number(m, &m->items[0], s->e) ? s->body : s->other);
        return;
    }
    if (s->kind == S_SUB_GROUP) {
        run_sub_groups(m, s);
        return;
    }
    for (int64_t turn = 0; s->kind == S_GROUP_FOR; turn++) {
        for (uint32_t i = 0; i < m->item_count; i++)
            m->items[i].slots[slot].i[0] = turn;
        if (turn >= number(m, &m->items[0], s->e))
            break;
        run_group(m, s->body);
    }
}

static void run_group(struct machine *m, const struct stmt *s)
{
    for (; s; s = s->next) {
        if (s->kind == S_BARRIER || s->kind >= S_GROUP_FOR) {
            run_together(m, s);
            continue;
        }
        for (uint32_t i = 0; i < m->item_count; i++)
            if (!m->items[i].done)
                m->items[i].done = run_one(m, &m->items[i], s) == RETURN;
    }
}

static void place_item(const struct machine *m, struct item *item, uint32_t in_group,
                       const size_t *group)
{
    const struct launch *l = m->launch;
    size_t rest = in_group, at[3];
    for (uint32_t d = 0; d < 3; d++) {
        at[d] = group[d] * l->local[d] + rest % l->local[d];
        item->ids[ID_GLOBAL + d] = (int64_t)(l->offset[d] + at[d]);
        item->ids[ID_LOCAL + d] = (int64_t)(rest % l->local[d]);
        item->ids[ID_GROUP + d] = (int64_t)group[d];
        item->ids[ID_GLOBAL_SIZE + d] = (int64_t)l->global[d];
        item->ids[ID_LOCAL_SIZE + d] = (int64_t)l->local[d];
        item->ids[ID_GROUPS + d] = (int64_t)(l->global[d] / l->local[d]);
        rest /= l->local[d];
    }
    item->ids[ID_DIM] = l->dims;
    item->ids[ID_ITEM] = (int64_t)((at[2] * l->global[1] + at[1]) * l->global[0] + at[0]);
    item->ids[ID_ITEMS] = (int64_t)(l->global[0] * l->global[1] * l->global[2]);
    item->ids[ID_LOCAL_ITEM] = in_group;
    item->ids[ID_LOCAL_ITEMS] = m->item_count;
    item->done = 0;
}

void program_interpret(const struct program *program, struct launch *launch)
{
    struct machine m = {.program = program, .launch = launch};
    size_t group[3];
    m.item_count = (uint32_t)(launch->local[0] * launch->local[1] * launch->local[2]);
    m.items = calloc(m.item_count, sizeof *m.items);
    struct value *slots = calloc((size_t)m.item_count * program->slot_count + 1, sizeof *slots);
    if (!m.items || !slots)
        abort();
    for (group[2] = 0; group[2] < launch->global[2] / launch->local[2]; group[2]++)
        for (group[1] = 0; group[1] < launch->global[1] / launch->local[1]; group[1]++)
            for (group[0] = 0; group[0] < launch->global[0] / launch->local[0]; group[0]++) {
                for (uint32_t i = 0; i < m.item_count; i++) {
                    m.items[i].slots = slots + (size_t)i * program->slot_count;
                    place_item(&m, &m.items[i], i, group);
                }
                run_group(&m, program->body);
            }
    free(slots);
    free(m.items);
}
