/* SPDX-License-Identifier: Apache-2.0 */
/* struct sl_pipe_ring as a type and as constants of the module. No shared state. */
#include "pipes/pipe.h"

#include "ir/memory.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The padding, and what is only the device's, written out as in C. */
LLVMTypeRef sl_pipe_ring_type(LLVMContextRef context)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(context), i32 = LLVMInt32TypeInContext(context);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context), ptr = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef pad48 = LLVMArrayType2(i8, 48), pad16 = LLVMArrayType2(i8, 16);
    LLVMTypeRef claims = LLVMArrayType2(i32, 4);
    LLVMTypeRef fields[] = {i64,   i64, pad48, i64, i64, pad48, ptr,   i64,
                            i32,   i32, i32,   i32, ptr, ptr,   pad16, LLVMArrayType2(ptr, 6),
                            claims};
    return LLVMStructTypeInContext(context, fields, sizeof fields / sizeof *fields, false);
}

LLVMValueRef sl_pipe_ring_address(struct sl_pipe_design *design, const struct sl_emit *e,
                                  uint32_t ring)
{
    LLVMValueRef offset = sl_emit_i64(e, (uint64_t)ring * sizeof(struct sl_pipe_ring));
    return LLVMConstInBoundsGEP2(e->i8, design->rings, &offset, 1);
}

char *sl_pipe_element_name(const struct sl_pipe_variable *v, uint32_t element)
{
    char *name = strdup(v->symbol);
    uint32_t below = v->count;
    for (uint32_t d = 0; d < v->rank; d++) {
        char *longer;
        below /= v->dims[d];
        if (asprintf(&longer, "%s[%u]", name, element / below) < 0)
            abort();
        free(name);
        name = longer;
        element %= below;
    }
    return name;
}
