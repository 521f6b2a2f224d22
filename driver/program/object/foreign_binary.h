/* SPDX-License-Identifier: Apache-2.0 */
/* What a binary is that is not ours, for messages. No state. */
#ifndef SL_DRIVER_PROGRAM_OBJECT_FOREIGN_BINARY_H
#define SL_DRIVER_PROGRAM_OBJECT_FOREIGN_BINARY_H

#include <stddef.h>

/* By how it begins: "an xclbin, for a board of AMD's"; NULL: who knows. The bytes are not trusted.
 */
const char *sl_foreign_binary(const void *bytes, size_t size);

#endif
