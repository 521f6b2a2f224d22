/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of sluice/module.h as constants of the module. What clang wrote about kernels is read
 * before the passes run, because they may replace functions; what the passes found is added after.
 * No locks.
 */
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/llvm_extra.h"
#include "stage.h"

struct sl_arg_text {
    char *name, *type; /* owned */
    uint8_t address, access, qualifiers;
};

struct sl_kernel_text {
    char *name, *vec_type_hint; /* owned */
    struct sl_text attributes;
    uint32_t reqd_size[3], hint_size[3], max_size[3], line;
    uint32_t work_dim_limit;
    uint32_t most_items; /* max_work_group_size(N) */
    struct sl_arg_text *args; /* owned */
    uint32_t arg_count;
    bool uniform_groups;
    bool names_kept; /* clang writes them only with -cl-kernel-arg-info */
};

/* ---- reading clang's metadata -------------------------------------------------------------------
 */

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
    static const uint8_t known[] = {SL_ADDRESS_PRIVATE, SL_ADDRESS_GLOBAL, SL_ADDRESS_CONSTANT,
                                    SL_ADDRESS_LOCAL};
    return space < sizeof known ? known[space] : SL_ADDRESS_PRIVATE;
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

/* clang's note on whether all groups have the full local size: OpenCL C 1.x, or the option. */
static bool has_uniform_mark(LLVMValueRef function)
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
    return mark ? (uint32_t)strtoul(LLVMGetStringAttributeValue(mark, &length), NULL, 10) : 0;
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
    read_size(function, "reqd_work_group_size", "reqd_work_group_size", kernel, kernel->reqd_size);
    kernel->uniform_groups = has_uniform_mark(function);
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

static void read_variables(struct sl_stages *stages)
{
    enum { GLOBAL_SPACE = 1 };
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g)) {
        size_t bytes;
        const char *name = LLVMGetValueName2(g, &bytes);
        if (!LLVMIsDeclaration(g) && bytes &&
            LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == GLOBAL_SPACE)
            sl_strings_add(&stages->variables, name, bytes);
    }
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
    read_variables(stages);
    return 0;
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
    sl_strings_finish(&stages->variables);
}

/* ---- writing the tables -------------------------------------------------------------------------
 */

struct writer {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTypeRef i8, i32, i64, pointer;
    LLVMTypeRef arg_type, kernel_type, global_type;
};

static LLVMValueRef number(struct writer *w, uint32_t value)
{
    return LLVMConstInt(w->i32, value, 0);
}

static LLVMValueRef byte(struct writer *w, uint8_t value)
{
    return LLVMConstInt(w->i8, value, 0);
}

static LLVMValueRef wide(struct writer *w, uint64_t value)
{
    return LLVMConstInt(w->i64, value, 0);
}

static LLVMValueRef triple(struct writer *w, const uint32_t value[3])
{
    LLVMValueRef parts[] = {number(w, value[0]), number(w, value[1]), number(w, value[2])};
    return LLVMConstArray2(w->i32, parts, 3);
}

