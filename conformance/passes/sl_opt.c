/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sl-opt [-mcpu=NAME] [-passes=PIPELINE] [-then=STEP] [-stage=NAME] [-flags] FILE: runs the
 * work-group passes on FILE and prints what they know of its kernels, and the module: after the
 * stage; or after the last one and LLVM's PIPELINE and the compiler's STEP, if such are given.
 * Warnings, with -remarks also remarks, are lines of their own, and so is with -uses what each
 * operation on a variable that is a pipe may reach.
 */
#include "lower.h"

#include "ir/bits.h"
#include "ir/compile_effort.h"
#include "pipes/pipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *cpu, *pipeline, *stage, *file;
    void (*then)(struct sl_pass *);
    bool optimize, uniform, quick, remarks, uses, wide_units, fast_gathers;
    enum sl_pipe_kind pipes;
};

static void print_module(struct sl_pass *pass)
{
    char *text = LLVMPrintModuleToString(pass->module);
    fputs(text, stdout);
    LLVMDisposeMessage(text);
}

/* What the compiler does with the module besides the passes. */
static void divide_where_estimates_are_poor(struct sl_pass *pass)
{
    sl_divide_where_estimates_are_poor(pass);
}

static void clear_unused_lanes(struct sl_pass *pass)
{
    sl_clear_unused_lanes(pass);
}

static void widen_spread_bytes(struct sl_pass *pass)
{
    sl_widen_spread_bytes(pass);
}

static void spare_large_functions(struct sl_pass *pass)
{
    sl_spare_large_functions(pass->module);
}

static const struct {
    const char *name;
    void (*run)(struct sl_pass *);
} steps[] = {
    {"dead_ends", sl_trap_proven_dead_ends},        {"effort", spare_large_functions},
    {"estimates", divide_where_estimates_are_poor}, {"streaming", sl_stream_large_stores},
    {"unused_lanes", clear_unused_lanes},           {"spread_bytes", widen_spread_bytes},
};

static bool find_step(struct options *o, const char *name)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strcmp(steps[i].name, name) == 0)
            o->then = steps[i].run;
    return o->then;
}

static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    bool known = true;
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = value_of(argv[i], "-mcpu=")))
            o->cpu = v;
        else if ((v = value_of(argv[i], "-passes=")))
            o->pipeline = v;
        else if ((v = value_of(argv[i], "-stage=")))
            o->stage = v;
        else if ((v = value_of(argv[i], "-then=")))
            known &= find_step(o, v);
        else if (strcmp(argv[i], "-O0") == 0)
            o->optimize = false;
        else if (strcmp(argv[i], "-quick") == 0)
            o->quick = !(o->optimize = false);
        else if (strcmp(argv[i], "-uniform") == 0)
            o->uniform = true;
        else if (strcmp(argv[i], "-wide-units") == 0)
            o->wide_units = true;
        else if (strcmp(argv[i], "-fast-gathers") == 0)
            o->fast_gathers = true;
        else if (strcmp(argv[i], "-remarks") == 0)
            o->remarks = true;
        else if (strcmp(argv[i], "-uses") == 0)
            o->uses = true;
        else if (strcmp(argv[i], "-shared-pipes") == 0)
            o->pipes = SL_PIPES_SHARED;
        else
            o->file = argv[i];
    }
    return known && o->file;
}

static void print_facts(const struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        const struct sl_kernel_facts *f = &pass->kernels[k];
        printf("; kernel %s flags %u local %u per_item %" PRIu64 " fixed %" PRIu64
               " private %" PRIu64 " stack %" PRIu64,
               f->name, f->flags, f->local_bytes, f->context_per_item, f->context_fixed,
               f->private_bytes, f->stack_bytes);
        if (f->most_items)
            printf(" most %u", f->most_items);
        if (sl_pass_has(pass, SL_PASS_QUICK))
            printf(" work %u%s%s%s", f->work, f->flags & SL_KERNEL_QUICK ? " quick" : "",
                   f->work_rule ? " by " : "", f->work_rule ? f->work_rule : "");
        if (f->flags & SL_KERNEL_USES_PIPES)
            printf(" component %u", f->component);
        putchar('\n');
        for (uint32_t i = 0; i < f->arg_count; i++)
            printf(";   argument %u kind %u size %u offset %u align %u\n", i, f->args[i].kind,
                   f->args[i].size, f->args[i].offset, f->args[i].align);
    }
}

static void dump(struct sl_pass *pass, const char *stage)
{
    const struct options *options = pass->dump_data;
    if (strcmp(stage, options->stage) != 0)
        return;
    print_facts(pass);
    print_module(pass);
}

static void print_messages(const struct sl_pass *pass)
{
    if (pass->warnings)
        fputs(pass->warnings, stdout);
    if (pass->remarks)
        fputs(pass->remarks, stdout);
}

/* "; kernel a writes c: 0 1 2 for sure", elements counted as they lie in the array. */
static void print_uses(const struct sl_pass *pass)
{
    for (uint32_t u = 0; pass->pipes && u < pass->pipes->use_count; u++) {
        const struct sl_pipe_place *use = &pass->pipes->uses[u];
        const struct sl_pipe_variable *v = &pass->pipes->variables[use->variable];
        printf("; kernel %s %s %s:", pass->kernels[use->kernel].name,
               use->operation->direction == SL_PIPE_WRITE ? "writes" : "reads", v->symbol);
        for (uint32_t e = 0; e < v->count; e++)
            if (use->elements ? sl_bits_has(use->elements, e) : use->element == (int32_t)e)
                printf(" %u", e);
        puts(use->sure ? " for sure" : "");
    }
}

int main(int argc, char **argv)
{
    struct options options = {.optimize = true};
    struct lowered l;
    if (!read_options(&options, argc, argv) || !lower_open(&l, options.file, options.cpu))
        return 2;
    l.pass.flags = SL_PASS_CHECK | (options.optimize ? SL_PASS_OPTIMIZE : 0) |
                   (options.quick ? SL_PASS_QUICK : 0) |
                   (options.uniform ? SL_PASS_UNIFORM_GROUPS : 0) |
                   (options.wide_units ? SL_PASS_WIDE_UNITS : 0) |
                   (options.fast_gathers ? SL_PASS_FAST_GATHERS : 0) |
                   (options.remarks ? SL_PASS_WANTS_REMARKS : 0);
    l.pass.pipe_kind = options.pipes;
    l.pass.dump = options.stage ? dump : NULL;
    l.pass.dump_data = &options;
    int rc = sl_passes_run(&l.pass);
    print_messages(&l.pass);
    if (options.uses)
        print_uses(&l.pass);
    if (rc)
        printf("error: %s\n", l.pass.error);
    else if (!options.stage && (!options.pipeline || lower_optimize(&l, options.pipeline))) {
        if (options.then)
            options.then(&l.pass);
        print_facts(&l.pass);
        print_module(&l.pass);
    }
    lower_close(&l);
    return rc ? 1 : 0;
}
