/* SPDX-License-Identifier: Apache-2.0 */
/* See compiler_help.h. */
#include "compiler_help.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/binary/container.h"

const char saxpy[] = "kernel void saxpy(global float *restrict y, global const float *x,\n"
                     "                  float a)\n"
                     "{\n"
                     "    size_t i = get_global_id(0);\n"
                     "    y[i] += a * x[i];\n"
                     "}\n";

static void run_build(void *data)
{
    struct outcome *outcome = data;
    outcome->status = sl_compiler_build(&outcome->request, &outcome->result);
}

void build(struct outcome *outcome)
{
    memset(&outcome->result, 0, sizeof outcome->result);
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
}

void build_with_two(struct outcome *outcome, const char *source, const char *first,
                    const char *second)
{
    const char *options[] = {first, second};
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_BUILD,
                                            .options = options,
                                            .option_count = (first != NULL) + (second != NULL),
                                            .source = {source, strlen(source)}}};
    build(outcome);
    outcome->request.options = NULL;
}

void build_source(struct outcome *outcome, const char *source, const char *option)
{
    build_with_two(outcome, source, option, NULL);
}

void finish(struct outcome *outcome)
{
    sl_build_result_finish(&outcome->result);
}

void expect_log(const struct outcome *outcome, const char *text)
{
    const char *log = outcome->result.log.data ? outcome->result.log.data : "";
    if (!strstr(log, text))
        fail_msg("the log lacks \"%s\":\n%s", text, log);
}

void refuse(const char *source, const char *option, int status, const char *text)
{
    struct outcome outcome;
    build_source(&outcome, source, option);
    assert_int_equal(outcome.status, status);
    expect_log(&outcome, text);
    assert_int_equal(outcome.result.binary.bytes, 0);
    finish(&outcome);
}

void expect_success(const char *source, const char *option)
{
    struct outcome outcome;
    build_source(&outcome, source, option);
    if (outcome.status)
        fail_msg("refused:\n%s", outcome.result.log.data);
    finish(&outcome);
}

struct loaded load(const struct outcome *outcome)
{
    struct sl_blob whole = {outcome->result.binary.data, outcome->result.binary.bytes}, elf;
    char path[64];
    if (outcome->status)
        fail_msg("refused:\n%s", outcome->result.log.data);
    assert_null(sl_container_payload(&whole, SL_BINARY_EXECUTABLE, &elf));
    int fd = memfd_create("module", MFD_CLOEXEC);
    assert_int_equal(write(fd, elf.data, elf.bytes), (ssize_t)elf.bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct loaded module = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!module.handle)
        fail_msg("%s", dlerror());
    close(fd);
    module.info = dlsym(module.handle, SL_MODULE_SYMBOL);
    assert_non_null(module.info);
    assert_int_equal(module.info->abi, SL_MODULE_ABI);
    return module;
}

void run_kernel(const struct sl_kernel_info *kernel, const void *args, size_t groups)
{
    enum { ITEMS = 8 };
    struct sl_launch launch = {
        .work_dim = 1,
        .global_size = {ITEMS * groups, 1, 1},
        .local_size = {ITEMS, 1, 1},
        .group_count = {groups, 1, 1},
    };
    struct sl_group group = {
        .count = groups,
        .local = aligned_alloc(SL_LOCAL_ALIGN, 1 << 16),
        .context = aligned_alloc(64, 1 << 20),
    };
    assert_true(kernel->context_fixed + (size_t)kernel->context_per_item * ITEMS <= 1 << 20);
    kernel->run(args, &launch, &group);
    free(group.local);
    free(group.context);
}
