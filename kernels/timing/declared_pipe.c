/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/declared_pipe.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/pipe.h"

/* Of !sl.pipes: {symbol, kind, bytes, alignment, depth, flags, io, ...}. */
enum { AT_SYMBOL = 0, AT_DEPTH = 4, AT_FLAGS = 5, AT_IO = 6, LEAST_OPERANDS = 7 };

static uint32_t number_at(LLVMValueRef *operands, unsigned i)
{
    bool number = operands[i] && LLVMIsAConstantInt(operands[i]);
    return number ? (uint32_t)LLVMConstIntGetZExtValue(operands[i]) : 0;
}

static bool read_node(LLVMValueRef node, const char *name, size_t length,
                      struct sl_pipe_declaration *declared)
{
    LLVMValueRef operands[64];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node), bytes = 0, io_bytes = 0;
    if (count < LEAST_OPERANDS || count > sizeof operands / sizeof *operands)
        return false;
    LLVMGetMDNodeOperands(node, operands);
    const char *symbol = operands[AT_SYMBOL] ? LLVMGetMDString(operands[AT_SYMBOL], &bytes) : NULL;
    if (!symbol || bytes != length || memcmp(symbol, name, length) != 0)
        return false;
    if (operands[AT_IO])
        LLVMGetMDString(operands[AT_IO], &io_bytes);
    declared->depth = number_at(operands, AT_DEPTH);
    declared->flags = number_at(operands, AT_FLAGS);
    declared->outside = io_bytes || declared->flags & SL_PIPE_HOST;
    return true;
}

bool sl_pipe_declaration_find(LLVMValueRef variable, struct sl_pipe_declaration *declared)
{
    static const char node[] = "sl.pipes";
    LLVMModuleRef module = LLVMGetGlobalParent(variable);
    uint32_t count = LLVMGetNamedMetadataNumOperands(module, node);
    LLVMValueRef *nodes = calloc(count + (size_t)1, sizeof(*nodes));
    size_t length;
    const char *name = LLVMGetValueName2(variable, &length);
    bool found = false;
    if (nodes && count)
        LLVMGetNamedMetadataOperands(module, node, nodes);
    for (uint32_t i = 0; nodes && i < count && !found; i++)
        found = read_node(nodes[i], name, length, declared);
    free(nodes);
    return found;
}

const char *sl_pipe_argument_text(LLVMValueRef argument, const char *attribute)
{
    LLVMValueRef kernel = LLVMGetParamParent(argument);
    unsigned index = 0, length;
    while (LLVMGetParam(kernel, index) != argument)
        index++;
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(kernel, index + 1, attribute, (unsigned)strlen(attribute));
    return mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
}
