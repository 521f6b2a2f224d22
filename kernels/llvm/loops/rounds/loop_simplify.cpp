/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: a module is made ready to be looked at. Nothing of it will run. */
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <vector>

#include "llvm/latency.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/analyses.h"
#include "llvm/loops/counts/loop_graph.h"
#include "llvm/loops/counts/loop_names.h"
#include "llvm/loops/counts/unrolled_loops.h"
#include "llvm/run_passes.h"

using namespace llvm;

namespace
{

/* Functions of the program vanish in their kernels, and calls may be copied. */
void prepare(Function &f)
{
    if (f.getName() == "__sl_compute_id") { /* the same number in all of a kernel */
        f.setMemoryEffects(MemoryEffects::none());
        f.addFnAttr(Attribute::NoUnwind);
        f.addFnAttr(Attribute::WillReturn);
        f.addFnAttr(Attribute::Speculatable);
    }
    f.removeFnAttr(Attribute::Convergent);
    f.removeFnAttr(Attribute::NoInline);
    f.removeFnAttr(Attribute::OptimizeNone);
    if (!f.isDeclaration() && !f.hasFnAttribute(SL_KERNEL_ATTRIBUTE)) {
        f.setLinkage(GlobalValue::InternalLinkage);
        f.setVisibility(GlobalValue::DefaultVisibility);
        f.addFnAttr(Attribute::AlwaysInline);
    }
    for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallBase>(&i)) {
            call->removeFnAttr(Attribute::Convergent);
            call->removeFnAttr(Attribute::NoInline);
        }
}

/* Bits of a packet; 0: not known, or more than an integer has room for. */
unsigned packetBits(const CallInst &call)
{
    enum { Bytes = 2, Most = 1 << 16 };
    const auto *bytes =
        call.arg_size() == 4 ? dyn_cast<ConstantInt>(call.getArgOperand(Bytes)) : nullptr;
    return bytes && bytes->getZExtValue() <= Most ? unsigned(bytes->getZExtValue()) * 8 : 0;
}

FunctionCallee valueForm(Function &operation, Type *packet, bool write)
{
    Type *pipe = operation.getFunctionType()->getParamType(0);
    Type *done = operation.getReturnType();
    LLVMContext &context = operation.getContext();
    SmallVector<Type *, 2> operands{pipe};
    if (write)
        operands.push_back(packet);
    Type *result = write ? done
                   : done->isVoidTy()
                       ? packet
                       : static_cast<Type *>(StructType::get(context, {packet, done}));
    /* one function for each width */
    const std::string name =
        (operation.getName() + ".value." + Twine(packet->getIntegerBitWidth())).str();
    FunctionCallee callee = operation.getParent()->getOrInsertFunction(
        name, FunctionType::get(result, operands, false));
    auto *f = cast<Function>(callee.getCallee());
    f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    f->addFnAttr(Attribute::NoUnwind);
    f->addFnAttr(Attribute::WillReturn);
    return callee;
}

void replace(CallInst &call, bool write)
{
    Function &operation = *call.getCalledFunction();
    const unsigned bits = packetBits(call);
    if (!bits)
        return;
    IRBuilder<> builder(&call);
    Type *packet = builder.getIntNTy(bits);
    Value *place = call.getArgOperand(1);
    SmallVector<Value *, 2> operands{call.getArgOperand(0)};
    if (write)
        operands.push_back(builder.CreateAlignedLoad(packet, place, Align(1)));
    CallInst *made = builder.CreateCall(valueForm(operation, packet, write), operands);
    made->copyMetadata(call);
    Value *done = made;
    if (!write) {
        const bool both = made->getType()->isStructTy();
        Value *value = both ? builder.CreateExtractValue(made, 0) : made;
        builder.CreateAlignedStore(value, place, Align(1));
        done = both ? builder.CreateExtractValue(made, 1) : nullptr;
    }
    if (done && !call.getType()->isVoidTy())
        call.replaceAllUsesWith(done);
    call.eraseFromParent();
}

/* A circuit multiplies outside of the recurrence that adds. */
void split(IntrinsicInst &both)
{
    IRBuilder<> builder(&both);
    builder.setFastMathFlags(both.getFastMathFlags());
    Value *product = builder.CreateFMul(both.getArgOperand(0), both.getArgOperand(1));
    both.replaceAllUsesWith(builder.CreateFAdd(product, both.getArgOperand(2)));
    both.eraseFromParent();
}

void rewriteCalls(Function &f, bool (*isPacketOperation)(const char *, bool *))
{
    for (Instruction &i : make_early_inc_range(instructions(f))) {
        auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        bool write = false;
        if (callee && callee->getIntrinsicID() == Intrinsic::fmuladd)
            split(cast<IntrinsicInst>(i));
        else if (callee && isPacketOperation(callee->getName().str().c_str(), &write))
            replace(*call, write);
    }
}

/* What has the controls: operations on pipes, and calls of functions that the program has written.
 */
