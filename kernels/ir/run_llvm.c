/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's own passes on a module on its way: what they say refuses it. No shared state. */
#include "ir/pass.h"

#include "llvm/run_passes.h"
#include <stdlib.h>

static int check_run(struct sl_pass *pass, const char *pipeline, char *error)
{
    if (!error)
        return 0;
    sl_pass_refuse(pass, "%s: %s", pipeline, error);
    free(error);
    return -1;
}

int sl_pass_run_llvm(struct sl_pass *pass, LLVMValueRef function, const char *pipeline)
{
    return check_run(pass, pipeline, sl_llvm_run_on_function(function, pass->machine, pipeline));
}

int sl_pass_run_llvm_on_module(struct sl_pass *pass, const char *pipeline)
{
    return check_run(pass, pipeline, sl_llvm_run_on_module(pass->module, pass->machine, pipeline));
}
