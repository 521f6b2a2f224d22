/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The count of steps that could be left out (SLUICE_PASS_LIMIT), by which the one that makes a
 * kernel wrong is found: bisection, as with LLVM's -opt-bisect-limit. No shared state.
 */
#include "ir/pass.h"

bool sl_pass_step(struct sl_pass *pass, const char *what, const struct sl_kernel_facts *kernel)
{
    bool go = !sl_pass_has(pass, SL_PASS_LIMITED) || pass->steps < pass->step_limit;
    pass->steps++;
    if (sl_pass_has(pass, SL_PASS_LIMITED))
        sl_pass_remark(pass, kernel, NULL, "step %u, %s: %s", pass->steps, what,
                       go ? "done" : "left out");
    return go;
}