bool takesControls(const CallInst &call, bool (*isPacketOperation)(const char *, bool *))
{
    const Function *callee = call.getCalledFunction();
    bool write = false;
    return callee &&
           (!callee->isDeclaration() || isPacketOperation(callee->getName().str().c_str(), &write));
}

/* A function that is called with latency controls is one for that call, and its operations on pipes
 * have them, also those in functions that it calls. */
void handOn(Function &f, bool (*isPacketOperation)(const char *, bool *), unsigned level = 0)
{
    constexpr unsigned deepest = 32; /* calls lead no deeper: there is no recursion */
    const unsigned kind = f.getContext().getMDKindID(SL_LATENCY_NODE);
    for (Instruction &i : instructions(f)) {
        auto *call = dyn_cast<CallInst>(&i);
        MDNode *node = call ? call->getMetadata(kind) : nullptr;
        Function *callee = node ? call->getCalledFunction() : nullptr;
        if (!callee || callee->isDeclaration() || level == deepest)
            continue;
        ValueToValueMapTy map;
        Function *own = CloneFunction(callee, map);
        call->setCalledFunction(own);
        call->setMetadata(kind, nullptr);
        for (Instruction &inner : instructions(*own)) {
            auto *operation = dyn_cast<CallInst>(&inner);
            if (operation && takesControls(*operation, isPacketOperation))
                operation->setMetadata(kind, node);
        }
        handOn(*own, isPacketOperation, level + 1);
    }
}

bool hasPackets(const Loop &loop, bool (*isPacketOperation)(const char *, bool *))
{
    bool write = false;
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            const auto *call = dyn_cast<CallInst>(&i);
            const Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && isPacketOperation(callee->getName().str().c_str(), &write))
                return true;
        }
    return false;
}

/* Each packet has a cycle in the iteration of the source that moves it, as in a run; so loops with
 * packets are unrolled as a whole or not at all. */
void keepPacketsRolled(Function &f, bool (*isPacketOperation)(const char *, bool *))
{
    sluice::Analyses all(f);
    for (Loop *loop : all.loops.getLoopsInPreorder()) {
        if (!hasPackets(*loop, isPacketOperation))
            continue;
        const unsigned trips = all.evolution.getSmallConstantTripCount(loop);
        const auto count = getOptionalIntLoopAttribute(loop, "llvm.loop.unroll.count");
        const bool asked = count ? *count > 1
                                 : findOptionMDForLoop(loop, "llvm.loop.unroll.enable") ||
                                       findOptionMDForLoop(loop, "llvm.loop.unroll.full");
        if (asked && (!trips || (count && unsigned(*count) < trips)))
            keepRolled(*loop);
    }
}

/* While loops are turned around, so that their questions are at the end, operations on pipes stay
 * where they are: in a round of a circuit a packet is read in front of what is done with it. */
void forbidCopies(Module &module, bool (*isPipeOperation)(const char *, bool *), bool forbid)
{
    bool write = false;
    for (Function &f : module)
        if (f.isDeclaration() && isPipeOperation(f.getName().str().c_str(), &write)) {
            if (forbid)
                f.addFnAttr(Attribute::NoDuplicate);
            else
                f.removeFnAttr(Attribute::NoDuplicate);
        }
}

/* A loop that turns out to do nothing is none in a circuit: loop-deletion. */
const char before[] =
    "always-inline,globaldce,"
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm<allowspeculation>),simplifycfg,"
    "loop(indvars))";
const char unroll[] = "function(loop-unroll<O1;no-partial;no-runtime;no-upperbound;no-peeling;"
                      "full-unroll-max=0>)";
const char behind[] = "function(sroa<modify-cfg>,early-cse<memssa>,gvn,bdce,dse,instcombine<no-"
                      "verify-fixpoint>,simplifycfg,"
                      "loop(loop-deletion),simplifycfg,"
                      "loop-simplify)";

} // namespace

char *sl_llvm_simplify_loops(LLVMModuleRef handle, LLVMTargetMachineRef machine,
                             bool (*isPacketOperation)(const char *callee, bool *write),
                             bool (*isPipeOperation)(const char *callee, bool *write))
{
    Module &module = *unwrap(handle);
    sluice::notePlacesOfLoops(module);
    sluice::noteCopies(module);
    for (Function &f : module)
        prepare(f);
    std::vector<Function *> written; /* by the program */
    for (Function &f : module)
        written.push_back(&f);
    for (Function *f : written)
        handOn(*f, isPacketOperation);
    for (Function &f : module)
        rewriteCalls(f, isPacketOperation);
    forbidCopies(module, isPipeOperation, true);
    char *why = sl_llvm_run_on_module(handle, machine, before);
    forbidCopies(module, isPipeOperation, false);
    if (why)
        return why;
    for (Function &f : module)
        if (!f.isDeclaration())
            keepPacketsRolled(f, isPacketOperation);
    markUnrolledLoops(module);
    why = sl_llvm_run_on_module(handle, machine, unroll);
    countUnrolledLoops(module);
    return why ? why : sl_llvm_run_on_module(handle, machine, behind);
}
