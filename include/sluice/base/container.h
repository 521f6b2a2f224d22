/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The container around a compiled module (sluice/module.h): what may be believed of bytes that came
 * from a file, an application or a socket. No state; any thread.
 */
#ifndef SL_BASE_CONTAINER_H
#define SL_BASE_CONTAINER_H

#include <stddef.h>

#include "sluice/base/linkage.h"
#include "sluice/module.h"

SL_BEGIN_C

struct sl_module_view { /* pointers into the checked bytes */
    struct sl_binary_header header;
    const char *options, *log; /* not NUL-terminated */
    const unsigned char *payload;
};

/* NULL, or why not, a static text; the view is good only without one. `bytes` need no alignment.
 * `target`: the machine that is to run it (target.h); NULL accepts every target. Of an executable's
 * payload only the outermost is looked at: see elf_image.h. */
const char *sl_container_check(const void *bytes, size_t size, const char *target,
                               struct sl_module_view *) __attribute__((warn_unused_result));

/* How many of the bytes the first container takes: all, unless it is an executable with what its
 * better code is made of (SL_BINARY_REST) behind it, to the last byte. */
size_t sl_container_split(const void *bytes, size_t size);

SL_END_C

#endif
