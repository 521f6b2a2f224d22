/* SPDX-License-Identifier: Apache-2.0 */
/* A loaded module and what was learnt of its kernels: the code_* calls of host-run devices. */
#ifndef SL_DEVICES_CODE_H
#define SL_DEVICES_CODE_H

#include "common/kernel/loader.h"
#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_item_listener;

struct sl_code {
    struct sl_loaded loaded;
    const struct sl_module_info *info;
    struct sl_design *design; /* of a device that runs pipes; its own */
    struct sl_code *first; /* likewise: this is other code of that one's program, with its design */
    /* Such a device's as well: who wants to hear of the items of this launch, which begins; NULL:
     * nobody. */
    struct sl_item_listener *(*listen)(const struct sl_launch_args *, struct sl_work_queue *);
    /* Measured picoseconds per work-item of each kernel, 0: unknown. Atomic, relaxed: a hint. */
    uint32_t *cost_ps; /* behind the struct */
};

int sl_code_create(struct sl_device *, const void *elf, size_t elf_bytes, const char *name,
                   struct sl_code **, const struct sl_module_info **);
void sl_code_destroy(struct sl_code *);
uint32_t sl_code_kernel_cost(struct sl_code *, uint32_t kernel);

/* The row of the kernel that is launched. */
static inline const struct sl_kernel_info *sl_launch_kernel(const struct sl_launch_args *args)
{
    return &args->code->info->kernels[args->kernel_index];
}

/* Around an info that is not from a module: tests. */
struct sl_code *sl_code_around(const struct sl_module_info *);

SL_END_C

#endif
