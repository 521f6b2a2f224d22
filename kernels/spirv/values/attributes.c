/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "spirv/values/attributes.h"

#include <string.h>

LLVMAttributeRef sl_spirv_attribute(struct sl_spirv *s, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMCreateEnumAttribute(s->context, kind, value);
}

void sl_spirv_mark(struct sl_spirv *s, LLVMValueRef function, const char *name)
{
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            sl_spirv_attribute(s, name, 0));
}

void sl_spirv_mark_pure(struct sl_spirv *s, LLVMValueRef function)
{
    static const char *const names[] = {"convergent", "nounwind", "willreturn", "memory"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        sl_spirv_mark(s, function, names[k]);
}

void sl_spirv_mark_function_pointers(struct sl_spirv *s)
{
    LLVMGetOrInsertNamedMetadata(s->module, SL_FUNCTION_POINTERS_METADATA,
                                 sizeof SL_FUNCTION_POINTERS_METADATA - 1);
}
