/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What passes say: an error that ends the build, lines for the build log, remarks for who asks how
 * a kernel was compiled; and how a place in the source is written: "file:line:column". No shared
 * state.
 */
#ifndef SL_KERNELS_IR_PASS_MESSAGES_H
#define SL_KERNELS_IR_PASS_MESSAGES_H

#include <llvm-c/Core.h>

struct sl_pass;
struct sl_kernel_facts;

/* A place as clang writes it. Of a longer file name the beginning. */
enum { SL_SOURCE_PLACE_FILE = 4095, SL_SOURCE_PLACE_BYTES = SL_SOURCE_PLACE_FILE + 24 };
struct sl_source_place {
    char text[SL_SOURCE_PLACE_BYTES];
};
/* `file` NULL: nobody knows. */
struct sl_source_place sl_source_place(const char *file, unsigned line, unsigned column);
/* Where the instruction is from; 0 where nobody kept it. */
struct sl_source_place sl_source_place_of(LLVMValueRef instruction);

/* Always -1, with pass->error set; the first error wins. */
__attribute__((format(printf, 2, 3))) int sl_pass_refuse(struct sl_pass *, const char *fmt, ...);

/* The same, in the form of the compiler's own errors, with a place as above. */
__attribute__((format(printf, 3, 4))) int sl_pass_refuse_at(struct sl_pass *, const char *place,
                                                            const char *fmt, ...);

/* A line for the build log. */
__attribute__((format(printf, 2, 3))) void sl_pass_warn(struct sl_pass *, const char *fmt, ...);

/* How a kernel was compiled, for who asks: with the line of `at`, or the kernel's if that is NULL
 * or nobody knows. */
__attribute__((format(printf, 4, 5))) void sl_pass_remark(struct sl_pass *,
                                                          const struct sl_kernel_facts *,
                                                          LLVMValueRef at, const char *fmt, ...);
/* What the instruction does, in a word or two. */
const char *sl_instruction_name(LLVMValueRef);

#endif
