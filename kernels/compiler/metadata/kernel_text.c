/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the front end wrote about kernels, before the passes replace their functions. No
 * locks.
 */
#include "compiler/metadata/kernel_text.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/space.h"
#include "spirv/spirv.h"
#include "llvm/llvm_extra.h"

struct operands {         /* of one metadata node of a function */
    LLVMValueRef *values; /* owned */
    unsigned count;
};

static struct operands read_node(LLVMValueRef function, const char *kind)
{
    struct operands list = {0};
    size_t count;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned wanted = LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind));
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) != wanted)
            continue;
        LLVMValueRef node =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
        unsigned operands = (unsigned)LLVMGetMDNodeNumOperands(node);
        list.values = calloc(operands + 1, sizeof *list.values);
        if (list.values) {
            LLVMGetMDNodeOperands(node, list.values);
            list.count = operands;
        }
        break;
    }
    LLVMDisposeValueMetadataEntries(entries);
    return list;
}

static char *text_at(const struct operands *list, unsigned i)
{
    unsigned length = 0;
    const char *text = i < list->count ? LLVMGetMDString(list->values[i], &length) : NULL;
    return text ? strndup(text, length) : strdup("");
}

static uint32_t number_at(const struct operands *list, unsigned i)
{
    LLVMValueRef value = i < list->count ? list->values[i] : NULL;
    return value && LLVMIsAConstantInt(value) ? (uint32_t)LLVMConstIntGetZExtValue(value) : 0;
}

static uint8_t address_of(uint32_t space)
{
    if (sl_space_is_global(space))
        return SL_ADDRESS_GLOBAL;
    if (space == SL_SPACE_CONSTANT)
        return SL_ADDRESS_CONSTANT;
    return space == SL_SPACE_LOCAL ? SL_ADDRESS_LOCAL : SL_ADDRESS_PRIVATE;
}

static uint8_t access_of(const char *text)
{
    static const char *const names[] = {"read_only", "write_only", "read_write"};
    for (uint8_t i = 0; i < 3; i++)
        if (!strcmp(text, names[i]))
            return i;
    return SL_ACCESS_NONE;
}

static uint8_t qualifiers_of(const char *text)
{
    static const struct {
        const char *word;
        uint8_t bit;
    } words[] = {{"const", SL_QUAL_CONST},
                 {"restrict", SL_QUAL_RESTRICT},
                 {"volatile", SL_QUAL_VOLATILE},
                 {"pipe", SL_QUAL_PIPE}};
    uint8_t bits = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i].word))
            bits |= words[i].bit;
    return bits;
}

static void read_args(LLVMValueRef function, struct sl_kernel_text *kernel)
{
    struct operands spaces = read_node(function, "kernel_arg_addr_space");
    struct operands access = read_node(function, "kernel_arg_access_qual");
    struct operands types = read_node(function, "kernel_arg_type");
    struct operands quals = read_node(function, "kernel_arg_type_qual");
    struct operands names = read_node(function, "kernel_arg_name");
    kernel->names_kept = names.values != NULL;
    kernel->args = calloc(spaces.count + 1, sizeof *kernel->args);
    kernel->arg_count = kernel->args ? spaces.count : 0;
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        char *access_text = text_at(&access, i), *qualifiers = text_at(&quals, i);
        kernel->args[i] = (struct sl_arg_text){
            .name = text_at(&names, i),
            .type = text_at(&types, i),
            .address = address_of(number_at(&spaces, i)),
            .access = access_of(access_text ? access_text : ""),
            .qualifiers = qualifiers_of(qualifiers ? qualifiers : ""),
        };
        free(access_text);
        free(qualifiers);
    }
    free(spaces.values);
    free(access.values);
    free(types.values);
    free(quals.values);
    free(names.values);
}

static const char *scalar_name(LLVMTypeRef type, bool is_signed)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return "half";
    case LLVMFloatTypeKind:
        return "float";
    case LLVMDoubleTypeKind:
        return "double";
    case LLVMIntegerTypeKind:
        break;
    default:
        return "";
    }
    switch (LLVMGetIntTypeWidth(type)) {
    case 8:
        return is_signed ? "char" : "uchar";
    case 16:
        return is_signed ? "short" : "ushort";
    case 32:
        return is_signed ? "int" : "uint";
    case 64:
        return is_signed ? "long" : "ulong";
    }
    return "";
}

