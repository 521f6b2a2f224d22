/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build-time tool: machine code of the builtins that kernels only call (rare.h, sl_cold_* of
 * remainder_functions.h), from the builtins archive, as an object for one level of processors. Each
 * is a function NAME.LEVEL in a section of its own. Single-threaded.
 *
 * usage: precompile ARCHIVE LEVEL CPU OBJECT
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../archive.h"
#include "../rare_convention.h"

static const char triple[] = "x86_64-unknown-linux-gnu";

struct archive {
    char *base; /* owned */
    const struct sl_archive_header *header;
    const struct sl_archive_symbol *symbols;
};

static int complain(const char *what, const char *name)
{
    fprintf(stderr, "precompile: %s: %s\n", name, what);
    return -1;
}

static int read_archive(const char *path, struct archive *out)
{
    FILE *file = fopen(path, "rb");
    long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    if (size > (long)sizeof *out->header)
        out->base = malloc((size_t)size);
    bool whole = out->base && !fseek(file, 0, SEEK_SET) &&
                 fread(out->base, 1, (size_t)size, file) == (size_t)size;
    if (file)
        fclose(file);
    if (!whole)
        return complain("cannot be read", path);
    out->header = (const void *)out->base;
    out->symbols = (const void *)(out->base + out->header->symbols);
    return 0;
}

static const struct sl_archive_symbol *find(const struct archive *archive, const char *name)
{
    for (uint32_t s = 0; s < archive->header->symbol_count; s++)
        if (!strcmp(archive->base + archive->symbols[s].name, name))
            return &archive->symbols[s];
    return NULL;
}

/* As the compiler chooses (library.c): an atom NAME.avx512 goes before NAME. */
static const struct sl_archive_symbol *find_best(const struct archive *archive, const char *name,
                                                 bool avx512)
{
    char special[256];
    snprintf(special, sizeof special, "%s.avx512", name);
    const struct sl_archive_symbol *symbol = avx512 ? find(archive, special) : NULL;
    return symbol ? symbol : find(archive, name);
}

static bool is_wanted(const char *name)
{
    size_t length = strlen(name);
    bool special = length > 7 && !strcmp(name + length - 7, ".avx512");
    return !special &&
           (sl_archive_is_named(name, "sl_rare_") || sl_archive_is_named(name, "sl_cold_"));
}

static int link_atom(const struct archive *archive, const char *name, bool avx512,
                     LLVMModuleRef module)
{
    const struct sl_archive_symbol *symbol = find_best(archive, name, avx512);
    if (!symbol)
        return complain("is not in the archive", name);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        archive->base + symbol->code, symbol->code_bytes, name, 0);
    LLVMModuleRef atom = NULL;
    bool bad = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, &atom);
    LLVMDisposeMemoryBuffer(buffer);
    if (bad)
        return complain("damaged bitcode", name);
    LLVMSetDataLayout(atom, LLVMGetDataLayoutStr(module));
    LLVMSetTarget(atom, triple);
    return LLVMLinkModules2(module, atom) ? complain("cannot be linked", name) : 0;
}

/* The name of something that is declared and not defined; NULL: there is none. */
static const char *find_missing(LLVMModuleRef module)
{
    size_t bytes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f))
            return LLVMGetValueName2(f, &bytes);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            return LLVMGetValueName2(g, &bytes);
    return NULL;
}

static int link_all(const struct archive *archive, bool avx512, LLVMModuleRef module)
{
    int rc = 0;
    for (uint32_t s = 0; s < archive->header->symbol_count && !rc; s++) {
        const char *name = archive->base + archive->symbols[s].name;
        LLVMValueRef known = LLVMGetNamedFunction(module, name);
        if (is_wanted(name) && (!known || LLVMIsDeclaration(known)))
            rc = link_atom(archive, name, avx512, module);
    }
    for (const char *name; !rc && (name = find_missing(module)) != NULL;) {
        char copy[256]; /* the module's own goes when the atom is linked */
        snprintf(copy, sizeof copy, "%s", name);
        rc = link_atom(archive, copy, avx512, module);
    }
    return rc;
}

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
static void prepare_function(LLVMValueRef f, const char *level, const char *cpu)
{
    static const char *const dropped[] = {"optnone", "minsize", "optsize", "alwaysinline"};
    char name[256], section[300];
    size_t bytes;
    LLVMSetFunctionCallConv(f, sl_rare_convention(f, level));
    if (LLVMIsDeclaration(f))
        return;
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        drop_attribute(f, dropped[i]);
    add_text(f, "target-cpu", cpu);
    add_text(f, "target-features", "");
    add_text(f, "prefer-vector-width", strcmp(level, "avx512") ? "256" : "512");
    LLVMAddAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(LLVMGetModuleContext(LLVMGetGlobalParent(f)),
                                LLVMGetEnumAttributeKindForName("uwtable", 7), 2));
    prepare_calls(f, level);
    snprintf(name, sizeof name, "%s.%s", LLVMGetValueName2(f, &bytes), level);
    snprintf(section, sizeof section, ".text.%s", name);
    LLVMSetValueName2(f, name, strlen(name));
    LLVMSetSection(f, section);
    LLVMSetLinkage(f, LLVMExternalLinkage);
    LLVMSetVisibility(f, LLVMHiddenVisibility);
}

static void prepare(LLVMModuleRef module, const char *level, const char *cpu)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        prepare_function(f, level, cpu);
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

static int precompile(const struct archive *archive, const char *level, const char *cpu, char *path)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("rare", LLVMContextCreate());
    LLVMTargetMachineRef machine = new_machine(cpu);
    char *error = NULL;
    if (!machine)
        return complain("no such processor", cpu);
    LLVMSetModuleDataLayout(module, LLVMCreateTargetDataLayout(machine));
    LLVMSetTarget(module, triple);
    if (link_all(archive, !strcmp(level, "avx512"), module))
        return -1;
    prepare(module, level, cpu);
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error) ||
        LLVMTargetMachineEmitToFile(machine, module, path, LLVMObjectFile, &error))
        return complain(error, level);
    return 0;
}

int main(int argc, char **argv)
{
    struct archive archive = {0};
    if (argc != 5) {
        fprintf(stderr, "usage: precompile ARCHIVE LEVEL CPU OBJECT\n");
        return 2;
    }
    bool fine = !read_archive(argv[1], &archive) && !precompile(&archive, argv[2], argv[3], argv[4]);
    return fine ? 0 : 1; /* the process ends here: what it owns goes with it */
}
