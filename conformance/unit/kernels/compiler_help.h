/* SPDX-License-Identifier: Apache-2.0 */
/* Builds by the compiler library within a test's own process, and running what comes out. */
#ifndef SL_UNIT_COMPILER_HELP_H
#define SL_UNIT_COMPILER_HELP_H

#include "compiler/build.h"

#include "sluice/module.h"

/* A request and what came of it; finish() frees the result. */
struct outcome {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

/* Does what `outcome->request` says. */
void build(struct outcome *outcome);
/* A build of `source` with at most two options, which may be NULL. */
void build_with_two(struct outcome *outcome, const char *source, const char *first,
                    const char *second);
void build_source(struct outcome *outcome, const char *source, const char *option);
void finish(struct outcome *outcome);

/* The test fails unless the build's log contains `text`. */
void expect_log(const struct outcome *outcome, const char *text);
/* Such a build ends with `status`, has `text` in its log and gives no binary. */
void refuse(const char *source, const char *option, int status, const char *text);
void expect_success(const char *source, const char *option);

/* A module in this process; the caller closes `handle`. */
struct loaded {
    void *handle;
    const struct sl_module_info *info;
};

struct loaded load(const struct outcome *outcome);
/* One row of groups of 8 items. */
void run_kernel(const struct sl_kernel_info *kernel, const void *args, size_t groups);

/* Text of a kernel of that name: y = a x + y. */
extern const char saxpy[];

#endif
