/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that OpenCL C has functions for, one row of a table each (builtin.def), and the
 * functions that translate a kind of them. Those answer 1, or -1: failed, and said so. The operands
 * that the row tells are there.
 */
#ifndef SL_KERNELS_SPIRV_BUILTIN_H
#define SL_KERNELS_SPIRV_BUILTIN_H

#include "spirv/builtins/build.h"
#include "spirv/module/translate.h"

struct sl_builtin {
    struct sl_spirv *spirv;
    const struct sl_spirv_instruction *instruction;
    const char *name;       /* of the function, or a part of it */
    const char *parameters; /* as the kind spells them */
    unsigned flags;         /* as the kind has them */
};

typedef int (*sl_builtin_fn)(const struct sl_builtin *);

/* conversion.c: flags */
enum { SL_FROM_UNSIGNED = 1, SL_TO_UNSIGNED = 2, SL_SATURATES = 4 };
int sl_builtin_convert(const struct sl_builtin *);
int sl_builtin_to_bfloat(const struct sl_builtin *);
int sl_builtin_from_bfloat(const struct sl_builtin *);

/* relation.c: flags */
enum sl_relation {
    SL_IS_NAN,
    SL_IS_INF,
    SL_IS_FINITE,
    SL_IS_NORMAL,
    SL_SIGN_BIT,
    SL_LESS_OR_GREATER,
    SL_ORDERED,
    SL_UNORDERED,
    SL_ANY_OF,
    SL_ALL_OF
};
int sl_builtin_relation(const struct sl_builtin *);

/* integer.c */
int sl_builtin_bits(const struct sl_builtin *);      /* name: of the intrinsic */
int sl_builtin_bit_field(const struct sl_builtin *); /* parameters: s v: values, i: numbers */
enum { SL_CARRY, SL_BORROW, SL_PRODUCT_UNSIGNED, SL_PRODUCT_SIGNED };
int sl_builtin_extended(const struct sl_builtin *);

/* dot.c: flags */
enum { SL_FIRST_UNSIGNED = 1, SL_SECOND_UNSIGNED = 2, SL_ACCUMULATES = 4 };
int sl_builtin_dot(const struct sl_builtin *);
int sl_builtin_integer_dot(const struct sl_builtin *);

/* image.c */
int sl_builtin_sampled_image(const struct sl_builtin *);
int sl_builtin_image_of_pair(const struct sl_builtin *);
int sl_builtin_image_sample(const struct sl_builtin *);
int sl_builtin_image_read(const struct sl_builtin *);
int sl_builtin_image_write(const struct sl_builtin *);
int sl_builtin_image_query(
    const struct sl_builtin *); /* name; flags: what is taken off the answer */
int sl_builtin_image_size(const struct sl_builtin *);
int sl_builtin_image_levels(const struct sl_builtin *);

/* atomic.c: flags: LLVM's operation */
enum { SL_ATOMIC_REAL = 0x100 }; /* of floating-point numbers */
int sl_builtin_atomic_load(const struct sl_builtin *);
int sl_builtin_atomic_store(const struct sl_builtin *);
int sl_builtin_atomic_update(const struct sl_builtin *);
int sl_builtin_atomic_step(const struct sl_builtin *);
int sl_builtin_atomic_compare(const struct sl_builtin *);
int sl_builtin_atomic_flag_set(const struct sl_builtin *);
int sl_builtin_atomic_flag_clear(const struct sl_builtin *);

/* clock.c */
int sl_builtin_clock(const struct sl_builtin *);

/* barrier.c */
int sl_builtin_barrier(const struct sl_builtin *);
int sl_builtin_fence(const struct sl_builtin *);
int sl_builtin_arrive(const struct sl_builtin *);
int sl_builtin_clock(const struct sl_builtin *);

/* group.c: flags */
enum {
    SL_GROUP_NO_SCOPE = 1, /* the first operand is no scope: a sub-group */
    SL_GROUP_ALONE = 2,    /* only those who come there take part */
    SL_GROUP_EXTENDED = 4, /* sub-groups have the function for those who come there only */
    SL_GROUP_UNSIGNED = 8
};
int sl_builtin_group_call(const struct sl_builtin *);
int sl_builtin_group_rotate(const struct sl_builtin *);
int sl_builtin_group_sum(const struct sl_builtin *); /* name: behind the kind of sum */
int sl_builtin_group_ballot_count(const struct sl_builtin *);

/* group_memory.c: flags */
enum { SL_BLOCK_OF_IMAGE = 1 };
int sl_builtin_async_copy(const struct sl_builtin *);
int sl_builtin_wait_events(const struct sl_builtin *);
int sl_builtin_block_read(const struct sl_builtin *);
int sl_builtin_block_write(const struct sl_builtin *);

/* pipe.c: flags */
enum {
    SL_PIPE_BY_ACCESS = 1, /* the name tells whether the pipe is read */
    SL_PIPE_TELLS = 2      /* the function gives a number, which the instruction does not */
};
int sl_builtin_pipe(const struct sl_builtin *);
int sl_builtin_is_reservation(const struct sl_builtin *);
/* pipe_storage.c */
int sl_builtin_pipe_of_storage(const struct sl_builtin *);

/* enqueue.c: parameters: q a queue, e an event, i a number, g and w a generic and a global pointer
 */
int sl_builtin_queue_call(const struct sl_builtin *);
int sl_builtin_ndrange(const struct sl_builtin *);
int sl_builtin_enqueue_kernel(const struct sl_builtin *);
/* flags: what the first operand is, in front of the kernel */
enum {
    SL_QUERY_OF_RANGE = 1, /* what the kernel would run over */
    SL_QUERY_OF_COUNT = 2  /* a number of sub-groups */
};
int sl_builtin_kernel_query(const struct sl_builtin *);

/* integer.c: a function of OpenCL C as it is; parameters: f a floating-point number, s and u an
 * integer */
int sl_builtin_function(const struct sl_builtin *);
int sl_builtin_product_of_16(const struct sl_builtin *); /* flags: unsigned */

/* builtin.c: fails; name: why */
int sl_builtin_refused(const struct sl_builtin *);

#endif
