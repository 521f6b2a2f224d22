/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many iterations of the source an iteration of a loop has become, where #pragma unroll asks
 * for that. LLVM's pass does not tell: loops have a call in them while it runs, and the copies of
 * that are counted. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_UNROLLED_LOOPS_H
#define SL_KERNELS_LLVM_UNROLLED_LOOPS_H

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

#endif