static LLVMValueRef constant(struct writer *w, LLVMValueRef value, const char *name)
{
    LLVMValueRef global = LLVMAddGlobal(w->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static LLVMValueRef text(struct writer *w, const char *value)
{
    LLVMValueRef bytes = LLVMConstStringInContext2(w->context, value, strlen(value), 0);
    LLVMValueRef global = constant(w, bytes, "sluice.text");
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, 1);
    return global;
}

static LLVMValueRef record(struct writer *w, LLVMValueRef *fields, unsigned count)
{
    return LLVMConstStructInContext(w->context, fields, count, 0);
}

static LLVMValueRef table(struct writer *w, LLVMTypeRef type, LLVMValueRef *rows, unsigned count,
                          const char *name)
{
    if (!count)
        return LLVMConstNull(w->pointer);
    return constant(w, LLVMConstArray2(type, rows, count), name);
}

/* What no operation tells of the packets nobody can check: NULL then. */
static LLVMValueRef pipe_record(struct writer *w, const struct sl_pipe_arg *pipe)
{
    if (!pipe->packet_bytes)
        return LLVMConstNull(w->pointer);
    LLVMValueRef fields[] = {
        number(w, pipe->packet_bytes),
        number(w, pipe->packet_align),
        number(w, pipe->depth),
        number(w, pipe->flags),
        pipe->io ? text(w, pipe->io) : LLVMConstNull(w->pointer),
    };
    return constant(w, record(w, fields, sizeof fields / sizeof *fields), "sluice.pipe");
}

static LLVMValueRef arg_record(struct writer *w, const struct sl_arg_facts *facts,
                               const struct sl_arg_text *arg)
{
    LLVMValueRef fields[] = {
        text(w, arg->name ? arg->name : ""),
        text(w, arg->type ? arg->type : ""),
        byte(w, facts->kind),
        byte(w, arg->address),
        byte(w, arg->access),
        byte(w, arg->qualifiers),
        number(w, facts->size),
        number(w, facts->offset),
        number(w, facts->align),
        facts->kind == SL_ARG_PIPE ? pipe_record(w, &facts->pipe) : LLVMConstNull(w->pointer),
    };
    return record(w, fields, sizeof fields / sizeof *fields);
}

static LLVMValueRef arg_table(struct writer *w, const struct sl_kernel_facts *facts,
                              const struct sl_kernel_text *kernel)
{
    static const struct sl_arg_text unknown = {.address = SL_ADDRESS_PRIVATE,
                                               .access = SL_ACCESS_NONE};
    LLVMValueRef *rows = calloc(facts->arg_count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    for (uint32_t i = 0; i < facts->arg_count; i++)
        rows[i] = arg_record(w, &facts->args[i],
                             kernel && i < kernel->arg_count ? &kernel->args[i] : &unknown);
    LLVMValueRef result = table(w, w->arg_type, rows, facts->arg_count, "sluice.args");
    free(rows);
    return result;
}

/* Debuggers and profilers shall see the kernel's own name on its code. */
static void take_kernel_name(struct writer *w, const struct sl_kernel_facts *facts)
{
    LLVMValueRef other = LLVMGetNamedFunction(w->module, facts->name);
    if (other == facts->run)
        return;
    if (other)
        LLVMSetValueName2(other, "", 0);
    LLVMSetValueName2(facts->run, facts->name, strlen(facts->name));
}

/* A body with line numbers must not vanish into an entry without any: debuggers would see neither.
 */
static void keep_lines(LLVMValueRef run)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(run));
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    if (LLVMGetSubprogram(run))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(run); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef body = LLVMGetInstructionOpcode(i) == LLVMCall
                                    ? LLVMIsAFunction(LLVMGetCalledValue(i))
                                    : NULL;
            if (body && LLVMGetSubprogram(body))
                LLVMAddAttributeAtIndex(body, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                        LLVMCreateEnumAttribute(context, kind, 0));
        }
}

/* Of max_work_group_size(x,y,z); 0: no attribute. */
static uint32_t most_items(const struct sl_kernel_text *kernel)
{
    uint64_t items = 1;
    if (kernel->most_items)
        return kernel->most_items;
    for (unsigned d = 0; d < 3; d++) {
        items *= kernel->max_size[d];
        if (items > UINT32_MAX)
            return UINT32_MAX;
    }
    return (uint32_t)items;
}

static LLVMValueRef kernel_record(struct writer *w, const struct sl_kernel_facts *facts,
                                  const struct sl_kernel_text *kernel)
{
    static const struct sl_kernel_text unknown = {0};
    LLVMValueRef args = arg_table(w, facts, kernel);
    if (!args)
        return NULL;
    uint32_t flags = facts->flags | (kernel && kernel->names_kept ? SL_KERNEL_HAS_ARG_INFO : 0) |
                     (kernel && kernel->uniform_groups ? SL_KERNEL_UNIFORM_GROUPS : 0);
    kernel = kernel ? kernel : &unknown;
    take_kernel_name(w, facts);
    keep_lines(facts->run);
    LLVMValueRef fields[] = {
        text(w, facts->name),
        facts->run,
        args,
        text(w, kernel->attributes.data ? kernel->attributes.data : ""),
        text(w, kernel->vec_type_hint ? kernel->vec_type_hint : ""),
        number(w, facts->arg_count),
        number(w, facts->args_bytes),
        number(w, flags),
        number(w, facts->local_bytes),
        triple(w, kernel->reqd_size),
        triple(w, kernel->hint_size),
        number(w, facts->context_per_item),
        number(w, facts->context_fixed),
        number(w, facts->private_bytes),
        number(w, kernel->line),
        number(w, facts->vector_width ? facts->vector_width : 1),
        number(w, most_items(kernel)),
        number(w, facts->stack_bytes),
        number(w, kernel->work_dim_limit),
        triple(w, kernel->max_size),
        triple(w, facts->unit),
        number(w, facts->component),
    };
    return record(w, fields, sizeof fields / sizeof *fields);
}

