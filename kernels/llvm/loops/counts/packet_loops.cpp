/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/counts/packet_loops.h"

#include "llvm/loops/analyses.h"
#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

/* Of a round. */
struct Size {
    uint64_t packets = 0, marks = 0, instructions = 0;

    void add(const Size &other, uint64_t times)
    {
        packets = SaturatingMultiplyAdd(other.packets, times, packets);
        marks = SaturatingMultiplyAdd(other.marks, times, marks);
        instructions = SaturatingMultiplyAdd(other.instructions, times, instructions);
    }
};

class Nests
{
  public:
    Nests(Function &f, const sl_packet_loops &w) : in(f), wishes(w)
    {
    }

    void run()
    {
        for (Loop *loop : in.loops)
            visit(*loop);
    }

  private:
    void visit(Loop &loop)
    {
        Size size;
        if (!movesPackets(loop))
            return;
        const unsigned rounds = in.evolution.getSmallConstantTripCount(&loop);
        if ((!rounds || rounds >= wishes.fewest_rounds) && measure(loop, size) &&
            size.packets <= wishes.most_packets && size.marks <= wishes.most_marks &&
            size.instructions <= wishes.most_instructions)
            return unroll(loop);
        for (Loop *inner : loop)
            visit(*inner);
    }

    sl_packet_call kindOf(Instruction &i) const
    {
        return wishes.kind(wishes.data, wrap(&i));
    }

    static bool isCall(const Instruction &i)
    {
        return isa<CallBase>(i) && !isa<IntrinsicInst>(i);
    }

    bool movesPackets(const Loop &loop) const
    {
        return any_of(loop.blocks(), [&](BasicBlock *block) {
            return any_of(*block, [&](Instruction &i) {
                return isCall(i) && kindOf(i) == SL_CALL_MOVES_PACKET;
            });
        });
    }

    bool isInEachRound(const Loop &loop, const BasicBlock *block) const
    {
        return in.dominators.dominates(block, loop.getLoopLatch());
    }

    /* What stands in the loop itself; false: there is something that cannot be. */
    bool measureBlock(const Loop &loop, BasicBlock &block, Size &size) const
    {
        for (Instruction &i : block) {
            size.instructions += !i.isDebugOrPseudoInst();
            if (i.isAtomic() || i.isVolatile())
                return false;
            if (!isCall(i))
                continue;
            const sl_packet_call kind = kindOf(i);
            size.packets += kind == SL_CALL_MOVES_PACKET;
            size.marks += kind == SL_CALL_MARKS_LOOP;
            if (kind == SL_CALL_OTHER || !isInEachRound(loop, &block))
                return false;
        }
        return true;
    }

    /* Loops without packets stay as they are, if always as long. */
    bool measure(Loop &loop, Size &size)
    {
        if (!loop.getLoopLatch())
            return false;
        for (BasicBlock *block : loop.blocks())
            if (in.loops.getLoopFor(block) == &loop && !measureBlock(loop, *block, size))
                return false;
        return all_of(loop, [&](Loop *inner) {
            Size round;
            const unsigned rounds = in.evolution.getSmallConstantTripCount(inner);
            if (!rounds || !isInEachRound(loop, inner->getHeader()) || !measure(*inner, round))
                return false;
            if (round.packets && sluice::hasUnrollWish(*inner))
                return false;
            size.add(round, round.packets ? rounds : 1);
            return true;
        });
    }

    /* What is in it, from the inside: LLVM takes loops in that order, too. */
    void unroll(Loop &loop)
    {
        for (Loop *inner : loop)
            if (movesPackets(*inner)) {
                unroll(*inner);
                addStringMetadataToLoop(inner, "llvm.loop.unroll.full", 1);
            }
    }

    sluice::Analyses in;
    const sl_packet_loops &wishes;
};

} // namespace

void sl_llvm_unroll_packet_loops(LLVMValueRef function, const struct sl_packet_loops *wishes)
{
    Nests(*unwrap<Function>(function), *wishes).run();
}
