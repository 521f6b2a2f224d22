/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the memory of a launch's arguments overlaps (sl_kernel_info.apart). One thread's. */
#ifndef SL_DRIVER_COMMANDS_ARGS_APART_H
#define SL_DRIVER_COMMANDS_ARGS_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/object/object.h"

struct sl_kernel_info;

enum { SL_EXTENTS = 32 }; /* bits of sl_kernel_info.apart */

/* Where the first arguments point to: bytes [start, end); none: nowhere, or no pointer. */
struct sl_extents {
    struct sl_extent {
        uintptr_t start, end;
        bool inside;   /* of something that starts nobody has asked where; `end` says nothing */
        bool external; /* imported: another object may be the same memory at another address */
    } of[SL_EXTENTS];
};

/* A memory object, or (NULL) what an address that was set as such is inside of. */
void sl_extents_put(struct sl_extents *, uint32_t argument, cl_mem, const void *address);
/* No lock may be held that is behind the context's. */
bool sl_extents_apart(struct sl_extents *, cl_context, const struct sl_kernel_info *);

#endif
