/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build-time tool: machine code of builtins (choose.h), from the builtins archive, for one level of
 * processors. The outcome is an archive of the same format with an object file for each function:
 * NAME.LEVEL. Single-threaded.
 *
 * usage: precompile ARCHIVE LEVEL CPU OUTPUT
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../rare_convention.h"
#include "archive_writer.h"
#include "choose.h"
#include "compiler/builtins/lane_code.h"

static const char triple[] = "x86_64-unknown-linux-gnu";

/* The parts were optimised when the archive was made. */
static const char pipeline[] =
    "always-inline,globaldce,"
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "gvn,dse,simplifycfg<sink-common-insts;hoist-common-insts>,"
    "instcombine<no-verify-fixpoint>)";

struct work {
    const struct sl_library *library;
    const struct sl_choice *choice;
    LLVMTargetMachineRef machine;
    const char *level, *cpu;
    struct sl_archive_members code;
};

static int complain(const char *what, const char *name)
{
    fprintf(stderr, "precompile: %s: %s\n", name, what);
    return -1;
}

/* ---- as kernels' code is made ---------------------------------------------------------------- */

static void drop_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void add_text(LLVMValueRef f, const char *name, const char *value)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
}

static void prepare_calls(LLVMValueRef f, const char *level)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)))
                LLVMSetInstructionCallConv(i, sl_rare_convention(LLVMGetCalledValue(i), level));
}

/* Attributes as sl_target_apply sets them for kernels: they decide how vectors are passed. */
static void prepare_body(LLVMValueRef f, const char *level, const char *cpu)
{
    static const char *const dropped[] = {"optnone", "minsize", "optsize"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        drop_attribute(f, dropped[i]);
    add_text(f, "target-cpu", cpu);
    add_text(f, "target-features", "");
    add_text(f, "prefer-vector-width", strcmp(level, "avx512") ? "256" : "512");
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)),
                                                    LLVMGetEnumAttributeKindForName("uwtable", 7),
                                                    2));
    prepare_calls(f, level);
}

/* Its own name says for which level it is; nobody beyond the module that it is linked to sees it.
 */
static void rename_function(LLVMValueRef f, const char *level)
{
    char name[256];
    size_t bytes;
    snprintf(name, sizeof name, "%s.%s", LLVMGetValueName2(f, &bytes), level);
    LLVMSetValueName2(f, name, strlen(name));
    LLVMSetLinkage(f, LLVMExternalLinkage);
    LLVMSetVisibility(f, LLVMHiddenVisibility);
}

static void prepare(const struct work *work, LLVMModuleRef module, const char *root)
{
    LLVMValueRef own = LLVMGetNamedFunction(module, root);
    drop_attribute(own, "alwaysinline");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, sl_rare_convention(f, work->level));
        if (!LLVMIsDeclaration(f))
            prepare_body(f, work->level, work->cpu);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (f == own || (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f)))
            rename_function(f, work->level);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMSetLinkage(g, LLVMInternalLinkage);
        LLVMSetVisibility(g, LLVMDefaultVisibility);
    }
}

static LLVMTargetMachineRef new_machine(const char *cpu)
{
    LLVMTargetRef target = NULL;
    char *error = NULL;
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    if (LLVMGetTargetFromTriple(triple, &target, &error))
        return NULL;
    return LLVMCreateTargetMachine(target, triple, cpu, "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                   LLVMCodeModelSmall);
}

/* ---- one function ---------------------------------------------------------------------------- */

static bool is_called(const void *choice, const char *name)
{
    return sl_choice_is_called(choice, name);
}

static int optimize(const struct work *work, LLVMModuleRef module)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, work->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return error ? complain(LLVMGetErrorMessage(error), work->level) : 0;
}

static int emit(struct work *work, LLVMModuleRef module, const char *name)
{
    char *error = NULL;
    struct sl_archive_member *member = sl_archive_add(&work->code);
    if (asprintf(&member->name, "%s.%s", name, work->level) < 0)
        return complain("no memory", name);
    return LLVMVerifyModule(module, LLVMReturnStatusAction, &error) ||
                   LLVMTargetMachineEmitToMemoryBuffer(work->machine, module, LLVMObjectFile,
                                                       &error, &member->code)
               ? complain(error, name)
               : 0;
}

static int make_code(struct work *work, const char *name)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = sl_choice_read(work->choice, name, context);
    const struct sl_library_machine machine = {
        .form = sl_library_form(work->cpu, ""), .has_code = is_called, .code_data = work->choice};
    char *error = NULL;
    if (!module)
        return complain("damaged bitcode", name);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(work->machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
    LLVMSetTarget(module, triple);
    if (sl_library_link(work->library, module, &machine, &error))
        return complain(error, name);
    if (machine.form == SL_LIBRARY_AVX512)
        sl_lane_code(module); /* the function itself may be one of these */
    prepare(work, module, name);
    int rc = optimize(work, module);
    if (!rc)
        rc = emit(work, module, name);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: precompile ARCHIVE LEVEL CPU OUTPUT\n");
        return 2;
    }
    struct work work = {.level = argv[2], .cpu = argv[3], .machine = new_machine(argv[3])};
    struct sl_library *library;
    if (!work.machine)
        return complain("no such processor", argv[3]), 1;
    if (sl_library_open(argv[1], &library))
        return complain("cannot be read", argv[1]), 1;
    work.library = library;
    work.choice = sl_choose(library, sl_library_form(work.cpu, ""));
    int rc = work.choice ? 0 : complain("no memory", argv[1]);
    const char *name;
    for (uint32_t at = 0; !rc && (name = sl_choice_next(work.choice, &at)) != NULL;)
        rc = make_code(&work, name);
    if (!rc && !sl_archive_write(argv[4], &work.code))
        rc = complain("cannot be written", argv[4]);
    return rc ? 1 : 0; /* the process ends here: what it owns goes with it */
}
