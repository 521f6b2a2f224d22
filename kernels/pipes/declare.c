/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the front end declared in !sl.pipes, decides depths and gives the pipes that somebody
 * uses their rings and slots. No shared state.
 */
#include "pipes/pipe.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "pipes/depth_rows.h"
#include "pipes/stages.h"
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define NODE "sl.pipes"
#define FIXED_OPERANDS 11 /* the dimensions follow */
#define LARGEST_SLOTS ((uint64_t)1 << 30)
#define MOST_RINGS (1u << 20)
#define SLOTS_ALIGN 64

/* Kernels with a clock may run ahead of it, past the depth of their pipes, in loops that move small
 * packets (batch.h). The rings of a design should stay in a processor's cache. */
enum {
    SLOTS_AHEAD = 1024,
    LEAST_AHEAD = 128, /* where there are many */
    ENOUGH_BYTES = 1 << 16,
    MOST_BYTES_AHEAD = 64, /* of a packet */
    LARGEST_AHEAD = 1 << 20,
};

/* ---- one node -------------------------------------------------------------------------------- */

static char *text_at(LLVMValueRef *operands, unsigned i)
{
    unsigned length = 0;
    const char *text = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;
    return strndup(text ? text : "", length);
}

static uint32_t number_at(LLVMValueRef *operands, unsigned i)
{
    bool number = operands[i] && LLVMIsAConstantInt(operands[i]);
    return number ? (uint32_t)LLVMConstIntGetZExtValue(operands[i]) : 0;
}

void sl_pipe_variable_free(struct sl_pipe_variable *v)
{
    free(v->symbol);
    free(v->io);
    free(v->type_name);
    free(v->file);
    free(v->dims);
}

static bool is_channel(LLVMValueRef *operands)
{
    char *kind = text_at(operands, 1);
    bool channel = strcmp(kind, "channel") == 0;
    free(kind);
    return channel;
}

static struct sl_pipe_variable read_operands(LLVMValueRef *operands, unsigned count)
{
    struct sl_pipe_variable v = {
        .symbol = text_at(operands, 0),
        .packet_bytes = number_at(operands, 2),
        .packet_align = number_at(operands, 3),
        .declared_depth = number_at(operands, 4),
        .flags = number_at(operands, 5) | (is_channel(operands) ? SL_PIPE_CHANNEL : 0),
        .io = text_at(operands, 6),
        .type_name = text_at(operands, 7),
        .file = text_at(operands, 8),
        .line = number_at(operands, 9),
        .rank = number_at(operands, 10),
        .count = 1,
        .first_ring = UINT32_MAX,
    };
    if (*v.io) {
        v.flags |= SL_PIPE_IO;
    } else {
        free(v.io);
        v.io = NULL;
    }
    if (v.rank > count - FIXED_OPERANDS)
        v.rank = count - FIXED_OPERANDS;
    v.dims = sl_ir_alloc(v.rank, sizeof *v.dims);
    for (uint32_t d = 0; d < v.rank; d++)
        v.dims[d] = number_at(operands, FIXED_OPERANDS + d);
    return v;
}

static int count_elements(struct sl_pass *pass, struct sl_pipe_variable *v)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < v->rank; d++) {
        count *= v->dims[d];
        if (count == 0 || count > MOST_RINGS)
            return sl_pipe_refuse(pass, v, "'%s' has %s elements", v->symbol,
                                  count ? "too many" : "no");
    }
    v->count = (uint32_t)count;
    return 0;
}

static int check(struct sl_pass *pass, const struct sl_pipe_variable *v)
{
    uint32_t align = v->packet_align;
    if (!v->packet_bytes || !align || align & (align - 1) || v->packet_bytes % align)
        return sl_pipe_refuse(pass, v, "'%s' has packets of %u bytes, aligned to %u", v->symbol,
                              v->packet_bytes, align);
    if (v->flags & SL_PIPE_HOST && v->flags & SL_PIPE_IO)
        return sl_pipe_refuse(pass, v, "'%s' cannot be both the host's and an I/O peripheral's",
                              v->symbol);
    return 0;
}