static char *vec_type_name(LLVMValueRef function)
{
    struct operands hint = read_node(function, "vec_type_hint");
    char *name = NULL;
    if (hint.count && hint.values[0]) {
        LLVMTypeRef type = LLVMTypeOf(hint.values[0]);
        bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        const char *scalar =
            scalar_name(is_vector ? LLVMGetElementType(type) : type, number_at(&hint, 1));
        struct sl_text text = {0};
        sl_text_addf(&text, "%s", scalar);
        if (is_vector)
            sl_text_addf(&text, "%u", LLVMGetVectorSize(type));
        name = text.data;
    }
    free(hint.values);
    return name ? name : strdup("");
}

static void read_size(LLVMValueRef function, const char *kind, const char *attribute,
                      struct sl_kernel_text *kernel, uint32_t size[3])
{
    struct operands node = read_node(function, kind);
    for (unsigned i = 0; i < 3; i++)
        size[i] = number_at(&node, i);
    if (node.count)
        sl_text_addf(&kernel->attributes, "%s%s(%u,%u,%u)", kernel->attributes.bytes ? " " : "",
                     attribute, size[0], size[1], size[2]);
    free(node.values);
}

static void read_sub_group_size(LLVMValueRef function, struct sl_kernel_text *kernel)
{
    struct operands node = read_node(function, "intel_reqd_sub_group_size");
    if (node.count)
        sl_text_addf(&kernel->attributes, "%sintel_reqd_sub_group_size(%u)",
                     kernel->attributes.bytes ? " " : "", number_at(&node, 0));
    free(node.values);
}

/* clang's note on whether all groups have the full local size: OpenCL C 1.x, or the option. */
bool sl_says_uniform_groups(LLVMValueRef function)
{
    static const char name[] = "uniform-work-group-size";
    unsigned length = 0;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
    const char *value = mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
    return mark && !(length == 5 && !memcmp(value, "false", 5));
}

static uint32_t line_of(LLVMValueRef function)
{
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                      SL_LINE_ATTRIBUTE, sizeof SL_LINE_ATTRIBUTE - 1);
    unsigned length;
    if (mark)
        return (uint32_t)strtoul(LLVMGetStringAttributeValue(mark, &length), NULL, 10);
    LLVMMetadataRef place = LLVMGetSubprogram(function); /* of SPIR-V's */
    return place ? LLVMDISubprogramGetLine(place) : 0;
}

static const char *mark_of(LLVMValueRef function, const char *name)
{
    unsigned length;
    LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    return mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
}

/* What the front end noted of attributes that clang does not know. */
static void read_marks(LLVMValueRef function, struct sl_kernel_text *kernel)
{
    const char *dims = mark_of(function, "sl-max-global-work-dim");
    const char *size = mark_of(function, "sl-max-work-group-size");
    const char *words = mark_of(function, "sl-attributes");
    if (dims)
        kernel->work_dim_limit = 1 + (uint32_t)strtoul(dims, NULL, 10);
    if (size && sscanf(size, "%u,%u,%u", &kernel->max_size[0], &kernel->max_size[1],
                       &kernel->max_size[2]) == 1) {
        kernel->most_items = kernel->max_size[0]; /* of any shape */
        kernel->max_size[0] = 0;
    }
    if (words && *words)
        sl_text_addf(&kernel->attributes, "%s%s", kernel->attributes.bytes ? " " : "", words);
}

static void read_kernel(LLVMValueRef function, struct sl_kernel_text *kernel)
{
    size_t bytes;
    kernel->name = strdup(LLVMGetValueName2(function, &bytes));
    kernel->vec_type_hint = vec_type_name(function);
    if (kernel->vec_type_hint && kernel->vec_type_hint[0])
        sl_text_addf(&kernel->attributes, "vec_type_hint(%s)", kernel->vec_type_hint);
    read_size(function, "work_group_size_hint", "work_group_size_hint", kernel, kernel->hint_size);
    read_sub_group_size(function, kernel);
    read_size(function, "reqd_work_group_size", "reqd_work_group_size", kernel, kernel->reqd_size);
    kernel->uniform_groups = sl_says_uniform_groups(function);
    kernel->line = line_of(function);
    read_marks(function, kernel);
    read_args(function, kernel);
}

static bool is_kernel(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function) &&
           LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_KERNEL_ATTRIBUTE, sizeof SL_KERNEL_ATTRIBUTE - 1);
}

