/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways out of a scope. Where variables end clang joins all of them in one block, and behind that a
 * switch asks for the number of the way that was taken: by such a block a loop that is only left by
 * `return` seems to lead back to the one around it, and so does what comes in front of a `break`.
 * Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_LLVM_SCOPE_EXITS_H
#define SL_KERNELS_LLVM_SCOPE_EXITS_H

namespace llvm
{
class Function;
}

namespace sluice
{
/* Of a function as the front end made it: ways out of scopes have blocks of their own, and code
 * that nothing leads to is gone, conditions that are constants among what nothing leads past. */
void separateExits(llvm::Function &);
} // namespace sluice
#endif
