/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A node of !sl.loops is {name, number, line, column, file}; places have been
 * made different for files by then (llvm/loops/counts/loop_names.h). */
#include "timing/pragmas.h"

#include <stdlib.h>
#include <string.h>

#define NODE "sl.loops"
#define OPERANDS 5

static uint32_t number_of(LLVMValueRef operand)
{
    bool number = operand && LLVMIsAConstantInt(operand);
    return number ? (uint32_t)LLVMConstIntGetZExtValue(operand) : 0;
}

static struct sl_loop_wishes *find(const struct sl_loop_pragmas *pragmas, uint32_t line,
                                   uint32_t column)
{
    for (uint32_t i = 0; i < pragmas->count; i++)
        if (pragmas->loops[i].line == line && pragmas->loops[i].column == column)
            return &pragmas->loops[i];
    return NULL;
}

static bool is(LLVMValueRef operand, const char *name)
{
    unsigned length = 0;
    const char *text = operand ? LLVMGetMDString(operand, &length) : NULL;
    return text && length == strlen(name) && !memcmp(text, name, length);
}

static void take(struct sl_loop_pragmas *pragmas, LLVMValueRef node)
{
    LLVMValueRef operands[OPERANDS];
    if (LLVMGetMDNodeNumOperands(node) != OPERANDS)
        return;
    LLVMGetMDNodeOperands(node, operands);
    uint32_t value = number_of(operands[1]);
    uint32_t line = number_of(operands[2]), column = number_of(operands[3]);
    struct sl_loop_wishes *loop = find(pragmas, line, column);
    if (!loop) {
        loop = &pragmas->loops[pragmas->count++];
        *loop = (struct sl_loop_wishes){.line = line, .column = column};
    }
    if (is(operands[0], "ii"))
        loop->interval = value;
    else if (is(operands[0], "max_concurrency"))
        loop->concurrency = value;
    else if (is(operands[0], "speculated_iterations"))
        loop->speculates = true, loop->speculated = value;
    else if (is(operands[0], "loop_coalesce"))
        loop->coalesced = value ? value : UINT32_MAX;
    else if (is(operands[0], "ivdep"))
        loop->ivdep = true;
    else if (is(operands[0], "disable_loop_pipelining"))
        loop->serial = true;
}

int sl_loop_pragmas_read(struct sl_loop_pragmas *pragmas, LLVMModuleRef module)
{
    uint32_t count = LLVMGetNamedMetadataNumOperands(module, NODE);
    LLVMValueRef *nodes = calloc(count + (size_t)1, sizeof(*nodes));
    *pragmas = (struct sl_loop_pragmas){calloc(count + (size_t)1, sizeof *pragmas->loops), 0};
    int rc = nodes && pragmas->loops ? 0 : -1;
    if (!rc && count)
        LLVMGetNamedMetadataOperands(module, NODE, nodes);
    for (uint32_t i = 0; !rc && i < count; i++)
        take(pragmas, nodes[i]);
    free(nodes);
    return rc;
}

void sl_loop_pragmas_finish(struct sl_loop_pragmas *pragmas)
{
    free(pragmas->loops);
}

struct sl_loop_wishes sl_loop_wishes_at(const struct sl_loop_pragmas *pragmas, uint32_t line,
                                        uint32_t column)
{
    const struct sl_loop_wishes *found = find(pragmas, line, column);
    return found ? *found : (struct sl_loop_wishes){0};
}
