/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a kernel's arguments: types as their compiler left them in a text named
 * "kernel_arg_type.NAME.", else as SPIR-V has them, which knows no signs. An argument without a
 * name has an empty one: what else is known of it is worth to be asked for.
 */
#include "spirv/functions/kernel_args.h"

#include <stdio.h>
#include <string.h>

#include "spirv/values/operand.h"
#include "spirv/values/types.h"

struct lists { /* one row of metadata each */
    LLVMMetadataRef *space, *access, *type, *base, *qualifier, *name;
    unsigned count;
    const char *types, *qualifiers; /* texts of the module's; NULL: it has none */
};

static LLVMMetadataRef text_of(struct sl_spirv *s, const char *text, size_t length)
{
    return LLVMMDStringInContext2(s->context, text, length);
}

static LLVMMetadataRef text(struct sl_spirv *s, const char *value)
{
    return text_of(s, value, strlen(value));
}

/* ---- texts that compilers leave -------------------------------------------------------------- */

static const char *find_text(const struct sl_spirv *s, const char *what, const char *kernel)
{
    size_t length = strlen(what), kernel_length = strlen(kernel);
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode == OpFunction)
            break;
        const char *value = (const char *)i->operands;
        if (i->opcode == OpString && !strncmp(value, what, length) &&
            !strncmp(value + length, kernel, kernel_length) && value[length + kernel_length] == '.')
            return value + length + kernel_length + 1;
    }
    return NULL;
}

/* The next of a list in which a comma stands behind each; NULL: there is none. */
static LLVMMetadataRef take(struct sl_spirv *s, const char **list)
{
    const char *start = *list, *end = start ? strchr(start, ',') : NULL;
    if (!end)
        return NULL;
    *list = end + 1;
    return text_of(s, start, (size_t)(end - start));
}

/* ---- types as SPIR-V has them ---------------------------------------------------------------- */

static const char *scalar_name(const struct sl_spirv_type *type)
{
    if (type->kind == SL_SPIRV_FLOAT)
        return type->bits == 16 ? "half" : type->bits == 32 ? "float" : "double";
    return type->bits == 8    ? "char"
           : type->bits == 16 ? "short"
           : type->bits == 32 ? "int"
                              : "long";
}

static void image_name(const struct sl_spirv_type *type, char *out, size_t bytes)
{
    static const char *const dims[] = {"1d", "2d", "3d", "", "", "1d_buffer"};
    snprintf(out, bytes, "image%s%s%s%s_t", dims[type->image.dim],
             type->image.arrayed ? "_array" : "", type->image.multisampled ? "_msaa" : "",
             type->image.depth ? "_depth" : "");
}

static void name_type(struct sl_spirv *s, const struct sl_spirv_type *type, char *out, size_t bytes)
{
    const char *name = s->ids[type->id].name;
    switch (type->kind) {
    case SL_SPIRV_INT:
    case SL_SPIRV_FLOAT:
        snprintf(out, bytes, "%s", scalar_name(type));
        return;
    case SL_SPIRV_VECTOR:
        snprintf(out, bytes, "%s%u", scalar_name(sl_spirv_type(s, type->element)), type->count);
        return;
    case SL_SPIRV_IMAGE:
        image_name(type, out, bytes);
        return;
    case SL_SPIRV_SAMPLER:
        snprintf(out, bytes, "sampler_t");
        return;
    case SL_SPIRV_QUEUE:
        snprintf(out, bytes, "queue_t");
        return;
    case SL_SPIRV_STRUCT:
        name = name && !strncmp(name, "struct.", 7) ? name + 7 : name;
        snprintf(out, bytes, "%s", name ? name : "struct");
        return;
    default:
        snprintf(out, bytes, "%s", type->kind == SL_SPIRV_PIPE ? "pipe" : "void");
        return;
    }
}

static LLVMMetadataRef derived_type(struct sl_spirv *s, const struct sl_spirv_type *type,
                                    bool by_value)
{
    char inner[200] = "void", out[208];
    const struct sl_spirv_type *named = type;
    bool pointer = type->kind == SL_SPIRV_POINTER;
    if (pointer)
        named = sl_spirv_type(s, type->element);
    if (named)
        name_type(s, named, inner, sizeof inner);
    snprintf(out, sizeof out, "%s%s", inner, pointer && !by_value ? "*" : "");
    return text(s, out);
}

/* ---- qualifiers ------------------------------------------------------------------------------ */

static const char *access_of(const struct sl_spirv_type *type)
{
    static const char *const names[] = {"read_only", "write_only", "read_write"};
    bool has = type->kind == SL_SPIRV_IMAGE || type->kind == SL_SPIRV_PIPE;
    return has ? names[type->image.access] : "none";
}

