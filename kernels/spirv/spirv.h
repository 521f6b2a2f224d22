/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of SPIR-V for OpenCL environments: IR for spir64, as clang makes of OpenCL C. */
#ifndef SL_KERNELS_SPIRV_SPIRV_H
#define SL_KERNELS_SPIRV_SPIRV_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "spirv/specialization.h"

/* Metadata of a variable: a text, the name by which the host asks for it; behind it, where that is
 * not all, a number: what the host may do, 1 read and 2 write. */
#define SL_HOST_NAME_METADATA "sl.host_name"

/* Named metadata of a module whose kernels ask for queues on the device. */
#define SL_DEVICE_QUEUES_METADATA "sl.device_queues"
/* Named metadata of a module with pointers to functions; on calls of what such a pointer says. */
#define SL_FUNCTION_POINTERS_METADATA "sl.function_pointers"
#define SL_FUNCTION_POINTER_ATTRIBUTE "sl-function-pointer"
/* On functions that the host may point at. */
#define SL_REFERENCED_ATTRIBUTE "sl-referenced"

struct sl_spirv_input { /* all borrowed until sl_spirv_read returns */
    const void *bytes;  /* in either byte order, at any alignment */
    size_t byte_count;
    const char *name; /* of the module that results, and in its messages */
    const struct sl_spirv_specialization *specializations;
    size_t specialization_count;
    /* Instructions of functions that name no lines have their own number for one: how manieth of
     * the module it is, which is its line in the text of a disassembler that leaves the header out.
     */
    bool numbered;
    void *data; /* for log */
    void (*log)(void *data, const char *text, size_t bytes);
};

/* Do these bytes begin as a module of SPIR-V does, in either byte order? */
bool sl_spirv_is(const void *bytes, size_t byte_count);
/*
 * Gives a module that LLVM's verifier accepts; the caller owns it. NULL: the module is wrong or
 * asks for what nobody here can do, and the log says why. Any bytes whatever are a fair input.
 * Several threads may read at once, each with a context of its own.
 */
LLVMModuleRef sl_spirv_read(LLVMContextRef, const struct sl_spirv_input *);

#endif
