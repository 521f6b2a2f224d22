/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a kernel of one work-item while its module is loaded, when nobody else knows the module. It
 * has a thread of its own: the application's may have a small stack. No lock.
 */
#include "common/kernel/initialize.h"

#include <pthread.h>
#include <setjmp.h>

#include "common/base/values.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/printf.h"
#include "common/machine/fpmode.h"
#include "common/memory/arena.h"
#include "sluice/base/thread.h"

enum { SPARE_STACK_BYTES = 1 << 20 };

struct run {
    const struct sl_kernel_info *kernel;
    const struct sl_host_ops *host;
    const char *name;
    struct sl_arena arena;
    jmp_buf trap;
    int status;
};

static int32_t runtime_print(const struct sl_launch *launch, const char *format, const void *record,
                             uint32_t record_bytes, uint32_t arg_count)
{
    (void)launch;
    return sl_print(format, record, record_bytes, arg_count);
}

static void runtime_trap(const struct sl_launch *launch, const char *what)
{
    struct run *run = launch->owner;
    run->host->log(SL_LOG_ERROR, "device", "program %s: its initializers stopped: %s", run->name,
                   what);
    run->status = SL_OUT_OF_RESOURCES;
    longjmp(run->trap, 1);
}

static const struct sl_runtime runtime = {
    .abi = SL_MODULE_ABI,
    .size = sizeof runtime,
    .print = runtime_print,
    .trap = runtime_trap,
};

static void *run_kernel(void *data)
{
    struct run *run = data;
    const struct sl_launch_args one = {
        .work_dim = 1, .global_size = {1, 1, 1}, .local_size = {1, 1, 1}};
    struct sl_launch launch;
    uint64_t total;
    sl_ndrange_init(&launch, &one, &total);
    launch.runtime = &runtime;
    launch.owner = run;
    (void)sl_fpmode_enter(); /* the thread ends with it */
    if (run->kernel->flags & SL_KERNEL_FLUSH_DENORMALS)
        sl_fpmode_flush();
    if (!_setjmp(run->trap))
        sl_ndrange_run(run->kernel, NULL, &launch, &run->arena, launch.group_count[0], 0, total);
    return NULL;
}

static const struct sl_kernel_info *find(const struct sl_module_info *info)
{
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (info->kernels[i].flags & SL_KERNEL_INITIALIZES)
            return &info->kernels[i];
    return NULL;
}

int sl_initialize(const struct sl_module_info *info, const char *name,
                  const struct sl_host_ops *host)
{
    struct run run = {.kernel = find(info), .host = host, .name = name};
    const struct sl_kernel_info *kernel = run.kernel;
    if (!kernel)
        return 0;
    struct sl_thread thread = {.name = SL_THREAD_PREFIX "init",
                               .stack_bytes = SPARE_STACK_BYTES + (size_t)kernel->stack_bytes,
                               .run = run_kernel,
                               .data = &run};
    size_t context = (size_t)kernel->context_fixed + kernel->context_per_item;
    run.status = sl_arena_reserve(&run.arena, kernel->local_bytes, context);
    if (!run.status) { /* the thread's from its start to its end */
        if (sl_thread_start(&thread))
            run.status = SL_OUT_OF_RESOURCES;
        else
            pthread_join(thread.id, NULL);
    }
    sl_arena_finish(&run.arena);
    return run.status;
}
