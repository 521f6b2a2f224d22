/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What turns a module for spir64 into one for a level of processors. `spare.lock`
 * guards the machines that no build uses; each holds tables that take 0.5 ms to make.
 */
#include "llvm/target.h"

#include <llvm-c/Target.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/base/extension.h"
#include "sluice/base/level.h"
#include "llvm/llvm_extra.h"
#include "llvm/machine_code.h"

static struct {
    pthread_once_t once;
    char cpu[SL_EXTENSION_BYTES], fpga[SL_EXTENSION_BYTES];
} offered = {.once = PTHREAD_ONCE_INIT};

static void list_offered(void)
{
    sl_extension_list(SL_EXT_OFFERED, SL_FEATURES_CPU, offered.cpu);
    sl_extension_list(SL_EXT_OFFERED, SL_FEATURES_FPGA, offered.fpga);
}

const char *sl_target_extensions(bool fpga)
{
    pthread_once(&offered.once, list_offered);
    return fpga ? offered.fpga : offered.cpu;
}

#if defined(__x86_64__)
/* AMD's of family 26 (Zen 5) but those for laptops, whose units have 256 bits. They alone of AMD's
 * have the feature, whatever a hypervisor says of the family. */
static bool is_wide_zen5(void)
{
    unsigned r[4] = {0};
    if (!__builtin_cpu_is("amd") || !__builtin_cpu_supports("avx512vp2intersect") ||
        !__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]))
        return false;
    unsigned model = (r[0] >> 4 & 15) | (r[0] >> 12 & 0xf0), kind = model >> 5;
    return kind != 1 && kind != 3;
}

static bool is_fast_intel(void)
{
    return sl_level_host()->vector_bytes == 64 && __builtin_cpu_is("intel");
}

/* Intel's servers have them, and Zen 5; measured on Sapphire Rapids and on the latter. */
bool sl_target_has_wide_units(void)
{
    return is_fast_intel() || (sl_level_host()->vector_bytes == 64 && is_wide_zen5());
}

/* Intel's from Sapphire Rapids on, where 16 lanes take 6 cycles: those before it hand on what they
 * gathered only when no other process could have had it there. */
bool sl_target_gathers_fast(void)
{
    return is_fast_intel() && __builtin_cpu_supports("avx512fp16");
}
#else
bool sl_target_has_wide_units(void)
{
    return false;
}

bool sl_target_gathers_fast(void)
{
    return false;
}
#endif

static void init_llvm(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    sl_mc_init();
}

void sl_target_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_llvm);
}

static const char triple[] = "x86_64-unknown-linux-gnu";

static LLVMTargetMachineRef new_machine(const char *cpu, const char *features,
                                        LLVMCodeGenOptLevel level)
{
    LLVMTargetRef target = NULL;
    char *error = NULL;
    sl_target_init();
    if (LLVMGetTargetFromTriple(triple, &target, &error)) {
        LLVMDisposeMessage(error);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                   LLVMCodeModelSmall);
}

enum { SPARE_COUNT = 4 };

static struct {
    pthread_mutex_t lock;
    struct sl_target_machine machines[SPARE_COUNT];
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_for(const struct sl_target_machine *machine, const char *cpu, const char *features,
                   LLVMCodeGenOptLevel level)
{
    return machine->llvm && machine->level == level && !strcmp(machine->cpu, cpu) &&
           !strcmp(machine->features, features);
}

static void dispose(struct sl_target_machine *machine)
{
    if (machine->llvm)
        LLVMDisposeTargetMachine(machine->llvm);
    free(machine->cpu);
    free(machine->features);
    *machine = (struct sl_target_machine){0};
}

int sl_target_machine_take(struct sl_target_machine *machine, const char *cpu, const char *features,
                           LLVMCodeGenOptLevel level)
{
    pthread_mutex_lock(&spare.lock);
    for (int i = 0; i < SPARE_COUNT && !machine->llvm; i++)
        if (is_for(&spare.machines[i], cpu, features, level)) {
            *machine = spare.machines[i];
            spare.machines[i] = (struct sl_target_machine){0};
        }
    pthread_mutex_unlock(&spare.lock);
    if (machine->llvm)
        return 0;
    *machine = (struct sl_target_machine){
        .llvm = new_machine(cpu, features, level),
        .cpu = strdup(cpu),
        .features = strdup(features),
        .level = level,
    };
    if (machine->llvm && machine->cpu && machine->features)
        return 0;
    dispose(machine);
    return -1;
}

void sl_target_machine_give(struct sl_target_machine *machine)
{
    pthread_mutex_lock(&spare.lock);
    for (int i = 0; i < SPARE_COUNT && machine->llvm; i++)
        if (!spare.machines[i].llvm) {
            spare.machines[i] = *machine;
            *machine = (struct sl_target_machine){0};
        }
    pthread_mutex_unlock(&spare.lock);
    dispose(machine);
}

static void set_text_attribute(LLVMValueRef function, const char *name, const char *value)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
}

/* Unwind tables for every function: debuggers and profilers walk through kernels. */
static void set_unwind_tables(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetEnumAttributeKindForName("uwtable", 7);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 2));
}

static void reset_calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMCall)
                LLVMSetInstructionCallConv(i, LLVMCCallConv);
}

void sl_target_apply(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *cpu,
                     const char *features)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
    LLVMSetTarget(module, triple);
    bool wide = strstr(features, "+avx512f") || !strcmp(cpu, "x86-64-v4");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        if (LLVMIsDeclaration(f))
            continue;
        set_text_attribute(f, "target-cpu", cpu);
        set_text_attribute(f, "target-features", features);
        set_text_attribute(f, "prefer-vector-width", wide ? "512" : "256");
        set_unwind_tables(f);
        reset_calls(f);
    }
    sl_raise_global_alignment(module, 16);
}
