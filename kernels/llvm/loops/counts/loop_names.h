/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of loops: each has a place in the source of its own, as part of the metadata of its one
 * way back, where simplifications keep it. Without that LLVM says of a loop what the end of another
 * one has, where both go back from one block, or what stands in front. Stateless; a module belongs
 * to one thread.
 */
#ifndef SL_KERNELS_LLVM_LOOP_NAMES_H
#define SL_KERNELS_LLVM_LOOP_NAMES_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Of a module as the front end made it. The place is the front end's,
 * or of a loop that a jump makes, its first operation's; of several loops at one place (a macro's)
 * those inside have further columns, and so have loops of another file. Pragmas (!sl.loops) of a
 * place count for all loops of their file that were there. Loops in which nothing has a line keep
 * none. Ways out of scopes are apart then (scope_exits.h), so that all that follows sees the same
 * loops.
 */
void sl_llvm_name_loops(LLVMModuleRef);

#ifdef __cplusplus
}

namespace llvm
{
class DILocation;
class Function;
class Loop;
class LoopInfo;
class Module;
} // namespace llvm

namespace sluice
{
/* Keeps them for loops that lose their name; of a copy whose loops have names. */
void notePlacesOfLoops(llvm::Module &);
/* Where the loop is in the source; nullptr: nobody knows. As LLVM says in a module whose loops have
 * no names. */
const llvm::DILocation *placeOfLoop(const llvm::Loop &, const llvm::LoopInfo &);
/* Notes which functions a kernel calls several times, in its own code or that of others, before
 * they are inlined. */
void noteCopies(llvm::Module &);
/* The place is in such a function. */
bool isCopied(const llvm::Function &kernel, const llvm::DILocation &place);
} // namespace sluice
#endif
#endif
