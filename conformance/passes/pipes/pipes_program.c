/* SPDX-License-Identifier: Apache-2.0 */
/* See pipes_program.h. */
#include "pipes_program.h"

#include "llvm/llvm_extra.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bitcode, *pipeline;
struct lowered code;

/* ---- programs -------------------------------------------------------------------------------- */

struct declaration {
    const char *symbol;
    uint32_t bytes, align, flags, rank, dims[3];
};
static const struct declaration declarations[] = {
    {"p1", 1, 1, 0, 0, {0}},         {"p2", 2, 1, 0, 0, {0}},
    {"p3", 3, 1, 0, 0, {0}},         {"p12", 12, 1, 0, 0, {0}},
    {"p24", 24, 1, 0, 0, {0}},       {"p100", 100, 1, 0, 0, {0}},
    {"p1000", 1000, 1, 0, 0, {0}},   {"p_int2", 8, 8, 0, 0, {0}},
    {"p_int3", 16, 16, 0, 0, {0}},   {"p_float4", 16, 16, 0, 0, {0}},
    {"p_ulong8", 64, 64, 0, 0, {0}}, {"first", 4, 4, 0, 0, {0}},
    {"second", 4, 4, 0, 0, {0}},     {"waiting", 4, 4, SL_PIPE_BLOCKING, 0, {0}},
    {"hasty", 4, 4, 0, 0, {0}},      {"grid", 2, 2, 0, 2, {3, 2}},
    {"mixed", 4, 4, 0, 1, {4}},      {"lanes", 4, 4, 0, 1, {4}},
    {"chain", 4, 4, 0, 1, {6}},
};
#define DECLARATIONS (sizeof declarations / sizeof *declarations)

static LLVMMetadataRef text(const char *value)
{
    return LLVMMDStringInContext2(code.pass.context, value, strlen(value));
}

static LLVMMetadataRef number(uint32_t value)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(code.pass.context);
    return LLVMValueAsMetadata(LLVMConstInt(i32, value, false));
}

static void declare(const struct declaration *d, uint32_t depth)
{
    LLVMMetadataRef parts[14] = {text(d->symbol),  text("channel"), number(d->bytes),
                                 number(d->align), number(depth),   number(d->flags),
                                 text(""),         text("packet"),  text("pipes.cl"),
                                 number(1),        number(d->rank)};
    for (uint32_t i = 0; i < d->rank; i++)
        parts[11 + i] = number(d->dims[i]);
    LLVMMetadataRef node = LLVMMDNodeInContext2(code.pass.context, parts, 11 + d->rank);
    LLVMAddNamedMetadataOperand(code.pass.module, "sl.pipes",
                                LLVMMetadataAsValue(code.pass.context, node));
}

static bool is_wanted(const char *name, const char *kernels)
{
    size_t length = strlen(name);
    for (const char *at = kernels; (at = strstr(at, name)); at += length)
        if ((at == kernels || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

static LLVMAttributeRef mark(const char *name, const char *value)
{
    return LLVMCreateStringAttribute(code.pass.context, name, (unsigned)strlen(name), value,
                                     (unsigned)strlen(value));
}

/* What the front end would say of attributes. */
static void add_marks(LLVMValueRef kernel, const char *name)
{
    if (strcmp(name, "stage") == 0) {
        LLVMAddAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, mark("sl-autorun", ""));
        LLVMAddAttributeAtIndex(kernel, LLVMAttributeFunctionIndex,
                                mark("sl-num-compute-units", "5,1,1"));
    }
    for (unsigned i = 1; strcmp(name, "arg_blocking") == 0 && i <= 2; i++)
        LLVMAddAttributeAtIndex(kernel, i, mark("sl-pipe-blocking", ""));
}

static void keep_kernels(const char *kernels)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(code.pass.module); f; f = next) {
        const char *name = LLVMGetValueName(f);
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) ||
            !LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, SL_KERNEL_ATTRIBUTE,
                                           strlen(SL_KERNEL_ATTRIBUTE)))
            continue;
        if (is_wanted(name, kernels))
            add_marks(f, name);
        else
            LLVMDeleteFunction(f);
    }
}

int begin(const char *kernels, uint32_t depth)
{
    assert_true(lower_open(&code, bitcode, NULL));
    keep_kernels(kernels);
    for (size_t i = 0; i < DECLARATIONS; i++)
        declare(&declarations[i], depth);
    return sl_passes_run(&code.pass);
}

void build(const char *kernels, uint32_t depth)
{
    if (begin(kernels, depth))
        fail_msg("%s: %s", kernels, code.pass.error);
    assert_true(lower_optimize(&code, pipeline));
    LLVMValueRef infos = LLVMGetNamedGlobal(code.pass.module, "sluice.pipes");
    if (infos)
        LLVMSetLinkage(infos, LLVMExternalLinkage);
    assert_true(lower_load(&code));
}

const struct sl_pipe_info *find_pipe(const char *name)
{
    const struct sl_pipe_info *infos = dlsym(code.library, "sluice.pipes");
    for (uint32_t i = 0; infos && i < code.pass.pipe_tables.ring_count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return &infos[i];
    fail_msg("no pipe %s", name);
    return NULL;
}

/* ---- launches -------------------------------------------------------------------------------- */

struct arguments kernel(const char *name)
{
    struct arguments a = {.count = 0};
    a.run = lower_find(&code, name, &a.facts);
    if (!a.run)
        fail_msg("no kernel %s", name);
    assert_true(a.facts->flags & (SL_KERNEL_USES_PIPES | SL_KERNEL_PIPE_ARGS));
    assert_false(a.facts->flags & SL_KERNEL_FLAT);
    return a;
}

void start(const struct arguments *a, size_t global, size_t local)
{
    size_t bytes = a->facts->local_bytes + 1024;
    device_start(a->run, a->facts, a->block, global, local, bytes);
}

void start_task(const char *name, int pointers, int ints, ...)
{
    struct arguments a = kernel(name);
    va_list list;
    va_start(list, ints);
    for (int i = 0; i < pointers; i++)
        add_pointer(&a, va_arg(list, void *));
    for (int i = 0; i < ints; i++) {
        int value = va_arg(list, int);
        add(&a, &value, sizeof value);
    }
    va_end(list);
    start(&a, 1, 1);
}

void run(void)
{
    if (!device_run())
        fail_msg("the kernels wait for each other; last at %s", machine.last_site->pipe);
}

void close_code(void)
{
    lower_close(&code);
}

void each_case(case_fn run_case)
{
    static const struct {
        uint32_t depth;
        enum limits limits;
    } cases[] = {{1, LIMITS_TRUE},   {1, LIMITS_RANDOM}, {3, LIMITS_TIGHT},
                 {3, LIMITS_RANDOM}, {64, LIMITS_TRUE},  {100, LIMITS_RANDOM}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        machine = (struct machine){.limits = cases[c].limits, .seed = 5 + (unsigned)c};
        run_case(cases[c].depth);
    }
}

int run_pipe_tests(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    if (argc < 3)
        return 2;
    bitcode = argv[1];
    pipeline = argv[2];
    return _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL);
}
