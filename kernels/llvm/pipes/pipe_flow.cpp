/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/pipes/pipe_flow.h"
#include "llvm/loops/counts/loop_names.h"
#include "llvm/loops/counts/unrolled_loops.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "llvm/loops/analyses.h"

using namespace llvm;

namespace
{

class Walk
{
  public:
    Walk(Function &f, bool (*isOperation)(const char *, bool *), bool (*isMeeting)(const char *),
         void (*to)(void *, const sl_flow_item *), void *with)
        : function(f), all(f), isPipeOperation(isOperation), meets(isMeeting), take(to), data(with)
    {
    }

    bool run()
    {
        ReversePostOrderTraversal<Function *> order(&function);
        if (containsIrreducibleCFG<const BasicBlock *>(order, all.loops))
            return false;
        for (BasicBlock *block : order)
            visit(*block, nullptr);
        return true;
    }

  private:
    /* Of a block in `around` itself: its operations; the first block of a loop there: all of it. */
    void visit(BasicBlock &block, const Loop *around)
    {
        Loop *loop = all.loops.getLoopFor(&block);
        if (loop == around) {
            for (Instruction &i : block)
                visitInstruction(i, around);
        } else if (loop && loop->getParentLoop() == around && loop->getHeader() == &block) {
            visitLoop(*loop, around);
        }
    }

    void visitLoop(Loop &loop, const Loop *around)
    {
        sl_flow_item item = {};
        item.kind = SL_FLOW_LOOP;
        item.always = isAlways(*loop.getHeader(), around);
        item.trips = all.evolution.getSmallConstantTripCount(&loop);
        item.guarded = item.always || isAlwaysAsked(loop, around);
        item.most = mostTrips(loop);
        item.endless = loop.hasNoExitBlocks();
        if (const DILocation *place = sluice::placeOfLoop(loop, all.loops)) {
            item.line = place->getLine();
            item.column = place->getColumn();
        }
        /* Once more than it goes on; where rounds are one its header is more than that question. */
        if (item.trips && unrolledTimes(loop) == 1 && asksFirst(loop)) {
            item.always &= item.trips > 1 && !hasOperation(*loop.getHeader());
            item.trips -= item.trips > 1;
        }
        if (!loop.getExitingBlock() || !loop.isLoopLatch(loop.getExitingBlock()))
            item.most -= item.most > 1; /* goes on no more often */
        take(data, &item);
        LoopBlocksRPO order(&loop);
        order.perform(&all.loops);
        for (BasicBlock *block : order)
            visit(*block, &loop);
        item.kind = SL_FLOW_END_OF_LOOP;
        take(data, &item);
    }

    /* Nothing but the question whether it has iterations stands in front of it. Loops in a row may
     * share that. */
    bool isAlwaysAsked(const Loop &loop, const Loop *around)
    {
        const BranchInst *guard = loop.getLoopGuardBranch();
        const BasicBlock *before = loop.getLoopPreheader();
        const BasicBlock *asks = before ? before->getSinglePredecessor() : nullptr;
        const auto *branch = asks ? dyn_cast<BranchInst>(asks->getTerminator()) : nullptr;
        if (!guard && branch && branch->isConditional() && asksTheSame(*branch, loop))
            guard = branch;
        return guard && isAlways(*guard->getParent(), around);
    }

    static bool asksTheSame(const BranchInst &branch, const Loop &loop)
    {
        const BasicBlock *exiting = loop.getExitingBlock();
        const auto *end = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
        const auto *first = dyn_cast<ICmpInst>(branch.getCondition());
        const auto *again =
            end && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
        bool same = false;
        for (unsigned i = 0; first && again && i < 2; i++)
            for (unsigned j = 0; j < 2; j++)
                same |= withoutCasts(first->getOperand(i)) == withoutCasts(again->getOperand(j)) &&
                        !isa<Constant>(first->getOperand(i));
        return same;
    }

    static const Value *withoutCasts(const Value *value)
    {
        while (const auto *cast = dyn_cast<CastInst>(value))
            value = cast->getOperand(0);
        return value;
    }

    /* 0: nobody knows. Of a builtin that knows no more than its name. */
    uint64_t mostTrips(const Loop &loop)
    {
        const uint64_t most = all.evolution.getSmallConstantMaxTripCount(&loop);
        const uint64_t least = mostByMinimum(loop);
        return least && (!most || least < most) ? least : most;
    }

