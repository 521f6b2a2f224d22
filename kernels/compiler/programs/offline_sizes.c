/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/programs/offline_sizes.h"

#include <stdio.h>

#include "sluice/base/container.h"
#include "sluice/base/module_check.h"
#include "sluice/group_sizes.h"

static void look_at(const struct sl_kernel_info *kernel, unsigned long long most)
{
    const uint32_t *size = kernel->reqd_size;
    const unsigned long long items = (unsigned long long)size[0] * size[1] * size[2];
    if (items > most)
        fprintf(stderr,
                "warning: kernel %.200s cannot be launched: it requires work-groups of %ux%ux%u = "
                "%llu work-items, and the device takes %llu\n",
                kernel->name, size[0], size[1], size[2], items, most);
}

void sl_offline_warn_of_sizes(const struct sl_text *binary, bool fpga)
{
    struct sl_module_view view;
    struct sl_module_tables tables;
    if (sl_container_check(binary->data, binary->bytes, NULL, &view) ||
        view.header.kind != SL_BINARY_EXECUTABLE ||
        sl_module_open(&tables, view.payload, view.header.payload_bytes))
        return;
    for (uint32_t i = 0; i < tables.info->kernel_count; i++)
        look_at(&tables.info->kernels[i], fpga ? SL_GROUP_ITEMS_FPGA : SL_GROUP_ITEMS_CPU);
    sl_module_close(&tables);
}
