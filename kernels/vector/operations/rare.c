/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins for rare arguments (builtins/rare.h): one call of the version for as many lanes, which
 * takes their mask, instead of a loop over them here. No shared state.
 */
#include "vector/operations/rare.h"

#include "builtins/archive.h"
#include "ir/calls.h"
#include "vector/analysis/facts.h"
#include "vector/operations/builtin.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <stdio.h>
#include <string.h>

#define MOST 16u /* lanes of a version */

static LLVMValueRef version(const struct sl_vector_facts *v, LLVMValueRef call)
{
    const char *scalar = sl_callee_name(call);
    char name[256];
    if (!sl_archive_is_named(scalar, "sl_rare_") || LLVMGetNumArgOperands(call) != 1)
        return NULL;
    snprintf(name, sizeof name, "%s.v%u", scalar, v->lanes < MOST ? v->lanes : MOST);
    return LLVMGetNamedFunction(v->g->pass->module, name);
}

bool sl_vector_is_rare(const struct sl_vector_facts *v, LLVMValueRef call)
{
    return version(v, call) != NULL;
}

void sl_vector_emit_rare(struct sl_vector *v, LLVMValueRef call)
{
    LLVMValueRef f = version(&v->facts, call), x = sl_vector_part(v, LLVMGetArgOperand(call, 0), 0);
    LLVMValueRef results[64 / MOST];
    uint32_t each = v->facts.lanes < MOST ? v->facts.lanes : MOST;
    for (uint32_t k = 0; k * each < v->facts.lanes; k++) {
        LLVMValueRef args[] = {sl_vector_elements(v, x, k * each, each),
                               sl_vector_elements(v, v->now.mask, k * each, each)};
        results[k] = LLVMBuildCall2(v->g->e.builder, LLVMGlobalGetValueType(f), f, args, 2, "rare");
        LLVMSetInstructionCallConv(results[k], LLVMGetFunctionCallConv(f));
    }
    sl_vector_set_part(v, call, 0, sl_vector_joined(v, results, v->facts.lanes));
}
