/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task is one device's part of a build: what it starts from, the container it ends with, and how
 * it fails. It belongs to the thread of its job; no lock.
 */
#ifndef SL_DRIVER_PROGRAM_BUILD_BUILD_TASK_H
#define SL_DRIVER_PROGRAM_BUILD_BUILD_TASK_H

#include <stdbool.h>
#include <stddef.h>

#include "program/build/build.h"
#include "sluice/base/hash.h"
#include "sluice/device.h"

struct sl_build_task {
    struct sl_build_job *job;
    cl_uint i;
    enum sl_build_kind kind; /* what is asked of the compiler: the job's, or less */
    bool links_library;      /* what is linked stays bitcode, whatever the options say */
    const struct sl_device_caps *caps;
    struct sl_build *result;
    struct sl_hash key;
    bool key_known;
    bool kept; /* the same request will get the same answer: others may have it */
};

/* What the program has for the device before the build: an object, a library, a module. */
struct sl_build *sl_build_task_given(const struct sl_build_task *);
/* It starts from a SPIR-V module. */
bool sl_build_task_is_of_il(const struct sl_build_task *);
struct sl_device *sl_build_task_device(const struct sl_build_task *);
/* An earlier one of the job's `tasks` with the same request; NULL: none. */
const struct sl_build_task *sl_build_task_equal(const struct sl_build_task *tasks,
                                                const struct sl_build_task *);

/*
 * Takes over the container as the result; its log section answers when the result has no log yet.
 * CL_BUILD_PROGRAM_FAILURE: it is not what was asked for, which the result's log says, and is gone.
 */
cl_int sl_build_task_accept(struct sl_build_task *, unsigned char *container, size_t bytes);
/* The same of a copy; CL_OUT_OF_HOST_MEMORY. */
cl_int sl_build_task_accept_copy(struct sl_build_task *, const unsigned char *container,
                                 size_t bytes);

/* The result is an error without code; the reason goes behind what the log already says. */
void sl_build_fail(struct sl_build *, const char *why);
/* Grows an owned text (NULL: empty) by `data`, and by `end` if it is not 0; false: memory is out.
 */
bool sl_build_append_text(char **text, size_t *length, const void *data, size_t bytes, char end);

#endif
