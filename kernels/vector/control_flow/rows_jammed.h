/* SPDX-License-Identifier: Apache-2.0 */
/* Unroll and jam, the loops: rows that go together are computed in front of the first of them. */
#ifndef SL_KERNELS_VECTOR_CONTROL_FLOW_ROWS_JAMMED_H
#define SL_KERNELS_VECTOR_CONTROL_FLOW_ROWS_JAMMED_H

#include "items/region_copy.h"

/* Code in front of a row's, which does several ones from this one on if there are so many and they
 * have as many items each. */
struct sl_vector_in_step {
    struct sl_group_function *g;
    uint32_t count; /* rows */
    bool differ;    /* in the number of items */
    /* How many items of the row are done in step, an i64; and the code for so many, one at least.
     */
    LLVMValueRef (*items)(const struct sl_rows *, void *data);
    void (*emit)(const struct sl_rows *, LLVMValueRef items, void *data);
    void *data;
};

/* Sets rows->ahead. */
void sl_vector_emit_in_step(const struct sl_vector_in_step *, struct sl_rows *rows);

#endif
