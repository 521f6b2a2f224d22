/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/instruction_order.h"

#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>

using namespace llvm;

namespace
{

constexpr unsigned severalRegisters = 1024; /* bits of a value */
constexpr unsigned longBlock = 64;          /* operations on such */
constexpr unsigned vectorBytes = 32;
/* Measured on Zen 5: with a few accesses, or less than twice as many, the scheduler's is faster. */
constexpr uint32_t fewSpills = 32, timesMore = 2;

thread_local bool active, keeps;
thread_local uint32_t spills;

bool isVectorSlot(const MachineMemOperand *operand, const MachineFrameInfo &frame)
{
    const PseudoSourceValue *value = operand->getPseudoValue();
    const auto *slot = dyn_cast_if_present<FixedStackPseudoSourceValue>(value);
    return slot && frame.isSpillSlotObjectIndex(slot->getFrameIndex()) &&
           frame.getObjectSize(slot->getFrameIndex()) >= vectorBytes;
}

class CountSpills : public MachineFunctionPass
{
  public:
    static char ID;
    CountSpills() : MachineFunctionPass(ID)
    {
    }

    void getAnalysisUsage(AnalysisUsage &usage) const override
    {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(MachineFunction &f) override
    {
        for (const MachineBasicBlock &block : f)
            for (const MachineInstr &i : block)
                spills += any_of(i.memoperands(), [&](const MachineMemOperand *operand) {
                    return isVectorSlot(operand, f.getFrameInfo());
                });
        return false;
    }
};

char CountSpills::ID;

bool isLong(const BasicBlock &block)
{
    unsigned count = 0;
    for (const Instruction &i : block) {
        const auto *type = dyn_cast<FixedVectorType>(i.getType());
        count += type && type->getPrimitiveSizeInBits() >= severalRegisters;
    }
    return count >= longBlock;
}

} // namespace

bool sl_llvm_order_matters(LLVMModuleRef module)
{
    return any_of(*unwrap(module), [](const Function &f) { return any_of(f, isLong); });
}

void sl_llvm_order_begin(bool keep)
{
    static RegisterTargetPassConfigCallback registered(
        [](TargetMachine &, PassManagerBase &, TargetPassConfig *config) {
            if (active && keeps)
                config->disablePass(&MachineSchedulerID);
            if (active)
                config->insertPass(&StackMapLivenessID, new CountSpills);
        });
    active = true;
    keeps = keep;
    spills = 0;
}

uint32_t sl_llvm_order_end(void)
{
    active = false;
    return spills;
}

bool sl_llvm_order_pays(uint32_t kept, uint32_t scheduled)
{
    return scheduled >= fewSpills && scheduled > timesMore * kept;
}
