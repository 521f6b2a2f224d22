/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops in which each item goes through a row of its own, element by element: of as many iterations
 * at once as elements are loaded together (span.c). The iterations keep their order, so sums are
 * the same to the bit. No shared state.
 */
#include "vector/cost/row_walks.h"

#include "ir/map.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/span.h"
#include "llvm/loops/memory/steady_stores.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>
#include <string.h>

#define MOST_LOADS 64
#define AT_ONCE 16 /* bytes of a row */
#define LINE 64    /* bytes of a cache line */
#define SHORT_ROW LINE
#define CACHE (32 << 10) /* bytes of the nearest one, whose ways are as long as a page */
#define PAGE 4096
#define WORD 4
#define MOST_INSTRUCTIONS 512 /* of all iterations together */

static uint32_t size_of(LLVMBasicBlockRef block)
{
    uint32_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        count++;
    return count;
}

/* Turns at once: all of a short row. 1: as it is, so where lanes leave at different times. */
static uint32_t iterations_of(const struct sl_vector_facts *v, const struct sl_steady_load *walk)
{
    LLVMTypeRef type = LLVMTypeOf(walk->load);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(walk->load);
    uint32_t number = sl_vector_number(&v->plan, block);
    uint32_t loop = number < v->plan.count ? v->plan.blocks[number].loop : 0;
    uint64_t size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
    uint32_t iterations = (uint32_t)(AT_ONCE / size);
    if (!loop || walk->step != (int64_t)size || size > WORD || v->plan.loops[loop - 1].divergent ||
        !sl_vector_is_gathered(v, walk->load, number) || !sl_vector_is_quiet_block(block))
        return 1;
    if (walk->trips && walk->trips * size <= SHORT_ROW)
        iterations = walk->trips;
    while (iterations > 1 && ((walk->trips && walk->trips % iterations) ||
                              iterations * size_of(block) > MOST_INSTRUCTIONS))
        iterations /= 2;
    return iterations * size >= WORD ? iterations : 1;
}

static void mark(struct sl_vector_facts *v, LLVMBasicBlockRef block, uint32_t iterations)
{
    const char *name = "llvm.loop.unroll.count";
    LLVMContextRef context = v->g->pass->context;
    LLVMValueRef count = LLVMConstInt(LLVMInt32TypeInContext(context), iterations, false);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, name, strlen(name)),
                               LLVMValueAsMetadata(count)};
    LLVMMetadataRef property = LLVMMDNodeInContext2(context, parts, 2);
    sl_llvm_set_loop_properties(LLVMGetBasicBlockTerminator(block), &property, 1);
}

void sl_vector_find_walks(struct sl_vector_facts *v)
{
    struct sl_steady_load walks[MOST_LOADS];
    size_t count = sl_llvm_steady_loads(v->g->split.kernel, walks, MOST_LOADS);
    for (size_t n = 0; n < count; n++) {
        uint32_t iterations = iterations_of(v, &walks[n]);
        if (iterations > 1)
            sl_map_set(&v->walks, walks[n].load, (void *)(uintptr_t)iterations);
    }
}

/* Does each lane load from cache lines of its own, which the next rounds go on with? */
static bool is_own_row(const struct sl_vector_facts *v, const struct sl_steady_load *walk)
{
    uint32_t block = sl_vector_number(&v->plan, LLVMGetInstructionParent(walk->load));
    if (block >= v->plan.count || !sl_vector_is_gathered(v, walk->load, block))
        return false;
    struct sl_shape shape = sl_vector_shape_at(v, LLVMGetOperand(walk->load, 0), block);
    int64_t apart = shape.stride < 0 ? -shape.stride : shape.stride;
    return walk->step > -LINE && walk->step < LINE &&
           (shape.kind == SL_SHAPE_VARYING || apart >= LINE);
}

bool sl_vector_has_own_rows(const struct sl_vector_facts *v)
{
    struct sl_steady_load walks[MOST_LOADS];
    size_t count = sl_llvm_steady_loads(v->g->split.kernel, walks, MOST_LOADS);
    for (size_t n = 0; n < count; n++)
        if (is_own_row(v, &walks[n]))
            return true;
    return false;
}

/* What a power of two lies between shares its place in the cache with as few others. */
static uint32_t lines_at_once(uint64_t apart)
{
    uint64_t step = apart & -apart;
    return (uint32_t)(CACHE / (step > PAGE ? PAGE : step));
}

uint32_t sl_vector_rows_in_cache(const struct sl_vector_facts *v)
{
    struct sl_steady_load walks[MOST_LOADS];
    size_t count = sl_llvm_steady_loads(v->g->split.kernel, walks, MOST_LOADS);
    uint32_t least = UINT32_MAX;
    for (size_t n = 0; n < count; n++) {
        LLVMValueRef load = walks[n].load;
        uint32_t block = sl_vector_number(&v->plan, LLVMGetInstructionParent(load));
        if (!is_own_row(v, &walks[n]))
            continue;
        struct sl_shape shape = sl_vector_shape_at(v, LLVMGetOperand(load, 0), block);
        uint32_t lines =
            shape.kind == SL_SHAPE_LINEAR ? lines_at_once((uint64_t)shape.stride) : least;
        least = lines < least ? lines : least;
    }
    return least;
}

bool sl_vector_mark_walks(struct sl_vector_facts *v)
{
    bool any = false;
    for (uint32_t b = 0; b < v->plan.count; b++) {
        uint32_t most = 1;
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i)) {
            uint32_t iterations = (uint32_t)(uintptr_t)sl_map_get(&v->walks, i);
            most = iterations > most ? iterations : most;
        }
        if (most > 1)
            mark(v, v->plan.blocks[b].ref, most);
        any |= most > 1;
    }
    return any;
}

bool sl_vector_unroll_walks(struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    /* Offsets become constants; what an outer loop reads again and again goes in front of it. */
    const char *unroll =
        "loop-simplify,lcssa,loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound>,"
        "separate-const-offset-from-gep,early-cse,loop-mssa(licm),"
        "instcombine<no-verify-fixpoint>,simplifycfg,dce";
    return sl_pass_step(pass, "walks", facts) && !sl_pass_run_llvm(pass, facts->kernel, unroll);
}
