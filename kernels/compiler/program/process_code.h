/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of dataflow regions. Each call becomes a kernel that starts by itself and runs again and
 * again, "kernel.function": it waits for a packet with the arguments of a call, makes the call and
 * tells the next ones, or the function, that it has. All of it are pipes of the program, so
 * profile, stall report and clock know about processes what they know about kernels:
 *
 *   K.f.start     the function to the process: what to do, and the arguments
 *   K.f.end       back, when the region ends
 *   K.f.g.full    between two calls that use the same memory: the first is through
 *   K.f.g.room    in loops, the other way in effect: the first writes where it begins and the
 *                 second reads where it ends, so that the first cannot be further ahead
 *   K.turn        launches of the kernel have the region one after the other
 *
 * Variables of the function that processes use become the program's; those that begin anew in each
 * round of a loop are two. No locks: the module belongs to a build.
 */
#ifndef SL_KERNELS_PROCESS_CODE_H
#define SL_KERNELS_PROCESS_CODE_H

#include "compiler/program/region.h"

/* `kernel` names it all. The region is good. */
void sl_process_code(const struct sl_flow_region *, LLVMValueRef kernel);
/* Once for a function that has regions: behind the last of them. */
void sl_process_turns(LLVMValueRef function, LLVMValueRef kernel, LLVMValueRef place);

#endif
