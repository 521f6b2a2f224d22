/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be asked of a SPIR-V module's bytes before anybody translates them. The bytes may come
 * from anywhere, need no alignment and are in either byte order. No state; any thread.
 */
#ifndef SL_BASE_SPIRV_H
#define SL_BASE_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

#define SL_SPIRV_MAGIC 0x07230203u
enum { SL_SPIRV_MINOR_VERSIONS = 7 }; /* 1.0 to 1.6 */

#define SL_SPIRV_NOBODY (1u << 31) /* among features: no device announces it */
struct sl_spirv_capability {       /* a row of spirv.def */
    uint32_t number;
    const char *name, *extension; /* extension "": SPIR-V itself */
    uint32_t features;            /* enum sl_device_feature: what a device must have for it */
};
/* NULL behind the last one; numbers rise. */
const struct sl_spirv_capability *sl_spirv_capability_at(size_t row);
/* Does the reader take modules that ask for it? */
bool sl_spirv_takes_capability(uint32_t number);
/* Extensions without capabilities, sets of instructions; NULL behind the last one. */
const char *sl_spirv_extension_at(size_t row);
const char *sl_spirv_set_at(size_t row);

/* Do the bytes begin as a module does? */
bool sl_spirv_begins(const void *bytes, size_t size);
/* Are its words in the other byte order than this machine's? */
bool sl_spirv_is_turned(const void *bytes, size_t size);
/* Each word in the other byte order; `to` has room for `size` bytes, a multiple of four. */
void sl_spirv_turn(const void *from, size_t size, void *to);
/* NULL, or a static text that says what is wrong with the header: nothing behind it is looked at.
 */
const char *sl_spirv_check_header(const void *bytes, size_t size)
    __attribute__((warn_unused_result));
/*
 * How many bytes the value of the specialization constant with this SpecId has: 1 for a Boolean; 0:
 * there is no such constant. Of a module whose header was checked; time is linear in its size.
 */
size_t sl_spirv_constant_bytes(const void *bytes, size_t size, uint32_t spec_id);

SL_END_C

#endif
