/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes are text. No state. */
#ifndef SL_BASE_UTF8_H
#define SL_BASE_UTF8_H

#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* How many bytes the UTF-8 character takes that begins here (Unicode, table 3-7; a NUL is none); 0:
 * it is none. Of text that ends with a NUL nothing behind that is read. */
size_t sl_utf8_bytes(const char *text);

SL_END_C

#endif
