/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads executable modules (module.h) with the system's own dynamic linker, so that debuggers,
 * profilers and unwinders know the code. Any thread.
 */
#ifndef SL_DEVICES_LOADER_H
#define SL_DEVICES_LOADER_H

#include <stddef.h>

#include "sluice/device.h"

struct sl_loaded {
    void *library;                     /* owned */
    const struct sl_module_info *info; /* in library */
    int fd;                            /* owned; -1: none is kept */
};

/*
 * `elf` is an ELF shared object. It becomes an anonymous memory file; with `keep_folder`
 * (SLUICE_DUMP) it is written there as a file that stays. SL_INVALID_BINARY when it is not one of
 * our modules, SL_OUT_OF_RESOURCES when there is no place for it. Reasons go to the log.
 */
int sl_loader_open(struct sl_loaded *, const void *elf, size_t elf_bytes, const char *name,
                   const char *keep_folder, const struct sl_host_ops *);
void sl_loader_close(struct sl_loaded *); /* a zeroed or closed one is a no-op */

#endif
