/* SPDX-License-Identifier: Apache-2.0 */
/* The key under which the answer to a request is kept. No state; any thread. */
#ifndef SL_DRIVER_PROGRAM_COMPILER_REQUEST_KEY_H
#define SL_DRIVER_PROGRAM_COMPILER_REQUEST_KEY_H

#include <stdbool.h>

#include "program/compiler/wire_format.h"
#include "sluice/base/hash.h"

/* What the answer to a request (begun, not ended) depends on; false: there is no compiler. */
bool sl_build_key(const struct sl_request *, struct sl_hash *);

#endif
