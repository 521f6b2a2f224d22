/* SPDX-License-Identifier: Apache-2.0 */
#include "common/kernel/alone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/base/values.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/printf.h"
#include "common/machine/fpmode.h"

/* Of the one thread. */
static struct sl_arena arena;
static jmp_buf trapped;
static const char *volatile reason;

static int32_t print(const struct sl_launch *launch, const char *format, const void *record,
                     uint32_t record_bytes, uint32_t arg_count)
{
    (void)launch;
    return sl_print(format, record, record_bytes, arg_count);
}

static void trap(const struct sl_launch *launch, const char *what)
{
    (void)launch;
    reason = what;
    longjmp(trapped, 1);
}

static const struct sl_runtime runtime = {
    .abi = SL_MODULE_ABI, .size = sizeof runtime, .print = print, .trap = trap};

__attribute__((format(printf, 3, 4))) static void tell(int level, const char *topic,
                                                       const char *fmt, ...)
{
    va_list args;
    (void)topic;
    if (level > SL_LOG_WARN)
        return;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
}

static bool never(int level, const char *topic)
{
    (void)level, (void)topic;
    return false;
}

static const char *no_config(const char *name)
{
    (void)name;
    return NULL;
}

const struct sl_host_ops sl_alone_host = {.abi = SL_DEVICE_ABI,
                                          .size = sizeof sl_alone_host,
                                          .log = tell,
                                          .log_enabled = never,
                                          .config = no_config};

int sl_alone_run(const struct sl_module_info *module, const struct sl_launch_args *args, char *why,
                 size_t why_bytes)
{
    const struct sl_kernel_info *kernel = &module->kernels[args->kernel_index];
    struct sl_launch launch;
    uint64_t total;
    snprintf(why, why_bytes, "%s", "");
    if (!sl_ndrange_init(&launch, args, &total))
        return SL_OUT_OF_RESOURCES;
    sl_ndrange_interchange(kernel, &launch);
    launch.runtime = &runtime;
    size_t context = sl_ndrange_group_items(&launch) * kernel->context_per_item;
    int rc = sl_arena_reserve(&arena, args->local_bytes, context + kernel->context_fixed);
    if (rc)
        return rc;
    if (_setjmp(trapped)) {
        snprintf(why, why_bytes, "%s", reason);
        return SL_OUT_OF_RESOURCES;
    }
    (void)sl_fpmode_enter(); /* the mode of kernels; nothing else computes here */
    if (kernel->flags & SL_KERNEL_FLUSH_DENORMALS)
        sl_fpmode_flush();
    sl_ndrange_run(kernel, args->args, &launch, &arena, launch.group_count[0], 0, total);
    return 0;
}
