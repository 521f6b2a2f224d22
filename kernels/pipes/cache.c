/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ends of pipes a function keeps in registers. Not those that it could change under another
 * name: elements of an array with an index that is not constant, and arguments that may be the same
 * pipe. No shared state.
 */
#include "pipes/expand.h"

#include "ir/memory.h"
#include "items/work_item.h"
#include "llvm/pass_support.h"
#include <string.h>

#define MOST_RELOADS 4096 /* in a function: each call of the runtime reloads every end */

LLVMValueRef sl_pipe_field(const struct sl_emit *e, LLVMValueRef ring, size_t offset)
{
    return sl_emit_byte_offset(e, ring, sl_emit_i64(e, offset), "");
}

static const struct sl_pipe_place *place_of(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    return &x->pass->pipes->places[sl_pipe_place_of(call)];
}

/* The ring that a call names, if that is known. Its address is one that the whole function has. */
static struct sl_kept_pipe_end identify(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    const struct sl_pipe_place *place = place_of(x, call);
    struct sl_kept_pipe_end end = {.ring = -1, .argument = -1};
    int64_t offset = 0;
    end.direction = place->operation->direction;
    LLVMValueRef base = sl_llvm_strip_offset(LLVMGetArgOperand(call, 0), &offset);
    if (base == x->pass->pipes->rings && base) {
        LLVMValueRef at = sl_emit_i64(&x->e, (uint64_t)offset);
        end.ring = offset / (int64_t)sizeof(struct sl_pipe_ring);
        end.address = offset ? LLVMConstInBoundsGEP2(x->e.i8, base, &at, 1) : base;
    } else if (LLVMIsAArgument(base) && !offset) {
        end.argument = place->argument;
        end.address = base;
    }
    return end;
}

static bool is_known(const struct sl_kept_pipe_end *end)
{
    return end->ring >= 0 || end->argument >= 0;
}

static bool is_same(const struct sl_kept_pipe_end *a, const struct sl_kept_pipe_end *b)
{
    return a->ring == b->ring && a->argument == b->argument && a->direction == b->direction;
}

static bool in_variable(const struct sl_pass *pass, const struct sl_kept_pipe_end *end,
                        int32_t variable)
{
    const struct sl_pipe_variable *v = &pass->pipes->variables[variable];
    return end->ring >= v->first_ring && end->ring < (int64_t)v->first_ring + v->count;
}

/* May the call change what is kept of this end, other than by its own name? */
static bool disturbs(const struct sl_pipe_expander *x, LLVMValueRef call,
                     const struct sl_kept_pipe_end *end, uint32_t packet_bytes)
{
    const struct sl_pipe_place *place = place_of(x, call);
    struct sl_kept_pipe_end other = identify(x, call);
    if (place->operation->form != SL_PIPE_FORM_PACKET || other.direction != end->direction)
        return false;
    if (end->argument >= 0)
        return place->argument >= 0 && place->argument != end->argument &&
               place->packet_bytes == packet_bytes;
    return !is_known(&other) && place->variable >= 0 && in_variable(x->pass, end, place->variable);
}

struct sl_kept_pipe_end *sl_pipe_kept_end(struct sl_pipe_expander *x, LLVMValueRef call)
{
    struct sl_kept_pipe_end end = identify(x, call);
    for (uint32_t i = 0; i < x->end_count && is_known(&end); i++)
        if (is_same(&x->ends[i], &end))
            return &x->ends[i];
    return NULL;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static void consider(struct sl_pipe_expander *x, LLVMValueRef call)
{
    struct sl_kept_pipe_end end = identify(x, call);
    const struct sl_pipe_place *place = place_of(x, call);
    if (place->operation->form != SL_PIPE_FORM_PACKET || !is_known(&end) ||
        sl_pipe_kept_end(x, call))
        return;
    if ((x->end_count + 1) * x->calls.count > MOST_RELOADS)
        return;
    for (size_t i = 0; i < x->calls.count; i++)
        if (disturbs(x, x->calls.items[i], &end, place->packet_bytes))
            return;
    end.movable =
        place->variable >= 0 && x->pass->pipes->variables[place->variable].flags & SL_PIPE_IO;
    x->ends = sl_ir_resize(x->ends, x->end_count + 1, sizeof *x->ends);
    x->ends[x->end_count++] = end;
}

static void keep(struct sl_pipe_expander *x, struct sl_kept_pipe_end *end)
{
    const struct sl_emit *e = &x->e;
    end->index = sl_emit_entry_alloca(e, x->function, e->i64, 8, "index");
    end->limit = sl_emit_entry_alloca(e, x->function, e->i64, 8, "limit");
    if (end->ring >= 0 && !end->movable)
        return;
    end->slots =
        sl_emit_load_field(e, e->ptr, end->address, offsetof(struct sl_pipe_ring, slots), "slots");
    end->mask =
        sl_emit_load_field(e, e->i64, end->address, offsetof(struct sl_pipe_ring, mask), "mask");
}

void sl_pipe_keep_ends(struct sl_pipe_expander *x)
{
    for (size_t i = 0; i < x->calls.count; i++)
        consider(x, x->calls.items[i]);
    sl_emit_at_entry(&x->e, x->function);
    for (uint32_t i = 0; i < x->end_count; i++)
        keep(x, &x->ends[i]);
    sl_pipe_reload(x);
}

/* ---- reading anew ---------------------------------------------------------------------------- */

void sl_pipe_reload(struct sl_pipe_expander *x)
{
    const struct sl_emit *e = &x->e;
    for (uint32_t i = 0; i < x->end_count; i++) {
        const struct sl_kept_pipe_end *end = &x->ends[i];
        size_t index = sl_pipe_index_offset(end->direction);
        size_t limit = sl_pipe_limit_offset(end->direction);
        LLVMBuildStore(e->builder, sl_emit_load_field(e, e->i64, end->address, index, ""),
                       end->index);
        LLVMBuildStore(e->builder, sl_emit_load_field(e, e->i64, end->address, limit, ""),
                       end->limit);
    }
}
