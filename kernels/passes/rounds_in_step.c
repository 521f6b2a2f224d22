/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `for (j = id + 1; j < n; j++)`: items that go in step are at different j in each round, so what
 * they read by it lies anywhere, and they leave one by one, so each round has masks. Counted from
 * the least start on they are at the same j, and have no mask from the largest start on. Where they
 * begin together and leave one by one, the rounds that all of them have stand apart without masks.
 * No shared state.
 */
#include "passes/stages.h"

#include "ir/map.h"
#include "items/item_shape.h"
#include "items/lane_bound.h"
#include "items/work_item.h"
#include "vector/analysis/target.h"
#include "llvm/loops/rounds/rounds_in_step.h"
#include <llvm-c/Target.h>
#include <stdlib.h>

#define MOST_COMMON 48 /* instructions of a loop whose masks are worth the while */
#define NEAR 64        /* bytes from item to item, which are few lines of memory */

struct rounds {
    struct sl_pass *pass;
    const struct sl_kernel_facts *kernel;
    LLVMValueRef counter; /* as if it were the same in all items; NULL: as it is */
};

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    const struct rounds *r = a->user;
    if (value == r->counter || sl_lane_bound(value, NULL)) {
        *shape = sl_shape_uniform();
        return true;
    }
    return sl_item_shape(a, value, shape);
}

static struct sl_affine along(struct rounds *r)
{
    return (struct sl_affine){.exactness = SL_AFFINE_LIKELY,
                              .data = LLVMGetModuleDataLayout(r->pass->module),
                              .known = known,
                              .user = r};
}

static bool is_uniform(struct sl_affine *a, LLVMValueRef value)
{
    return sl_affine_shape(a, value).kind <= SL_SHAPE_UNIFORM;
}

static unsigned cost_of(struct sl_shape shape, uint64_t size)
{
    uint64_t step = (uint64_t)llabs(shape.stride);
    if (shape.kind <= SL_SHAPE_UNIFORM)
        return 1;
    if (shape.kind == SL_SHAPE_VARYING || step > NEAR)
        return 8;
    return step > size ? 4 : shape.stride < 0 ? 2 : 1;
}

/* Of all that the loop reads and writes. */
static unsigned cost(struct rounds *r, const struct sl_counted_loop *loop, LLVMValueRef counter)
{
    unsigned sum = 0;
    r->counter = counter;
    struct sl_affine a = along(r);
    for (size_t b = 0; b < loop->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            bool store = LLVMIsAStoreInst(i);
            if (!store && !LLVMIsALoadInst(i))
                continue;
            LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
            sum += cost_of(sl_affine_shape(&a, LLVMGetOperand(i, store)),
                           LLVMABISizeOfType(a.data, type));
        }
    sl_affine_finish(&a);
    r->counter = NULL;
    return sum;
}

static size_t size_of(const struct sl_counted_loop *loop)
{
    size_t count = 0;
    for (size_t b = 0; b < loop->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks[b]); i;
             i = LLVMGetNextInstruction(i))
            count++;
    return count;
}

static enum sl_round_split ask(void *data, const struct sl_counted_loop *loop)
{
    struct rounds *r = data;
    struct sl_affine a = along(r);
    bool together[2] = {is_uniform(&a, loop->start), is_uniform(&a, loop->end)};
    bool even = sl_affine_shape(&a, loop->end).kind == SL_SHAPE_LINEAR;
    sl_affine_finish(&a);
    enum sl_round_split split = SL_ROUNDS_STAY;
    if (!together[0] && together[1] && cost(r, loop, loop->counter) <= cost(r, loop, NULL))
        split = SL_ROUNDS_FROM_LEAST;
    if (together[0] && even && size_of(loop) <= MOST_COMMON)
        split = SL_ROUNDS_COMMON;
    if (split == SL_ROUNDS_STAY || !sl_pass_step(r->pass, "rounds in step", r->kernel))
        return SL_ROUNDS_STAY;
    sl_pass_remark(r->pass, r->kernel, loop->counter,
                   split == SL_ROUNDS_COMMON ? "rounds that all items have are a loop of their own"
                                             : "items count from the first one's start on");
    return split;
}

static LLVMValueRef bound(void *data, enum sl_round_bound which, bool is_unsigned, LLVMTypeRef type)
{
    struct rounds *r = data;
    return sl_lane_bound_function(r->pass->module, (struct sl_lane_bound){which, is_unsigned},
                                  type);
}

void sl_put_rounds_in_step(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    struct rounds r = {.pass = pass, .kernel = kernel};
    const struct sl_round_questions questions = {ask, bound, &r};
    sl_llvm_divide_rounds(kernel->kernel, &questions);
}

/* Of kernels whose items go in turn: what was divided is one loop again. */
int sl_pass_lone_rounds(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (!pass->kernels[k].elsewhere && pass->kernels[k].lanes <= 1 &&
            sl_lane_bounds_of_one(pass->kernels[k].kernel) &&
            sl_pass_run_llvm(pass, pass->kernels[k].kernel,
                             "instcombine<no-verify-fixpoint>,jump-threading,simplifycfg,dce"))
            return -1;
    return 0;
}

int sl_pass_lane_bounds(struct sl_pass *pass)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        sl_lane_bounds_of_one(f);
    return 0;
}
