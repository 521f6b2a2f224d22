/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements of arrays of pipes each operation may mean. Decided on the code as it was written,
 * so that a program is not refused for what an optimiser did not do. No shared state.
 */
#include "pipes/pipe.h"

#include "groups/group_function.h"
#include "ir/bits.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"
#include "llvm/pipes/pipe_elements.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct reacher {
    struct sl_pass *pass;
    struct sl_pipe_array array; /* the last one that was asked for */
    uint32_t kernel;
};

/* ---- launches -------------------------------------------------------------------------------- */

static const char *mark_of(LLVMValueRef kernel, const char *name)
{
    unsigned length;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, name,
                                                          (unsigned)strlen(name));
    return mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
}

/* Dimensions that a launch cannot have. */
static unsigned dimensions_of(const struct sl_kernel_facts *facts)
{
    const char *most = mark_of(facts->kernel, "sl-max-global-work-dim");
    if (facts->flags & SL_KERNEL_SINGLE_TASK)
        return 0;
    return most && *most >= '0' && *most < '3' ? (unsigned)(*most - '0') : 3;
}

/* max_work_group_size(N) is about all items of a group, (x, y, z) about each dimension. */
static void read_most_items(const struct sl_kernel_facts *facts, uint32_t size[3])
{
    const char *most = mark_of(facts->kernel, "sl-max-work-group-size");
    if (!most)
        return;
    int count = sscanf(most, "%" SCNu32 ",%" SCNu32 ",%" SCNu32, &size[0], &size[1], &size[2]);
    for (int d = 1; d < 3 && count == 1; d++)
        size[d] = size[0];
}

static struct sl_launch_shape shape_of(const struct sl_pass *pass,
                                       const struct sl_kernel_facts *facts)
{
    struct sl_launch_shape shape = {.whole_groups = sl_pass_has(pass, SL_PASS_UNIFORM_GROUPS)};
    bool autorun = facts->flags & SL_KERNEL_AUTORUN;
    read_most_items(facts, shape.local_size);
    bool required = sl_read_required_size(pass->context, facts->kernel, shape.local_size);
    for (unsigned d = 0; d < 3; d++) {
        bool none = d >= dimensions_of(facts);
        if (none || (autorun && !required))
            shape.local_size[d] = 1;
        shape.one_group[d] = none || autorun;
    }
    shape.whole_groups = (required && (shape.whole_groups || autorun)) || !dimensions_of(facts);
    return shape;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static const struct sl_pipe_array *find_array(void *data, LLVMValueRef variable)
{
    struct reacher *r = data;
    size_t length;
    int32_t row = sl_pipe_variable_find(r->pass->pipes, LLVMGetValueName2(variable, &length));
    if (row < 0)
        return NULL;
    const struct sl_pipe_variable *v = &r->pass->pipes->variables[row];
    r->array = (struct sl_pipe_array){v->dims, v->rank, v->count, v->packet_bytes};
    return &r->array;
}

static void set_elements(struct sl_pipe_place *use, const uint64_t *elements, uint32_t count)
{
    uint32_t found = 0;
    size_t words = sl_bits_words(count);
    for (uint32_t e = 0; e < count && found < 2; e++)
        if (sl_bits_has(elements, e) && !found++)
            use->element = (int32_t)e;
    if (found == 1)
        return;
    use->element = -1;
    use->elements = sl_ir_alloc(words, sizeof *use->elements);
    memcpy(use->elements, elements, words * sizeof *use->elements);
}

static void take_elements(void *data, LLVMValueRef call, const struct sl_pipe_elements *found)
{
    struct reacher *r = data;
    struct sl_pipe_design *design = r->pass->pipes;
    if (!found->elements)
        return; /* an argument; or resolve.c will refuse it */
    size_t length;
    const struct sl_pipe_operation *operation = sl_pipe_operation_find(sl_callee_name(call));
    struct sl_pipe_place use = sl_pipe_describe(call, operation, r->kernel);
    use.variable = sl_pipe_variable_find(design, LLVMGetValueName2(found->root, &length));
    use.sure = found->sure;
    set_elements(&use, found->elements, design->variables[use.variable].count);
    sl_pipe_places_add(&design->uses, &design->use_count, &use);
}

int sl_pass_pipe_reach(struct sl_pass *pass)
{
    struct reacher r = {.pass = pass};
    if (!pass->pipes->ring_count)
        return 0;
    struct sl_pipe_analyst *analyst = sl_pipe_analyst_create();
    const struct sl_pipe_asker asker = {&r, sl_has_pipe_operand, find_array, take_elements};
    for (r.kernel = 0; r.kernel < pass->kernel_count; r.kernel++) {
        const struct sl_kernel_facts *facts = &pass->kernels[r.kernel];
        struct sl_list calls = {0};
        sl_find_calls(facts->kernel, sl_has_pipe_operand, &calls);
        const struct sl_launch_shape shape = shape_of(pass, facts);
        if (calls.count)
            sl_pipe_analyst_look(analyst, facts->kernel, &shape, &asker);
        sl_list_finish(&calls);
    }
    sl_pipe_analyst_destroy(analyst);
    return 0;
}
