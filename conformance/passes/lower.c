/* SPDX-License-Identifier: Apache-2.0 */
/* See lower.h. Test code: single-threaded. */
#include "lower.h"

#include "pipes/stages.h"
#include "vector/analysis/target.h"
#include "vector/control_flow/mask_width.h"
#include "llvm/llvm_extra.h"
#include <dlfcn.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static LLVMTargetMachineRef make_machine(const char *cpu)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    char *triple = LLVMGetDefaultTargetTriple(), *error = NULL;
    char *host = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    if (!LLVMGetTargetFromTriple(triple, &target, &error))
        machine =
            LLVMCreateTargetMachine(target, triple, cpu ? cpu : host, cpu ? "" : features,
                                    LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    LLVMDisposeMessage(host);
    LLVMDisposeMessage(features);
    return machine;
}

/* What the compiler does between clang and the passes. */
static void retarget(struct lowered *l)
{
    LLVMModuleRef m = l->pass.module;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(l->pass.machine);
    char *triple = LLVMGetTargetMachineTriple(l->pass.machine);
    sl_fold_kernel_twins(m);
    sl_trap_dead_ends(m);
    sl_lower_target_types(m);
    LLVMSetModuleDataLayout(m, layout);
    LLVMSetTarget(m, triple);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i))
                    LLVMSetInstructionCallConv(i, LLVMCCallConv);
    }
    LLVMDisposeMessage(triple);
    LLVMDisposeTargetData(layout);
}

bool lower_open(struct lowered *l, const char *path, const char *cpu)
{
    *l = (struct lowered){.pass = {.flags = SL_PASS_OPTIMIZE | SL_PASS_CHECK}};
    char *error = NULL;
    LLVMMemoryBufferRef text;
    l->pass.context = LLVMContextCreate();
    l->pass.machine = make_machine(cpu);
    if (!l->pass.machine || LLVMCreateMemoryBufferWithContentsOfFile(path, &text, &error) ||
        LLVMParseIRInContext(l->pass.context, text, &l->pass.module, &error)) {
        fprintf(stderr, "%s: %s\n", path, error ? error : "no target machine");
        return false;
    }
    retarget(l);
    return true;
}

bool lower_optimize(struct lowered *l, const char *pipeline)
{
    for (uint32_t k = 0; k < l->pass.kernel_count; k++) {
        const struct sl_kernel_facts *kernel = &l->pass.kernels[k];
        char name[256];
        size_t bytes;
        snprintf(name, sizeof name, "%s.entry", kernel->name);
        if (!*LLVMGetValueName2(kernel->run, &bytes)) /* it chooses between forms */
            LLVMSetValueName2(kernel->run, name, strlen(name));
        LLVMSetLinkage(kernel->run, LLVMExternalLinkage);
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, true);
    LLVMPassBuilderOptionsSetSLPVectorization(options, true);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, true);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, true);
    LLVMErrorRef error = LLVMRunPasses(l->pass.module, pipeline, l->pass.machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) {
        const struct sl_vector_target *target = sl_vector_target(&l->pass);
        if (target && !target->mask_registers)
            sl_vector_widen_masks(l->pass.module);
        sl_pipe_define_tables(&l->pass);
        return true;
    }
    char *text = LLVMGetErrorMessage(error);
    fprintf(stderr, "%s: %s\n", pipeline, text);
    LLVMDisposeErrorMessage(text);
    return false;
}

static bool link_and_open(struct lowered *l, const char *object)
{
    char library[64], command[256];
    snprintf(library, sizeof library, "%s.so", object);
    snprintf(command, sizeof command, "cc -shared -o %s %s -lm", library, object);
    if (system(command) == 0)
        l->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!l->library)
        fprintf(stderr, "%s\n", dlerror());
    unlink(library);
    return l->library;
}

bool lower_load(struct lowered *l)
{
    char object[] = "/tmp/sl_passes_XXXXXX", *error = NULL;
    int file = mkstemp(object);
    if (file < 0)
        return false;
    close(file);
    bool ok = !LLVMTargetMachineEmitToFile(l->pass.machine, l->pass.module, object, LLVMObjectFile,
                                           &error);
    if (!ok)
        fprintf(stderr, "%s\n", error);
    ok = ok && link_and_open(l, object);
    unlink(object);
    return ok;
}

sl_group_fn lower_find(const struct lowered *l, const char *kernel,
                       const struct sl_kernel_facts **facts)
{
    char symbol[256], entry[256];
    snprintf(symbol, sizeof symbol, "%s.kernel", kernel);
    snprintf(entry, sizeof entry, "%s.entry", kernel);
    for (uint32_t k = 0; k < l->pass.kernel_count; k++)
        if (strcmp(l->pass.kernels[k].name, kernel) == 0) {
            *facts = &l->pass.kernels[k];
            void *run = dlsym(l->library, symbol);
            return (sl_group_fn)(run ? run : dlsym(l->library, entry));
        }
    return NULL;
}

void lower_close(struct lowered *l)
{
    if (l->library)
        dlclose(l->library);
    sl_passes_free(&l->pass);
    if (l->pass.module)
        LLVMDisposeModule(l->pass.module);
    if (l->pass.machine)
        LLVMDisposeTargetMachine(l->pass.machine);
    LLVMContextDispose(l->pass.context);
}
