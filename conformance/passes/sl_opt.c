/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sl-opt [-mcpu=NAME] [-passes=PIPELINE] [-stage=NAME] [-flags] FILE: runs the work-group passes on
 * FILE and prints the module after the stage (default: the last), then after LLVM's PIPELINE if
 * one is given.
 */
#include "lower.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *cpu, *pipeline, *stage, *file;
    bool optimize, uniform, quick;
    enum sl_pipe_kind pipes;
};

static void print_module(struct sl_pass *pass)
{
    char *text = LLVMPrintModuleToString(pass->module);
    fputs(text, stdout);
    LLVMDisposeMessage(text);
}

static void dump(struct sl_pass *pass, const char *stage)
{
    const struct options *options = pass->dump_data;
    if (strcmp(stage, options->stage) == 0)
        print_module(pass);
}

static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static void read_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = value_of(argv[i], "-mcpu=")))
            o->cpu = v;
        else if ((v = value_of(argv[i], "-passes=")))
            o->pipeline = v;
        else if ((v = value_of(argv[i], "-stage=")))
            o->stage = v;
        else if (strcmp(argv[i], "-O0") == 0)
            o->optimize = false;
        else if (strcmp(argv[i], "-quick") == 0)
            o->quick = !(o->optimize = false);
        else if (strcmp(argv[i], "-uniform") == 0)
            o->uniform = true;
        else if (strcmp(argv[i], "-shared-pipes") == 0)
            o->pipes = SL_PIPES_SHARED;
        else
            o->file = argv[i];
    }
}

static void print_facts(const struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        const struct sl_kernel_facts *f = &pass->kernels[k];
        printf("; kernel %s flags %u local %u per_item %" PRIu64 " fixed %" PRIu64
               " private %" PRIu64 " stack %" PRIu64,
               f->name, f->flags, f->local_bytes, f->context_per_item, f->context_fixed,
               f->private_bytes, f->stack_bytes);
        if (pass->quick)
            printf(" work %u%s", f->work, f->flags & SL_KERNEL_QUICK ? " quick" : "");
        putchar('\n');
        for (uint32_t i = 0; i < f->arg_count; i++)
            printf(";   argument %u kind %u size %u offset %u align %u\n", i, f->args[i].kind,
                   f->args[i].size, f->args[i].offset, f->args[i].align);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.optimize = true};
    struct lowered l;
    read_options(&options, argc, argv);
    if (!options.file || !lower_open(&l, options.file, options.cpu))
        return 2;
    l.pass.optimize = options.optimize;
    l.pass.quick = options.quick;
    l.pass.uniform_groups = options.uniform;
    l.pass.pipe_kind = options.pipes;
    l.pass.dump = options.stage ? dump : NULL;
    l.pass.dump_data = &options;
    int rc = sl_passes_run(&l.pass);
    if (rc)
        printf("error: %s\n", l.pass.error);
    else if (!options.stage && (!options.pipeline || lower_optimize(&l, options.pipeline))) {
        print_facts(&l.pass);
        print_module(&l.pass);
    }
    lower_close(&l);
    return rc ? 1 : 0;
}
