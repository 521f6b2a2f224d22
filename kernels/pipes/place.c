/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source that use pipes, as operations tell them. No shared state. */
#include "pipes/pipe.h"

#include "ir/memory.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static char *file_of(LLVMValueRef call)
{
    unsigned length = 0;
    const char *name = LLVMGetDebugLocFilename(call, &length);
    return name && length ? strndup(name, length) : NULL;
}

static uint32_t constant_operand(LLVMValueRef call, unsigned from_end)
{
    LLVMValueRef value = LLVMGetArgOperand(call, LLVMGetNumArgOperands(call) - from_end);
    return LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value) : 0;
}

struct sl_pipe_place sl_pipe_describe(LLVMValueRef call, const struct sl_pipe_operation *operation,
                                      uint32_t kernel)
{
    return (struct sl_pipe_place){
        .operation = operation,
        .kernel = kernel,
        .variable = -1,
        .argument = -1,
        .element = -1,
        .packet_bytes = constant_operand(call, 2),
        .packet_align = constant_operand(call, 1),
        .line = LLVMGetDebugLocLine(call),
        .column = LLVMGetDebugLocColumn(call),
        .file = file_of(call),
    };
}

uint32_t sl_pipe_places_add(struct sl_pipe_place **places, uint32_t *count,
                            const struct sl_pipe_place *place)
{
    if ((*count & (*count - 1)) == 0)
        *places = sl_ir_resize(*places, *count ? 2 * *count : 1, sizeof **places);
    (*places)[*count] = *place;
    return (*count)++;
}

void sl_pipe_places_free(struct sl_pipe_place *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(places[i].file);
        free(places[i].elements);
    }
    free(places);
}
