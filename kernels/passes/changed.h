/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions a pass has changed, so that checks behind each pass need look at those alone: by
 * a fingerprint of their instructions, operands and blocks. What else hangs on an instruction
 * (flags, metadata, attributes) is no part of it: who needs that checked looks at everything once
 * more.
 */
#ifndef SL_KERNELS_CHANGED_H
#define SL_KERNELS_CHANGED_H

#include "ir/map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Zero-initialised: of no function is anything known. One thread. */
struct sl_changed {
    struct sl_map prints; /* by function */
};

/* Whether the function's body is another than when this was last asked of it, or it never was. */
bool sl_changed_since(struct sl_changed *, LLVMValueRef function);
void sl_changed_finish(struct sl_changed *);

#endif
