/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, loaded here for their tables and there to run, and launches of their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

int card_code_load(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                   struct sl_code **out, const struct sl_module_info **info)
{
    struct remote *remote = remote_of(device);
    struct sl_code *code = calloc(1, sizeof *code);
    unsigned char *copy = code ? card_take(remote, elf_bytes) : NULL;
    int rc = copy ? sl_loader_open(&code->loaded, elf, elf_bytes, name, NULL, remote->host)
                  : SL_OUT_OF_HOST_MEMORY;
    if (!rc) {
        memcpy(copy, elf, elf_bytes);
        struct remote_answer answer = card_ask(
            remote,
            &(struct remote_request){.kind = REMOTE_LOAD, .data = copy, .data_bytes = elf_bytes});
        code->remote = remote;
        code->code = answer.code;
        *info = code->loaded.info;
        rc = answer.status;
        if (rc)
            sl_loader_close(&code->loaded);
    }
    card_give(remote, copy);
    if (rc)
        free(code);
    else
        *out = code;
    return rc;
}

void card_code_unload(struct sl_code *code)
{
    card_ask(code->remote, &(struct remote_request){.kind = REMOTE_UNLOAD, .code = code->code});
    sl_loader_close(&code->loaded);
    free(code);
}

/* ---- launches -------------------------------------------------------------------------------- */

static const struct sl_kernel_info *kernel_of(const struct sl_launch_args *args)
{
    return &args->code->loaded.info->kernels[args->kernel_index];
}

static uint64_t pointer_in(const unsigned char *block, const struct sl_arg_info *arg)
{
    uint64_t address;
    memcpy(&address, block + arg->offset, sizeof address);
    return address;
}

/* Memory as the card has it. An argument elsewhere, say in another device's memory, would end its
 * process. */
static int set_pointers(struct remote *remote, struct sl_work *work, unsigned char *block)
{
    const struct sl_launch_args *args = &work->u.kernel;
    const struct sl_kernel_info *kernel = kernel_of(args);
    for (uint32_t i = 0; i < args->memory_count; i++) {
        const struct sl_arg_memory *one = &args->memories[i];
        uint64_t address = (uintptr_t)one->memory->at + one->offset;
        memcpy(block + kernel->args[one->arg_index].offset, &address, sizeof address);
    }
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        const struct sl_arg_info *arg = &kernel->args[i];
        if (arg->kind != SL_ARG_GLOBAL && arg->kind != SL_ARG_CONSTANT)
            continue;
        uint64_t address = pointer_in(block, arg);
        if (!address || address - (uintptr_t)REMOTE_BASE < REMOTE_BYTES)
            continue;
        char why[128];
        snprintf(why, sizeof why, "argument %u is in memory that the card does not reach", i);
        remote->host->failed(work, why);
        return SL_MEM_ALLOCATION_FAILURE;
    }
    return 0;
}

static int launch(struct remote *remote, struct sl_work *work, void *block)
{
    const struct sl_launch_args *args = &work->u.kernel;
    struct remote_request request = {.kind = REMOTE_RUN,
                                     .code = args->code->code,
                                     .data = block,
                                     .kernel_index = args->kernel_index,
                                     .work_dim = args->work_dim,
                                     .local_bytes = args->local_bytes};
    memcpy(request.global_offset, args->global_offset, sizeof request.global_offset);
    memcpy(request.global_size, args->global_size, sizeof request.global_size);
    memcpy(request.local_size, args->local_size, sizeof request.local_size);
    for (uint32_t i = 0; i < args->memory_count; i++)
        card_memory_send(args->memories[i].memory);
    struct remote_answer answer = card_ask(remote, &request);
    for (uint32_t i = 0; i < args->memory_count; i++)
        card_memory_receive(args->memories[i].memory);
    if (answer.status && answer.why[0]) {
        char why[256];
        snprintf(why, sizeof why, "kernel %s stopped: %s", kernel_of(args)->name, answer.why);
        remote->host->failed(work, why);
    }
    return answer.status;
}

int card_run_kernel(struct remote *remote, struct sl_work *work)
{
    const struct sl_launch_args *args = &work->u.kernel;
    const uint32_t bytes = kernel_of(args)->args_bytes;
    unsigned char *block = card_take(remote, bytes);
    if (!block)
        return SL_OUT_OF_RESOURCES;
    memcpy(block, args->args, bytes);
    int rc = set_pointers(remote, work, block);
    if (!rc)
        rc = launch(remote, work, block);
    card_give(remote, block);
    return rc;
}
