/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the operations of a process: loops, lines, or calls of helper functions. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

/* Where an operation is written. */
struct place {
    const struct graph *graph;
    uint32_t number; /* of the design */
    const struct graph_process *plan;
    const struct graph_op *op;
    int inside; /* of its helper, which knows a channel by its parameters c, or c and e */
};

static const struct graph_link *link_of(const struct place *p)
{
    return &p->graph->links[p->op->link];
}

static int polls(const struct graph_link *link, int write)
{
    if (link->via == VIA_PIPE)
        return link->polling_write || link->polling_read;
    return write ? link->polling_write : link->polling_read;
}

/* ---- which channel or pipe ------------------------------------------------------------------- */

/* Does the operation use more than one element of the array, as far as one can see? */
static int has_many(const struct place *p)
{
    return p->op->span > 1 || p->plan->units > 1;
}

/* What the turn is less than, as far as one can see; 0: one cannot. */
static uint32_t turns_below(const struct place *p)
{
    const struct graph_process *plan = p->plan;
    if (p->op->pick == PICK_TURN)
        return p->op->times;
    return plan->items == 1 && plan->runs != RUNS_FOR_EVER && !graph_is_bounded(plan) ? plan->rounds
                                                                                      : 0;
}

/* From the first element. */
static void add_pick(const struct place *p, const char *turn, struct text *to)
{
    const char *counted = p->op->pick == PICK_ROUND ? "r" : turn;
    graph_pick(counted, p->op->span, turns_below(p), p->op->spelling, to);
}

static void add_base(const struct place *p, struct text *to)
{
    text_add(to, "%u", link_of(p)->at);
    if (p->plan->units < 2)
        return;
    text_add(to, " + ");
    graph_compute_id(p->plan->units, p->op->spelling, to);
}

/* `element`: which one, if there are several. */
static void operand(const struct place *p, const char *element, struct text *to)
{
    const struct graph_link *link = link_of(p);
    int parameter = p->inside && link->via == VIA_CHANNEL;
    if (link->via == VIA_ARGUMENT)
        text_add(to, "p%u%c", p->op->link, p->op->write ? 'w' : 'r');
    else if (parameter)
        text_add(to, "c");
    else
        text_add(to, "g%u_c%u", p->number, link->array ? link->array_first : p->op->link);
    if (!link->array || (parameter && !has_many(p)))
        return;
    text_add(to, "[");
    if (parameter)
        text_add(to, "e");
    else
        add_base(p, to);
    if (p->op->span > 1)
        text_add(to, " + %s", element);
    text_add(to, "]");
}

/* ---- one packet ------------------------------------------------------------------------------ */

static void channel_call(const struct place *p, const char *channel, int keep, struct text *to)
{
    int poll = polls(link_of(p), p->op->write);
    if (p->op->write)
        text_add(to,
                 poll ? "while (!write_channel_nb_intel(%s, v)) ;" : "write_channel_intel(%s, v);",
                 channel);
    else if (poll)
        text_add(to, "for (bool ok = false; !ok; ) %sread_channel_nb_intel(%s, &ok);",
                 keep ? "v = " : "", channel);
    else
        text_add(to, "%sread_channel_intel(%s);", keep ? "v = " : "", channel);
}

/* The packet is the variable v, if it is kept. */
static void call_element(const struct place *p, const char *element, int keep, struct text *to)
{
    struct text name = {0};
    operand(p, element, &name);
    if (link_of(p)->via == VIA_CHANNEL)
        channel_call(p, name.at, keep, to);
    else
        text_add(to,
                 polls(link_of(p), p->op->write) ? "while (%s_pipe(%s, &v)) ;" : "%s_pipe(%s, &v);",
                 p->op->write ? "write" : "read", name.at);
    free(name.at);
}

/* Of several, the one that `pick` says. */
static void call_chosen(const struct place *p, const char *pick, int keep, struct text *to)
{
    uint32_t span = p->op->span;
    char element[16];
    if (p->op->choice == CHOICE_LOOP) {
        text_add(to, "for (uint q = 0; q < %uu; q++) if (q == %s) { ", span, pick);
        call_element(p, "q", keep, to);
        text_add(to, " }");
    } else if (p->op->choice == CHOICE_GUARDS) {
        text_add(to, "uint q = %s; if (q < %uu) { ", pick, span / 2);
        call_element(p, "q", keep, to);
        text_add(to, " } else { ");
        call_element(p, "q", keep, to);
        text_add(to, " }");
    } else {
        text_add(to, "switch (%s) { ", pick);
        for (uint32_t i = 0; i < span; i++) {
            snprintf(element, sizeof element, "%uu", i);
            text_add(to, i + 1 < span ? "case %u: " : "default: ", i);
            call_element(p, element, keep, to);
            text_add(to, " break; ");
        }
        text_add(to, "}");
    }
}

/* `turn`: the number of the packet in the operation. */
static void call(const struct place *p, const char *turn, int keep, struct text *to)
{
    struct text pick = {0};
    add_pick(p, turn, &pick);
    if (p->op->span > 1 && p->op->choice != CHOICE_INDEX)
        call_chosen(p, pick.at, keep, to);
    else
        call_element(p, pick.at, keep, to);
    free(pick.at);
}

/* `before` makes x, `after` is a statement with the packet's uint for %s; NULL: nobody wants it. */
static void transfer(const struct place *p, const char *turn, const char *before, const char *after,
                     struct text *to)
{
    uint32_t type = link_of(p)->type;
    int keep = p->op->write || after;
    text_add(to, "{ ");
    if (keep || link_of(p)->via != VIA_CHANNEL)
        text_add(to, "%s v; ", packet_name(type));
    if (p->op->write)
        text_add(to, "%s %s; ", before, packet_pack(type));
    call(p, turn, keep, to);
    if (after) {
        text_add(to, " ");
        text_add(to, after, packet_unpack(type));
    }
    text_add(to, " }\n");
}

