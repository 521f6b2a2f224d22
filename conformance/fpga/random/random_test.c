/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random designs against the interpreter: each kernel that can end does so with the interpreter's
 * values, and a stall is reported, and ends what is blocked, exactly when the interpreter says so.
 * SLUICE_TEST_GRAPHS: how many; SLUICE_TEST_GRAPH: only the one with this number, whose source is
 * printed. `lock` guards what the callback has collected.
 */
#include "graph_run.h"
#include "reference.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 20, DEFAULT_GRAPHS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct text reported;
static unsigned long blocked_graphs, launched_kernels;

static void CL_CALLBACK on_notice(const char *words, const void *json, size_t bytes, void *data)
{
    (void)bytes;
    (void)data;
    if (!json)
        return; /* of a command that failed, no stall report */
    pthread_mutex_lock(&lock);
    text_add(&reported, "%s\n", words);
    pthread_mutex_unlock(&lock);
}

/* ---- one batch: several designs in one program ----------------------------------------------- */

struct launch {
    uint32_t graph, process;
    cl_event event;
};

struct batch {
    uint32_t first, count, launch_count;
    struct graph graphs[BATCH];
    struct graph_result wanted[BATCH];
    cl_mem pipes[BATCH][MOST_LINKS], out;
    struct launch launches[BATCH * MOST_PROCESSES];
    cl_program program;
};

/* All indices can be told: nothing is left to be found out when kernels run. */
static void check_log(cl_program program)
{
    char *log = build_log(program);
    const char *warning = strstr(log, "whichever comes second");
    if (warning && is_sluice())
        check_fail(__FILE__, __LINE__, "an index cannot be told:\n%.4000s", log);
    free(log);
}

static void make_batch(struct batch *batch, uint64_t seed, int print)
{
    struct text source = {0};
    for (uint32_t i = 0; i < batch->count; i++) {
        graph_make(&batch->graphs[i], seed + batch->first + i);
        graph_declare(&batch->graphs[i], batch->first + i, &source);
        graph_interpret(&batch->graphs[i], graph_depths_in_use(), &batch->wanted[i]);
        blocked_graphs += (unsigned long)graph_blocks(&batch->wanted[i]);
        if (graph_blocks(&batch->wanted[i]) && !is_sluice())
            batch->graphs[i].process_count = 0; /* would hang for ever */
    }
    if (print)
        printf("%s", source.at);
    /* optimising is most of a build: every fourth program is */
    batch->program =
        built(source.at, batch->first / BATCH % 4 || !is_sluice() ? "-cl-opt-disable" : "");
    check_log(batch->program);
    free(source.at);
}

static void start(struct batch *batch, cl_command_queue queue, struct launch *launch)
{
    const struct graph_launch what = {.graph = &batch->graphs[launch->graph],
                                      .number = batch->first + launch->graph,
                                      .process = launch->process,
                                      .program = batch->program,
                                      .out = batch->out,
                                      .at = graph_place(launch->graph, launch->process),
                                      .pipes = batch->pipes[launch->graph]};
    graph_start(&what, queue, &launch->event);
}

