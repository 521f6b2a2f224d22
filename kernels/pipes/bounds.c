/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indices of arrays of pipes: each has to be inside of its own dimension. A constant that is not
 * refuses the program; what is known at run time only is asked when the kernel comes there, and
 * ends its launch instead of leading to another pipe, or to memory that is none. No shared state.
 */
#include "pipes/pipe.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "items/trap.h"
#include "items/work_item.h"
#include "pipes/stages.h"
#include "llvm/pass_support.h"
#include "llvm/pipes/pipe_indices.h"
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bounder {
    struct sl_pass *pass;
    struct sl_emit e;
    uint32_t kernel;
    struct sl_pipe_index *found; /* owned */
    uint32_t count;
};

static const struct sl_pipe_variable *variable_of(const struct bounder *b, LLVMValueRef global)
{
    size_t length;
    int32_t row = sl_pipe_variable_find(b->pass->pipes, LLVMGetValueName2(global, &length));
    return row < 0 ? NULL : &b->pass->pipes->variables[row];
}

static bool find_array(void *data, LLVMValueRef variable, struct sl_indexed_array *array)
{
    const struct sl_pipe_variable *v = variable_of(data, variable);
    if (!v || !v->rank)
        return false;
    *array = (struct sl_indexed_array){v->dims, v->rank, v->packet_bytes};
    return true;
}

static void take(void *data, const struct sl_pipe_index *index)
{
    struct bounder *b = data;
    if ((b->count & (b->count - 1)) == 0)
        b->found = sl_ir_resize(b->found, b->count ? 2 * b->count : 1, sizeof *b->found);
    b->found[b->count++] = *index;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* "index 2 of channel 'c[2][4]'" */
static void name_index(const struct bounder *b, const struct sl_pipe_index *index, char *out,
                       size_t bytes)
{
    const struct sl_pipe_variable *v = variable_of(b, index->variable);
    const char *kind = v->flags & SL_PIPE_CHANNEL ? "channel" : "pipe";
    int used = v->rank > 1 ? snprintf(out, bytes, "index %u of %s '%.100s", index->dimension + 1,
                                      kind, v->symbol)
                           : snprintf(out, bytes, "the index of %s '%.100s", kind, v->symbol);
    for (uint32_t d = 0; d < v->rank && (size_t)used < bytes; d++)
        used += snprintf(out + used, bytes - (size_t)used, "[%u]", v->dims[d]);
    if ((size_t)used < bytes)
        snprintf(out + used, bytes - (size_t)used, "'");
}

/* The brackets' own place, or that of the operation. */
static LLVMValueRef placed(const struct sl_pipe_index *index)
{
    return LLVMGetDebugLocLine(index->at) ? index->at : index->call;
}

/* ---- constants ------------------------------------------------------------------------------- */

static int refuse_constant(struct bounder *b, const struct sl_pipe_index *index)
{
    char what[400];
    name_index(b, index, what, sizeof what);
    return sl_pass_refuse_at(b->pass, sl_source_place_of(placed(index)).text,
                             "kernel '%s': %s is outside of the array: %" PRId64,
                             b->pass->kernels[b->kernel].name, what,
                             (int64_t)LLVMConstIntGetSExtValue(index->value));
}

/* ---- at run time ----------------------------------------------------------------------------- */

static void emit_stop(struct bounder *b, const struct sl_pipe_index *index, LLVMValueRef value)
{
    char name[400], text[SL_SOURCE_PLACE_BYTES + 440];
    name_index(b, index, name, sizeof name);
    snprintf(text, sizeof text, "%s: %s is outside of the array",
             sl_source_place_of(placed(index)).text, name);
    LLVMValueRef launch = sl_wi_emit(&b->e, b->pass->module, SL_WI_LAUNCH, 0);
    sl_emit_outside(&b->e, launch, text, value);
    LLVMBuildUnreachable(b->e.builder);
}

/* The kernel is one with pipes even if no operation is left that it comes to. */
static void add_check(struct bounder *b, const struct sl_pipe_index *index)
{
    b->pass->kernels[b->kernel].flags |= SL_KERNEL_USES_PIPES;
    const struct sl_emit *e = &b->e;
    LLVMBuilderRef builder = e->builder;
    uint32_t size = variable_of(b, index->variable)->dims[index->dimension];
    LLVMBasicBlockRef head = LLVMGetInstructionParent(index->at);
    LLVMBasicBlockRef inside = sl_llvm_split_block(index->at, "pipe.inside");
    LLVMBasicBlockRef outside = LLVMInsertBasicBlockInContext(e->context, inside, "pipe.outside");
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(head);
    LLVMPositionBuilderBefore(builder, branch);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(placed(index)));
    LLVMValueRef value = LLVMBuildIntCast2(builder, index->value, e->i64, true, "");
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, value, sl_emit_i64(e, size), "");
    LLVMBuildCondBr(builder, fits, inside, outside);
    LLVMInstructionEraseFromParent(branch);
    LLVMPositionBuilderAtEnd(builder, outside);
    emit_stop(b, index, value);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int look(struct bounder *b, LLVMValueRef kernel)
{
    const struct sl_index_asker asker = {b, sl_has_pipe_operand, find_array, take};
    b->count = 0;
    if (sl_pipe_find_indices(kernel, &asker))
        return 0;
    b->count = 0; /* variables become values, but no step of an address another one */
    if (sl_pass_run_llvm(b->pass, kernel,
                         sl_pass_has(b->pass, SL_PASS_OPTIMIZE) ? "sroa<modify-cfg>" : "mem2reg"))
        return -1;
    sl_pipe_find_indices(kernel, &asker);
    return 0;
}

static int bound(struct bounder *b)
{
    LLVMValueRef kernel = b->pass->kernels[b->kernel].kernel;
    int rc = look(b, kernel);
    for (uint32_t i = 0; i < b->count && !rc; i++) {
        if (LLVMIsAConstantInt(b->found[i].value) && b->found[i].reached)
            rc = refuse_constant(b, &b->found[i]);
        else
            add_check(b, &b->found[i]);
    }
    return rc;
}

int sl_pass_pipe_bounds(struct sl_pass *pass)
{
    struct bounder b = {.pass = pass};
    int rc = 0;
    if (!pass->pipes->variable_count)
        return 0;
    sl_emit_init(&b.e, pass->context);
    for (; b.kernel < pass->kernel_count && !rc; b.kernel++)
        rc = bound(&b);
    sl_emit_finish(&b.e);
    free(b.found);
    return rc;
}
