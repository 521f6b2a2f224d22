/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of the application's threads. A thread may have 16 KiB, of which an entry point uses 8 at
 * most (conformance/probe): what may need more - a build, the dynamic linker, kernels - asks how
 * much there is, or gets a stack of its own. Any thread; what is found is kept with it.
 */
#ifndef SL_BASE_STACK_H
#define SL_BASE_STACK_H

#include <pthread.h>
#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* Bytes below the caller's frame that are certainly there. 0: not known, as of a stack of the
 * application's own making (a coroutine's). */
size_t sl_stack_left(void);

/* Calls run(data), on a stack of its own if the caller's may be too small for the C library's
 * heavier calls. 0, or ENOMEM: it was not called. */
int sl_on_stack(void (*run)(void *), void *data) __attribute__((warn_unused_result));

/* For a thread of ours: `bytes` beside the thread-local data of the application and its libraries,
 * which lies on the stack as well. 0: what is the default, and enough for the C library's heavier
 * calls; `ulimit -s` may make that as small as 16 KiB. 0 or an errno; to be destroyed. */
int sl_stack_attr(pthread_attr_t *, size_t bytes) __attribute__((warn_unused_result));

SL_END_C

#endif
