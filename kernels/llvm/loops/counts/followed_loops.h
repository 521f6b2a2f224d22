/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a nest of loops computes from constants alone: its rounds are gone through, one after the
 * other, as they will stand there once it is unrolled. One thread's; a module belongs to one.
 */
#ifndef SL_KERNELS_LLVM_FOLLOWED_LOOPS_H
#define SL_KERNELS_LLVM_FOLLOWED_LOOPS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Instructions.h>
#include <memory>
#include <vector>

#include "llvm/loops/analyses.h"

namespace sluice
{

class FollowedLoops
{
  public:
    /* Asked of each instruction that is come to, while find() says what its operands are there;
     * false: enough. */
    using Visit = llvm::function_ref<bool(const llvm::Instruction &)>;

    /* `arrays` are at places of their own, as numbers. A loop of more rounds is not gone through,
     * nor one that `may_follow` does not want, and not more instructions in all. `numbers`: what is
     * computed in floating point is looked at, too. */
    FollowedLoops(Analyses &in, const llvm::DataLayout &layout,
                  llvm::ArrayRef<llvm::AllocaInst *> arrays, unsigned most_rounds, uint64_t most,
                  bool (*may_follow)(llvm::Loop &), bool numbers);

    /* From unknown values in front of it; false: an exit depends on something else, it is too long,
     * or `visit` had enough. */
    bool follow(llvm::Loop &loop, Visit visit);

    /* NULL: it is not made of constants. */
    llvm::Constant *find(const llvm::Value *value) const;

    /* Instructions that the last call of follow() went through. */
    uint64_t size() const
    {
        return m_size;
    }

    /* Those of them that are no constants, and those that are floating-point constants. */
    uint64_t left() const
    {
        return m_left;
    }
    uint64_t floats() const
    {
        return m_floats;
    }

  private:
    using Blocks = std::vector<llvm::BasicBlock *>;
    using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

    bool followRounds(llvm::Loop &loop, Visit visit);
    bool followRound(llvm::Loop &loop, Visit visit, bool &again);
    bool followInner(llvm::Loop &loop, Visit visit);
    bool followBlock(const llvm::BasicBlock &block, bool is_header, Visit visit);
    bool isReached(const llvm::BasicBlock &block) const;
    bool setHeader(const llvm::Loop &loop, bool first);
    const llvm::BasicBlock *onlyWay(const llvm::BasicBlock &block) const;
    void setWays(const llvm::BasicBlock &block);
    void forgetWays(const llvm::BasicBlock &block);
    void set(const llvm::Value &value, llvm::Constant *is);
    llvm::Constant *fold(const llvm::Instruction &i) const;
    llvm::Constant *foldPhi(const llvm::PHINode &phi) const;
    const Blocks &order(const llvm::Loop &loop);

    Analyses &m_in;
    const llvm::DataLayout &m_layout;
    const bool m_numbers;
    const unsigned m_mostRounds;
    const uint64_t m_most;
    bool (*const m_mayFollow)(llvm::Loop &);
    uint64_t m_size = 0, m_left = 0, m_floats = 0;
    llvm::DenseMap<const llvm::Value *, llvm::Constant *> m_places, m_values;
    llvm::DenseSet<Edge> m_ways;
    llvm::DenseMap<const llvm::Loop *, std::unique_ptr<Blocks>> m_orders;
};

} // namespace sluice

#endif
