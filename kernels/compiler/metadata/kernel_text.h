/* SPDX-License-Identifier: Apache-2.0 */
/* What the front end wrote about kernels and variables, for their rows in the module's tables. */
#ifndef SL_KERNELS_KERNEL_TEXT_H
#define SL_KERNELS_KERNEL_TEXT_H

#include "compiler/stage/stage.h"

struct sl_arg_text {
    char *name, *type; /* owned */
    uint8_t address, access, qualifiers;
};

struct sl_kernel_text {
    char *name, *vec_type_hint; /* owned */
    struct sl_text attributes;
    uint32_t reqd_size[3], hint_size[3], max_size[3], line;
    uint32_t work_dim_limit;
    uint32_t most_items;      /* max_work_group_size(N) */
    struct sl_arg_text *args; /* owned */
    uint32_t arg_count;
    bool uniform_groups;
    bool names_kept; /* clang writes them only with -cl-kernel-arg-info */
};

struct sl_variable_text {
    char *name;      /* owned */
    char *host_name; /* owned; NULL: the host has no other name for it */
    uint32_t flags;  /* enum sl_global_flags */
};

#endif
