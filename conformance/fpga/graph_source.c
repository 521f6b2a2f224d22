/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a random design as OpenCL C. */
#include "graph.h"

#include <stdlib.h>

/* `pack` makes a packet v of the uint x, `unpack` an expression of the packet v; a packet that was
 * damaged on its way unpacks to something else. */
static const struct {
    const char *declare, *name, *pack, *unpack;
    uint32_t bits, bytes;
} types[] = {
    {"", "uchar", "v = (uchar)x", "v", 8, 1},
    {"", "ushort", "v = (ushort)x", "v", 16, 2},
    {"", "uint", "v = x", "v", 32, 4},
    {"", "ulong", "v = (ulong)x << 32 | ~x", "(uint)(v >> 32) ^ (uint)(~(v >> 32) ^ (uint)v)", 32,
     8},
    {"", "uint2", "v = (uint2)(x, x * 3)", "v.x ^ (v.y ^ v.x * 3)", 32, 8},
    {"", "uchar3", "v = (uchar3)((uchar)x, (uchar)(x >> 8), (uchar)(x >> 16))",
     "v.x | v.y << 8 | v.z << 16", 24, 4},
    {"typedef struct { uchar a[3]; } odd;\n", "odd",
     "v.a[0] = (uchar)x; v.a[1] = (uchar)(x >> 8); v.a[2] = (uchar)(x >> 16)",
     "v.a[0] | v.a[1] << 8 | v.a[2] << 16", 24, 3},
    {"typedef struct { uint a[16]; } wide;\n", "wide",
     "for (int j = 0; j < 16; j++) v.a[j] = x + j",
     "v.a[0] ^ (v.a[15] - v.a[0] - 15) ^ (v.a[7] - v.a[0] - 7)", 32, 64},
};

uint32_t packet_bits(uint32_t type)
{
    return types[type].bits;
}

