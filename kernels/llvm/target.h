/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that code is made for: LLVM target machines, and re-targeting. */
#ifndef SL_KERNELS_LLVM_TARGET_H
#define SL_KERNELS_LLVM_TARGET_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

/* Does this machine begin two operations on registers of 512 bits per cycle? Others with AVX-512
 * take such a register in two halves. Unknown machines: no. */
bool sl_target_has_wide_units(void);
/* Does it load a register's lanes from anywhere in less time than one after the other? Others take
 * them apart into as many loads and more, or have been made slow for the sake of secrets. */
bool sl_target_gathers_fast(void);

/* What the FPGA emulator offers, or else the CPU device, which is what a request gets that names
 * nothing. Constant. */
const char *sl_target_extensions(bool fpga);

/* Once per process; later calls are free. */
void sl_target_init(void);

/* One build's at a time; zero-initialised: none. */
struct sl_target_machine {
    LLVMTargetMachineRef llvm; /* owned */
    char *cpu, *features;      /* owned */
    LLVMCodeGenOptLevel level;
};

/* -1: no such machine. Machines are kept when given back, a few of them. */
int sl_target_machine_take(struct sl_target_machine *, const char *cpu, const char *features,
                           LLVMCodeGenOptLevel level);
void sl_target_machine_give(struct sl_target_machine *);
/* Data layout, triple, calling conventions, function attributes and alignment of the machine. */
void sl_target_apply(LLVMModuleRef, LLVMTargetMachineRef, const char *cpu, const char *features);

#endif
