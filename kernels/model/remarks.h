/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remarks on how long the loops of kernels in vector form take on this machine, and why not less.
 * Only if somebody wants remarks: each loop is walked through. One thread's.
 */
#ifndef SL_KERNELS_MODEL_REMARKS_H
#define SL_KERNELS_MODEL_REMARKS_H

#include "ir/pass.h"
#include "model/machine.h"
#include "llvm/machine_code.h"

struct sl_model_remarks {
    struct sl_pass *pass;
    const struct sl_model_machine *machine;
    struct sl_model_rows *own; /* owned; NULL: none */
    struct sl_mc_listener listener;
};

/* Before the module goes to the code generator, and behind it. `path`: of a file with rows that
 * somebody measured (sl_model_rows_read); NULL: there is none. What is wrong with it is a remark.
 */
void sl_model_remarks_begin(struct sl_model_remarks *, struct sl_pass *, LLVMModuleRef,
                            const char *path);
void sl_model_remarks_end(struct sl_model_remarks *);

#endif
