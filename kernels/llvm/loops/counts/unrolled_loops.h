/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many iterations of the source an iteration of a loop has become, where #pragma unroll asks
 * for that. LLVM's pass does not tell: loops have a call in them while it runs, and the copies of
 * that are counted. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_UNROLLED_LOOPS_H
#define SL_KERNELS_LLVM_UNROLLED_LOOPS_H

#include <llvm/ADT/SmallVector.h>

namespace llvm
{
class Loop;
class Module;
} // namespace llvm

/* In front of the pass, and behind it. */
void markUnrolledLoops(llvm::Module &);
void countUnrolledLoops(llvm::Module &);

/* Behind that: iterations of the source in one; 1 where it was not unrolled. */
unsigned unrolledTimes(const llvm::Loop &);
/* Of a loop that is left as it is although the source asks for that; was it? */
void keepRolled(llvm::Loop &);
bool isKeptRolled(const llvm::Loop &);
/* It does what another loop, which was unrolled, has left. */
bool isRemainder(const llvm::Loop &);

/* A loop of the source around one that was copied with its iterations. */
struct UnrolledAround {
    unsigned line, column; /* its place */
    unsigned number, of;   /* the iteration, from 0, that the copy is of; among so many that are
                              one, 0: all of the loop's */
};
struct LoopCopies {
    unsigned count = 0; /* that the loop was once among, before any vanished; 0: none but it */
    bool inTurn = true; /* nothing passes any of them by */
    llvm::SmallVector<UnrolledAround, 2> around; /* from the outside inwards */
};
/* Behind that as well. */
LoopCopies copiesOf(const llvm::Loop &);

#endif
