/* SPDX-License-Identifier: Apache-2.0 */
/* What concerns the compiler's process: its first compile, its stack. No locks. */
#include <pthread.h>

#include "compiler/build.h"

/* ---- warming up ------------------------------------------------------------------------------ */

void sl_compiler_warm_up(void)
{
    static const char source[] =
        "kernel void warm(global float *a, float b) { a[get_global_id(0)] += b; }";
    const struct sl_build_request request = {
        .kind = SL_BUILD_BUILD,
        .source = {source, sizeof source - 1},
    };
    struct sl_build_result result = {0};
    sl_compiler_build(&request, &result);
    sl_build_result_finish(&result);
}

/* ---- stack ----------------------------------------------------------------------------------- */

struct job {
    void (*work)(void *);
    void *data;
};

static void *run_job(void *data)
{
    struct job *job = data;
    job->work(job->data);
    return NULL;
}

int sl_compiler_on_large_stack(void (*work)(void *), void *data)
{
    struct job job = {work, data};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes))
        return -1;
    int rc = pthread_attr_setstacksize(&attributes, SL_COMPILER_STACK_BYTES);
    if (!rc)
        rc = pthread_create(&thread, &attributes, run_job, &job);
    pthread_attr_destroy(&attributes);
    if (!rc)
        rc = pthread_join(thread, NULL);
    return rc ? -1 : 0;
}
