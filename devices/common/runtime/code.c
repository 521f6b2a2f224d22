/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded modules. No lock: written while created; costs are atomic hints. */
#include "common/runtime/code.h"

#include <stdlib.h>

#include "common/base/values.h"
#include "common/kernel/initialize.h"
#include "common/runtime/hosted.h"

struct sl_code *sl_code_around(const struct sl_module_info *info)
{
    struct sl_code *code = calloc(1, sizeof *code + info->kernel_count * sizeof code->cost_ps[0]);
    if (!code)
        return NULL;
    code->info = info;
    code->cost_ps = (uint32_t *)(code + 1);
    return code;
}

/* Built for another device: nothing here could answer it. */
static bool has_strange_kernels(const struct sl_module_info *info, uint32_t features)
{
    uint32_t strange = features & SL_FEATURE_DEVICE_ENQUEUE ? 0 : SL_KERNEL_ENQUEUES;
    for (uint32_t i = 0; i < info->kernel_count; i++)
        if (info->kernels[i].flags & strange)
            return true;
    return false;
}

int sl_code_create(struct sl_device *device, const void *elf, size_t elf_bytes, const char *name,
                   struct sl_code **out, const struct sl_module_info **info)
{
    const struct sl_host_ops *host = sl_hosted(device)->sched.host;
    struct sl_loaded loaded;
    int rc = sl_loader_open(&loaded, elf, elf_bytes, name, host->config("SLUICE_DUMP"), host);
    if (rc)
        return rc;
    if (has_strange_kernels(loaded.info, device->caps.features)) {
        host->log(SL_LOG_ERROR, "device", "%s: its kernels enqueue kernels, which %s does not do",
                  name, device->caps.name);
        sl_loader_close(&loaded);
        return SL_INVALID_BINARY;
    }
    struct sl_code *code = sl_code_around(loaded.info);
    rc = code ? sl_initialize(loaded.info, name, host) : SL_OUT_OF_HOST_MEMORY;
    if (rc) {
        free(code);
        sl_loader_close(&loaded);
        return rc;
    }
    code->loaded = loaded;
    *out = code;
    *info = code->info;
    return 0;
}

uint32_t sl_code_kernel_cost(struct sl_code *code, uint32_t kernel)
{
    return __atomic_load_n(&code->cost_ps[kernel], __ATOMIC_RELAXED);
}

void sl_code_destroy(struct sl_code *code)
{
    if (!code)
        return;
    sl_loader_close(&code->loaded);
    free(code);
}
