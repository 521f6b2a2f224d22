/* SPDX-License-Identifier: Apache-2.0 */
/* Components of a vector that a loop adds to. Stateless; a function belongs to one thread. */
#ifndef SL_KERNELS_LLVM_COMPONENT_PLACES_H
#define SL_KERNELS_LLVM_COMPONENT_PLACES_H

#include <llvm/Analysis/LoopInfo.h>

namespace sluice
{

/* `v[i].x += a; v[i].y += b;` stores components one by one (component_stores.h), but loads all of
 * the vector for each. Where that is at one address in all rounds the loads become those of the
 * components that are asked for, and each component has one pointer, made in front of the loop.
 * The loop has a preheader. Was there any? */
bool separateComponents(llvm::Loop &loop);

} // namespace sluice

#endif