    /* Of a loop whose counter goes up to a min(n, 8); 0: of any other. */
    uint64_t mostByMinimum(const Loop &loop)
    {
        const BasicBlock *exiting = loop.getExitingBlock();
        const auto *end = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
        const auto *again =
            end && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
        const auto *count =
            again ? dyn_cast<SCEVAddRecExpr>(all.evolution.getSCEV(again->getOperand(0))) : nullptr;
        const auto *limit = again ? dyn_cast<CallInst>(again->getOperand(1)) : nullptr;
        const uint64_t least = limit ? smallestNumber(*limit) : 0;
        if (!count || !least || count->getLoop() != &loop ||
            !all.evolution.isKnownNonNegative(count->getStart()) ||
            !all.evolution.isKnownPositive(count->getStepRecurrence(all.evolution)))
            return 0;
        /* What is less than zero as a number with a sign is a large one without. */
        const ICmpInst::Predicate asks = loop.contains(end->getSuccessor(0))
                                             ? again->getPredicate()
                                             : again->getInversePredicate();
        const bool below =
            asks == ICmpInst::ICMP_SLT || asks == ICmpInst::ICMP_SLE ||
            (!isSigned(*limit) && (asks == ICmpInst::ICMP_ULT || asks == ICmpInst::ICMP_ULE));
        const bool equal = asks == ICmpInst::ICMP_SLE || asks == ICmpInst::ICMP_ULE;
        const bool late = all.evolution.isKnownPositive(count->getStart());
        return below ? least + equal + !late : 0;
    }

    /* Of a min: by how its operands are written in its name. */
    static bool isSigned(const CallInst &call)
    {
        return StringRef("acsilx").contains(call.getCalledFunction()->getName().back());
    }

    /* min(n, 8) is 8 at most. */
    static uint64_t smallestNumber(const CallInst &call)
    {
        const Function *callee = call.getCalledFunction();
        uint64_t least = 0;
        if (!callee || !callee->getName().starts_with("_Z3min"))
            return 0;
        for (const Value *operand : call.args()) {
            const auto *number = dyn_cast<ConstantInt>(operand);
            if (number && !number->isNegative() && number->getValue().getActiveBits() <= 32)
                least = number->getZExtValue();
        }
        return least;
    }

    static bool asksFirst(const Loop &loop)
    {
        const BasicBlock *header = loop.getHeader();
        return loop.getExitingBlock() == header && !loop.isLoopLatch(header);
    }

    bool hasOperation(const BasicBlock &block) const
    {
        bool write = false;
        for (const Instruction &i : block) {
            const auto *call = dyn_cast<CallInst>(&i);
            const Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && isPipeOperation(callee->getName().str().c_str(), &write))
                return true;
        }
        return false;
    }

    void visitInstruction(Instruction &i, const Loop *around)
    {
        const auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || !call->arg_size())
            return;
        const std::string name = callee->getName().str();
        bool write = false;
        const bool moves = isPipeOperation(name.c_str(), &write);
        if (!moves && !(meets && meets(name.c_str())))
            return;
        sl_flow_item item = {};
        item.kind = moves ? SL_FLOW_OPERATION : SL_FLOW_MEETING;
        item.always = isAlways(*i.getParent(), around);
        item.call = wrap(&i);
        if (moves)
            item.end = sl_llvm_pipe_end(wrap(&i), write);
        take(data, &item);
    }

    /* An index that is outside of its array ends everything, and is no way to go on. */
    bool isAlways(const BasicBlock &block, const Loop *around)
    {
        bool always = true;
        if (!around) {
            for (const BasicBlock &end : function)
                if (succ_empty(&end) && !isa<UnreachableInst>(end.getTerminator()))
                    always &= all.dominators.dominates(&block, &end);
            return always;
        }
        SmallVector<BasicBlock *, 4> latches;
        around->getLoopLatches(latches);
        for (const BasicBlock *latch : latches)
            always &= all.dominators.dominates(&block, latch);
        return always;
    }

    Function &function;
    sluice::Analyses all;
    bool (*isPipeOperation)(const char *, bool *);
    bool (*meets)(const char *); /* nullptr: nobody asks */
    void (*take)(void *, const sl_flow_item *);
    void *data;
};

} // namespace

bool sl_llvm_visit_pipes(LLVMValueRef function,
                         bool (*isPipeOperation)(const char *callee, bool *write),
                         void (*take)(void *data, const struct sl_flow_item *), void *data)
{
    return sl_llvm_visit_flow(function, isPipeOperation, nullptr, take, data);
}

bool sl_llvm_visit_flow(LLVMValueRef function,
                        bool (*isPipeOperation)(const char *callee, bool *write),
                        bool (*meets)(const char *callee),
                        void (*take)(void *data, const struct sl_flow_item *), void *data)
{
    return Walk(*unwrap<Function>(function), isPipeOperation, meets, take, data).run();
}
