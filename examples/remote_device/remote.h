/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the device library and the process that stands for its card agree on: one piece of shared
 * memory, at one address in both, and requests, each with one answer.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "sluice/device.h"

#define REMOTE_BASE ((unsigned char *)0x200000000000)
#define REMOTE_BYTES ((size_t)1 << 30)

enum remote_kind { REMOTE_LOAD, REMOTE_UNLOAD, REMOTE_RUN };

struct remote_request {
    enum remote_kind kind;
    uint64_t code;                /* the process's own word for a module: UNLOAD, RUN */
    const void *elf;              /* LOAD: in shared memory */
    size_t elf_bytes;             /* LOAD */
    struct sl_launch_args launch; /* RUN: its argument block is in shared memory */
};

struct remote_answer {
    int32_t status;
    uint64_t code; /* LOAD */
    char why[128]; /* RUN that has failed: what stopped the kernel; "" */
};

#endif
