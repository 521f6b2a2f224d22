/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads executable modules (module.h) with the system's own dynamic linker, so that debuggers,
 * profilers and unwinders know the code; where that cannot be, because there is no /proc or nothing
 * may be opened, into memory of its own. Any thread.
 */
#ifndef SL_DEVICES_LOADER_H
#define SL_DEVICES_LOADER_H

#include <stddef.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_loaded {
    void *library; /* owned; NULL: it is in `memory` */
    void *memory;  /* owned; NULL: it is in `library` */
    size_t memory_bytes;
    const struct sl_module_info *info; /* in one of them */
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

SL_END_C

#endif
