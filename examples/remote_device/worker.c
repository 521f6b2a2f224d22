/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that stands for a card: it has nothing but the shared memory, loads modules and runs
 * kernels one after the other, and ends with its socket. One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "common/kernel/loader.h"
#include "common/kernel/ndrange.h"
#include "common/kernel/printf.h"
#include "common/machine/fpmode.h"
#include "common/memory/arena.h"
#include "remote.h"

static struct sl_arena arena;
static jmp_buf trapped;
static char why[sizeof((struct remote_answer){0}.why)]; /* of the kernel that has trapped last */

/* ---- what kernels ask for -------------------------------------------------------------------- */

static int32_t print(const struct sl_launch *launch, const char *format, const void *record,
                     uint32_t record_bytes, uint32_t arg_count)
{
    (void)launch;
    return sl_print(format, record, record_bytes, arg_count);
}

static void trap(const struct sl_launch *launch, const char *what)
{
    (void)launch;
    snprintf(why, sizeof why, "%s", what);
    longjmp(trapped, 1);
}

static const struct sl_runtime runtime = {
    .abi = SL_MODULE_ABI, .size = sizeof runtime, .print = print, .trap = trap};

/* ---- what the loader asks for ---------------------------------------------------------------- */

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

static bool always(int level, const char *topic)
{
    (void)level, (void)topic;
    return false;
}

static const char *no_config(const char *name)
{
    (void)name;
    return NULL;
}

static const struct sl_host_ops host = {.abi = SL_DEVICE_ABI,
                                        .size = sizeof host,
                                        .log = tell,
                                        .log_enabled = always,
                                        .config = no_config};

/* ---- requests -------------------------------------------------------------------------------- */

static int load(const struct remote_request *request, uint64_t *code)
{
    struct sl_loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return REMOTE_OUT_OF_HOST_MEMORY;
    int rc = sl_loader_open(loaded, request->data, request->data_bytes, "remote", NULL, &host);
    if (rc)
        free(loaded);
    else
        *code = (uintptr_t)loaded;
    return rc;
}

static void unload(struct sl_loaded *loaded)
{
    sl_loader_close(loaded);
    free(loaded);
}

static int run(const struct remote_request *request)
{
    const struct sl_loaded *loaded = (const void *)(uintptr_t)request->code;
    const struct sl_kernel_info *kernel = &loaded->info->kernels[request->kernel_index];
    struct sl_launch_args args = {.work_dim = request->work_dim};
    struct sl_launch launch;
    uint64_t total;
    for (int i = 0; i < 3; i++) {
        args.global_offset[i] = request->global_offset[i];
        args.global_size[i] = request->global_size[i];
        args.local_size[i] = request->local_size[i];
    }
    if (!sl_ndrange_init(&launch, &args, &total))
        return REMOTE_OUT_OF_RESOURCES;
    sl_ndrange_interchange(kernel, &launch);
    launch.runtime = &runtime;
    size_t context = sl_ndrange_group_items(&launch) * kernel->context_per_item;
    int rc = sl_arena_reserve(&arena, request->local_bytes, context + kernel->context_fixed);
    if (rc)
        return rc;
    if (_setjmp(trapped))
        return REMOTE_OUT_OF_RESOURCES;
    (void)sl_fpmode_enter(); /* the mode of kernels; nothing else computes here */
    if (kernel->flags & SL_KERNEL_FLUSH_DENORMALS)
        sl_fpmode_flush();
    sl_ndrange_run(kernel, request->data, &launch, &arena, 0, total);
    return 0;
}

static struct remote_answer answer_to(const struct remote_request *request)
{
    struct remote_answer answer = {0};
    switch (request->kind) {
    case REMOTE_LOAD:
        answer.status = load(request, &answer.code);
        break;
    case REMOTE_UNLOAD:
        unload((struct sl_loaded *)(uintptr_t)request->code);
        break;
    case REMOTE_RUN:
        why[0] = 0;
        answer.status = run(request);
        memcpy(answer.why, why, sizeof answer.why);
        break;
    }
    return answer;
}

int main(void)
{
    struct remote_request request;
    if (mmap(REMOTE_BASE, REMOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
             REMOTE_MEMORY, 0) != REMOTE_BASE)
        return 1;
    while (recv(REMOTE_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        struct remote_answer answer = answer_to(&request);
        if (send(REMOTE_SOCKET, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer)
            break;
    }
    return 0;
}
