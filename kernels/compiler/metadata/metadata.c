/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of sluice/module.h as constants of the module: what the front end wrote
 * (kernel_text.c) and what the passes found. No locks.
 */
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/metadata/kernel_text.h"
#include "pipes/own_variables.h"
#include "sluice/own_variables.h"
#include "sluice/unshared.h"

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
                               const struct sl_arg_text *arg, bool only_read)
{
    LLVMValueRef fields[] = {
        text(w, arg->name ? arg->name : ""),
        text(w, arg->type ? arg->type : ""),
        byte(w, facts->kind),
        byte(w, arg->address),
        byte(w, arg->access),
        byte(w, (uint8_t)(arg->qualifiers | (only_read ? SL_ARG_ONLY_READ : 0))),
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
                             kernel && i < kernel->arg_count ? &kernel->args[i] : &unknown,
                             i < 32 && facts->only_read >> i & 1);
    LLVMValueRef result = table(w, w->arg_type, rows, facts->arg_count, "sluice.args");
    free(rows);
    return result;
}

void sl_take_kernel_name(LLVMModuleRef module, const struct sl_kernel_facts *facts)
{
    LLVMValueRef other = LLVMGetNamedFunction(module, facts->name);
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
    unsigned inlined = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    if (LLVMGetSubprogram(run))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(run); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef body = LLVMGetInstructionOpcode(i) == LLVMCall
                                    ? LLVMIsAFunction(LLVMGetCalledValue(i))
                                    : NULL;
            if (!body || !LLVMGetSubprogram(body))
                continue;
            LLVMRemoveEnumAttributeAtIndex(body, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                           inlined);
            LLVMAddAttributeAtIndex(body, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(context, kind, 0));
        }
}

/* Of max_work_group_size(x,y,z); 0: no attribute. */
static uint32_t most_items_said(const struct sl_kernel_text *kernel)
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

static uint32_t most_items(const struct sl_kernel_facts *facts, const struct sl_kernel_text *kernel)
{
    const uint32_t said = most_items_said(kernel), room = facts->most_items;
    return room && (!said || room < said) ? room : said;
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
    sl_take_kernel_name(w->module, facts);
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
        number(w, most_items(facts, kernel)),
        number(w, facts->stack_bytes),
        number(w, kernel->work_dim_limit),
        triple(w, kernel->max_size),
        triple(w, facts->unit),
        number(w, facts->component),
        number(w, facts->sub_group_size),
        number(w, facts->reqd_sub_group_size),
        number(w, facts->flags & SL_KERNEL_QUICK ? facts->work : 0),
        number(w, facts->times),
        number(w, facts->apart),
        facts->work_rule ? text(w, facts->work_rule) : LLVMConstNull(w->pointer),
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

/* By one of its names. */
static LLVMValueRef variable_record(struct writer *w, const char *name, LLVMValueRef variable,
                                    uint32_t flags)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->module);
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
    flags |= sl_pipe_is_own_variable(variable) ? SL_GLOBAL_ONE_KERNEL : 0u;
    LLVMValueRef fields[] = {text(w, name), variable, wide(w, bytes), wide(w, flags)};
    return record(w, fields, sizeof fields / sizeof *fields);
}

/* Names that are for the host come first, so that they are found before others. */
static LLVMValueRef variable_table(struct writer *w, struct sl_stages *stages, uint32_t *count,
                                   uint64_t *total)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->module);
    LLVMValueRef *rows = calloc(2 * (size_t)stages->variable_count + 1, sizeof *rows);
    *count = 0;
    *total = 0;
    for (unsigned k = 0; rows && k < 2 * stages->variable_count; k++) {
        bool host = k < stages->variable_count;
        const struct sl_variable_text *declared =
            &stages->variables[host ? k : k - stages->variable_count];
        LLVMValueRef variable = LLVMGetNamedGlobal(w->module, declared->name);
        if (!variable || LLVMIsDeclaration(variable) || (host && !declared->host_name))
            continue;
        rows[(*count)++] =
            variable_record(w, host ? declared->host_name : declared->name, variable,
                            host ? declared->flags & ~(uint32_t)SL_GLOBAL_STATIC : declared->flags);
        if (!host && !(declared->flags & SL_GLOBAL_FUNCTION))
            *total += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
    }
    LLVMValueRef result = rows ? table(w, w->global_type, rows, *count, "sluice.globals") : NULL;
    free(rows);
    return result;
}

static void init_types(struct writer *w)
{
    LLVMTypeRef i32x3 = LLVMArrayType2(w->i32, 3), p = w->pointer, n = w->i32, b = w->i8;
    LLVMTypeRef arg[] = {p, p, b, b, b, b, n, n, n, p};
    LLVMTypeRef kernel[] = {p, p, p, p, p, n,     n,     n, n, i32x3, i32x3, n, n, n,
                            n, n, n, n, n, i32x3, i32x3, n, n, n,     n,     n, n, p};
    LLVMTypeRef global[] = {p, p, w->i64, w->i64};
    w->arg_type = LLVMStructTypeInContext(w->context, arg, sizeof arg / sizeof *arg, 0);
    w->kernel_type = LLVMStructTypeInContext(w->context, kernel, sizeof kernel / sizeof *kernel, 0);
    w->global_type = LLVMStructTypeInContext(w->context, global, sizeof global / sizeof *global, 0);
}

_Static_assert(sizeof(struct sl_arg_info) == 40 && offsetof(struct sl_arg_info, size) == 20,
               "arg_record follows this layout");
_Static_assert(sizeof(struct sl_kernel_info) == 168 &&
                   offsetof(struct sl_kernel_info, reqd_size) == 56 &&
                   offsetof(struct sl_kernel_info, max_work_group_size) == 100 &&
                   offsetof(struct sl_kernel_info, stack_bytes) == 104,
               "kernel_record follows this layout");
_Static_assert(sizeof(struct sl_global_info) == 32 && offsetof(struct sl_global_info, flags) == 24,
               "variable_table follows this layout");
_Static_assert(sizeof(struct sl_module_info) == 96 &&
                   offsetof(struct sl_module_info, globals_bytes) == 32,
               "sl_stage_tables follows this layout");

/* Nobody else runs then who could be met by a pipe or a queue. */
static int check_initializers(struct sl_stages *stages)
{
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++) {
        uint32_t flags = stages->pass.kernels[k].flags;
        if (flags & SL_KERNEL_INITIALIZES && flags & SL_KERNEL_HAS_COMPANY)
            return sl_stage_fail(stages, "an initializer of an object at program scope uses %s",
                                 flags & SL_KERNEL_ENQUEUES ? "a device queue" : "a pipe");
    }
    return 0;
}

int sl_stage_tables(struct sl_stages *stages)
{
    if (stages->part)
        return 0; /* the first part has them */
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
    if (check_initializers(stages))
        return -1;
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
        wide(&w, pipes->user_count),
        pipes->users ? pipes->users : LLVMConstNull(w.pointer),
        stages->timing ? text(&w, stages->timing) : LLVMConstNull(w.pointer),
    };
    LLVMValueRef info = constant(&w, record(&w, fields, sizeof fields / sizeof *fields), "");
    LLVMSetLinkage(info, LLVMExternalLinkage);
    LLVMSetValueName2(info, SL_MODULE_SYMBOL, strlen(SL_MODULE_SYMBOL));
    return 0;
}