static unsigned space_of(const struct sl_spirv_type *type, bool by_value)
{
    if (type->kind == SL_SPIRV_IMAGE || type->kind == SL_SPIRV_PIPE)
        return 1;
    return type->kind == SL_SPIRV_POINTER && !by_value
               ? (unsigned)sl_spirv_address_space(type->storage)
               : 0;
}

static bool has_attribute(struct sl_spirv *s, uint32_t id, uint32_t wanted)
{
    for (const struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next)
        if (a->decoration == DecorationFuncParamAttr && a->literals[0] == wanted)
            return true;
    return false;
}

static LLVMMetadataRef derived_qualifier(struct sl_spirv *s, uint32_t id,
                                         const struct sl_spirv_type *type, bool by_value)
{
    char out[40] = "";
    if (type->kind == SL_SPIRV_PIPE)
        return text(s, "pipe");
    if (type->kind != SL_SPIRV_POINTER || by_value)
        return text(s, "");
    snprintf(out, sizeof out, "%s%s%s",
             has_attribute(s, id, FunctionParameterAttributeNoAlias) ? " restrict" : "",
             has_attribute(s, id, FunctionParameterAttributeNoWrite) ||
                     type->storage == StorageClassUniformConstant
                 ? " const"
                 : "",
             sl_spirv_decoration(s, id, DecorationVolatile, NULL) ? " volatile" : "");
    return text(s, *out ? out + 1 : out);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void describe_one(struct sl_spirv *s, const struct sl_spirv_instruction *p,
                         struct lists *lists, unsigned k)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, p->type);
    bool by_value = has_attribute(s, p->result, FunctionParameterAttributeByVal);
    const char *name = s->ids[p->result].name;
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    lists->space[k] = LLVMValueAsMetadata(LLVMConstInt(word, space_of(type, by_value), 0));
    lists->access[k] = text(s, access_of(type));
    lists->type[k] = take(s, &lists->types);
    if (!lists->type[k])
        lists->type[k] = derived_type(s, type, by_value);
    lists->base[k] = lists->type[k];
    lists->qualifier[k] = take(s, &lists->qualifiers);
    if (!lists->qualifier[k])
        lists->qualifier[k] = derived_qualifier(s, p->result, type, by_value);
    lists->name[k] = text(s, name ? name : "");
}

static int allocate_lists(struct sl_spirv *s, struct lists *lists)
{
    LLVMMetadataRef *all = sl_spirv_allocate(s, lists->count + 1, 6 * sizeof *all);
    unsigned step = lists->count + 1;
    if (!all)
        return -1;
    lists->space = all;
    lists->access = all + step;
    lists->type = all + 2 * step;
    lists->base = all + 3 * step;
    lists->qualifier = all + 4 * step;
    lists->name = all + 5 * step;
    return 0;
}

static void set(struct sl_spirv *s, LLVMValueRef kernel, const char *kind, LLVMMetadataRef *rows,
                unsigned count)
{
    LLVMGlobalSetMetadata(kernel,
                          LLVMGetMDKindIDInContext(s->context, kind, (unsigned)strlen(kind)),
                          LLVMMDNodeInContext2(s->context, rows, count));
}

int sl_spirv_describe_arguments(struct sl_spirv *s, uint32_t id)
{
    LLVMValueRef kernel = s->ids[id].value;
    const char *name = (const char *)(s->instructions[s->ids[id].entry - 1].operands + 2);
    struct lists lists = {.count = LLVMCountParams(kernel),
                          .types = find_text(s, "kernel_arg_type.", name),
                          .qualifiers = find_text(s, "kernel_arg_type_qual.", name)};
    if (allocate_lists(s, &lists))
        return -1;
    const struct sl_spirv_instruction *p = sl_spirv_definition(s, id);
    for (unsigned k = 0; k < lists.count; p++)
        if (p->opcode == OpFunctionParameter)
            describe_one(s, p, &lists, k++);
    set(s, kernel, "kernel_arg_addr_space", lists.space, lists.count);
    set(s, kernel, "kernel_arg_access_qual", lists.access, lists.count);
    set(s, kernel, "kernel_arg_type", lists.type, lists.count);
    set(s, kernel, "kernel_arg_base_type", lists.base, lists.count);
    set(s, kernel, "kernel_arg_type_qual", lists.qualifier, lists.count);
    set(s, kernel, "kernel_arg_name", lists.name, lists.count);
    return s->failed ? -1 : 0;
}
