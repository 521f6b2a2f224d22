/* SPDX-License-Identifier: Apache-2.0 */
/* Ids count up by one in their own dimension. No shared state. */
#include "items/item_shape.h"

#include "items/work_item.h"

bool sl_item_shape(const struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    enum sl_wi what;
    unsigned dim;
    if (!sl_wi_parse(value, &what, &dim))
        return false;
    *shape = sl_shape_uniform();
    if (sl_wi_is_item(what) && dim == a->dimension) {
        *shape = sl_shape_linear(1, true, true);
        shape->low_half = what == SL_WI_GLOBAL_ID || what == SL_WI_LOCAL_ID;
    }
    if (what == SL_WI_SUB_GROUP_LANE)
        *shape = sl_shape_linear(1, true, true);
    return true;
}

uint64_t sl_item_multiple(struct sl_affine *a, LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && sl_wi_is_item(what) && dim == a->dimension ? a->items
                                                                                         : 0;
}
