/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/loop_graph.h"
#include "llvm/loops/counts/loop_names.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/DependenceAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <vector>

#include "llvm/loops/counts/unrolled_loops.h"

using namespace llvm;

namespace
{

/* LLVM's analyses of one function. */
struct Analysis {
    LoopAnalysisManager loopManager;
    FunctionAnalysisManager functionManager;
    CGSCCAnalysisManager graphManager;
    ModuleAnalysisManager moduleManager;
    Function &function;

    explicit Analysis(Function &f) : function(f)
    {
        PassBuilder builder;
        builder.registerModuleAnalyses(moduleManager);
        builder.registerCGSCCAnalyses(graphManager);
        builder.registerFunctionAnalyses(functionManager);
        builder.registerLoopAnalyses(loopManager);
        builder.crossRegisterProxies(loopManager, functionManager, graphManager, moduleManager);
    }
    template <typename Pass> typename Pass::Result &get()
    {
        return functionManager.getResult<Pass>(function);
    }
};

bool isMarker(const Instruction &i)
{
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&i);
    return intrinsic && (intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(i) ||
                         intrinsic->getIntrinsicID() == Intrinsic::assume ||
                         intrinsic->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

class Graph
{
  public:
    /* Without a loop: of the code outside of all loops, which runs once, or once for each
     * work-item. Work-items have nothing to do with each other but for the ends of pipes that they
     * use. */
    Graph(Analysis &all, const sl_loop_visitor &caller, Loop *of, bool forgets,
          bool ofItems = false)
        : analysis(all), visitor(caller), loop(of), loops(all.get<LoopAnalysis>()),
          forgetsMemory(forgets), items(ofItems)
    {
        collect();
        for (uint32_t i = 0; i < operations.size(); i++) {
            addValues(i);
            addConditions(i);
        }
        addPairs();
        if (loop)
            collectExits();
    }

    void describe(sl_loop_body &body) const
    {
        body.operations = handles.data();
        body.ends = ends.data();
        body.block_of = blockOf.data();
        body.operation_count = uint32_t(operations.size());
        body.block_count = uint32_t(blocks.size());
        body.edges = edges.data();
        body.edge_count = uint32_t(edges.size());
        body.exits = exits.data();
        body.exit_count = uint32_t(exits.size());
        body.ways = reinterpret_cast<const uint32_t (*)[2]>(ways.data());
        body.passes_loop = passes.data();
        body.way_count = uint32_t(ways.size() / 2);
    }

    bool hasPipes() const
    {
        return any_of(ends, [](const sl_pipe_end &end) { return end.pipe != nullptr; });
    }

  private:
    void collect()
    {
        auto take = [&](BasicBlock *block) {
            if (loops.getLoopFor(block) != loop)
                return;
            numberOf[block] = uint32_t(blocks.size());
            blocks.push_back(block);
        };
        if (loop) {
            LoopBlocksRPO order(loop);
            order.perform(&loops);
            for_each(order, take);
        } else {
            for_each(ReversePostOrderTraversal<Function *>(&analysis.function), take);
        }
        for (uint32_t b = 0; b < blocks.size(); b++) {
            addWays(b);
            for (Instruction &i : *blocks[b])
                if (!isMarker(i))
                    add(i, b);
        }
        findReach();
    }

    bool isInside(const BasicBlock *block) const
    {
        return !loop || loop->contains(block);
    }

    const BasicBlock *header() const
    {
        return loop ? loop->getHeader() : nullptr;
    }

    /* An inner loop is passed: from in front of it to behind it. */
    void addWays(uint32_t from)
    {
        SmallVector<BasicBlock *, 8> list(successors(blocks[from]));
        SmallPtrSet<BasicBlock *, 16> seen, behind; /* `behind`: of a loop that is passed */
        SmallVector<const BasicBlock *, 8> found;
        while (!list.empty()) {
            BasicBlock *to = list.pop_back_val();
            if (!isInside(to) || to == header() || !seen.insert(to).second)
                continue;
            if (loops.getLoopFor(to) == loop) {
                found.push_back(to);
                continue;
            }
            SmallVector<BasicBlock *, 8> over;
            loops.getLoopFor(to)->getExitBlocks(over);
            behind.insert(over.begin(), over.end());
            list.append(over);
        }
        for (const BasicBlock *to : found) {
            ways.insert(ways.end(), {from, numberOf.lookup(to)});
            passes.push_back(behind.contains(to));
        }
    }

    void add(Instruction &i, uint32_t block)
    {
        at[&i] = uint32_t(operations.size());
        operations.push_back(&i);
        handles.push_back(wrap(&i));
        blockOf.push_back(block);
        ends.push_back(endOf(i));
    }

    sl_pipe_end endOf(const Instruction &i) const
    {
        const auto *call = dyn_cast<CallInst>(&i);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        bool write = false;
        if (!callee || !call->arg_size() ||
            !visitor.is_pipe_operation(callee->getName().str().c_str(), &write))
            return {nullptr, 0, false};
        return sl_llvm_pipe_end(wrap(const_cast<Instruction *>(&i)), write);
    }

    /* Which blocks follow which in an iteration: both are in the order of the code. */
    void findReach()
    {
        reach.assign(blocks.size(), std::vector<bool>(blocks.size()));
        for (size_t b = blocks.size(); b-- > 0;) {
            reach[b][b] = true;
            for (size_t w = 0; w < ways.size(); w += 2)
                if (ways[w] == b && ways[w + 1] > b)
                    for (size_t to = 0; to < blocks.size(); to++)
                        reach[b][to] = reach[b][to] || reach[ways[w + 1]][to];
        }
    }

    void connect(uint32_t from, uint32_t to, uint32_t distance, sl_loop_edge_kind kind)
    {
        if (loop || !distance || (items && ends[from].pipe))
            edges.push_back({from, to, distance, kind});
    }

    /* ---- values ------------------------------------------------------------------------------ */

    void use(const Value *value, uint32_t by, uint32_t distance, sl_loop_edge_kind kind)
    {
        const auto *made = dyn_cast<Instruction>(value);
        auto found = made ? at.find(made) : at.end();
        if (found != at.end())
            connect(found->second, by, distance, kind);
    }

    void addValues(uint32_t to)
    {
        const Instruction &i = *operations[to];
        const auto *phi = dyn_cast<PHINode>(&i);
        if (!phi) {
            for (const Value *operand : i.operands())
                use(operand, to, 0, SL_EDGE_VALUE);
            return;
        }
        const bool carried = phi->getParent() == header();
        for (unsigned n = 0; n < phi->getNumIncomingValues(); n++)
            if (!carried)
                use(phi->getIncomingValue(n), to, 0, SL_EDGE_VALUE);
            else if (isInside(phi->getIncomingBlock(n)))
                use(phi->getIncomingValue(n), to, 1, SL_EDGE_VALUE);
        if (!carried)
            addChoice(*phi, to);
    }

    /* Which of its values a phi has is decided by the branches on the way to it. */
    void addChoice(const PHINode &phi, uint32_t to)
    {
        for (const BasicBlock *from : phi.blocks())
            use(conditionOf(from), to, 0, SL_EDGE_VALUE);
        const auto *node = analysis.get<DominatorTreeAnalysis>().getNode(phi.getParent());
        if (node && node->getIDom())
            use(conditionOf(node->getIDom()->getBlock()), to, 0, SL_EDGE_VALUE);
    }

    static const Value *conditionOf(const BasicBlock *block)
    {
        const Instruction *end = block->getTerminator();
        if (const auto *branch = dyn_cast<BranchInst>(end))
            return branch->isConditional() ? branch->getCondition() : end;
        const auto *choice = dyn_cast<SwitchInst>(end);
        return choice ? choice->getCondition() : end;
    }

    /* ---- conditions -------------------------------------------------------------------------- */

    /* All else may be computed before it is known whether it is wanted. */
    static bool cannotBeUndone(const Instruction &i)
    {
        return i.mayHaveSideEffects() && !i.isTerminator();
    }

    void addConditions(uint32_t to)
    {
        const Instruction &i = *operations[to];
        if (!cannotBeUndone(i) && !isa<PHINode>(i))
            return;
        if (isa<PHINode>(i) && i.getParent() == header())
            return;
        DominatorTree &dominators = analysis.get<DominatorTreeAnalysis>();
        PostDominatorTree &after = analysis.get<PostDominatorTreeAnalysis>();
        for (uint32_t b = 0; b < blocks.size(); b++) {
            const bool leaves = loop && loop->isLoopExiting(blocks[b]);
            const bool decides = b != blockOf[to] &&
                                 dominators.dominates(blocks[b], i.getParent()) &&
                                 !after.dominates(i.getParent(), blocks[b]);
            if (decides)
                use(conditionOf(blocks[b]), to, 0, SL_EDGE_CONTROL);
            else if (leaves && cannotBeUndone(i)) /* of the iteration before */
                use(conditionOf(blocks[b]), to, 1, SL_EDGE_CONTROL);
        }
    }

    void collectExits()
    {
        ScalarEvolution &evolution = analysis.get<ScalarEvolutionAnalysis>();
        for (BasicBlock *block : blocks) {
            if (!loop->isLoopExiting(block) ||
                !isa<SCEVCouldNotCompute>(evolution.getExitCount(loop, block)))
                continue;
            const auto *made = dyn_cast<Instruction>(conditionOf(block));
            auto found = made ? at.find(made) : at.end();
            if (found != at.end())
                exits.push_back(found->second);
        }
    }

    /* ---- memory and pipes -------------------------------------------------------------------- */

    bool follows(uint32_t from, uint32_t to) const
    {
        return blockOf[from] == blockOf[to] ? from < to : reach[blockOf[from]][blockOf[to]];
    }

    static bool isPlain(const Instruction &i)
    {
        return isa<LoadInst>(i) || isa<StoreInst>(i);
    }

    static bool mayMeet(const sl_pipe_end &a, const sl_pipe_end &b)
    {
        return a.pipe == b.pipe && a.write == b.write &&
               (a.offset == b.offset || a.offset == SL_ANY_ELEMENT || b.offset == SL_ANY_ELEMENT);
    }

    /* Address spaces are memories of their own; those above generic are parts of global memory. */
    static bool areApart(const Instruction &a, const Instruction &b)
    {
        enum { Global = 1, Generic = 4 };
        auto spaceOf = [](const Instruction &i) {
            const Value *object = getUnderlyingObject(getLoadStorePointerOperand(&i));
            const unsigned space = object->getType()->getPointerAddressSpace();
            return space > Generic ? unsigned(Global) : space;
        };
        const unsigned x = spaceOf(a), y = spaceOf(b);
        return x != y && x != Generic && y != Generic;
    }

    void addPairs()
    {
        std::vector<uint32_t> all;
        for (uint32_t i = 0; i < operations.size(); i++)
            if (operations[i]->mayReadOrWriteMemory())
                all.push_back(i);
        for (size_t a = 0; a < all.size(); a++)
            for (size_t b = a; b < all.size(); b++)
                addPair(all[a], all[b]);
    }

    void addPair(uint32_t a, uint32_t b)
    {
        Instruction &first = *operations[a], &second = *operations[b];
        if (ends[a].pipe || ends[b].pipe) {
            if (ends[a].pipe && ends[b].pipe && mayMeet(ends[a], ends[b]))
                keepOrder(a, b);
        } else if (isPlain(first) && isPlain(second)) {
            if ((isa<StoreInst>(first) || isa<StoreInst>(second)) && !areApart(first, second))
                addMemory(a, b);
        } else if (first.mayWriteToMemory() || second.mayWriteToMemory()) {
            keepOrder(a, b);
        }
    }

    void keepOrder(uint32_t a, uint32_t b)
    {
        if (a != b && follows(a, b))
            connect(a, b, 0, SL_EDGE_ORDER);
        connect(b, a, 1, SL_EDGE_ORDER);
        if (a != b && !follows(a, b))
            connect(a, b, 1, SL_EDGE_ORDER);
    }

    sl_loop_edge_kind kindOf(uint32_t from, uint32_t to) const
    {
        return isa<StoreInst>(operations[from]) && isa<LoadInst>(operations[to]) ? SL_EDGE_MEMORY
                                                                                 : SL_EDGE_ANTI;
    }

    void carry(uint32_t from, uint32_t to, uint32_t distance)
    {
        if (!forgetsMemory)
            connect(from, to, distance, kindOf(from, to));
    }

    void addMemory(uint32_t a, uint32_t b)
    {
        if (a == b)
            return; /* a store follows itself */
        std::unique_ptr<Dependence> found =
            analysis.get<DependenceAnalysis>().depends(operations[a], operations[b]);
        if (!found)
            return;
        const unsigned level = loop ? loop->getLoopDepth() : 1;
        if (!loop || found->isConfused() || level > found->getLevels()) {
            if (follows(a, b))
                connect(a, b, 0, kindOf(a, b));
            carry(b, a, 1);
            carry(a, b, 1);
            return;
        }
        for (unsigned outer = 1; outer < level; outer++)
            if (!(found->getDirection(outer) & Dependence::DVEntry::EQ))
                return; /* in other iterations of an outer loop */
        const unsigned direction = found->getDirection(level);
        const uint32_t distance = distanceOf(*found, level);
        if (direction & Dependence::DVEntry::EQ && follows(a, b))
            connect(a, b, 0, kindOf(a, b));
        if (direction & Dependence::DVEntry::LT)
            carry(a, b, distance);
        if (direction & Dependence::DVEntry::GT)
            carry(b, a, distance);
    }

    static uint32_t distanceOf(const Dependence &found, unsigned level)
    {
        const auto *number = dyn_cast_or_null<SCEVConstant>(found.getDistance(level));
        if (!number)
            return 1;
        const uint64_t distance = number->getAPInt().abs().getLimitedValue(UINT32_MAX);
        return distance ? uint32_t(distance) : 1;
    }

    Analysis &analysis;
    const sl_loop_visitor &visitor;
    Loop *const loop;
    LoopInfo &loops;
    const bool forgetsMemory, items;
    std::vector<BasicBlock *> blocks;
    std::vector<std::vector<bool>> reach;
    DenseMap<const BasicBlock *, uint32_t> numberOf;
    DenseMap<const Instruction *, uint32_t> at;
    std::vector<Instruction *> operations;
    std::vector<LLVMValueRef> handles;
    std::vector<sl_pipe_end> ends;
    std::vector<uint32_t> blockOf, ways, exits;
    std::vector<uint8_t> passes;
    std::vector<sl_loop_edge> edges;
};

void placeOf(const Loop &loop, const LoopInfo &loops, sl_loop_body &body)
{
    const DILocation *place = sluice::placeOfLoop(loop, loops);
    body.file = "";
    if (!place)
        return;
    body.line = place->getLine();
    body.column = place->getColumn();
    body.file = place->getFilename().data();
    body.copied = sluice::isCopied(*loop.getHeader()->getParent(), *place);
}

bool meetsIn(const Loop &loop, const sl_loop_visitor &visitor)
{
    for (const BasicBlock *block : loop.blocks())
        for (const Instruction &i : *block) {
            const auto *call = dyn_cast<CallInst>(&i);
            const Function *callee = call ? call->getCalledFunction() : nullptr;
            if (callee && visitor.meets(callee->getName().str().c_str()))
                return true;
        }
    return false;
}

} // namespace

struct sl_pipe_end sl_llvm_pipe_end(LLVMValueRef handle, bool write)
{
    const auto *call = unwrap<CallInst>(handle);
    const DataLayout &layout = call->getModule()->getDataLayout();
    const Value *pipe = call->getArgOperand(0);
    APInt offset(layout.getIndexTypeSizeInBits(pipe->getType()), 0);
    const Value *root = pipe->stripAndAccumulateConstantOffsets(layout, offset, true);
    const Value *object = getUnderlyingObject(root);
    return {wrap(const_cast<Value *>(object)),
            object == root ? offset.getSExtValue() : SL_ANY_ELEMENT, write};
}

LLVMValueRef sl_llvm_object_of(LLVMValueRef pointer)
{
    return wrap(const_cast<Value *>(getUnderlyingObject(unwrap(pointer))));
}

void sl_llvm_visit_loops(LLVMValueRef handle, const struct sl_loop_visitor *visitor)
{
    Analysis analysis(*unwrap<Function>(handle));
    LoopInfo &loops = analysis.get<LoopAnalysis>();
    ScalarEvolution &evolution = analysis.get<ScalarEvolutionAnalysis>();
    DenseMap<const Loop *, uint32_t> numbers;
    SmallPtrSet<const Loop *, 4> passed;
    uint32_t count = 0;
    for (Loop *loop : loops.getLoopsInPreorder()) {
        sl_loop_body body = {};
        placeOf(*loop, loops, body);
        const bool forgets =
            visitor->forgets_memory(visitor->data, body.file, body.line, body.column);
        Graph graph(analysis, *visitor, loop, forgets);
        graph.describe(body);
        body.unrolled = unrolledTimes(*loop);
        body.kept_rolled = isKeptRolled(*loop);
        if (passed.contains(loop->getParentLoop()) || (isRemainder(*loop) && !graph.hasPipes())) {
            passed.insert(loop); /* its rounds count as the loop's */
            continue;
        }
        const LoopCopies copies = copiesOf(*loop);
        std::vector<sl_loop_around> around;
        for (const UnrolledAround &of : copies.around)
            around.push_back({of.line, of.column, of.number, of.of});
        body.copies = copies.count;
        body.in_turn = copies.inTurn;
        body.around = around.data();
        body.around_count = uint32_t(around.size());
        numbers[loop] = count;
        body.parent = loop->getParentLoop() ? int32_t(numbers[loop->getParentLoop()]) : -1;
        body.nesting = loop->getLoopDepth();
        body.trips = evolution.getSmallConstantTripCount(loop);
        body.innermost = loop->isInnermost();
        body.meets = meetsIn(*loop, *visitor);
        visitor->take(visitor->data, count++, &body);
    }
    const bool items =
        loops.empty() && visitor->are_iterations && visitor->are_iterations(visitor->data, handle);
    sl_loop_body body = {};
    Graph graph(analysis, *visitor, nullptr, items, items);
    graph.describe(body);
    body.parent = -1;
    if (items) {
        const DISubprogram *place = unwrap<Function>(handle)->getSubprogram();
        body.items = body.innermost = true;
        body.nesting = 1;
        body.line = place ? place->getLine() : 0;
        body.file = place ? place->getFilename().data() : "";
        visitor->take(visitor->data, 0, &body);
        body = {};
        body.parent = -1;
    }
    body.file = "";
    visitor->take_rest(visitor->data, &body);
}
