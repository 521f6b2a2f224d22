/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/pipes/lent_variables.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

static void promise(LoadInst &load, const GlobalVariable &variable)
{
    LLVMContext &context = load.getContext();
    Type *i64 = Type::getInt64Ty(context);
    const DataLayout &layout = variable.getDataLayout();
    auto number = [&](uint64_t n) {
        return MDNode::get(context, ConstantAsMetadata::get(ConstantInt::get(i64, n)));
    };
    load.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    load.setMetadata(LLVMContext::MD_nonnull, MDNode::get(context, {}));
    load.setMetadata(LLVMContext::MD_noundef, MDNode::get(context, {}));
    load.setMetadata(LLVMContext::MD_align, number(variable.getAlign().valueOrOne().value()));
    load.setMetadata(LLVMContext::MD_dereferenceable,
                     number(layout.getTypeAllocSize(variable.getValueType())));
}

void sl_llvm_lend_variable(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef address)
{
    Function &f = *unwrap<Function>(function);
    GlobalVariable &global = *unwrap<GlobalVariable>(variable);
    promise(*unwrap<LoadInst>(address), global);
    Constant *constants[] = {&global};
    convertUsersOfConstantsToInstructions(constants, &f);
    global.replaceUsesWithIf(unwrap(address), [&](Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && user->getFunction() == &f;
    });
}
