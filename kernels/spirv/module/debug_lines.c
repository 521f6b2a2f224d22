/* SPDX-License-Identifier: Apache-2.0 */
/* See debug_lines.h. */
#include "spirv/module/debug_lines.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

/* Of NonSemantic.Shader.DebugInfo, in all of its versions. */
enum { DEBUG_SOURCE = 35, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };

/* The file of numbered instructions. */
static const char module_name[] = "SPIR-V";

struct place {
    const char *file; /* borrowed from the words; NULL: nowhere */
    uint32_t line, column;
};

/* NULL: there is none of this opcode. */
static const struct sl_spirv_instruction *defined_as(const struct sl_spirv *s, uint32_t id,
                                                     uint16_t opcode)
{
    if (!id || id >= s->bound || !s->ids[id].definition)
        return NULL;
    const struct sl_spirv_instruction *i = &s->instructions[s->ids[id].definition - 1];
    return i->opcode == opcode ? i : NULL;
}

static bool is_debug(const struct sl_spirv *s, const struct sl_spirv_instruction *i,
                     uint32_t number, uint32_t operands)
{
    static const char name[] = "NonSemantic.Shader.DebugInfo.";
    if (!i || i->opcode != OpExtInst || i->operand_count < 2 + operands || i->operands[1] != number)
        return false;
    const struct sl_spirv_instruction *set = defined_as(s, i->operands[0], OpExtInstImport);
    return set && !strncmp((const char *)set->operands, name, sizeof name - 1);
}

/* 0: no such constant. */
static uint32_t number_of(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *constant = defined_as(s, id, OpConstant);
    return constant ? constant->operands[0] : 0;
}

/* The name of a source, or as translators of LLVM's write it the file's name itself. */
static const struct sl_spirv_instruction *name_of_source(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_instruction *source = defined_as(s, id, OpExtInst);
    return defined_as(s, is_debug(s, source, DEBUG_SOURCE, 1) ? source->operands[2] : id, OpString);
}

/* False: it is nothing that can be understood, and may be ignored like all of its set. */
static bool read_debug_line(const struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            struct place *out)
{
    const struct sl_spirv_instruction *text = name_of_source(s, i->operands[2]);
    if (text)
        *out = (struct place){(const char *)text->operands, number_of(s, i->operands[3]),
                              number_of(s, i->operands[5])};
    return text != NULL;
}

/* Does the instruction say where those behind it come from? */
static bool read_place(const struct sl_spirv *s, const struct sl_spirv_instruction *i,
                       struct place *out)
{
    *out = (struct place){0};
    if (i->opcode == OpLine) {
        const struct sl_spirv_instruction *text = defined_as(s, i->operands[0], OpString);
        *out = (struct place){text ? (const char *)text->operands : NULL, i->operands[1],
                              i->operands[2]};
        return true;
    }
    if (is_debug(s, i, DEBUG_LINE, 5))
        return read_debug_line(s, i, out);
    return i->opcode == OpNoLine || is_debug(s, i, DEBUG_NO_LINE, 0);
}

/* NULL: failed. */
static LLVMMetadataRef file_of(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                               const struct place *place)
{
    if (place->file)
        return LLVMDIBuilderCreateFile(s->lines.builder, place->file, strlen(place->file), "", 0);
    if (sl_spirv_definition(s, i->operands[0]))
        sl_spirv_fail(s, i, "id %u is no text", i->operands[0]);
    return NULL;
}

static bool names_place(const struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    struct place place;
    return read_place(s, i, &place) && (place.file || i->opcode == OpLine);
}

static const struct sl_spirv_instruction *first_line(const struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++)
        if (names_place(s, &s->instructions[n]))
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
    if (!line && !s->input->numbered)
        return 0;
    struct place place = {.file = module_name};
    if (line)
        read_place(s, line, &place);
    s->lines.builder = LLVMCreateDIBuilder(s->module);
    LLVMMetadataRef file = file_of(s, line, &place);
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

