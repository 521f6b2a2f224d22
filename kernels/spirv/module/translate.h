/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that translate instructions share: one module of SPIR-V on its way to LLVM IR for
 * spir64. A translation belongs to one thread. Every function that fails has said why, once, with
 * the instruction's offset, in the log; callers only pass the failure on.
 */
#ifndef SL_KERNELS_SPIRV_TRANSLATE_H
#define SL_KERNELS_SPIRV_TRANSLATE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_spirv; /* the translation */

/* One instruction, cut from the words; all pointers are borrowed from the module. */
struct sl_spirv_instruction {
    uint16_t opcode;
    uint16_t operand_count;
    uint32_t type, result;    /* ids; 0: it has none */
    const uint32_t *operands; /* behind type and result */
    size_t offset;            /* of its first word in the module, in words: for messages */
};

enum sl_spirv_type_kind {
    SL_SPIRV_VOID,
    SL_SPIRV_BOOL,
    SL_SPIRV_INT,
    SL_SPIRV_FLOAT,
    SL_SPIRV_VECTOR,
    SL_SPIRV_ARRAY,
    SL_SPIRV_STRUCT,
    SL_SPIRV_POINTER,
    SL_SPIRV_FUNCTION,
    SL_SPIRV_IMAGE,
    SL_SPIRV_SAMPLED_IMAGE,
    SL_SPIRV_SAMPLER,
    SL_SPIRV_EVENT,
    SL_SPIRV_DEVICE_EVENT,
    SL_SPIRV_RESERVE_ID,
    SL_SPIRV_QUEUE,
    SL_SPIRV_PIPE,
    SL_SPIRV_PIPE_STORAGE,
    SL_SPIRV_MATRIX, /* an item's part of one that its sub-group has (instructions/matrix.h) */
    SL_SPIRV_OPAQUE, /* others as needed */
};

enum { SL_SPIRV_MOST_LANES = 16 };

struct sl_spirv_type {
    enum sl_spirv_type_kind kind;
    uint32_t id;
    uint32_t bits;  /* of INT and FLOAT */
    uint32_t count; /* VECTOR: lanes, 1 of a scalar that was one (types.h); ARRAY: length; STRUCT,
                       FUNCTION: members/parameters; MATRIX: components of one item */
    uint32_t
        element; /* type id: of VECTOR, ARRAY and MATRIX, POINTER's pointee, FUNCTION's result */
    const uint32_t *members; /* type ids of STRUCT and FUNCTION; borrowed */
    uint32_t storage;        /* POINTER: storage class */
    struct {                 /* IMAGE */
        uint32_t sampled_type, dim, depth, arrayed, multisampled;
        uint32_t access; /* 0 read, 1 write, 2 both */
    } image;
    struct { /* MATRIX */
        uint32_t rows, columns;
        uint32_t use; /* enum sl_cooperative_use */
    } matrix;
    bool holds_matrix; /* is one, or has one in it */
    uint32_t depth;    /* of aggregates in each other */
    uint64_t bytes;    /* in memory; 0: has no size */
    LLVMTypeRef llvm; /* as a value; i1 (vectors of i1) for BOOL; SAMPLED_IMAGE: a struct of both */
    LLVMTypeRef memory; /* in memory and in aggregates: the same but for BOOL, which is i8 there */
};

LLVMContextRef sl_spirv_context(struct sl_spirv *);
LLVMModuleRef sl_spirv_module(struct sl_spirv *);
LLVMBuilderRef sl_spirv_builder(struct sl_spirv *); /* at the place of the instruction at hand */

/* NULL (and failed): nothing defines this id. */
const struct sl_spirv_instruction *sl_spirv_definition(struct sl_spirv *, uint32_t id);
/* NULL (and failed): no such type. */
const struct sl_spirv_type *sl_spirv_type(struct sl_spirv *, uint32_t type_id);
/* The type of the value with this id. */
const struct sl_spirv_type *sl_spirv_type_of(struct sl_spirv *, uint32_t id);
/* The value with this id, constants and functions included. NULL: failed. */
LLVMValueRef sl_spirv_value(struct sl_spirv *, uint32_t id);
/* Room in the frame of the function at hand, made at its entry. */
LLVMValueRef sl_spirv_frame_slot(struct sl_spirv *, LLVMTypeRef);
/* Gives the result id of the instruction its value. */
int sl_spirv_define(struct sl_spirv *, const struct sl_spirv_instruction *, LLVMValueRef);
/* The number of a scalar constant of at most 64 bits; -1: it is none (failed). */
int sl_spirv_number(struct sl_spirv *, uint32_t id, uint64_t *out);
bool sl_spirv_is_constant(struct sl_spirv *, uint32_t id);
/* Is the id decorated so? `out` (NULL: not wanted) takes its first literal. */
bool sl_spirv_decoration(struct sl_spirv *, uint32_t id, uint32_t decoration, uint32_t *out);
/* The literals of such a decoration that has `count` of them and more; NULL: there is none. */
const uint32_t *sl_spirv_literals(struct sl_spirv *, uint32_t id, uint32_t decoration,
                                  uint32_t count);
/* The same for the same words, and hardly for others: for names that modules keep to themselves. */
uint32_t sl_spirv_mark_of_module(struct sl_spirv *);
/* Always -1. Text: "instruction at word 123 (OpFoo): ..." */
int sl_spirv_fail(struct sl_spirv *, const struct sl_spirv_instruction *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * builtin.h: instructions that OpenCL C has functions for. 1: translated; 0: not one of these;
 * -1: failed.
 */
int sl_spirv_builtin(struct sl_spirv *, const struct sl_spirv_instruction *);
/* OpExtInst of OpenCL.std: number and operands behind the set's id. Same answers. */
int sl_spirv_opencl_std(struct sl_spirv *, const struct sl_spirv_instruction *, uint32_t number,
                        const uint32_t *operands, unsigned count);

#endif
