/* SPDX-License-Identifier: Apache-2.0 */
/* From a value to its operands and back: recursion, what was found before, phis. The rules are in
 * affine_rules.c. */
#include "ir/affine/affine.h"

#include "ir/memory.h"

#include <stdlib.h>

#define DEEPEST 48
/* Values looked at for one question: phis that forget what they found may ask for it once more at
 * each level. */
#define MOST 4096

struct sl_affine_found {
    LLVMValueRef value;
    struct sl_shape shape;
    unsigned height; /* operations below it */
};

static struct sl_affine_found *find(const struct sl_affine *a, LLVMValueRef value)
{
    size_t number = (size_t)sl_map_get(&a->found, value);
    return number ? &a->shapes[number - 1] : NULL;
}

static void keep(struct sl_affine *a, LLVMValueRef value, struct sl_shape shape, unsigned height)
{
    struct sl_affine_found *old = find(a, value);
    if (old) {
        old->shape = shape;
        old->height = height;
        return;
    }
    if (a->count == a->room) {
        a->room = a->room ? 2 * a->room : 64;
        a->shapes = sl_ir_resize(a->shapes, a->room, sizeof *a->shapes);
    }
    a->shapes[a->count++] = (struct sl_affine_found){value, shape, height};
    sl_map_set(&a->found, value, (void *)a->count);
}

/* What was found while something was assumed that is not so. */
static void forget(struct sl_affine *a, size_t from)
{
    while (a->count > from)
        sl_map_set(&a->found, a->shapes[--a->count].value, NULL);
}

/* What comes first to a loop's counter, by whatever edge: the first that does not follow from the
 * counter itself. */
static struct sl_shape first_of_phi(struct sl_affine *a, LLVMValueRef phi)
{
    size_t before = a->count;
    struct sl_shape first = sl_shape_varying();
    for (unsigned k = 0; k < LLVMCountIncoming(phi) && first.kind == SL_SHAPE_VARYING; k++) {
        forget(a, before);
        first = sl_affine_shape(a, LLVMGetIncomingValue(phi, k));
    }
    return first;
}

/* A loop's counter steps as its first value does: what it is taken for while the others are looked
 * at. */
static struct sl_shape of_phi(struct sl_affine *a, LLVMValueRef phi)
{
    size_t before = a->count;
    keep(a, phi, sl_shape_varying(), 0);
    struct sl_shape all = first_of_phi(a, phi);
    bool varies = all.kind == SL_SHAPE_VARYING;
    keep(a, phi, all, 0);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        all = sl_shape_meet(all, sl_affine_shape(a, LLVMGetIncomingValue(phi, k)));
    if (all.kind == SL_SHAPE_VARYING && !varies)
        forget(a, before);
    return all;
}

static unsigned deepest(const struct sl_affine *a)
{
    return a->deepest ? a->deepest : DEEPEST;
}

static struct sl_shape compute(struct sl_affine *a, LLVMValueRef value)
{
    bool phi = LLVMIsAPHINode(value);
    a->looked_at = a->depth ? a->looked_at + 1 : 0;
    if (a->depth == deepest(a) || a->looked_at > MOST || (phi && a->exactness != SL_AFFINE_LIKELY))
        return sl_shape_varying();
    unsigned beside = a->height;
    a->height = 0;
    a->depth++;
    struct sl_shape shape = phi ? of_phi(a, value) : sl_affine_by_operands(a, value);
    a->depth--;
    if (shape.kind == SL_SHAPE_LINEAR && a->may_count && !a->may_count(value))
        shape = sl_shape_varying();
    keep(a, value, shape, ++a->height);
    if (a->height < beside)
        a->height = beside;
    return shape;
}

struct sl_shape sl_affine_shape(struct sl_affine *a, LLVMValueRef value)
{
    struct sl_shape shape;
    if (a->known && a->known(a, value, &shape))
        return shape;
    if (!LLVMIsAInstruction(value))
        return sl_shape_uniform();
    const struct sl_affine_found *found = find(a, value);
    if (!found)
        return compute(a, value);
    if (a->height < found->height)
        a->height = found->height;
    return a->depth + found->height > deepest(a) ? sl_shape_varying() : found->shape;
}

void sl_affine_finish(struct sl_affine *a)
{
    sl_map_finish(&a->found);
    free(a->shapes);
    a->shapes = NULL;
    a->count = a->room = 0;
}
