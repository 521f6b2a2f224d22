/* SPDX-License-Identifier: Apache-2.0 */
/* What the I/O pipes of a device share: what was said of SLUICE_FPGA_IO, and the OS pipes of
 * pipe:NAME bindings, which last as long as the device, since the two programs at their ends come
 * and go on their own. Any thread. */
#ifndef SL_DEVICES_FPGA_IO_SHARED_H
#define SL_DEVICES_FPGA_IO_SHARED_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/device.h"

struct sl_io_bindings; /* of one program */

struct sl_io_pair { /* an OS pipe between two I/O pipes */
    char *name;     /* owned */
    int fds[2];
    uint32_t readers; /* ends of loaded programs */
};

struct sl_io {
    const struct sl_host_ops *host;
    const char *topic;
    pthread_mutex_t lock;
    char **told; /* owned: faults that were said */
    size_t told_count;
    struct sl_io_pair *pairs; /* owned */
    size_t pair_count;
};

/* Looks at SLUICE_FPGA_IO only to log what is wrong with it. */
int sl_io_create(const struct sl_host_ops *, const char *topic, struct sl_io **);
void sl_io_destroy(struct sl_io *); /* all ends are detached; NULL is a no-op */

/* SLUICE_FPGA_IO as it is now; a fault that is news goes to the log. */
void sl_io_read(struct sl_io *, struct sl_io_bindings *);

/* An error in the log, unless it was said before. */
void sl_io_say_once(struct sl_io *, const char *text);

/* The descriptor of one side of the OS pipe `name`, -1: none can be had. */
int sl_io_pair_end(struct sl_io *, const char *name, bool input);
void sl_io_pair_leave(struct sl_io *, const char *name); /* who has read */
/* Some program has the I/O pipe at its other side. */
bool sl_io_pair_is_read(struct sl_io *, const char *name);

#endif
