/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One translation on its way, and the stages that it goes through. The stages return 0, or -1 after
 * the log says why. One thread; no locks.
 */
#ifndef SL_KERNELS_SPIRV_MODULE_H
#define SL_KERNELS_SPIRV_MODULE_H

#include "spirv/grammar/numbers.h"
#include "spirv/module/translate.h"
#include "spirv/spirv.h"

#define SL_SPIRV_WHOLE UINT32_MAX
/* What a pointer may span; a type that is larger is refused before LLVM adds up its size. */
#define SL_SPIRV_MOST_BYTES ((uint64_t)1 << 47)

struct sl_spirv_annotation { /* a decoration */
    struct sl_spirv_annotation *next;
    uint32_t member; /* SL_SPIRV_WHOLE: of the id itself */
    uint32_t decoration, count;
    const uint32_t *literals; /* borrowed from the words */
};

struct sl_spirv_id {
    uint32_t definition;        /* 1 + index of the instruction; 0: none */
    uint32_t block;             /* of a label: 1 + its index in the function at hand */
    struct sl_spirv_type *type; /* that the id names */
    LLVMValueRef value;
    LLVMValueRef place; /* of a large object that was loaded (large.h) */
    uint32_t entry;     /* of a function: 1 + index of the first OpEntryPoint that names it */
    const char *name;   /* borrowed from the words */
    struct sl_spirv_annotation *annotations;
    uint32_t annotation_count; /* of the whole id */
};

struct sl_spirv_block {
    uint32_t label, first, end;   /* instructions behind the label, terminator included */
    LLVMBasicBlockRef begin, out; /* out: where the terminator is; NULL: not translated */
    uint32_t *next, *before;      /* indices of blocks, one of each edge */
    uint32_t next_count, before_count;
    bool reached;
    uint32_t incoming; /* of the phi at hand: the value that comes from here; 0: none */
};

struct sl_spirv_function { /* the one at hand */
    LLVMValueRef value;
    uint32_t id, first, end; /* instructions; end: OpFunctionEnd */
    struct sl_spirv_block *blocks;
    uint32_t block_count;
    uint32_t *order; /* blocks that can be reached, in reverse post-order */
    uint32_t order_count;
    LLVMBasicBlockRef entry;     /* of LLVM's, before the first block: variables */
    struct sl_spirv_slot *slots; /* variables of work-items that the function has read */
};

struct sl_spirv_lines {                  /* debug_lines.h */
    struct LLVMOpaqueDIBuilder *builder; /* NULL: the module names none */
    LLVMMetadataRef scope;               /* the function at hand; NULL: it has none */
    bool numbered; /* it names no lines: its instructions' numbers are taken */
};

struct sl_spirv {
    const struct sl_spirv_input *input;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    uint32_t *words;
    size_t word_count;
    uint32_t version, bound, address_bits;
    struct sl_spirv_instruction *instructions;
    uint32_t instruction_count;
    struct sl_spirv_id *ids;
    bool contracts;    /* products may be fused with sums */
    bool has_matrices; /* of sub-groups */
    bool failed;
    struct sl_spirv_function function;
    struct sl_spirv_lines lines;
    LLVMValueRef scratch; /* where constants are folded */
    struct sl_spirv_chunk *chunks;
    size_t chunk_left;
};

/* Zeroed memory that lives as long as the translation. NULL: failed. */
void *sl_spirv_allocate(struct sl_spirv *, size_t count, size_t bytes);
void sl_spirv_free_chunks(struct sl_spirv *);

/* words.c: the header and the cutting into instructions. */
int sl_spirv_split_words(struct sl_spirv *);
/* check.c: counts and kinds of operands, each id defined once, the order of things. */
int sl_spirv_check(struct sl_spirv *);
/* capability.c: what the module asks for. */
int sl_spirv_check_capabilities(struct sl_spirv *);
/* decoration.c: names and decorations. */
int sl_spirv_read_annotations(struct sl_spirv *);
/* globals.c: types, constants, variables of the module; functions are declared. */
int sl_spirv_translate_globals(struct sl_spirv *);
/* body.c: functions. */
int sl_spirv_translate_functions(struct sl_spirv *);
/* kernel.c: what clang says about kernels. */
int sl_spirv_describe_kernels(struct sl_spirv *);

#endif
