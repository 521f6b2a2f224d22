/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The builtins library: gives a module the OpenCL C builtins it calls, and only those.
 *
 * Call order in a build: front end, re-target (data layout, C calling convention on functions and
 * calls, image/sampler/event types lowered to pointers), sl_library_link, work-group passes. The
 * archive holds each builtin as bitcode of its own (builtins/archive.h); conversions are generated
 * (convert.h). Work-item functions, barriers, printf and pipes are not here: passes lower them.
 *
 * What code generation calls on its own account (memcpy, fma below x86-64-v3, half conversions) is
 * not bitcode but an object archive, libsluice_kernel_runtime.a beside the builtins archive, from
 * which the module's link takes what it needs. Archives of machine code have the same format
 * (ready_code.h).
 *
 * Thread-safe after sl_library_open: the mapping is read-only and a link touches nothing but the
 * module's own context.
 */
#ifndef SL_KERNELS_COMPILER_LIBRARY_H
#define SL_KERNELS_COMPILER_LIBRARY_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_library;

struct sl_library_member {
    const char *name; /* borrowed from the mapping */
    const void *data; /* likewise; NULL if it is packed */
    size_t bytes;     /* once it is unpacked */
    uint32_t index;
};

/* 0, or -1 with errno set (EINVAL: not an archive of this format). */
__attribute__((warn_unused_result)) int sl_library_open(const char *path, struct sl_library **out);

/* The module that a member of bitcode is; the caller owns it. NULL: no memory, or the archive is
 * damaged. */
LLVMModuleRef sl_library_parse(const struct sl_library *, const struct sl_library_member *,
                               LLVMContextRef);

/* What a builtin's form needs of the machine; each has what those before it have. */
enum sl_library_form { SL_LIBRARY_PLAIN, SL_LIBRARY_FMA, SL_LIBRARY_AVX512 };

/* The last one that runs on it (LLVM's name, what LLVM's switches add to that). */
enum sl_library_form sl_library_form(const char *cpu, const char *features);

/* The member that defines `name` there in the last form it has. False: none does, or the archive
 * is damaged. */
bool sl_library_member_in_form(const struct sl_library *, const char *name, enum sl_library_form,
                               struct sl_library_member *);

/* What builtins are for. */
struct sl_library_machine {
    enum sl_library_form form;
    unsigned lanes; /* items of which a register has one float each (vector/analysis/image_call.h);
                       0: no vectors */
    /* Is there machine code of a function that serves here? NULL: of none. */
    bool (*has_code)(const void *data, const char *name);
    const void *code_data;
};

/*
 * Defines every builtin that `module` declares and the library knows, with all that those need, as
 * internal functions. Those that have machine code and names the library does not know stay
 * declared. 0, or -1 with *error set to a malloc'ed text.
 */
__attribute__((warn_unused_result)) int sl_library_link(const struct sl_library *,
                                                        LLVMModuleRef module,
                                                        const struct sl_library_machine *,
                                                        char **error);

/* Before a link (powers.c): powers with small constant exponents become products and roots. */
void sl_library_fold_powers(LLVMModuleRef module);

/* Before a link (relaxed.c): calls that may be approximate become calls of the native forms. */
void sl_library_relax(const struct sl_library *, LLVMModuleRef module);

/*
 * Before a link (sincos.c): where a function takes sine and cosine of one angle in one block, one
 * sincos gives both. 0, or -1 with *error set to a malloc'ed text.
 */
__attribute__((warn_unused_result)) int sl_library_pair(const struct sl_library *,
                                                        LLVMModuleRef module,
                                                        LLVMTargetMachineRef machine, char **error);

/*
 * Of builtins that have versions for several lanes these are linked too, and kept although nobody
 * calls them yet. This drops those that nobody calls after loops were vectorised.
 */
void sl_library_drop_versions(LLVMModuleRef module);
/* The same of those that nobody calls once kernels have their vector forms. */
void sl_library_drop_lanes(LLVMModuleRef module);

/* Is there a builtin of this mangled name? Conversions included. */
bool sl_library_has(const struct sl_library *, const char *name);

/* What the archive holds under this name, or as its index-th by name. False: nothing. */
bool sl_library_member(const struct sl_library *, const char *name, struct sl_library_member *);
bool sl_library_member_at(const struct sl_library *, uint32_t index, struct sl_library_member *);

void sl_library_close(struct sl_library *);

#endif
