/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sources of source_fuzz.c for the compiler in this process, where the passes and what stands
 * before them guide a fuzzer by coverage: a build ends, with code or with a reason that is the
 * source's. Each build has a thread of its own, for its stack. No lock.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/build.h"
#include "sluice/base/level.h"
#include "source_text.h"
#include "llvm/target.h"

struct job {
    const struct sl_build_request *request;
    struct sl_build_result result;
    int status;
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    sl_compiler_warm_up();
    return 0;
}

static void run(void *data)
{
    struct job *job = data;
    job->status = sl_compiler_build(job->request, &job->result);
}

/* clang is left behind where it would not come back from a source by itself, after saying so. What
 * it said may be another fatal error, of a header that is not there: it says nothing after one. */
static bool is_left_behind(const char *log)
{
    return strstr(log, ": fatal error: ") != NULL;
}

static void check(const struct job *job, const char *text)
{
    const char *log = job->result.log.data ? job->result.log.data : "";
    if (!job->status && job->result.binary.bytes)
        return;
    if (job->status == SL_BUILD_FAILED && *log && (!job->result.poisoned || is_left_behind(log)) &&
        !strstr(log, "without a message"))
        return;
    fprintf(stderr, "a build answers %d with the log \"%s\":\n%s\n", job->status, log, text);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes < 2)
        return 0;
    char *text = source_spell(data + 1, bytes - 1);
    const char *option = source_option(data[0]);
    unsigned level = source_level(data[0]);
    struct sl_build_request request = {
        .kind = SL_BUILD_BUILD,
        .options = &option,
        .option_count = *option != 0,
        .target = level ? sl_level_at(level - 1)->target : NULL,
        .extensions = source_for_fpga(data[0]) ? sl_target_extensions(true) : NULL,
        .quick = source_is_quick(data[0]),
    };
    struct job job = {.request = &request};
    if (!text)
        return 0;
    request.source = (struct sl_blob){text, strlen(text)};
    if (!sl_compiler_on_large_stack(run, &job))
        check(&job, text);
    sl_build_result_finish(&job.result);
    free(text);
    return 0;
}
