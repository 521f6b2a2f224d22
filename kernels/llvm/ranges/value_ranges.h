/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the integers of a function may be, at a place in it: by what they are computed of, by the
 * branches that lead there, by loops that count or go through states. It does not depend on what
 * an optimiser would make of the function, as long as variables are values and helpers are inlined.
 * The function must not change meanwhile. No locks: a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_VALUE_RANGES_H
#define SL_KERNELS_LLVM_VALUE_RANGES_H

#include "llvm/ranges/value_set.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <set>

struct sl_launch_shape;

namespace sluice
{

/* A branch that is taken on the way to a place; or one of several, where their ways meet. */
struct Guard {
    const llvm::Value *asked; /* i1 of a branch, any integer of a switch; NULL: several */
    const llvm::BasicBlock *at, *to;
    bool holds;                  /* of a branch */
    const llvm::SwitchInst *way; /* NULL: a branch */
};

/* A block, or the way from one block to another. */
struct Place {
    const llvm::BasicBlock *block, *to = nullptr;
};

/* What a switch may have asked for on this way. */
ValueSet casesOf(const Guard &, ValueSet all);

using Leaves = llvm::SetVector<const llvm::Value *>;

/* What some values are taken for, and what follows; each a question of its own. */
struct Assumption {
    llvm::DenseMap<const llvm::Value *, ValueSet> values;
    llvm::DenseMap<const llvm::Value *, ValueSet> known; /* what was computed */
};

class ValueRanges
{
  public:
    ValueRanges(llvm::Function &, const sl_launch_shape &);

    /* Before any question about such values, at such places. */
    void solve(llvm::ArrayRef<const llvm::Value *> values, llvm::ArrayRef<Place> places);

    ValueSet at(const llvm::Value *value, const Place &place)
    {
        return ask(value, place, nullptr, 0);
    }
    ValueSet at(const llvm::Value *value, const Place &place, Assumption &assumption)
    {
        return ask(value, place, &assumption, 0);
    }
    bool isReached(const Place &);
    llvm::SmallVector<Guard, 16> guardsOf(const Place &place) const
    {
        return guardsFrom(nullptr, place);
    }
    /* Does the branch go that way, seen from the place: {0}, {1} or {0, 1}; none: nobody asks it */
    ValueSet passes(const Guard &, const Place &, Assumption &);

    /* What the value is computed of: not constants, nor what is computed itself. */
    void leavesOf(const llvm::Value *, Leaves &) const;
    void leavesOf(const Guard &, Leaves &) const;
    /* All that the leaf may be it is, once in each run to its place: it counts. */
    bool takesAll(const llvm::Value *leaf, unsigned depth = 0) const;
    /* Constants that values are divided by, or masked as if they were. */
    void divisorsOf(const llvm::Value *, std::set<uint64_t> &) const;
    void divisorsOf(const Guard &, std::set<uint64_t> &) const;

  private:
    using Phis = llvm::SetVector<const llvm::PHINode *>;
    using Key = std::pair<const llvm::Value *,
                          std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>;

    void findGuards(llvm::Function &);
    bool isMeeting(const llvm::BasicBlock &, Guard &) const;
    /* From the last one back to `start`, NULL: to the entry. */
    llvm::SmallVector<Guard, 16> guardsFrom(const llvm::BasicBlock *start, const Place &) const;
    ValueSet passesOneWay(const Guard &meeting, const Place &, Assumption &);
    void findLimits(llvm::Function &);
    void follow(const llvm::Value *, Phis &, llvm::DenseSet<const llvm::Value *> &) const;
    void followWay(const Place &, Phis &, llvm::DenseSet<const llvm::Value *> &) const;
    Phis behind(const llvm::PHINode &) const;
    void iterate(const Phis &);
    void narrow(const Phis &);
    ValueSet incoming(const llvm::PHINode &);
    ValueSet widened(const ValueSet &before, const ValueSet &now, unsigned changes) const;
    void forget();

    ValueSet ask(const llvm::Value *, const Place &, Assumption *, unsigned depth);
    ValueSet compute(const llvm::Value *, const Place &, Assumption *, unsigned depth);
    ValueSet cast(const llvm::CastInst &, const Place &, Assumption *, unsigned depth);
    ValueSet compare(const llvm::ICmpInst &, const Place &, Assumption *, unsigned depth);
    ValueSet select(const llvm::SelectInst &, const Place &, Assumption *, unsigned depth);
    ValueSet arm(const llvm::SelectInst &, bool holds, const Place &, unsigned depth);
    ValueSet call(const llvm::CallInst &, const Place &, Assumption *, unsigned depth);
    ValueSet workItem(const llvm::CallInst &) const;
    ValueSet load(const llvm::LoadInst &, const Place &, Assumption *, unsigned depth);
    ValueSet lane(const llvm::Value *vector, uint64_t index, const Place &, Assumption *,
                  unsigned depth);

    bool mentions(const llvm::Value *expression, const llvm::Value *value);
    ValueSet metAt(ValueSet, const llvm::Value *, const Guard &meeting, unsigned depth);
    ValueSet guarded(ValueSet, const llvm::Value *, const Guard &, unsigned depth);
    ValueSet limited(ValueSet, const llvm::Value *, const llvm::Value *asked, bool holds,
                     const Place &, unsigned depth);
    ValueSet limitedByWay(ValueSet, const llvm::Value *, const llvm::PHINode &asked, bool holds,
                          const Place &, unsigned depth);
    ValueSet compared(ValueSet, const llvm::Value *, const llvm::ICmpInst &, bool holds,
                      const Place &, unsigned depth);
    ValueSet unfolded(ValueSet, const llvm::Value *, const llvm::Value *expression,
                      const ValueSet &may);
    ValueSet unfoldedCast(ValueSet, const llvm::Value *, const llvm::Value *expression,
                          const ValueSet &may);

    const sl_launch_shape &shape;
    const llvm::DataLayout &layout;
    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;
    llvm::DenseMap<const llvm::BasicBlock *, Guard> own; /* on the only way into a block */
    /* The nearest block with such a guard that all ways to a block go through, or NULL. */
    llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> above;
    std::set<int64_t> limits; /* what is compared with, and neighbours */
    llvm::DenseMap<const llvm::PHINode *, ValueSet> states;
    llvm::DenseMap<const llvm::Value *, llvm::DenseSet<const llvm::Value *>> mentioned;
    /* Of the present states. */
    llvm::DenseMap<Key, ValueSet> memory;
    llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, bool> reached;
};

} // namespace sluice

#endif
