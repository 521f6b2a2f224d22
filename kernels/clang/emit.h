/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's code generator as a function: a module in, an object file out. */
#ifndef SL_KERNELS_CLANG_EMIT_H
#define SL_KERNELS_CLANG_EMIT_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Leaves out loop strength reduction, which takes a fifth of the time, when all functions are
 * SL_PLAIN_ATTRIBUTE (llvm_extra.h), where one has so many blocks that it takes half, and where
 * addresses are long (llvm/loops/memory/long_addresses.h). With a function of SL_LARGE_ATTRIBUTE
 * the module goes through the generator for code that is not optimised: the others' time grows with
 * the square of blocks. Where that matters (llvm/instruction_order.h) code is made with LLVM's
 * machine scheduler and without, and that is taken which keeps more in registers; `heard`: somebody
 * listens to what is made of the module (llvm/machine_code.h), and hears of that alone. `take` gets
 * the object once. 0, or -1: the machine has no object files.
 */
int sl_emit_object(LLVMTargetMachineRef, LLVMModuleRef, bool heard,
                   void (*take)(void *data, const char *bytes, size_t count), void *data);

#ifdef __cplusplus
}
#endif
#endif
