/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An autorun kernel with num_compute_units(X,Y,Z) becomes that many kernels, "name", "name.1" and
 * so on, each with its own constant ids. Afterwards kernels are in the order of their names and
 * their numbers are final. Elsewhere the ids are 0. No shared state.
 */
#include "items/work_item.h"
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_UNITS 65536

static const char *attribute(LLVMValueRef function, const char *name)
{
    unsigned length;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                                          name, (unsigned)strlen(name));
    return mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
}

static void read_units(LLVMValueRef kernel, uint64_t units[3])
{
    const char *text = attribute(kernel, "sl-num-compute-units");
    unsigned x, y, z;
    if (!text || !attribute(kernel, "sl-autorun") || sscanf(text, "%u,%u,%u", &x, &y, &z) != 3)
        return;
    units[0] = x ? x : 1;
    units[1] = y ? y : 1;
    units[2] = z ? z : 1;
}

static bool is_question(const char *callee)
{
    return strcmp(callee, SL_COMPUTE_ID) == 0;
}

static void set_ids(struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    struct sl_list calls = {0};
    LLVMTypeRef i32 = LLVMInt32TypeInContext(pass->context);
    sl_find_calls(facts->kernel, is_question, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMValueRef call = calls.items[i], dim = LLVMGetArgOperand(call, 0);
        LLVMBuilderRef b = LLVMCreateBuilderInContext(pass->context);
        LLVMPositionBuilderBefore(b, call);
        LLVMValueRef id = LLVMConstInt(i32, 0, false);
        for (unsigned d = 0; d < 3; d++) {
            LLVMValueRef same =
                LLVMBuildICmp(b, LLVMIntEQ, dim, LLVMConstInt(LLVMTypeOf(dim), d, false), "");
            id = LLVMBuildSelect(b, same, LLVMConstInt(i32, facts->unit[d], false), id, "");
        }
        LLVMReplaceAllUsesWith(call, id);
        LLVMInstructionEraseFromParent(call);
        LLVMDisposeBuilder(b);
    }
    sl_list_finish(&calls);
}

static void add_copy(struct sl_pass *pass, uint32_t from, uint32_t number, const uint32_t unit[3])
{
    pass->kernels = sl_ir_resize(pass->kernels, pass->kernel_count + 1, sizeof *pass->kernels);
    const struct sl_kernel_facts *first = &pass->kernels[from];
    struct sl_kernel_facts *copy = &pass->kernels[pass->kernel_count++];
    *copy = *first;
    if (asprintf(&copy->name, "%s.%u", first->source, number) < 0)
        abort();
    copy->source = strdup(first->source);
    copy->args = NULL; /* autorun kernels have none */
    copy->kernel = sl_llvm_clone_function(first->kernel, copy->name);
    copy->flags |= SL_KERNEL_COPY;
    memcpy(copy->unit, unit, sizeof copy->unit);
}

static int add_copies(struct sl_pass *pass, uint32_t from)
{
    uint64_t units[3] = {1, 1, 1};
    read_units(pass->kernels[from].kernel, units);
    if (units[0] > MOST_UNITS || units[1] > MOST_UNITS || units[2] > MOST_UNITS ||
        units[0] * units[1] * units[2] > MOST_UNITS)
        return sl_pass_refuse(pass, "kernel '%s': more than %u compute units",
                              pass->kernels[from].name, MOST_UNITS);
    uint32_t all = (uint32_t)(units[0] * units[1] * units[2]);
    for (uint32_t n = 1; n < all; n++) {
        uint32_t unit[3] = {n % (uint32_t)units[0], n / (uint32_t)units[0] % (uint32_t)units[1],
                            n / (uint32_t)(units[0] * units[1])};
        add_copy(pass, from, n, unit);
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_kernel_facts *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* A first unit stands somewhere before its copies: "k" before "k.1". */
static void find_first_units(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k], *first = facts;
        if (facts->flags & SL_KERNEL_COPY) {
            struct sl_kernel_facts key = {.name = facts->source};
            first = bsearch(&key, pass->kernels, pass->kernel_count, sizeof key, by_name);
        }
        facts->first_unit = (uint32_t)(first - pass->kernels);
    }
}

int sl_pass_compute_units(struct sl_pass *pass)
{
    uint32_t count = pass->kernel_count;
    for (uint32_t k = 0; k < count; k++)
        if (add_copies(pass, k))
            return -1;
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        set_ids(pass, &pass->kernels[k]);
    if (pass->kernel_count)
        qsort(pass->kernels, pass->kernel_count, sizeof *pass->kernels, by_name);
    find_first_units(pass);
    return 0;
}