static const struct sl_kernel_text *text_of(const struct sl_stages *stages, const char *name)
{
    for (unsigned i = 0; i < stages->kernel_text_count; i++)
        if (stages->kernel_texts[i].name && !strcmp(stages->kernel_texts[i].name, name))
            return &stages->kernel_texts[i];
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_kernel_facts *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static LLVMValueRef kernel_table(struct writer *w, struct sl_stages *stages)
{
    unsigned count = stages->pass.kernel_count;
    LLVMValueRef *rows = calloc(count + 1, sizeof *rows), result = NULL;
    bool fine = rows != NULL;
    if (count)
        qsort(stages->pass.kernels, count, sizeof *stages->pass.kernels, by_name);
    for (unsigned i = 0; fine && i < count; i++) {
        const struct sl_kernel_facts *facts = &stages->pass.kernels[i];
        rows[i] = kernel_record(w, facts, text_of(stages, facts->source));
        fine = rows[i] != NULL;
    }
    if (fine)
        result = table(w, w->kernel_type, rows, count, "sluice.kernels");
    free(rows);
    return result;
}

static LLVMValueRef variable_table(struct writer *w, struct sl_stages *stages, uint32_t *count,
                                   uint64_t *total)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->module);
    LLVMValueRef *rows = calloc(stages->variables.count + 1, sizeof *rows);
    *count = 0;
    *total = 0;
    for (size_t i = 0; rows && i < stages->variables.count; i++) {
        const char *name = stages->variables.items[i];
        LLVMValueRef variable = LLVMGetNamedGlobal(w->module, name);
        if (!variable || LLVMIsDeclaration(variable))
            continue;
        uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
        LLVMValueRef fields[] = {text(w, name), variable, wide(w, bytes)};
        rows[(*count)++] = record(w, fields, 3);
        *total += bytes;
    }
    LLVMValueRef result = rows ? table(w, w->global_type, rows, *count, "sluice.globals") : NULL;
    free(rows);
    return result;
}

static void init_types(struct writer *w)
{
    LLVMTypeRef i32x3 = LLVMArrayType2(w->i32, 3), p = w->pointer, n = w->i32, b = w->i8;
    LLVMTypeRef arg[] = {p, p, b, b, b, b, n, n, n, p};
    LLVMTypeRef kernel[] = {p, p, p, p, p, n, n, n, n,     i32x3, i32x3,
                            n, n, n, n, n, n, n, n, i32x3, i32x3, n};
    LLVMTypeRef global[] = {p, p, w->i64};
    w->arg_type = LLVMStructTypeInContext(w->context, arg, sizeof arg / sizeof *arg, 0);
    w->kernel_type = LLVMStructTypeInContext(w->context, kernel, sizeof kernel / sizeof *kernel, 0);
    w->global_type = LLVMStructTypeInContext(w->context, global, sizeof global / sizeof *global, 0);
}

_Static_assert(sizeof(struct sl_arg_info) == 40 && offsetof(struct sl_arg_info, size) == 20,
               "arg_record follows this layout");
_Static_assert(sizeof(struct sl_kernel_info) == 144 &&
                   offsetof(struct sl_kernel_info, reqd_size) == 56 &&
                   offsetof(struct sl_kernel_info, max_work_group_size) == 100 &&
                   offsetof(struct sl_kernel_info, stack_bytes) == 104,
               "kernel_record follows this layout");
_Static_assert(sizeof(struct sl_module_info) == 72 &&
                   offsetof(struct sl_module_info, globals_bytes) == 32,
               "sl_stage_tables follows this layout");

int sl_stage_tables(struct sl_stages *stages)
{
    LLVMContextRef c = stages->context;
    struct writer w = {
        .context = c,
        .module = stages->module,
        .i8 = LLVMInt8TypeInContext(c),
        .i32 = LLVMInt32TypeInContext(c),
        .i64 = LLVMInt64TypeInContext(c),
        .pointer = LLVMPointerTypeInContext(c, 0),
    };
    init_types(&w);
    const struct sl_pipe_tables *pipes = &stages->pass.pipe_tables;
    uint32_t variable_count;
    uint64_t variable_bytes;
    LLVMValueRef kernels = kernel_table(&w, stages);
    LLVMValueRef variables = variable_table(&w, stages, &variable_count, &variable_bytes);
    if (!kernels || !variables)
        return sl_stage_fail(stages, "out of memory");
    LLVMValueRef fields[] = {
        number(&w, SL_MODULE_ABI),
        number(&w, sizeof(struct sl_module_info)),
        number(&w, stages->pass.kernel_count),
        number(&w, variable_count),
        kernels,
        variables,
        wide(&w, variable_bytes),
        number(&w, pipes->ring_count),
        number(&w, pipes->site_count),
        pipes->rings ? pipes->rings : LLVMConstNull(w.pointer),
        pipes->infos ? pipes->infos : LLVMConstNull(w.pointer),
        pipes->sites ? pipes->sites : LLVMConstNull(w.pointer),
    };
    LLVMValueRef info = constant(&w, record(&w, fields, sizeof fields / sizeof *fields), "");
    LLVMSetLinkage(info, LLVMExternalLinkage);
    LLVMSetValueName2(info, SL_MODULE_SYMBOL, strlen(SL_MODULE_SYMBOL));
    return 0;
}
