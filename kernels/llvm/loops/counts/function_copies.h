/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions with loops that a kernel comes to in several ways. In a circuit each of these is a copy
 * of its own, and one may vanish where another stays (a loop that goes round once): so each is a
 * function of its own, whose loops can have names of their own. Stateless; a module belongs to one
 * thread.
 */
#ifndef SL_KERNELS_LLVM_FUNCTION_COPIES_H
#define SL_KERNELS_LLVM_FUNCTION_COPIES_H

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm
{
class Function;
class Module;
} // namespace llvm

namespace sluice
{
/* Of a module as the front end made it: no kernel comes to a function with loops in two ways, up to
 * a number of copies. Kernels share them. */
void separateCopies(llvm::Module &);

/* Which functions kernels are made of, as long as calls stay what they are. */
class Kernels
{
  public:
    explicit Kernels(const llvm::Module &);
    /* One of them has both, or is one and has the other. */
    bool join(const llvm::Function &, const llvm::Function &) const;

  private:
    llvm::SmallVector<llvm::SmallPtrSet<const llvm::Function *, 4>, 8> parts;
};
} // namespace sluice
#endif
