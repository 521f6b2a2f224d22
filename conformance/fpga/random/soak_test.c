/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random designs for as long as SLUICE_TEST_MINUTES says (1), in one process after the other with
 * random depth mode, threads and order of kernels. A process runs rounds: it makes designs,
 * launches all of their kernels or some, waits or lets go of everything at once, and must have as
 * many threads, open files and as much memory after each round as after the second.
 * SLUICE_TEST_SEED draws it all; what fails prints how to do it again.
 */
#include "child.h"
#include "graph_run.h"
#include "reference.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 8, MOST_GRAPHS = 6, MOST_LAUNCHES = MOST_GRAPHS * MOST_PROCESSES };
enum { GROWTH_KIB = 24 << 10 };

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

static uint64_t number_in(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* ---- one round ------------------------------------------------------------------------------- */

struct launch {
    uint32_t graph, process;
    cl_event event;
};

struct round {
    struct graph graphs[MOST_GRAPHS];
    uint32_t graph_count, launch_count, wanted_launches;
    struct launch launches[MOST_LAUNCHES];
    cl_command_queue queues[3];
    cl_program program;
    cl_mem out, pipes[MOST_GRAPHS][MOST_LINKS];
};

static void make(struct round *round)
{
    struct text text = {0};
    round->graph_count = 1 + draw(MOST_GRAPHS);
    for (uint32_t i = 0; i < round->graph_count; i++) {
        graph_make(&round->graphs[i], draw(UINT32_MAX));
        graph_declare(&round->graphs[i], i, &text);
        for (uint32_t k = 0; k < round->graphs[i].process_count; k++) {
            if (graph_is_launched(&round->graphs[i].processes[k]))
                round->launches[round->launch_count++] = (struct launch){.graph = i, .process = k};
        }
    }
    round->program = built(text.at, "-cl-opt-disable");
    free(text.at);
    for (uint32_t i = round->launch_count; i > 1; i--) {
        uint32_t other = draw(i);
        struct launch swap = round->launches[i - 1];
        round->launches[i - 1] = round->launches[other];
        round->launches[other] = swap;
    }
    round->out = new_uints(graph_place(round->graph_count, 0));
    /* one in order: what is enqueued there behind a kernel that waits for it deadlocks */
    round->queues[0] = new_queue(0);
    for (size_t i = 1; i < LEN(round->queues); i++)
        round->queues[i] = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static void start(struct round *round, struct launch *launch, cl_command_queue queue)
{
    const struct graph_launch what = {.graph = &round->graphs[launch->graph],
                                      .number = launch->graph,
                                      .process = launch->process,
                                      .program = round->program,
                                      .out = round->out,
                                      .at = graph_place(launch->graph, launch->process),
                                      .pipes = round->pipes[launch->graph]};
    graph_start(&what, queue, &launch->event);
}

static void let_go(struct round *round)
{
    for (size_t i = 0; i < LEN(round->queues); i++)
        RELEASE_QUEUE(round->queues[i]);
    RELEASE_MEM(round->out);
    for (uint32_t i = 0; i < round->graph_count; i++)
        graph_release_pipes(round->pipes[i]);
    RELEASE_PROGRAM(round->program);
}

/* Blocked ones end with the stall, as nothing else will help them. */
static void wait_for_all(struct round *round)
{
    for (uint32_t i = 0; i < round->wanted_launches; i++) {
        cl_event event = round->launches[i].event;
        cl_int rc = clWaitForEvents(1, &event);
        CHECK(rc == CL_SUCCESS || rc == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(event_status(event) < 0, rc != CL_SUCCESS);
        RELEASE_EVENT(event);
    }
}

/* Of a round whose kernels all ran at once. */
static void check_values(struct round *round)
{
    struct graph_result *wanted = calloc(1, sizeof *wanted);
    REQUIRE(wanted);
    cl_uint *got = take_uints(round->out, graph_place(round->graph_count, 0));
    for (uint32_t i = 0; i < round->launch_count; i++) {
        const struct launch *launch = &round->launches[i];
        const struct graph *graph = &round->graphs[launch->graph];
        graph_interpret(graph, graph_depths_in_use(), wanted);
        for (uint32_t k = 0; k < graph->processes[launch->process].items; k++) {
            uint32_t want =
                wanted->blocked[launch->process] ? 0 : wanted->state[launch->process][k];
            uint32_t has = got[graph_place(launch->graph, launch->process) + k];
            if (!wanted->blocked[launch->process] && has != want)
                check_fail(__FILE__, __LINE__, "g%u_k%u item %u: expected %u, got %u",
                           launch->graph, launch->process, k, want, has);
        }
    }
    free(got);
    free(wanted);
}

static void run_round(void)
{
    struct round *round = calloc(1, sizeof *round);
    REQUIRE(round);
    make(round);
    int all = draw(2) == 0, at_once = draw(2) == 0;
    round->wanted_launches = all ? round->launch_count : draw(round->launch_count + 1);
    for (uint32_t i = 0; i < round->wanted_launches; i++) {
        start(round, &round->launches[i], round->queues[all ? 1 : draw(LEN(round->queues))]);
        if (draw(16) == 0)
            usleep(draw(3000));
    }
    for (size_t i = 0; i < LEN(round->queues); i++)
        REQUIRE_OK(clFlush(round->queues[i]));
    if (at_once && !all) /* nobody holds it any more but what runs */
        let_go(round);
    wait_for_all(round);
    if (all)
        check_values(round);
    if (!at_once || all)
        let_go(round);
    free(round);
}

#ifdef __SANITIZE_THREAD__
enum { OWN_THREADS = 2 }; /* it has one of its own */
#else
enum { OWN_THREADS = 1 };
#endif

/* ---- one process ----------------------------------------------------------------------------- */

struct use {
    int threads, files;
    long kib;
};

static struct use use_now(void)
{
    return (struct use){count_threads(), count_entries("/proc/self/fd"), resident_kib()};
}

/* The last thread may still be on its way out. */
static struct use use_at_rest(int threads)
{
    struct use use = use_now();
    for (double end = now_seconds() + 60; use.threads > threads && now_seconds() < end;) {
        usleep(1000);
        use = use_now();
    }
    return use;
}

static void job_soak(void)
{
    struct use after_second = {0};
    state = number_in("SLUICE_TEST_SOAK", 1);
    for (int round = 0; round < ROUNDS; round++) {
        REQUIRE(!env_open());
        run_round();
        env_close(1);
        struct use use = use_at_rest(OWN_THREADS);
        if (round < 2)
            after_second = use;
        CHECK_EQ(use.threads, OWN_THREADS);
        CHECK_EQ(use.files, after_second.files);
        if (use.kib > after_second.kib + GROWTH_KIB)
            check_fail(__FILE__, __LINE__, "%ld KiB after the second round, %ld after round %d",
                       after_second.kib, use.kib, round);
    }
}

/* ---- many ------------------------------------------------------------------------------------ */

static int run_process(uint64_t number)
{
    static const char *const depths[] = {"strict", "default", "ignore-depth"};
    char soak[64], depth[64], threads[64], seed[64], patience[64];
    const char *const env[] = {
        soak, depth, threads, seed, patience, "SLUICE_FPGA_ON_STALL=error", "SLUICE_LOG=off", NULL};
    state = number * 0x9e3779b97f4a7c15u + 1;
    snprintf(soak, sizeof soak, "SLUICE_TEST_SOAK=%llu", (unsigned long long)number);
    snprintf(depth, sizeof depth, "SLUICE_FPGA_DEPTH=%s", depths[draw(LEN(depths))]);
    snprintf(threads, sizeof threads, "SLUICE_NUM_THREADS=%u", 1 + draw(8));
    snprintf(seed, sizeof seed, "SLUICE_FPGA_SEED=%u", draw(2) ? draw(UINT32_MAX) : 0);
    snprintf(patience, sizeof patience, "SLUICE_FPGA_STALL_MS=%u", 10 + draw(60));
    struct child child =
        child_run(&(struct child_plan){.job = "job_soak", .env = env, .limit_seconds = 1200});
    if (child.status)
        check_fail(__FILE__, __LINE__, "status %d after %.1f s\n%s %s %s %s %s\n%.4000s\n%.4000s",
                   child.status, child.seconds, soak, depth, threads, seed, patience, child.out,
                   child.err);
    int fine = !child.status;
    child_finish(&child);
    return fine;
}

static void soak(void)
{
    const char *minutes = getenv("SLUICE_TEST_MINUTES");
    double end = now_seconds() + 60 * (minutes ? strtod(minutes, NULL) : 1);
    uint64_t first = number_in("SLUICE_TEST_SEED", (uint64_t)getpid() << 20), number = first;
    int failures = 0;
    if (!is_sluice())
        check_skip("the settings are Sluice's");
    while (now_seconds() < end && failures < 5)
        failures += !run_process(number++);
    printf("%llu processes of %d rounds from seed %llu\n", (unsigned long long)(number - first),
           ROUNDS, (unsigned long long)first);
}

static const struct test_case cases[] = {CASE(soak)};
static const struct test_case jobs[] = {CASE(job_soak)};
JOBS_MAIN("soak", cases, jobs)