static void packet(const struct place *p, const char *turn, struct text *to)
{
    const char *use = p->op->discard ? NULL : "s = MIX(s, (uint)(%s));";
    if (p->op->write)
        transfer(p, turn, "s = NEXT(s); uint x = VALUE(s);", NULL, to);
    else
        transfer(p, turn, "", use, to);
}

/* ---- all packets of an operation ------------------------------------------------------------- */

/* The number of packets, ahead of them, where the first one goes. */
static void count_packet(const struct place *p, struct text *to)
{
    text_add(to, "uint count = 0; ");
    if (p->op->write)
        transfer(p, "0u", "s = NEXT(s); count = TIMES(s); uint x = count;", NULL, to);
    else
        transfer(p, "0u", "", "count = %s;", to);
}

static void body(const struct place *p, struct text *to)
{
    uint32_t times = p->op->times;
    char turn[16];
    if (!times)
        count_packet(p, to);
    if (p->op->form == FORM_TEXT || times == 1) {
        for (uint32_t i = 0; i < times; i++) {
            snprintf(turn, sizeof turn, "%uu", i);
            packet(p, turn, to);
        }
        return;
    }
    if (times)
        text_add(to, "for (uint i = 0; i < %uu; i++) ", times);
    else
        text_add(to, "for (uint i = 0; i < count; i++) ");
    packet(p, "i", to);
}

static void bounds(const struct place *p, struct text *to)
{
    char made[48];
    snprintf(made, sizeof made, "uint x = %uu;", p->op->bounds);
    if (p->op->write)
        transfer(p, "0u", made, NULL, to);
    else
        transfer(p, "0u", "", "n = (uint)(%s);", to);
}

static void condition(const struct graph_op *op, struct text *to)
{
    if (op->every > 1)
        text_add(to, "if (r %% %uu == %uu) ", op->every, op->phase);
    if (op->from)
        text_add(to, "if (r >= %uu) ", op->from);
}

/* ---- helper functions ------------------------------------------------------------------------ */

static int is_helped(const struct graph_op *op)
{
    return op->form == FORM_HELPER || op->form == FORM_NESTED;
}

void graph_pipe_parameter(const struct graph *graph, uint32_t link, int write, struct text *to)
{
    const struct graph_link *row = &graph->links[link];
    text_add(to, "%s pipe %s %s p%u%c", write ? "write_only" : "read_only", packet_name(row->type),
             polls(row, write) ? "" : "__attribute__((blocking))", link, write ? 'w' : 'r');
}

static void helper_head(const struct place *p, uint32_t process, char kind, struct text *to)
{
    const struct graph_link *link = link_of(p);
    text_add(to, "uint g%u_k%u_%c%u(", p->number, process, kind, (uint32_t)(p->op - p->plan->ops));
    if (link->via == VIA_ARGUMENT)
        graph_pipe_parameter(p->graph, p->op->link, p->op->write, to);
    else if (link->via == VIA_CHANNEL && has_many(p))
        text_add(to, "channel %s c[%u], uint e", packet_name(link->type), link->array);
    else if (link->via == VIA_CHANNEL)
        text_add(to, "channel %s c", packet_name(link->type));
    text_add(to, "%suint s, uint r)", link->via == VIA_PIPE ? "" : ", ");
}

/* `outside`: from the kernel, else from the helper's helper. */
static void helper_call(const struct place *p, uint32_t process, char kind, int outside,
                        struct text *to)
{
    const struct graph_link *link = link_of(p);
    text_add(to, "g%u_k%u_%c%u(", p->number, process, kind, (uint32_t)(p->op - p->plan->ops));
    if (link->via == VIA_CHANNEL && !outside) {
        text_add(to, has_many(p) ? "c, e" : "c");
    } else if (link->via == VIA_CHANNEL && has_many(p)) {
        text_add(to, "g%u_c%u, ", p->number, link->array_first);
        add_base(p, to);
    } else if (link->via != VIA_PIPE) {
        operand(p, "0u", to);
    }
    text_add(to, "%ss, r)", link->via == VIA_PIPE ? "" : ", ");
}

static void declare_helper(struct place *p, uint32_t process, struct text *to)
{
    p->inside = 1;
    helper_head(p, process, 'f', to);
    text_add(to, "\n{\n    ");
    body(p, to);
    text_add(to, "    return s;\n}\n");
    if (p->op->form != FORM_NESTED)
        return;
    helper_head(p, process, 'h', to);
    text_add(to, " { return ");
    helper_call(p, process, 'f', 0, to);
    text_add(to, "; }\n");
}

void graph_declare_helpers(const struct graph *graph, uint32_t number, uint32_t process,
                           struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    for (uint32_t i = 0; i < plan->op_count; i++) {
        struct place p = {graph, number, plan, &plan->ops[i], 0};
        if (is_helped(p.op))
            declare_helper(&p, process, to);
    }
}

void graph_operation(const struct graph *graph, uint32_t number, uint32_t process, uint32_t op,
                     struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    struct place p = {graph, number, plan, &plan->ops[op], 0};
    text_add(to, "    ");
    condition(p.op, to);
    text_add(to, "{ ");
    if (p.op->bounds) {
        bounds(&p, to);
    } else if (is_helped(p.op)) {
        text_add(to, "s = ");
        helper_call(&p, process, p.op->form == FORM_NESTED ? 'h' : 'f', 1, to);
        text_add(to, ";");
    } else {
        body(&p, to);
    }
    text_add(to, " }\n");
}
