/* SPDX-License-Identifier: Apache-2.0 */
/* See debug_lines.h. */
#include "spirv/module/debug_lines.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

/* NULL: failed. */
static LLVMMetadataRef file_of(struct sl_spirv *s, const struct sl_spirv_instruction *line)
{
    const struct sl_spirv_instruction *text = sl_spirv_definition(s, line->operands[0]);
    if (!text)
        return NULL;
    if (text->opcode != OpString) {
        sl_spirv_fail(s, line, "id %u is no text", line->operands[0]);
        return NULL;
    }
    const char *name = (const char *)text->operands;
    return LLVMDIBuilderCreateFile(s->lines.builder, name, strlen(name), "", 0);
}

static const struct sl_spirv_instruction *first_line(const struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++)
        if (s->instructions[n].opcode == OpLine)
            return &s->instructions[n];
    return NULL;
}

static void set_flag(struct sl_spirv *s)
{
    static const char name[] = "Debug Info Version";
    LLVMValueRef version =
        LLVMConstInt(LLVMInt32TypeInContext(s->context), LLVMDebugMetadataVersion(), 0);
    LLVMAddModuleFlag(s->module, LLVMModuleFlagBehaviorWarning, name, sizeof name - 1,
                      LLVMValueAsMetadata(version));
}

int sl_spirv_open_lines(struct sl_spirv *s)
{
    const struct sl_spirv_instruction *line = first_line(s);
    if (!line)
        return 0;
    s->lines.builder = LLVMCreateDIBuilder(s->module);
    LLVMMetadataRef file = file_of(s, line);
    if (!file)
        return -1;
    LLVMDIBuilderCreateCompileUnit(s->lines.builder, LLVMDWARFSourceLanguageOpenCL, file, "", 0, 0,
                                   "", 0, 0, "", 0, LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0,
                                   "", 0);
    set_flag(s);
    return 0;
}

void sl_spirv_close_lines(struct sl_spirv *s)
{
    if (!s->lines.builder)
        return;
    LLVMDIBuilderFinalize(s->lines.builder);
    LLVMDisposeDIBuilder(s->lines.builder);
    s->lines.builder = NULL;
}

/* In front of the function, else its first; NULL: it has none. */
static const struct sl_spirv_instruction *line_of_function(const struct sl_spirv *s, uint32_t at)
{
    if (at && s->instructions[at - 1].opcode == OpLine)
        return &s->instructions[at - 1];
    for (; s->instructions[at].opcode != OpFunctionEnd; at++)
        if (s->instructions[at].opcode == OpLine)
            return &s->instructions[at];
    return NULL;
}

int sl_spirv_begin_lines(struct sl_spirv *s, uint32_t function)
{
    const struct sl_spirv_instruction *line =
        s->lines.builder ? line_of_function(s, function) : NULL;
    s->lines.scope = NULL;
    LLVMSetCurrentDebugLocation2(s->builder, NULL);
    if (!line)
        return 0;
    LLVMValueRef f = s->function.value;
    LLVMMetadataRef file = file_of(s, line);
    if (!file)
        return -1;
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(s->lines.builder, file, NULL, 0, 0);
    s->lines.scope = LLVMDIBuilderCreateFunction(
        s->lines.builder, file, name, length, "", 0, file, line->operands[1], type,
        LLVMGetLinkage(f) == LLVMInternalLinkage, 1, line->operands[1], LLVMDIFlagZero, 0);
    LLVMSetSubprogram(f, s->lines.scope);
    sl_spirv_forget_line(s);
    return 0;
}

static void set_place(struct sl_spirv *s, LLVMMetadataRef scope, uint32_t line, uint32_t column)
{
    LLVMSetCurrentDebugLocation2(
        s->builder, LLVMDIBuilderCreateDebugLocation(s->context, line, column, scope, NULL));
}

void sl_spirv_forget_line(struct sl_spirv *s)
{
    if (s->lines.scope)
        set_place(s, s->lines.scope, 0, 0);
}

int sl_spirv_take_line(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (!s->lines.scope)
        return 0;
    if (i->opcode == OpNoLine) {
        sl_spirv_forget_line(s);
        return 0;
    }
    LLVMMetadataRef file = file_of(s, i);
    if (!file)
        return -1;
    if (file == LLVMDIScopeGetFile(s->lines.scope))
        set_place(s, s->lines.scope, i->operands[1], i->operands[2]);
    else /* text that was included */
        set_place(s, LLVMDIBuilderCreateLexicalBlockFile(s->lines.builder, s->lines.scope, file, 0),
                  i->operands[1], i->operands[2]);
    return 0;
}
