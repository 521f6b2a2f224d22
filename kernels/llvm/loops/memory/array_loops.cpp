/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/loops/memory/array_loops.h"

#include "llvm/loops/analyses.h"
#include "llvm/loops/counts/followed_loops.h"
#include "llvm/loops/loop_questions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace
{

constexpr unsigned mostRounds = 65;    /* one more than are wanted: clang's loops ask in front */
constexpr uint64_t mostBytes = 1024;   /* of an array */
constexpr uint64_t mostWalked = 8192;  /* instructions that are gone through at once */
constexpr uint64_t fewestNumbers = 64; /* constants for whose sake alone a loop is unrolled */
constexpr uint64_t mostSteps = 8;      /* of looking for them, times what they may become */

using LoopSet = SmallSetVector<Loop *, 8>;

/* How often a program wants a loop unrolled is less than what is needed here; what it wants as it
 * is stays so. */
bool mayUnroll(Loop &loop)
{
    return !findOptionMDForLoop(&loop, "llvm.loop.unroll.disable") &&
           !sluice::anyOf(loop, sluice::itemsMeet);
}

bool mayUnrollDesign(Loop &loop)
{
    return !sluice::anyOf(loop, sluice::itemsMeet);
}

void unrollAll(Loop &loop)
{
    LLVMContext &context = loop.getHeader()->getContext();
    MDNode *wish = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"));
    loop.setLoopID(
        makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {wish}));
}

bool isAccess(const Instruction &user, const Value &pointer)
{
    if (const auto *store = dyn_cast<StoreInst>(&user))
        return store->isSimple() && store->getValueOperand() != &pointer;
    const auto *load = dyn_cast<LoadInst>(&user);
    return load && load->isSimple();
}

/* With its place where nothing but constants goes in. */
bool isConstantPlace(Value *place)
{
    while (auto *element = dyn_cast<GetElementPtrInst>(place)) {
        if (!element->hasAllConstantIndices())
            return false;
        place = element->getPointerOperand();
    }
    return isa<AllocaInst>(place);
}

using Accesses = DenseMap<const Instruction *, Value *>; /* with their places */

/* False: it can never be values. */
bool findAccesses(AllocaInst &array, Accesses &accesses)
{
    SmallSetVector<Value *, 32> pointers;
    pointers.insert(&array);
    for (size_t p = 0; p < pointers.size(); p++)
        for (User *user : pointers[p]->users()) {
            auto &i = *cast<Instruction>(user);
            if (i.isLifetimeStartOrEnd())
                continue;
            if (isa<GetElementPtrInst, PHINode, SelectInst>(i))
                pointers.insert(&i);
            else if (isAccess(i, *pointers[p]))
                accesses[&i] = pointers[p];
            else
                return false;
        }
    return true;
}

class ArrayLoops
{
  public:
    ArrayLoops(sluice::Analyses &in, const DataLayout &layout, ArrayRef<AllocaInst *> arrays,
               uint64_t most, bool numbers, bool (*may_unroll)(Loop &))
        : m_in(in), m_walk(in, layout, arrays, mostRounds, mostWalked, may_unroll, numbers),
          m_numbers(numbers), m_most(most), m_steps(mostSteps * mostWalked)
    {
    }

    /* All that is inside of these is unrolled with them. */
    const LoopSet &nests() const
    {
        return m_nests;
    }

    /* Those that the array needs, if it can be values then and there is room. */
    void add(AllocaInst &array)
    {
        LoopSet nests = m_nests;
        uint64_t size = m_size;
        if (!findNests(array, nests, size) || size > m_most)
            return;
        m_nests = std::move(nests);
        m_size = size;
    }

    /* The smallest around this one that is constant numbers for the most part then: cosines of
     * `(2 * j + 1) * k * step`, weights `exp(-j * j)`. */
    void addConstantNumbers(Loop *loop)
    {
        for (; loop && m_steps; loop = loop->getParentLoop()) {
            if (!mayUnroll(*loop) || findOptionMDForLoop(loop, "llvm.loop.unroll.count"))
                return;
            if (isInside(loop, m_nests))
                continue;
            const bool known = m_walk.follow(*loop, [](const Instruction &) { return true; });
            m_steps -= std::min(m_steps, m_walk.size());
            if (!known)
                return;
            if (m_walk.floats() < fewestNumbers || m_walk.floats() < 2 * m_walk.left() ||
                m_size + m_walk.left() > m_most)
                continue;
            m_size += m_walk.left();
            m_nests.insert(loop);
        }
    }

  private:
    bool findNests(AllocaInst &array, LoopSet &nests, uint64_t &size)
    {
        Accesses accesses;
        LoopSet settled;
        if (!findAccesses(array, accesses))
            return false;
        for (auto &[access, place] : accesses) {
            Loop *inside = m_in.loops.getLoopFor(access->getParent());
            if (isConstantPlace(place) || isInside(inside, settled))
                continue;
            Loop *nest = findNest(inside, [&](const Instruction &i) {
                const Value *known = accesses.lookup(&i);
                return !known || m_walk.find(known);
            });
            if (!nest)
                return false;
            settled.insert(nest);
            size += !nests.insert(nest) ? 0 : m_numbers ? m_walk.left() : m_walk.size();
        }
        return true;
    }

    static bool isInside(Loop *loop, const LoopSet &nests)
    {
        for (; loop; loop = loop->getParentLoop())
            if (nests.contains(loop))
                return true;
        return false;
    }

    /* The smallest in which all that is asked of is known. */
    Loop *findNest(Loop *loop, sluice::FollowedLoops::Visit is_known)
    {
        for (; loop && m_steps; loop = loop->getParentLoop()) {
            const bool all_known = m_walk.follow(*loop, is_known);
            m_steps -= std::min(m_steps, m_walk.size());
            if (all_known)
                return loop;
        }
        return nullptr;
    }

    sluice::Analyses &m_in;
    sluice::FollowedLoops m_walk;
    LoopSet m_nests;
    const bool m_numbers;
    const uint64_t m_most;
    uint64_t m_size = 0, m_steps;
};

} // namespace

bool sl_llvm_unroll_array_loops(LLVMValueRef handle, uint32_t most, uint32_t most_apart,
                                bool is_design)
{
    auto &f = *unwrap<Function>(handle);
    SmallVector<AllocaInst *, 8> arrays;
    for (Instruction &i : f.getEntryBlock())
        if (auto *array = dyn_cast<AllocaInst>(&i))
            if (array->getAllocatedType()->isArrayTy() && array->isStaticAlloca() &&
                f.getDataLayout().getTypeAllocSize(array->getAllocatedType()) <= mostBytes)
                arrays.push_back(array);
    if (none_of(instructions(f), sluice::itemsMeet))
        most = most_apart;
    if (!most)
        return false;
    sluice::Analyses in(f);
    ArrayLoops loops(in, f.getDataLayout(), arrays, most, most_apart > 0,
                     is_design ? mayUnrollDesign : mayUnroll);
    for (AllocaInst *array : arrays)
        loops.add(*array);
    for (Loop *loop : in.loops.getLoopsInPreorder())
        if (most_apart && loop->isInnermost())
            loops.addConstantNumbers(loop);
    bool depends = false;
    for (Loop *nest : loops.nests())
        for (Loop *loop : nest->getLoopsInPreorder()) {
            depends |= !in.evolution.getSmallConstantTripCount(loop);
            unrollAll(*loop);
        }
    return depends;
}
