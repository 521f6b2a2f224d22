/* SPDX-License-Identifier: Apache-2.0 */
/* See pass_messages.h. No shared state. */
#include "ir/pass.h"

#include "ir/calls.h"
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sl_source_place sl_source_place(const char *file, unsigned line, unsigned column)
{
    struct sl_source_place place;
    snprintf(place.text, sizeof place.text, "%.*s:%u:%u", SL_SOURCE_PLACE_FILE, file ? file : "",
             line, column);
    return place;
}

struct sl_source_place sl_source_place_of(LLVMValueRef instruction)
{
    char file[SL_SOURCE_PLACE_FILE + 1];
    unsigned length = 0;
    const char *name = LLVMGetDebugLocFilename(instruction, &length);
    snprintf(file, sizeof file, "%.*s", name ? (int)length : 0, name ? name : "");
    return sl_source_place(file, LLVMGetDebugLocLine(instruction),
                           LLVMGetDebugLocColumn(instruction));
}

int sl_pass_refuse(struct sl_pass *pass, const char *fmt, ...)
{
    if (pass->error)
        return -1;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&pass->error, fmt, args) < 0)
        pass->error = strdup("out of memory");
    va_end(args);
    return -1;
}

int sl_pass_refuse_at(struct sl_pass *pass, const char *place, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        text = NULL;
    va_end(args);
    if (text) {
        pass->flags |= pass->error ? 0 : SL_PASS_ERROR_HAS_PLACE;
        sl_pass_refuse(pass, "%s: error: %s", place, text);
    } else {
        sl_pass_refuse(pass, "out of memory");
    }
    free(text);
    return -1;
}

struct lines {
    char **text;
    size_t *bytes, *room;
};

static void add_text(struct lines to, const char *text)
{
    size_t length = strlen(text);
    if (*to.room - *to.bytes <= length) {
        size_t room = 2 * (*to.bytes + length + 1);
        char *more = realloc(*to.text, room);
        if (!more)
            return;
        *to.text = more;
        *to.room = room;
    }
    memcpy(*to.text + *to.bytes, text, length + 1);
    *to.bytes += length;
}

__attribute__((format(printf, 2, 0))) static void add_line(struct lines to, const char *fmt,
                                                           va_list args)
{
    char *text;
    if (vasprintf(&text, fmt, args) < 0)
        return;
    add_text(to, text);
    add_text(to, "\n");
    free(text);
}

void sl_pass_warn(struct sl_pass *pass, const char *fmt, ...)
{
    struct lines to = {&pass->warnings, &pass->warning_bytes, &pass->warning_room};
    va_list args;
    va_start(args, fmt);
    add_line(to, fmt, args);
    va_end(args);
}

/* A line that says what the one before it says, as for each of a loop's copies, goes. */
static void drop_repetition(struct lines to, size_t start)
{
    size_t length = *to.bytes - start;
    const char *text = *to.text;
    if (length && start >= length && !memcmp(text + start - length, text + start, length) &&
        (start == length || text[start - length - 1] == '\n'))
        *to.bytes = start;
}

/* Variables have no lines of their own: where one is first used, if only for its life to begin. */
static unsigned first_line_of_uses(LLVMValueRef variable)
{
    unsigned first = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        unsigned line = LLVMGetDebugLocLine(LLVMGetUser(use));
        first = line && (!first || line < first) ? line : first;
    }
    return first;
}

/* Its own line, or that of what stands around it: some instructions come from passes. 0: unknown.
 */
static unsigned line_at(LLVMValueRef i)
{
    unsigned line = LLVMGetDebugLocLine(i);
    if (!line && LLVMIsAAllocaInst(i))
        line = first_line_of_uses(i);
    for (LLVMValueRef next = i; next && !line; next = LLVMGetNextInstruction(next))
        line = LLVMGetDebugLocLine(next);
    for (LLVMValueRef before = i; before && !line; before = LLVMGetPreviousInstruction(before))
        line = LLVMGetDebugLocLine(before);
    return line;
}

void sl_pass_remark(struct sl_pass *pass, const struct sl_kernel_facts *kernel, LLVMValueRef at,
                    const char *fmt, ...)
{
    struct lines to = {&pass->remarks, &pass->remark_bytes, &pass->remark_room};
    if (!sl_pass_has(pass, SL_PASS_WANTS_REMARKS))
        return;
    size_t start = pass->remark_bytes;
    unsigned line = at && LLVMIsAInstruction(at) ? line_at(at) : 0;
    char place[24] = "";
    if (!line && kernel)
        line = kernel->line;
    if (line)
        snprintf(place, sizeof place, " line %u", line);
    add_text(to, kernel ? kernel->name : "program");
    add_text(to, place);
    add_text(to, ": ");
    va_list args;
    va_start(args, fmt);
    add_line(to, fmt, args);
    va_end(args);
    drop_repetition(to, start);
}

const char *sl_instruction_name(LLVMValueRef i)
{
    static const struct {
        LLVMOpcode op;
        const char *name;
    } names[] = {
        {LLVMLoad, "load"},         {LLVMStore, "store"},     {LLVMAlloca, "private variable"},
        {LLVMAtomicRMW, "atomic"},  {LLVMUDiv, "division"},   {LLVMAtomicCmpXchg, "atomic"},
        {LLVMSDiv, "division"},     {LLVMURem, "remainder"},  {LLVMSRem, "remainder"},
        {LLVMPHI, "joined values"}, {LLVMRet, "return"},      {LLVMGetElementPtr, "address"},
        {LLVMIndirectBr, "a jump"}, {LLVMSelect, "selection"}};
    if (LLVMIsACallInst(i))
        return *sl_callee_name(i) ? sl_callee_name(i) : "a call by pointer";
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].op == LLVMGetInstructionOpcode(i))
            return names[k].name;
    return "an operation";
}