uint32_t packet_bytes(uint32_t type)
{
    return types[type].bytes;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void declare_types(struct text *source)
{
    text_add(source, CHANNELS "#ifndef TYPES\n#define TYPES\n");
    for (size_t i = 0; i < LEN(types); i++)
        text_add(source, "%s", types[i].declare);
    text_add(source, "#endif\n");
}

static void declare_link(const struct graph_link *link, uint32_t number, uint32_t at,
                         struct text *source)
{
    if (link->via == VIA_ARGUMENT)
        return;
    text_add(source, "%s %s g%u_c%u", link->via == VIA_CHANNEL ? "channel" : "pipe",
             types[link->type].name, number, at);
    if (link->element)
        text_add(source, "[%u]", link->element);
    if (link->depth)
        text_add(source, " __attribute__((depth(%u)))", link->depth);
    /* one that polls at either end never waits by itself */
    if (link->via == VIA_PIPE && !link->polling_write && !link->polling_read)
        text_add(source, " __attribute__((blocking))");
    text_add(source, ";\n");
}

/* ---- operations ------------------------------------------------------------------------------ */

static void operand(const struct graph_link *link, uint32_t number, const struct graph_op *op,
                    struct text *to)
{
    if (link->via == VIA_ARGUMENT)
        text_add(to, "p%u%c", op->link, op->write ? 'w' : 'r');
    else
        text_add(to, "g%u_c%u", number, op->link);
    if (link->element)
        text_add(to, "[%u]", link->element - 1);
}

static int polls(const struct graph_link *link, int write)
{
    if (link->via == VIA_PIPE)
        return link->polling_write || link->polling_read;
    return write ? link->polling_write : link->polling_read;
}

static void channel_call(const struct graph_link *link, const struct graph_op *op,
                         const char *channel, struct text *to)
{
    if (op->write)
        text_add(to,
                 polls(link, 1) ? "while (!write_channel_nb_intel(%s, v)) ;"
                                : "write_channel_intel(%s, v);",
                 channel);
    else
        text_add(to,
                 polls(link, 0) ? "for (bool ok = false; !ok; ) v = read_channel_nb_intel(%s, &ok);"
                                : "v = read_channel_intel(%s);",
                 channel);
}

/* The packet is the variable v. */
static void call(const struct graph_link *link, uint32_t number, const struct graph_op *op,
                 struct text *to)
{
    struct text name = {0};
    operand(link, number, op, &name);
    if (link->via == VIA_CHANNEL)
        channel_call(link, op, name.at, to);
    else
        text_add(to, polls(link, op->write) ? "while (%s_pipe(%s, &v)) ;" : "%s_pipe(%s, &v);",
                 op->write ? "write" : "read", name.at);
    free(name.at);
}

static void transfer(const struct graph_link *link, uint32_t number, const struct graph_op *op,
                     const char *before, const char *after, struct text *to)
{
    text_add(to, "{ %s v; %s ", types[link->type].name, before);
    if (op->write)
        text_add(to, "%s; ", types[link->type].pack);
    call(link, number, op, to);
    text_add(to, " %s }\n", after);
}

static void operation(const struct graph *graph, uint32_t number, const struct graph_op *op,
                      struct text *to)
{
    const struct graph_link *link = &graph->links[op->link];
    struct text read = {0};
    text_add(to, "        if (r %% %uu == %uu) {\n            uint count = %u;\n            ",
             op->every, op->phase, op->times);
    if (!op->times && op->write) {
        transfer(link, number, op, "s = NEXT(s); count = TIMES(s); uint x = count;", "", to);
    } else if (!op->times) {
        text_add(&read, "count = %s;", types[link->type].unpack);
        transfer(link, number, op, "", read.at, to);
        read.used = 0;
    }
    text_add(to, "            for (uint i = 0; i < count; i++) ");
    text_add(&read, "s = MIX(s, (uint)(%s));", types[link->type].unpack);
    transfer(link, number, op, op->write ? "s = NEXT(s); uint x = VALUE(s);" : "",
             op->write ? "" : read.at, to);
    text_add(to, "        }\n");
    free(read.at);
}

/* ---- kernels --------------------------------------------------------------------------------- */

uint32_t graph_arguments(const struct graph *graph, uint32_t process, uint32_t links[MOST_OPS])
{
    const struct graph_process *plan = &graph->processes[process];
    uint32_t count = 0;
    for (uint32_t link = 0; link < graph->link_count; link++)
        for (int write = 1; graph->links[link].via == VIA_ARGUMENT && write >= 0; write--)
            for (uint32_t i = 0; i < plan->op_count; i++)
                if (plan->ops[i].link == link && plan->ops[i].write == write) {
                    links[count++] = link;
                    break;
                }
    return count;
}

static void parameters(const struct graph *graph, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    text_add(to, "global uint *o, uint at");
    for (uint32_t at = 0; at < graph->link_count; at++) {
        const struct graph_link *link = &graph->links[at];
        for (int write = 1; link->via == VIA_ARGUMENT && write >= 0; write--)
            for (uint32_t i = 0; i < plan->op_count; i++)
                if (plan->ops[i].link == at && plan->ops[i].write == write) {
                    text_add(to, ", %s pipe %s %s p%u%c", write ? "write_only" : "read_only",
                             types[link->type].name,
                             polls(link, write) ? "" : "__attribute__((blocking))", at,
                             write ? 'w' : 'r');
                    break;
                }
    }
}

static void kernel(const struct graph *graph, uint32_t number, uint32_t process, struct text *to)
{
    const struct graph_process *plan = &graph->processes[process];
    if (plan->autorun) {
        text_add(to,
                 "__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                 "kernel void g%u_k%u(void) {\n    uint s = %uu;\n"
                 "    for (uint r = 0; ; r++) {\n",
                 number, process, plan->seed);
    } else {
        text_add(to, "kernel void g%u_k%u(", number, process);
        parameters(graph, process, to);
        text_add(to,
                 ") {\n    uint item = (uint)get_global_id(0), s = %uu + item * 7919u;\n"
                 "    for (uint r = item * %uu; r < (item + 1) * %uu; r++) {\n",
                 plan->seed, plan->rounds, plan->rounds);
    }
    for (uint32_t i = 0; i < plan->op_count; i++)
        operation(graph, number, &plan->ops[i], to);
    text_add(to, plan->autorun ? "    }\n}\n" : "    }\n    o[at + item] = s;\n}\n");
}

void graph_declare(const struct graph *graph, uint32_t number, struct text *source)
{
    declare_types(source);
    text_add(source, "#define NEXT(s) ((s) * 1664525u + 1013904223u)\n"
                     "#define MIX(s, v) (((s) ^ (v)) * 2654435761u + 40503u)\n"
                     "#define VALUE(s) ((s) ^ (s) >> 15)\n#define TIMES(s) (((s) >> 20) %% 5)\n");
    for (uint32_t i = 0; i < graph->link_count; i++)
        declare_link(&graph->links[i], number, i, source);
    for (uint32_t i = 0; i < graph->process_count; i++)
        kernel(graph, number, i, source);
}
