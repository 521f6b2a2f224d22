/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/item_regions.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <vector>

using namespace llvm;

namespace
{

/* A block, or the part of one between two meetings. */
struct Part {
    BasicBlock *block;
    BasicBlock::iterator begin, end;
    bool meets;  /* and does not go on behind its end */
    bool inLoop; /* in one without meetings, whose time others know */
};

class Regions
{
  public:
    Regions(Function &f, const sl_region_visitor &caller)
        : function(f), visitor(caller), dominators(f), loops(dominators)
    {
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&f))
            divide(*block);
    }

    void run()
    {
        for (uint32_t i = 0; i < parts.size(); i++)
            if (i == 0 || isBehindMeeting(i))
                take(i);
    }

  private:
    const Function *calleeOf(const Instruction &i) const
    {
        const auto *call = dyn_cast<CallBase>(&i);
        return call ? call->getCalledFunction() : nullptr;
    }
    bool isMeeting(const Instruction &i) const
    {
        const Function *callee = calleeOf(i);
        return callee && visitor.meets(callee->getName().str().c_str());
    }
    bool isPipeOperation(const Instruction &i) const
    {
        bool write = false;
        const Function *callee = calleeOf(i);
        return callee && visitor.is_pipe_operation(callee->getName().str().c_str(), &write);
    }

    bool isInQuietLoop(const BasicBlock &block)
    {
        const Loop *loop = loops.getLoopFor(&block);
        if (!loop)
            return false;
        auto [at, isNew] = quiet.try_emplace(loop, true);
        if (isNew)
            for (const BasicBlock *inside : loop->blocks())
                for (const Instruction &i : *inside)
                    at->second &= !isMeeting(i);
        return at->second;
    }

    void divide(BasicBlock &block)
    {
        const bool inLoop = isInQuietLoop(block);
        firstOf[&block] = uint32_t(parts.size());
        BasicBlock::iterator begin = block.begin();
        for (BasicBlock::iterator i = block.begin(); i != block.end(); ++i)
            if (isMeeting(*i)) {
                parts.push_back({&block, begin, i, true, inLoop});
                begin = std::next(i);
            }
        parts.push_back({&block, begin, block.end(), false, inLoop});
    }

    bool isBehindMeeting(uint32_t part) const
    {
        return part && parts[part - 1].meets && parts[part - 1].block == parts[part].block;
    }

    /* Parts of the region, as they follow each other; each with those that it can go on in. */
    void collect(uint32_t first, std::vector<uint32_t> &order) const
    {
        std::vector<std::pair<uint32_t, uint32_t>> stack = {{first, 0}};
        DenseMap<uint32_t, bool> seen;
        seen[first] = true;
        while (!stack.empty()) {
            auto &[at, next] = stack.back();
            const Instruction *end = parts[at].meets ? nullptr : parts[at].block->getTerminator();
            if (!end || next == end->getNumSuccessors()) {
                order.push_back(at);
                stack.pop_back();
                continue;
            }
            const uint32_t to = firstOf.lookup(end->getSuccessor(next++));
            if (seen.try_emplace(to, true).second)
                stack.push_back({to, 0});
        }
        std::reverse(order.begin(), order.end());
    }

    uint64_t depthOf(const std::vector<uint32_t> &order) const
    {
        DenseMap<const Instruction *, uint64_t> through;
        uint64_t depth = 0;
        for (const uint32_t p : order)
            for (Instruction &i : make_range(parts[p].begin, parts[p].end)) {
                uint64_t start = 0;
                for (const Use &use : i.operands())
                    if (const auto *from = dyn_cast<Instruction>(use.get()))
                        start = std::max(start, through.lookup(from));
                const uint64_t own = parts[p].inLoop ? 0 : visitor.latency(visitor.data, wrap(&i));
                through[&i] = start + own;
                depth = std::max(depth, start + own);
            }
        return depth;
    }

    /* On the way that has most of it. */
    uint64_t apartOf(const std::vector<uint32_t> &order) const
    {
        using Needs = DenseMap<const void *, uint64_t>;
        DenseMap<uint32_t, Needs> before;
        DenseMap<uint32_t, bool> passed;
        uint64_t apart = 1;
        for (const uint32_t p : order) {
            Needs needs = before[p];
            for (Instruction &i : make_range(parts[p].begin, parts[p].end)) {
                const sl_region_need need =
                    parts[p].inLoop ? sl_region_need{} : visitor.need(visitor.data, wrap(&i));
                if (!need.memory)
                    continue;
                const uint64_t sum = needs[need.memory] += need.amount;
                apart = std::max(apart, (sum + need.ports - 1) / need.ports);
            }
            passed[p] = true;
            if (parts[p].meets)
                continue;
            for (BasicBlock *block : successors(parts[p].block)) {
                const uint32_t to = firstOf.lookup(block);
                if (passed.lookup(to)) /* round a loop */
                    continue;
                for (const auto &[memory, sum] : needs) {
                    uint64_t &most = before[to][memory];
                    most = std::max(most, sum);
                }
            }
        }
        return apart;
    }

    bool hasPipes(const std::vector<uint32_t> &order) const
    {
        for (const uint32_t p : order)
            for (const Instruction &i : make_range(parts[p].begin, parts[p].end))
                if (isPipeOperation(i))
                    return true;
        return false;
    }

    void take(uint32_t first) const
    {
        std::vector<uint32_t> order;
        sl_item_region region = {};
        collect(first, order);
        if (const DISubprogram *place = function.getSubprogram())
            region.line = place->getLine();
        if (first) {
            const DebugLoc place = std::prev(parts[first].begin)->getDebugLoc();
            region.line = place ? place.getLine() : 0;
            region.column = std::max(place ? place.getCol() : 0, 1u); /* 0: the kernel's begin */
        }
        region.depth = depthOf(order);
        region.apart = apartOf(order);
        region.pipes = hasPipes(order);
        visitor.take(visitor.data, &region);
    }

    Function &function;
    const sl_region_visitor &visitor;
    DominatorTree dominators;
    LoopInfo loops;
    DenseMap<const Loop *, bool> quiet;
    std::vector<Part> parts;
    DenseMap<const BasicBlock *, uint32_t> firstOf;
};

} // namespace

void sl_llvm_visit_regions(LLVMValueRef function, const struct sl_region_visitor *visitor)
{
    Regions(*unwrap<Function>(function), *visitor).run();
}
