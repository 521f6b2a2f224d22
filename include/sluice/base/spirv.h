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

#define SL_SPIRV_MAGIC 0x07230203u
enum { SL_SPIRV_MINOR_VERSIONS = 7 }; /* 1.0 to 1.6 */

/* Do the bytes begin as a module does? */
bool sl_spirv_begins(const void *bytes, size_t size);
/* NULL, or a static text that says what is wrong with the header: nothing behind it is looked at.
 */
const char *sl_spirv_check_header(const void *bytes, size_t size)
    __attribute__((warn_unused_result));
/*
 * How many bytes the value of the specialization constant with this SpecId has: 1 for a Boolean; 0:
 * there is no such constant. Of a module whose header was checked; time is linear in its size.
 */
size_t sl_spirv_constant_bytes(const void *bytes, size_t size, uint32_t spec_id);

#endif
