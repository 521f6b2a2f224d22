/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel printed before it hung, crashed or was killed is seen; the lines of a work-item
 * keep their order; nothing of a flood is lost. A fault ends the process as on other drivers. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 200, LINES = 20, FLOOD = 50000 };
static const char before[] = "seen before it went wrong";

static void enqueue(const char *body, size_t global)
{
    char source[1024];
    REQUIRE(!env_open());
    snprintf(source, sizeof source, "kernel void k(global int *x, ulong big)\n{\n%s\n}\n", body);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem mem = new_buffer(0, 4096, NULL);
    const cl_ulong big = ~0ull;
    ARG(kernel, 0, mem);
    ARG(kernel, 1, big);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void job_hang(void)
{
    enqueue("printf(\"seen before it went wrong\\n\");\n"
            "for (volatile ulong i = 0; i < big; i++);",
            1);
    clFinish(cl.queue);
}

static void job_killed(void)
{
    enqueue("printf(\"seen before it went wrong\\n\");\n"
            "for (volatile ulong i = 0; i < big; i++);",
            1);
    clFlush(cl.queue);
    sleep(1);
    raise(SIGKILL);
}

static void job_fault(void)
{
    enqueue("printf(\"seen before it went wrong\\n\");\n"
            "*(volatile global int *)(big - 4095 + get_global_id(0)) = 1;",
            1);
    clFinish(cl.queue);
    pause();
}

static void job_fault_without_waiting(void)
{
    enqueue("printf(\"seen before it went wrong\\n\");\n"
            "*(volatile global int *)0 = 1;",
            64);
    clFlush(cl.queue);
    pause();
}

static void shows(const char *job, int status, double limit)
{
    struct child child = child_run(
        &(struct child_plan){.job = job, .limit_seconds = limit, .gentle = status == CHILD_LATE});
    if (child.status != status || !strstr(child.out, before))
        check_fail(__FILE__, __LINE__, "%s: expected end %d, got %d; printed \"%.100s\"\n%.500s",
                   job, status, child.status, child.out, child.err);
    child_finish(&child);
}

static void seen_though_it_hangs(void)
{
    shows("job_hang", CHILD_LATE, 2);
}

static void seen_though_it_is_killed(void)
{
    shows("job_killed", CHILD_SIGNAL + SIGKILL, 20);
}

/* As with the peers the process ends by the signal: at once, waiting or not. */
static void seen_though_it_faults(void)
{
    shows("job_fault", CHILD_SIGNAL + SIGSEGV, 20);
    shows("job_fault_without_waiting", CHILD_SIGNAL + SIGSEGV, 20);
}

/* ---- order and amount ------------------------------------------------------------------------ */

static void job_order(void)
{
    enqueue("for (int i = 0; i < 20; i++) printf(\"%d:%d\\n\", (int)get_global_id(0), i);", ITEMS);
    CHECK_OK(clFinish(cl.queue));
}

static void lines_keep_their_order(void)
{
    int next[ITEMS] = {0}, lines = 0, id, i;
    struct child child = child_run(&(struct child_plan){.job = "job_order"});
    CHECK_EQ(child.status, 0);
    for (char *line = strtok(child.out, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        if (sscanf(line, "%d:%d", &id, &i) != 2 || id < 0 || id >= ITEMS || next[id]++ != i) {
            check_fail(__FILE__, __LINE__, "line out of order or torn: %.80s", line);
            break;
        }
    }
    CHECK_EQ(lines, ITEMS * LINES);
    child_finish(&child);
}

static void job_flood(void)
{
    enqueue("printf(\"%08d 0123456789012345678901234567890123456789012345678901234567890123456789"
            "012345678901234567890\\n\", (int)get_global_id(0));",
            FLOOD);
    CHECK_OK(clFinish(cl.queue));
}

static void nothing_of_a_flood_is_lost(void)
{
    static unsigned char seen[FLOOD];
    int lines = 0;
    struct child child = child_run(&(struct child_plan){.job = "job_flood"});
    CHECK_EQ(child.status, 0);
    for (char *line = strtok(child.out, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        int id = atoi(line);
        if (strlen(line) != 100 || id < 0 || id >= FLOOD || seen[id]++) {
            check_fail(__FILE__, __LINE__, "line twice or torn: %.120s", line);
            break;
        }
    }
    CHECK_EQ(lines, FLOOD);
    child_finish(&child);
}

/* The application's own buffered output stays in order with the kernel's. */
static void job_mixed(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    printf("application 1\n");
    enqueue("printf(\"kernel\\n\");", 1);
    CHECK_OK(clFinish(cl.queue));
    printf("application 2\n");
}

static void in_order_with_the_application(void)
{
    struct child child = child_run(&(struct child_plan){.job = "job_mixed"});
    CHECK_EQ(child.status, 0);
    CHECK(!strcmp(child.out, "application 1\nkernel\napplication 2\n"));
    child_finish(&child);
}

static const struct test_case jobs[] = {
    CASE(job_hang),  CASE(job_killed), CASE(job_fault), CASE(job_fault_without_waiting),
    CASE(job_order), CASE(job_flood),  CASE(job_mixed),
};
static const struct test_case cases[] = {
    CASE(seen_though_it_hangs),       CASE(seen_though_it_is_killed),
    CASE(seen_though_it_faults),      CASE(lines_keep_their_order),
    CASE(nothing_of_a_flood_is_lost), CASE(in_order_with_the_application),
};
JOBS_MAIN("printf", cases, jobs)