/* ---- by symbol ------------------------------------------------------------------------------- */

int32_t sl_pipe_variable_find(const struct sl_pipe_design *design, const char *symbol)
{
    size_t low = 0, high = design->variable_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(symbol, design->variables[middle].symbol);
        if (!order)
            return (int32_t)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Constant expressions that nobody uses do not count. */
static bool is_used(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) || is_used(user))
            return true;
    }
    return false;
}

/* Host pipes that no kernel uses stay: the host may ask for them by name. */
static bool is_wanted(struct sl_pass *pass, const struct sl_pipe_variable *v)
{
    LLVMValueRef global = LLVMGetNamedGlobal(pass->module, v->symbol);
    return (global && is_used(global)) || v->flags & SL_PIPE_HOST;
}

/* What all objects leave to others is none's. */
static int check_defined(struct sl_pass *pass, struct sl_pipe_variable *v)
{
    bool defined = !(v->flags & SL_PIPE_EXTERN);
    v->flags &= ~(uint32_t)SL_PIPE_EXTERN;
    return defined ? 0
                   : sl_pipe_refuse(pass, v,
                                    "the %s '%s' is extern, and no object of the program declares "
                                    "it without that",
                                    v->flags & SL_PIPE_CHANNEL ? "channel" : "pipe", v->symbol);
}

static uint64_t least_slots(const struct sl_pass *pass, const struct sl_pipe_variable *v)
{
    const uint64_t bytes = (uint64_t)v->count * v->packet_bytes;
    bool ahead = sl_pipe_is_timed(pass->module) && v->packet_bytes <= MOST_BYTES_AHEAD &&
                 !(v->flags & (SL_PIPE_FOREIGN | SL_PIPE_EXACT)) &&
                 bytes <= LARGEST_AHEAD / LEAST_AHEAD;
    uint64_t slots = SLOTS_AHEAD;
    while (slots > LEAST_AHEAD && slots * bytes > ENOUGH_BYTES)
        slots /= 2;
    return ahead && v->depth < slots ? slots : v->depth;
}

static uint32_t depth_of(const struct sl_pass *pass, const struct sl_pipe_variable *v)
{
    if (v->flags & SL_PIPE_EXACT)
        return v->declared_depth;
    uint32_t named = sl_pipe_named_depth(pass->pipe_depths, v->symbol);
    return named ? named : sl_pipe_depth(pass->pipe_depth_mode, v->declared_depth);
}

static int place(struct sl_pass *pass, struct sl_pipe_variable *v)
{
    struct sl_pipe_design *design = pass->pipes;
    v->depth = depth_of(pass, v);
    uint64_t slots = 1, least = least_slots(pass, v);
    while (slots < least)
        slots *= 2;
    v->element_bytes = (slots * v->packet_bytes + SLOTS_ALIGN - 1) / SLOTS_ALIGN * SLOTS_ALIGN;
    if (slots > UINT32_MAX || v->element_bytes > LARGEST_SLOTS / v->count ||
        design->slots_bytes > LARGEST_SLOTS - v->element_bytes * v->count ||
        design->ring_count > MOST_RINGS - v->count)
        return sl_pipe_refuse(pass, v,
                              "'%s': the pipes of the program, with %u of depth %u and %u bytes a "
                              "packet, take more than 1 GiB of memory",
                              v->symbol, v->count, v->depth, v->packet_bytes);
    v->slot_count = (uint32_t)slots;
    v->first_ring = design->ring_count;
    v->slots_offset = design->slots_bytes;
    design->ring_count += v->count;
    design->slots_bytes += v->element_bytes * v->count;
    return 0;
}

