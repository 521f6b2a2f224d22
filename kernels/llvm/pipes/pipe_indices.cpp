/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of address computations as the front end wrote them, with the types of what they step over:
 * an index that is outside of its own dimension is found although the element it leads to may be
 * another one of the array. A step of bytes is one that a pass has made of constants; whether it
 * stays inside of the whole array is for whoever resolves the operation to say.
 */
#include "llvm/pipes/pipe_indices.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace
{

using Blocks = DenseSet<const BasicBlock *>;

/* ---- blocks that a launch may come to -------------------------------------------------------- */

const ConstantInt *decided(const Value *condition, const DataLayout &layout)
{
    const auto *instruction = dyn_cast<Instruction>(condition);
    if (!instruction)
        return dyn_cast<ConstantInt>(condition);
    return dyn_cast_or_null<ConstantInt>(
        ConstantFoldInstruction(const_cast<Instruction *>(instruction), layout));
}

const BasicBlock *onlyWay(const BasicBlock &block)
{
    const DataLayout &layout = block.getDataLayout();
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional())
        if (const ConstantInt *known = decided(branch->getCondition(), layout))
            return branch->getSuccessor(known->isZero() ? 1 : 0);
    if (const auto *choice = dyn_cast<SwitchInst>(block.getTerminator()))
        if (const ConstantInt *known = decided(choice->getCondition(), layout))
            return choice->findCaseValue(known)->getCaseSuccessor();
    return nullptr;
}

Blocks findReached(const Function &f)
{
    Blocks reached;
    SmallVector<const BasicBlock *, 32> pending = {&f.getEntryBlock()};
    while (!pending.empty()) {
        const BasicBlock *block = pending.pop_back_val();
        if (!reached.insert(block).second)
            continue;
        if (const BasicBlock *way = onlyWay(*block))
            pending.push_back(way);
        else
            pending.append(succ_begin(block), succ_end(block));
    }
    return reached;
}

/* ---- addresses ------------------------------------------------------------------------------- */

struct Address {
    SetVector<GEPOperator *> steps;
    SetVector<Value *> roots;
};

Address trace(Value *pointer)
{
    Address address;
    SmallVector<Value *, 8> pending = {pointer};
    DenseSet<const Value *> seen;
    while (!pending.empty()) {
        Value *at = pending.pop_back_val();
        if (!seen.insert(at).second)
            continue;
        if (auto *step = dyn_cast<GEPOperator>(at)) {
            address.steps.insert(step);
            pending.push_back(step->getPointerOperand());
        } else if (auto *cast = dyn_cast<AddrSpaceCastOperator>(at)) {
            pending.push_back(cast->getPointerOperand());
        } else if (auto *phi = dyn_cast<PHINode>(at)) {
            pending.append(phi->op_begin(), phi->op_end());
        } else if (auto *select = dyn_cast<SelectInst>(at)) {
            pending.append({select->getTrueValue(), select->getFalseValue()});
        } else {
            address.roots.insert(at);
        }
    }
    return address;
}

/* ---- indices --------------------------------------------------------------------------------- */

struct Finder {
    const sl_index_asker &asker;
    const DataLayout &layout;
    Blocks reached;
    DenseSet<const Value *> told; /* steps that several operations share */

    /* The dimension in which an index steps from one element to the next; of several with the same
     * stride the one that the type tells, or the longest. -1: none. */
    int dimensionOf(const sl_indexed_array &array, uint64_t wanted, const Type *over) const
    {
        const auto *known = dyn_cast_or_null<ArrayType>(over);
        uint64_t stride = array.packet_bytes;
        int found = -1;
        for (uint32_t d = array.rank; d-- > 0; stride *= array.dims[d]) {
            if (stride != wanted)
                continue;
            if (known && known->getNumElements() == array.dims[d])
                return int(d);
            if (found < 0 || array.dims[d] > array.dims[found])
                found = int(d);
        }
        return found;
    }

    void takeStep(CallInst &call, Value *root, const sl_indexed_array &array, GEPOperator &step)
    {
        Instruction *at = dyn_cast<Instruction>(&step);
        if (step.getSourceElementType()->isIntegerTy(8) || (at && !told.insert(at).second))
            return;
        if (!at) /* a constant */
            at = &call;
        Type *over = nullptr; /* of a pointer one cannot tell */
        for (auto part = gep_type_begin(step), end = gep_type_end(step); part != end;
             over = part.getIndexedType(), ++part) {
            Value *value = part.getOperand();
            const auto *constant = dyn_cast<ConstantInt>(value);
            if (part.isStruct() || !value->getType()->isIntegerTy() ||
                (constant && constant->isZero()))
                continue;
            int dimension = dimensionOf(array, part.getSequentialElementStride(layout), over);
            if (dimension < 0 || (constant && constant->getValue().ult(array.dims[dimension])))
                continue;
            sl_pipe_index index = {
                wrap(&call), wrap(root),          wrap(at),
                wrap(value), uint32_t(dimension), reached.contains(at->getParent())};
            asker.take(asker.data, &index);
        }
    }

    bool takeCall(CallInst &call)
    {
        Address address = trace(call.getArgOperand(0));
        Value *root = address.roots.size() == 1 ? address.roots.front() : nullptr;
        sl_indexed_array array;
        if (root && isa<GlobalVariable>(root) && asker.find(asker.data, wrap(root), &array))
            for (GEPOperator *step : address.steps)
                takeStep(call, root, array, *step);
        return llvm::none_of(address.roots, [](Value *each) { return isa<LoadInst>(each); });
    }
};

} // namespace

bool sl_pipe_find_indices(LLVMValueRef kernel, const sl_index_asker *asker)
{
    Function &f = *unwrap<Function>(kernel);
    SmallVector<CallInst *, 32> calls;
    for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && call->arg_size() && call->getArgOperand(0)->getType()->isPointerTy() &&
            asker->is_operation(callee->getName().str().c_str()))
            calls.push_back(call);
    }
    Finder finder = {*asker, f.getDataLayout(), findReached(f), {}};
    bool all = true;
    for (CallInst *call : calls)
        all &= finder.takeCall(*call);
    return all;
}
