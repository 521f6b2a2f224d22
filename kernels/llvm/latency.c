/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/latency.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 9, OPERANDS = 2 + NUMBERS };

static LLVMMetadataRef text_node(LLVMContextRef context, const char *text)
{
    return LLVMMDStringInContext2(context, text, strlen(text));
}

static LLVMValueRef node_of(LLVMContextRef context, const struct sl_latency_control *c)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    const uint32_t numbers[NUMBERS] = {c->line,           c->column,           c->writes,
                                       c->has_anchor,     (uint32_t)c->anchor, c->has_constraint,
                                       (uint32_t)c->from, (uint32_t)c->type,   (uint32_t)c->cycles};
    LLVMMetadataRef operands[OPERANDS] = {text_node(context, c->pipe), text_node(context, c->file)};
    for (unsigned i = 0; i < NUMBERS; i++)
        operands[2 + i] = LLVMValueAsMetadata(LLVMConstInt(word, numbers[i], 0));
    return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands, OPERANDS));
}

static unsigned kind_in(LLVMContextRef context)
{
    return LLVMGetMDKindIDInContext(context, SL_LATENCY_NODE, strlen(SL_LATENCY_NODE));
}

static LLVMModuleRef module_of(LLVMValueRef call)
{
    return LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
}

void sl_latency_note(LLVMModuleRef module, const struct sl_latency_control *c)
{
    LLVMAddNamedMetadataOperand(module, SL_LATENCY_NODE, node_of(LLVMGetModuleContext(module), c));
}

void sl_latency_mark(LLVMValueRef call, const struct sl_latency_control *c)
{
    LLVMContextRef context = LLVMGetModuleContext(module_of(call));
    LLVMSetMetadata(call, kind_in(context), node_of(context, c));
}

bool sl_latency_read(LLVMValueRef node, struct sl_latency_control *out)
{
    LLVMValueRef operands[OPERANDS];
    uint32_t numbers[NUMBERS];
    unsigned length;
    if (LLVMGetMDNodeNumOperands(node) != OPERANDS)
        return false;
    LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 0; i < NUMBERS; i++) {
        if (!operands[2 + i] || !LLVMIsAConstantInt(operands[2 + i]))
            return false;
        numbers[i] = (uint32_t)LLVMConstIntGetZExtValue(operands[2 + i]);
    }
    *out = (struct sl_latency_control){
        .pipe = LLVMGetMDString(operands[0], &length),
        .file = LLVMGetMDString(operands[1], &length),
        .line = numbers[0],
        .column = numbers[1],
        .writes = numbers[2],
        .has_anchor = numbers[3],
        .anchor = (int32_t)numbers[4],
        .has_constraint = numbers[5],
        .from = (int32_t)numbers[6],
        .type = (enum sl_latency_type)numbers[7],
        .cycles = (int32_t)numbers[8],
    };
    return out->pipe && out->file;
}

bool sl_latency_of(LLVMValueRef call, struct sl_latency_control *out)
{
    LLVMValueRef node = LLVMGetMetadata(call, kind_in(LLVMGetModuleContext(module_of(call))));
    return node && sl_latency_read(node, out);
}

bool sl_latency_find(LLVMValueRef call, int32_t anchor, struct sl_latency_control *out)
{
    LLVMModuleRef module = module_of(call);
    unsigned count = LLVMGetNamedMetadataNumOperands(module, SL_LATENCY_NODE);
    LLVMValueRef *nodes = calloc(count + (size_t)1, sizeof(*nodes));
    bool found = false;
    if (nodes && count)
        LLVMGetNamedMetadataOperands(module, SL_LATENCY_NODE, nodes);
    for (unsigned i = 0; nodes && i < count && !found; i++)
        found = sl_latency_read(nodes[i], out) && out->has_anchor && out->anchor == anchor;
    free(nodes);
    return found;
}

const char *sl_latency_word(enum sl_latency_type type)
{
    static const char *const words[] = {"none", "exact", "max", "min"};
    return words[type];
}