/* In front of the function, else its first that is no line 0; NULL: it has none. */
static const struct sl_spirv_instruction *line_of_function(const struct sl_spirv *s, uint32_t at)
{
    if (at && s->instructions[at - 1].opcode == OpLine)
        return &s->instructions[at - 1];
    const struct sl_spirv_instruction *found = NULL;
    struct place place;
    for (; s->instructions[at].opcode != OpFunctionEnd; at++)
        if (names_place(s, &s->instructions[at])) {
            found = found ? found : &s->instructions[at];
            if (read_place(s, &s->instructions[at], &place) && place.line)
                return &s->instructions[at];
        }
    return found;
}

/* Functions of DPC++'s headers have none: inlined, they are where the program calls them. */
int sl_spirv_begin_lines(struct sl_spirv *s, uint32_t function)
{
    const struct sl_spirv_instruction *line =
        s->lines.builder ? line_of_function(s, function) : NULL;
    s->lines.scope = NULL;
    s->lines.numbered = !line && s->input->numbered;
    LLVMSetCurrentDebugLocation2(s->builder, NULL);
    if (!line && !s->lines.numbered)
        return 0;
    struct place place = {module_name, function + 1, 0};
    if (line)
        read_place(s, line, &place);
    if (place.file && strstr(place.file, "/include/sycl/"))
        return 0;
    LLVMValueRef f = s->function.value;
    LLVMMetadataRef file = file_of(s, line, &place);
    if (!file)
        return -1;
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(s->lines.builder, file, NULL, 0, 0);
    s->lines.scope = LLVMDIBuilderCreateFunction(
        s->lines.builder, file, name, length, "", 0, file, place.line, type,
        LLVMGetLinkage(f) == LLVMInternalLinkage, 1, place.line, LLVMDIFlagZero, 0);
    LLVMSetSubprogram(f, s->lines.scope);
    sl_spirv_forget_line(s);
    return 0;
}

static void set_place(struct sl_spirv *s, LLVMMetadataRef scope, uint32_t line, uint32_t column)
{
    LLVMSetCurrentDebugLocation2(
        s->builder, LLVMDIBuilderCreateDebugLocation(s->context, line, column, scope, NULL));
}

/* The function, or what has the same place in it of text that was included. */
static LLVMMetadataRef scope_of(struct sl_spirv *s, LLVMMetadataRef file)
{
    LLVMMetadataRef function = s->lines.scope;
    return file == LLVMDIScopeGetFile(function)
               ? function
               : LLVMDIBuilderCreateLexicalBlockFile(s->lines.builder, function, file, 0);
}

void sl_spirv_forget_line(struct sl_spirv *s)
{
    if (s->lines.scope)
        set_place(s, s->lines.scope, 0, 0);
}

void sl_spirv_number_line(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (s->lines.numbered)
        set_place(s, s->lines.scope, (uint32_t)(i - s->instructions) + 1, 1);
}

int sl_spirv_take_line(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    struct place place;
    if (!s->lines.scope || s->lines.numbered || !read_place(s, i, &place))
        return 0;
    if (!place.file && i->opcode != OpLine) {
        sl_spirv_forget_line(s);
        return 0;
    }
    LLVMMetadataRef file = file_of(s, i, &place);
    if (!file)
        return -1;
    set_place(s, scope_of(s, file), place.line, place.column);
    return 0;
}

/* The first place that is named from there on. */
LLVMMetadataRef sl_spirv_loop_line(struct sl_spirv *s, const struct sl_spirv_block *block)
{
    uint32_t at = block->first;
    struct place place;
    if (!s->lines.scope)
        return NULL;
    if (s->lines.numbered) /* of its label */
        return LLVMDIBuilderCreateDebugLocation(s->context, at, 1, s->lines.scope, NULL);
    while (at < s->function.end && !names_place(s, &s->instructions[at]))
        at++;
    if (at == s->function.end || !read_place(s, &s->instructions[at], &place) || !place.file)
        return NULL;
    LLVMMetadataRef file = file_of(s, &s->instructions[at], &place);
    return LLVMDIBuilderCreateDebugLocation(s->context, place.line, place.column, scope_of(s, file),
                                            NULL);
}
