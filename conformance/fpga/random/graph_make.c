/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes random designs. A round is a list of transfers in one global order; a process does its
 * parts of them in that order, so with enough room a round always works. Reads may come later than
 * their writes, loops through several processes exist, and what is around the rounds of a process
 * is in step with what is around those at the other end: something before and behind them, a start
 * some rounds late, the number of rounds as a packet. Some designs are then damaged: with little
 * room, or for ever, those deadlock.
 */
#include "graph_make.h"

#include <string.h>

enum { MOST_PARTS = 300, WAYS = 100, SECTION = 1000000 };

struct part {
    uint32_t process, at; /* place in the global order */
    struct graph_op op;
};

struct maker {
    struct graph *graph;
    struct graph_random random;
    struct part parts[MOST_PARTS];
    uint32_t part_count, total; /* rounds of all work-items of a process */
};

/* ---- links ----------------------------------------------------------------------------------- */

/* A single one, or all elements of an array. */
static uint32_t add_links(struct maker *m, uint32_t count)
{
    static const uint32_t depths[] = {0, 1, 1, 2, 3, 4, 5, 8, 17, 64};
    struct graph *graph = m->graph;
    struct graph_random *random = &m->random;
    uint32_t first = graph->link_count;
    struct graph_link link = {.type = draw_below(random, packet_types()),
                              .depth = depths[draw_below(random, LEN(depths))],
                              .array_first = first};
    link.via = draw_chance(random, 60)   ? VIA_CHANNEL
               : draw_chance(random, 50) ? VIA_PIPE
                                         : VIA_ARGUMENT;
    if (!is_sluice() || (count > 1 && link.via == VIA_ARGUMENT))
        link.via = VIA_CHANNEL; /* others have neither blocking nor program-scope pipes */
    if (count > 1)
        link.array = count;
    else if (link.via == VIA_CHANNEL && draw_chance(random, 20))
        link.array = 1 + draw_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        link.at = count > 1 ? i : link.array ? link.array - 1 : 0;
        graph->links[graph->link_count++] = link;
    }
    return first;
}

/* ---- processes ------------------------------------------------------------------------------- */

static void make_process(struct maker *m)
{
    struct graph_random *random = &m->random;
    struct graph_process *process = &m->graph->processes[m->graph->process_count++];
    *process = (struct graph_process){.rounds = m->total, .items = 1, .local = 1, .units = 1};
    process->seed = draw_below(random, 1u << 30);
    uint32_t items = 1u << draw_below(random, 4);
    if (m->total % items == 0 && items > 1 && draw_chance(random, 40) && is_sluice()) {
        process->items = items;
        process->local = 1u << draw_below(random, 2);
        process->rounds = m->total / items;
    }
}

