/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a region before a line of its vector form is written: control flow, shapes,
 * arrays laid out by lane, how many lanes. Analyses (vector/analysis, vector/cost) get this struct
 * and nothing else, so they can neither emit code nor see what has been emitted. Only those named
 * sl_vector_find_* and the owner change it. No lock: a compilation is one thread's.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_FACTS_H
#define SL_KERNELS_VECTOR_ANALYSIS_FACTS_H

#include "ir/map.h"
#include "items/group_frame.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/shape.h"
#include "vector/analysis/target.h"

#define SL_VECTOR_MOST_PARTS 16 /* elements of an OpenCL vector, fields of a struct */

/* Of one of the kernel's values. */
struct sl_vector_known {
    struct sl_shape shape;
    uint32_t block;   /* that defines it; plan.count: before the region */
    bool interleaved; /* cost/interleaved.h: kept in memory's order */
    bool away;        /* while emitting: the code is outside of the block or loop that made it */
};

#define SL_VECTOR_MOST_DECIDED 8
/* Conditions that all items meet, or none does. One that is no i1 is a number that is masked, and
 * the mask leaves it as it is. */
struct sl_vector_decided {
    struct {
        LLVMValueRef condition;
        bool is;
    } items[SL_VECTOR_MOST_DECIDED];
    uint32_t count;
    bool late; /* rows begin at some later item of theirs */
};

/* A private variable of the kernel. */
struct sl_vector_variable {
    LLVMTypeRef type; /* scalar: what one item holds */
    LLVMValueRef
        *cells; /* scalar, while emitting: per element, a vector of lanes; or one uniform; owned */
    uint32_t cell_count;
    LLVMValueRef memory; /* array: of the first lane */
    uint64_t stride;     /* array: bytes from lane to lane */
    bool uniform;        /* scalar: the same in all items */
    bool kept;           /* array: for behind a barrier, item after item */
};

/* A private array laid out by lane (memory/arrays.h finds them). */
struct sl_vector_array {
    LLVMValueRef variable; /* the kernel's */
    uint32_t element;      /* bytes */
    uint64_t bytes;        /* of one item */
};

struct sl_vector_facts {
    const struct sl_group_function *g;
    const struct sl_vector_target *target;
    struct sl_vector_plan plan;
    uint32_t lanes;
    bool compacted;        /* the items are no neighbours of each other */
    uint32_t may_count_on; /* bits of enum sl_vector_multiples: what holds if it is asked for, */
    uint32_t counts_on;    /* and what shapes ask for */
    struct sl_vector_decided decided;
    struct sl_map values;           /* kernel's value -> struct sl_vector_known; owned */
    const struct sl_map *variables; /* kernel's alloca -> struct sl_vector_variable */
    struct sl_map walks;         /* row_walks.c: load -> how many iterations of its loop at once */
    struct sl_map arrays;        /* kernel's pointer -> struct sl_vector_array it is into */
    struct sl_list array_list;   /* these; owned */
    const struct sl_map *by_row; /* unroll_rows.c, while it asks: values that `rows` have each */
    uint32_t rows;
    bool counts_closely; /* pressure.c: what shares a register, or goes with its access, is none */
};

/* What the first item of a vector has to be for shapes to be right. */
enum sl_vector_multiples {
    SL_VECTOR_LOCAL_MULTIPLE = 1,  /* its local id is a multiple of the lanes, */
    SL_VECTOR_GLOBAL_MULTIPLE = 2, /* its global id is one, */
    SL_VECTOR_NATURAL = 4,         /* and not negative as an int, nor the others' */
    SL_VECTOR_ANY_MULTIPLE = 7,
};

/* NULL: it is none of the region's nor of what is computed before it. */
const struct sl_vector_known *sl_vector_known(const struct sl_vector_facts *, LLVMValueRef);
/* The array that a pointer of the kernel is into; NULL: into none. */
const struct sl_vector_array *sl_vector_array(const struct sl_vector_facts *, LLVMValueRef pointer);
/* An OpenCL vector of items that is kept in memory's order. */
bool sl_vector_is_interleaved(const struct sl_vector_facts *, LLVMValueRef);
/* False: there is no room for one more. */
bool sl_vector_decide(struct sl_vector_decided *, LLVMValueRef condition, bool is);
bool sl_vector_is_decided(const struct sl_vector_facts *, LLVMValueRef condition, bool *is);
/* Is it decided that the masked number is the number? */
bool sl_vector_is_within(const struct sl_vector_facts *, LLVMValueRef masked);
void sl_vector_facts_finish(struct sl_vector_facts *);

#endif