static void list_launches(struct batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        for (uint32_t k = 0; k < batch->graphs[i].process_count; k++)
            if (graph_is_launched(&batch->graphs[i].processes[k]))
                batch->launches[batch->launch_count++] = (struct launch){.graph = i, .process = k};
    for (uint32_t i = batch->launch_count; i > 1; i--) {
        uint32_t other = (uint32_t)random_below(i);
        struct launch swap = batch->launches[i - 1];
        batch->launches[i - 1] = batch->launches[other];
        batch->launches[other] = swap;
    }
    launched_kernels += batch->launch_count;
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Callbacks come when they come: the events may have ended before. */
static int in_report(const char *name)
{
    int found = 0;
    for (int turn = 0; turn < 1000 && !found; turn++) {
        if (turn)
            usleep(2000);
        pthread_mutex_lock(&lock);
        found = reported.at && strstr(reported.at, name);
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void check_blocked(struct batch *batch, const struct launch *launch)
{
    char name[64];
    snprintf(name, sizeof name, "g%u_k%u", batch->first + launch->graph, launch->process);
    if (event_status(launch->event) >= 0)
        check_fail(__FILE__, __LINE__, "%s cannot end but has status %d", name,
                   event_status(launch->event));
    if (!in_report(name))
        check_fail(__FILE__, __LINE__, "%s is blocked and not in the report", name);
}

static void check_ended(struct batch *batch, const struct launch *launch, const cl_uint *out)
{
    const struct graph_process *process = &batch->graphs[launch->graph].processes[launch->process];
    const uint32_t *want = batch->wanted[launch->graph].state[launch->process];
    const cl_uint *got = out + graph_place(launch->graph, launch->process);
    if (event_status(launch->event) != CL_COMPLETE) {
        check_fail(__FILE__, __LINE__, "g%u_k%u can end but has status %d",
                   batch->first + launch->graph, launch->process, event_status(launch->event));
        return;
    }
    for (uint32_t i = 0; i < process->items; i++)
        if (got[i] != want[i]) {
            check_fail(__FILE__, __LINE__, "g%u_k%u item %u: expected %u, got %u",
                       batch->first + launch->graph, launch->process, i, want[i], got[i]);
            return;
        }
}

static void check_batch(struct batch *batch)
{
    int blocked = 0;
    cl_uint *out = take_uints(batch->out, graph_place(batch->count, 0));
    for (uint32_t i = 0; i < batch->launch_count; i++) {
        struct launch *launch = &batch->launches[i];
        if (batch->wanted[launch->graph].blocked[launch->process]) {
            check_blocked(batch, launch);
            blocked = 1;
        } else {
            check_ended(batch, launch, out);
        }
        RELEASE_EVENT(launch->event);
    }
    if (!blocked && reported.used)
        check_fail(__FILE__, __LINE__, "a stall is reported where there is none:\n%.2000s",
                   reported.at);
    free(out);
}

static void run_batch(struct batch *batch, uint64_t seed, int print)
{
    make_batch(batch, seed, print);
    list_launches(batch);
    batch->out = new_uints(graph_place(batch->count, 0));
    cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    pthread_mutex_lock(&lock);
    reported.used = 0;
    pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < batch->launch_count; i++)
        start(batch, queue, &batch->launches[i]);
    clFinish(queue);
    check_batch(batch);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(batch->out);
    for (uint32_t i = 0; i < batch->count; i++)
        graph_release_pipes(batch->pipes[i]);
    RELEASE_PROGRAM(batch->program);
}

/* ---- the case -------------------------------------------------------------------------------- */

static uint32_t number_in(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    return text ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static void random_designs(void)
{
    cl_int rc;
    cl_context before = cl.context;
    uint32_t one = number_in("SLUICE_TEST_GRAPH", UINT32_MAX);
    uint32_t count = number_in("SLUICE_TEST_GRAPHS", DEFAULT_GRAPHS);
    uint64_t seed = (uint64_t)number_in("SLUICE_TEST_SEED", 0) << 32;
    struct batch *batch = calloc(1, sizeof *batch);
    REQUIRE(batch);
    cl_context context = clCreateContext(NULL, 1, &cl.device, on_notice, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = cl.queue;
    cl.context = context;
    cl.queue = new_queue(0);
    if (one != UINT32_MAX)
        count = one + 1;
    const uint32_t together = is_sluice() ? BATCH : 1;
    for (uint32_t at = one == UINT32_MAX ? 0 : one; at < count; at += together) {
        memset(batch, 0, sizeof *batch);
        batch->first = at;
        batch->count = count - at < together ? count - at : together;
        run_batch(batch, seed, one != UINT32_MAX);
    }
    printf("%u designs, %lu kernels, %lu designs deadlock\n", count, launched_kernels,
           blocked_graphs);
    RELEASE_QUEUE(cl.queue);
    RELEASE_CONTEXT(context);
    cl.context = before;
    cl.queue = queue;
    free(reported.at);
    reported = (struct text){0};
    free(batch);
}

static const struct test_case cases[] = {CASE(random_designs)};
TEST_MAIN("random", cases)
