/* SPDX-License-Identifier: Apache-2.0 */
/* What LLVM's elimination of tail calls wants to see: calls right before their returns. */
#ifndef SL_KERNELS_TAIL_POSITION_H
#define SL_KERNELS_TAIL_POSITION_H

namespace llvm
{
class Function;
}

namespace sluice
{

/* Calls of itself whose value only goes into what the function returns move down to where it is
 * used, behind whatever is computed in between. */
void moveCallsDown(llvm::Function &);

/* Paths that meet between such a call and a return get returns of their own; and those that end
 * with the same operation on the value share one call, since LLVM makes only one a running sum. */
void giveReturns(llvm::Function &);

} // namespace sluice

#endif