static bool is_variable(LLVMValueRef g)
{
    size_t bytes;
    LLVMGetValueName2(g, &bytes);
    return bytes && !LLVMIsDeclaration(g) &&
           sl_space_is_global(LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
}

static uint32_t host_limits(uint64_t access)
{
    return (access & 1 ? 0u : SL_GLOBAL_NOT_READ) | (access & 2 ? 0u : SL_GLOBAL_NOT_WRITTEN);
}

/* What SPIR-V's HostAccessINTEL says. NULL: nothing, or out of memory. Adds to flags. */
static char *read_host_name(LLVMValueRef g, uint32_t *flags)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(g));
    unsigned kind =
        LLVMGetMDKindIDInContext(context, SL_HOST_NAME_METADATA, strlen(SL_HOST_NAME_METADATA));
    size_t count;
    char *result = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &count);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef node, parts[2] = {NULL, NULL};
        unsigned length, part_count;
        if (LLVMValueMetadataEntriesGetKind(all, i) != kind)
            continue;
        node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, i));
        part_count = LLVMGetMDNodeNumOperands(node);
        if (part_count == 1 || part_count == 2)
            LLVMGetMDNodeOperands(node, parts);
        const char *name = parts[0] ? LLVMGetMDString(parts[0], &length) : NULL;
        result = name && length ? strndup(name, length) : NULL;
        if (parts[1] && LLVMIsAConstantInt(parts[1]))
            *flags |= host_limits(LLVMConstIntGetZExtValue(parts[1]));
    }
    LLVMDisposeValueMetadataEntries(all);
    return result;
}

static struct sl_variable_text read_variable(LLVMValueRef g)
{
    static const char function[] = SL_FUNCTION_NUMBER_NAME;
    size_t bytes;
    const char *name = LLVMGetValueName2(g, &bytes);
    LLVMLinkage linkage = LLVMGetLinkage(g);
    bool local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    struct sl_variable_text variable = {
        .name = strdup(name),
        .flags = (LLVMIsGlobalConstant(g) ? SL_GLOBAL_CONSTANT : 0u) |
                 (local ? SL_GLOBAL_STATIC : 0u) |
                 (strncmp(name, function, sizeof function - 1) ? 0u : SL_GLOBAL_FUNCTION),
    };
    variable.host_name = read_host_name(g, &variable.flags);
    return variable;
}

/* As the program declares them: later all are the module's own. */
static int read_variables(struct sl_stages *stages)
{
    unsigned count = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g))
        count += is_variable(g);
    stages->variables = calloc(count + 1, sizeof *stages->variables);
    if (!stages->variables)
        return sl_stage_fail(stages, "out of memory");
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g))
        if (is_variable(g)) {
            const struct sl_variable_text variable = read_variable(g);
            if (!variable.name)
                return sl_stage_fail(stages, "out of memory");
            stages->variables[stages->variable_count++] = variable;
        }
    return 0;
}

int sl_stage_read_kernel_texts(struct sl_stages *stages)
{
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        count += is_kernel(f);
    stages->kernel_texts = calloc(count + 1, sizeof *stages->kernel_texts);
    if (!stages->kernel_texts)
        return sl_stage_fail(stages, "out of memory");
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (is_kernel(f))
            read_kernel(f, &stages->kernel_texts[stages->kernel_text_count++]);
    return read_variables(stages);
}

bool sl_kernel_has_uniform_groups(const struct sl_stages *stages, unsigned kernel_text)
{
    return stages->kernel_texts[kernel_text].uniform_groups;
}

void sl_kernel_texts_finish(struct sl_stages *stages)
{
    for (unsigned i = 0; i < stages->kernel_text_count; i++) {
        struct sl_kernel_text *kernel = &stages->kernel_texts[i];
        for (uint32_t k = 0; k < kernel->arg_count; k++) {
            free(kernel->args[k].name);
            free(kernel->args[k].type);
        }
        free(kernel->args);
        free(kernel->name);
        free(kernel->vec_type_hint);
        sl_text_finish(&kernel->attributes);
    }
    free(stages->kernel_texts);
    stages->kernel_texts = NULL;
    stages->kernel_text_count = 0;
    for (unsigned i = 0; i < stages->variable_count; i++) {
        free(stages->variables[i].name);
        free(stages->variables[i].host_name);
    }
    free(stages->variables);
    stages->variables = NULL;
    stages->variable_count = 0;
}
