/* SPDX-License-Identifier: Apache-2.0 */
/* The argument block of a kernel that a test calls: arguments are added in their order. After
 * cmocka.h. */
#ifndef SL_TEST_ARGUMENTS_H
#define SL_TEST_ARGUMENTS_H

#include "lower.h"

#include <string.h>

struct arguments {
    _Alignas(64) unsigned char block[1024];
    const struct sl_kernel_facts *facts;
    sl_group_fn run;
    uint32_t count;
    size_t local; /* bytes so far */
};

static inline void add(struct arguments *a, const void *value, size_t size)
{
    const struct sl_arg_facts *arg = &a->facts->args[a->count++];
    assert_int_equal(arg->size, size);
    assert_true(arg->offset + size <= sizeof a->block);
    memcpy(a->block + arg->offset, value, size);
}

static inline void add_pointer(struct arguments *a, const void *value)
{
    add(a, &value, sizeof value);
}

#endif