static int is_task(const struct maker *m, uint32_t process)
{
    return m->graph->processes[process].items == 1;
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* At equal places the order of making. */
static struct graph_op *add_part(struct maker *m, uint32_t process, uint32_t at,
                                 const struct graph_op *op)
{
    REQUIRE(m->part_count < MOST_PARTS);
    struct part *part = &m->parts[m->part_count++];
    *part = (struct part){process, op->section * SECTION + at, *op};
    return &part->op;
}

struct wire {
    uint32_t link, span, writer, reader;
};

static struct graph_op make_op(struct graph_random *random, const struct wire *wire)
{
    struct graph_op op = {
        .section = SECTION_ROUNDS, .link = wire->link, .span = wire->span, .times = 1, .every = 1};
    op.pick = wire->span > 1 && draw_chance(random, 60) ? PICK_ROUND : PICK_TURN;
    if (draw_chance(random, 35))
        op.times = draw_below(random, 7);
    if (draw_chance(random, 25)) {
        op.every = 2 + draw_below(random, 3);
        op.phase = draw_below(random, op.every);
    }
    return op;
}

/* The reader of an array may name its elements one by one. */
static void add_reads(struct maker *m, const struct wire *wire, uint32_t at,
                      const struct graph_op *read)
{
    struct graph_op op = *read;
    int apart = read->span > 1 && read->pick == PICK_ROUND && read->every == 1;
    if (!apart || draw_chance(&m->random, 60)) {
        add_part(m, wire->reader, at, read);
        return;
    }
    op.span = 1;
    op.every = read->span;
    for (uint32_t i = 0; i < read->span; i++, op.link++) {
        op.phase = i;
        add_part(m, wire->reader, at + i, &op);
    }
}

/* What the reader's first rounds would have read, it reads before all of them, or the writer writes
 * it then. */
static void start_late(struct maker *m, const struct wire *wire, struct graph_op *write,
                       struct graph_op *read)
{
    struct graph_random *random = &m->random;
    int reader = draw_chance(random, 70);
    struct graph_op *late = reader ? read : write, before = *late;
    uint32_t rounds = 1 + draw_below(random, 4);
    if (write->every > 1 || write->span > 1 || !write->times || rounds >= m->total ||
        !is_task(m, wire->reader) || !is_task(m, wire->writer))
        return;
    before.section = SECTION_BEFORE;
    before.times *= rounds;
    before.discard = reader && draw_chance(random, 60);
    late->from = rounds;
    add_part(m, reader ? wire->reader : wire->writer, draw_below(random, WAYS), &before);
}

static void make_transfer(struct maker *m, const struct wire *wire)
{
    struct graph_random *random = &m->random;
    struct graph_op read = make_op(random, wire), write = read;
    uint32_t at = 8 * draw_below(random, WAYS), read_at = at + 1;
    write.write = 1;
    read.discard = draw_chance(random, 12);
    if (draw_chance(random, 15))
        read_at += 8 * draw_below(random, 60);
    if (draw_chance(random, 25))
        start_late(m, wire, &write, &read);
    add_part(m, wire->writer, at, &write);
    add_reads(m, wire, read_at, &read);
}

/* Some packets before or behind all rounds of both. */
static void make_margin(struct maker *m, const struct wire *wire, enum graph_section section)
{
    struct graph_op op = make_op(&m->random, wire);
    uint32_t at = 8 * draw_below(&m->random, WAYS);
    if (!is_task(m, wire->writer) || !is_task(m, wire->reader))
        return;
    op.section = section;
    op.pick = PICK_TURN;
    op.every = 1;
    op.phase = 0;
    op.discard = draw_chance(&m->random, 30);
    add_part(m, wire->reader, at + 1, &op);
    op.discard = 0;
    op.write = 1;
    add_part(m, wire->writer, at, &op);
}

/* All elements of an array have the same. */
static void give_room(struct graph *graph, uint32_t link)
{
    for (uint32_t i = 0; i < graph->link_count; i++)
        if (graph->links[i].array_first == graph->links[link].array_first)
            graph->links[i].depth = 64;
}

static void make_wire(struct maker *m, uint32_t link, uint32_t span)
{
    struct graph *graph = m->graph;
    struct graph_random *random = &m->random;
    uint32_t count = graph->process_count, writer = draw_below(random, count), reader = writer;
    struct wire wire = {link, span, 0, 0};
    if (count > 1 && draw_chance(random, 94))
        reader = (writer + 1 + draw_below(random, count - 1)) % count;
    if (reader == writer && draw_chance(random, 90))
        give_room(graph, link); /* else nearly all of these deadlock */
    wire.writer = writer;
    wire.reader = reader;
    if (draw_chance(random, 25))
        make_margin(m, &wire, SECTION_BEFORE);
    for (uint32_t turn = 0, turns = draw_chance(random, 25) ? 2 : 1; turn < turns; turn++)
        make_transfer(m, &wire);
    if (draw_chance(random, 20))
        make_margin(m, &wire, SECTION_BEHIND);
}

static void make_array(struct maker *m)
{
    uint32_t span = 2 + draw_below(&m->random, MOST_SPAN - 1);
    make_wire(m, add_links(m, span), span);
}

/* An array of which each end has its elements: others write and read the ones beside them. */
static void make_divided(struct maker *m)
{
    enum { MOST_PARTS_OF_ARRAY = 3 };
    uint32_t spans[MOST_PARTS_OF_ARRAY], total = 0;
    uint32_t parts = 2 + draw_below(&m->random, MOST_PARTS_OF_ARRAY - 1);
    for (uint32_t i = 0; i < parts; i++)
        total += spans[i] = 1 + draw_below(&m->random, MOST_SPAN);
    uint32_t link = add_links(m, total);
    for (uint32_t i = 0; i < parts; link += spans[i++])
        make_wire(m, link, spans[i]);
}

/* The first packet of all that one task gets from another says how many rounds it has. */
static void make_bounds(struct maker *m)
{
    uint32_t count = m->graph->process_count, writer = draw_below(&m->random, count);
    uint32_t reader = (writer + 1) % count;
    if (reader == writer || !is_task(m, writer) || !is_task(m, reader))
        return;
    struct graph_op op = {.section = SECTION_BEFORE,
                          .span = 1,
                          .pick = PICK_TURN,
                          .times = 1,
                          .every = 1,
                          .bounds = m->total};
    op.link = add_links(m, 1);
    add_part(m, reader, 0, &op);
    op.write = 1;
    add_part(m, writer, 0, &op);
}

/* ---- compute units --------------------------------------------------------------------------- */

static void add_units(struct maker *m, uint32_t units, const struct graph_op *in,
                      const struct graph_op *out)
{
    struct graph *graph = m->graph;
    struct graph_process unit = {.rounds = 1 + draw_below(&m->random, 3), .items = 1, .local = 1};
    unit.seed = draw_below(&m->random, 1u << 30);
    unit.units = units;
    unit.runs = draw_chance(&m->random, 50) ? RUNS_FOR_EVER : RUNS_AND_AGAIN;
    unit.ops[unit.op_count++] = *in;
    unit.ops[unit.op_count++] = *out;
    for (unit.unit = 0; unit.unit < units; unit.unit++) {
        graph->processes[graph->process_count++] = unit;
        unit.ops[0].link++;
        unit.ops[1].link++;
    }
}

/* Between two processes autorun kernels in several units, each with its own element of two arrays.
 * In round r unit r % units gets packets of the one and sends packets to the other. */
static void make_farm(struct maker *m)
{
    struct graph_random *random = &m->random;
    uint32_t units = 2 + draw_below(random, MOST_SPAN - 1), count = m->graph->process_count;
    uint32_t from = draw_below(random, count), to = draw_below(random, count);
    uint32_t at = 8 * draw_below(random, WAYS);
    struct graph_op op = {.section = SECTION_ROUNDS, .span = units, .pick = PICK_ROUND, .every = 1};
    struct graph_op in = op, out = op;
    in.times = 1 + draw_below(random, 3);
    out.times = 1 + draw_below(random, 3);
    int together = draw_chance(random, 50);
    in.link = add_links(m, together ? 2 * units : units);
    out.link = together ? in.link + units : add_links(m, units);
    add_part(m, to, at + 1, &out);
    out.write = in.write = 1;
    add_part(m, from, at, &in);
    in.write = 0;
    in.span = out.span = 1;
    in.pick = out.pick = PICK_TURN;
    add_units(m, units, &in, &out);
}

/* ---- putting together ------------------------------------------------------------------------ */

/* Transfers of one link must not overtake each other. */
static void keep_order(struct maker *m)
{
    for (uint32_t i = 0; i < m->part_count; i++)
        for (uint32_t j = i + 1; j < m->part_count; j++) {
            struct part *a = &m->parts[i], *b = &m->parts[j];
            if (b->op.write == a->op.write && b->op.link == a->op.link &&
                b->op.section == a->op.section && b->at < a->at) {
                uint32_t swap = a->at;
                a->at = b->at;
                b->at = swap;
            }
        }
}

static void sort_parts(struct maker *m)
{
    for (uint32_t i = 1; i < m->part_count; i++) {
        struct part part = m->parts[i];
        uint32_t j = i;
        for (; j && m->parts[j - 1].at > part.at; j--)
            m->parts[j] = m->parts[j - 1];
        m->parts[j] = part;
    }
}

static void give_parts(struct maker *m)
{
    for (uint32_t i = 0; i < m->part_count; i++) {
        struct graph_process *process = &m->graph->processes[m->parts[i].process];
        REQUIRE(process->op_count < MOST_OPS);
        process->ops[process->op_count++] = m->parts[i].op;
    }
}

void graph_make(struct graph *graph, uint64_t seed)
{
    struct maker m = {.graph = graph, .random = {seed * 0x9e3779b97f4a7c15u + 0x1234567}};
    struct graph_random *random = &m.random;
    *graph = (struct graph){0};
    m.total = draw_chance(random, 20) ? 1 : 1 + draw_below(random, 24);
    for (uint32_t i = 0, count = 1 + draw_below(random, 6); i < count; i++)
        make_process(&m);
    for (uint32_t i = 0, wires = 1 + draw_below(random, 9); i < wires; i++)
        make_wire(&m, add_links(&m, 1), 1);
    if (draw_chance(random, 25))
        make_array(&m);
    if (draw_chance(random, 30))
        make_divided(&m);
    if (draw_chance(random, 20))
        make_bounds(&m);
    if (draw_chance(random, 15))
        make_farm(&m);
    keep_order(&m);
    sort_parts(&m);
    give_parts(&m);
    graph_make_autorun(graph, random);
    graph_widen(graph, random);
    if (draw_chance(random, 15))
        graph_damage(graph, random);
    graph_make_pollers(graph, random);
    graph_shape(graph, random);
}
