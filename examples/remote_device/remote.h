/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the device library and the process that stands for its card agree on: one piece of shared
 * memory, at one address in both, and requests over a socket, each with one answer.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "sluice/device.h"

#define REMOTE_BASE ((unsigned char *)0x200000000000)
#define REMOTE_BYTES ((size_t)1 << 30)

enum { REMOTE_SOCKET = 3, REMOTE_MEMORY = 4 }; /* descriptors of the process */
enum { REMOTE_OUT_OF_RESOURCES = -5, REMOTE_OUT_OF_HOST_MEMORY = -6 };

enum remote_kind { REMOTE_LOAD, REMOTE_UNLOAD, REMOTE_RUN };

struct remote_request {
    enum remote_kind kind;
    uint64_t code;     /* the process's own word for a module: UNLOAD, RUN */
    const void *data;  /* in shared memory: the module, or the argument block */
    size_t data_bytes; /* of the module */
    uint32_t kernel_index, work_dim, local_bytes;
    size_t global_offset[3], global_size[3], local_size[3];
};

struct remote_answer {
    int32_t status;
    uint64_t code; /* LOAD */
    char why[128]; /* RUN that has failed: what stopped the kernel; "" */
};

#endif