static void add_globals(struct sl_pass *pass)
{
    struct sl_pipe_design *design = pass->pipes;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(pass->context);
    design->ring_type = sl_pipe_ring_type(pass->context);
    design->rings = LLVMAddGlobal(
        pass->module, LLVMArrayType2(design->ring_type, design->ring_count), "sluice.rings");
    design->slots =
        LLVMAddGlobal(pass->module, LLVMArrayType2(i8, design->slots_bytes), "sluice.slots");
    LLVMSetVisibility(design->slots, LLVMHiddenVisibility);
    LLVMSetVisibility(design->rings, LLVMHiddenVisibility);
    LLVMSetAlignment(design->rings, SLOTS_ALIGN);
    LLVMSetAlignment(design->slots, SLOTS_ALIGN);
}

static int read_nodes(struct sl_pass *pass)
{
    struct sl_pipe_design *design = pass->pipes;
    uint32_t nodes = LLVMGetNamedMetadataNumOperands(pass->module, NODE);
    LLVMValueRef *all = sl_ir_alloc(nodes, sizeof(*all));
    int rc = 0;
    if (nodes)
        LLVMGetNamedMetadataOperands(pass->module, NODE, all);
    design->variables = sl_ir_alloc(nodes, sizeof *design->variables);
    for (uint32_t n = 0; n < nodes && !rc; n++) {
        unsigned count = (unsigned)LLVMGetMDNodeNumOperands(all[n]);
        if (count < FIXED_OPERANDS)
            continue;
        LLVMValueRef *operands = sl_ir_alloc(count, sizeof(*operands));
        LLVMGetMDNodeOperands(all[n], operands);
        struct sl_pipe_variable *v = &design->variables[design->variable_count++];
        *v = read_operands(operands, count);
        free(operands);
        if (check(pass, v) || count_elements(pass, v))
            rc = -1;
    }
    free(all);
    return rc;
}

void sl_pipe_find_declared(LLVMModuleRef module, struct sl_map *variables)
{
    uint32_t nodes = LLVMGetNamedMetadataNumOperands(module, NODE);
    LLVMValueRef *all = sl_ir_alloc(nodes, sizeof(*all));
    if (nodes)
        LLVMGetNamedMetadataOperands(module, NODE, all);
    for (uint32_t n = 0; n < nodes; n++) {
        unsigned count = (unsigned)LLVMGetMDNodeNumOperands(all[n]);
        LLVMValueRef *operands = sl_ir_alloc(count, sizeof(*operands));
        LLVMGetMDNodeOperands(all[n], operands);
        char *symbol = count ? text_at(operands, 0) : NULL;
        LLVMValueRef global = symbol ? LLVMGetNamedGlobal(module, symbol) : NULL;
        if (global)
            sl_map_set(variables, global, global);
        free(symbol);
        free(operands);
    }
    free(all);
}

int sl_pass_pipe_declare(struct sl_pass *pass)
{
    pass->pipes = sl_ir_alloc(1, sizeof *pass->pipes);
    if (read_nodes(pass) || sl_pipe_merge(pass))
        return -1;
    sl_pipe_warn_of_depths(pass);
    for (uint32_t i = 0; i < pass->pipes->variable_count; i++) {
        struct sl_pipe_variable *v = &pass->pipes->variables[i];
        if (is_wanted(pass, v) && (check_defined(pass, v) || place(pass, v)))
            return -1;
    }
    if (pass->pipes->ring_count)
        add_globals(pass);
    return 0;
}

void sl_pipe_design_free(struct sl_pipe_design *design)
{
    if (!design)
        return;
    for (uint32_t i = 0; i < design->variable_count; i++)
        sl_pipe_variable_free(&design->variables[i]);
    sl_pipe_places_free(design->places, design->place_count);
    sl_pipe_places_free(design->uses, design->use_count);
    free(design->variables);
    free(design->ends);
    free(design->others);
    free(design);
}
