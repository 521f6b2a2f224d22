/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the cases of one test program under cmocka, with a time limit for each, and holds the
 * results against the list of known failures. One thread; no lock. */
#include "runner.h"
#include "check.h"
#include "cl_help.h"
#include "filter.h"
#include "stuck.h"
#include "through.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum known { KNOWN_NOT, KNOWN_FAIL, KNOWN_SKIP };
enum { NO_DEVICE = 77 };

static const char *suite_name;
static const char *volatile case_name = "";
static jmp_buf case_end;
static const char *skip_reason;
static int cases_failed;

void check_abandon(void)
{
    longjmp(case_end, 1);
}

void check_skip(const char *why)
{
    skip_reason = why;
    longjmp(case_end, 1);
}

static void on_alarm(int sig)
{
    (void)sig;
    static const char text[] = "time limit of the case exceeded: ";
    ssize_t unused = write(2, text, sizeof text - 1);
    unused = write(2, case_name, strlen(case_name));
    unused = write(2, "\n", 1);
    (void)unused;
    stuck_tell();
    _exit(3);
}

static unsigned case_seconds(void)
{
    const char *text = getenv("SLUICE_TEST_CASE_SECONDS");
    return text ? (unsigned)atoi(text) : 120;
}

/* A line of a list: suite case fail|skip reason. */
static enum known known_in(const char *list_name, const char *name, char *reason, size_t size)
{
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/%s.txt", SLUICE_TEST_LISTS, list_name);
    FILE *list = fopen(path, "r");
    enum known found = KNOWN_NOT;
    while (list && found == KNOWN_NOT && fgets(line, sizeof line, list)) {
        char suite[64], test[64], kind[8];
        int at = 0;
        if (line[0] == '#' || sscanf(line, "%63s %63s %7s %n", suite, test, kind, &at) < 3)
            continue;
        if (strcmp(suite, suite_name) || strcmp(test, name))
            continue;
        found = strcmp(kind, "skip") ? KNOWN_FAIL : KNOWN_SKIP;
        snprintf(reason, size, "%.*s", (int)strcspn(line + at, "\n"), line + at);
    }
    if (list)
        fclose(list);
    return found;
}

/* In the list of the platform, or in the one that SLUICE_TEST_LIST names. */
static enum known known_case(const char *name, char *reason, size_t size)
{
    const char *other = getenv("SLUICE_TEST_LIST");
    enum known found = known_in(env_list_name(), name, reason, size);
    return found == KNOWN_NOT && other ? known_in(other, name, reason, size) : found;
}

static int run_guarded(const struct test_case *test)
{
    check_take_failures(); /* left by a case that crashed */
    alarm(case_seconds());
    if (!setjmp(case_end))
        test->run();
    alarm(0);
    return check_take_failures();
}

int run_alone(void (*run)(void))
{
    if (!setjmp(case_end))
        run();
    return check_take_failures();
}

static void run_case(void **state)
{
    const struct test_case *test = *state;
    char reason[512] = "";
    enum known known = known_case(test->name, reason, sizeof reason);
    if (known == KNOWN_SKIP) {
        print_message("known, not run: %s %s: %s\n", suite_name, test->name, reason);
        skip();
    }
    case_name = test->name;
    skip_reason = NULL;
    int failed = run_guarded(test);
    cases_failed += failed != 0;
    if (skip_reason && !failed) {
        print_message("not applicable: %s %s: %s\n", suite_name, test->name, skip_reason);
        skip();
    }
    if (known == KNOWN_FAIL && failed)
        print_message("known failure: %s %s: %s\n", suite_name, test->name, reason);
    else if (known == KNOWN_FAIL)
        fail_msg("%s %s passes but is listed as failing", suite_name, test->name);
    else if (failed)
        fail_msg("%s %s: %d failed checks", suite_name, test->name, failed);
}

static int close_group(void **state)
{
    (void)state;
    env_close(!cases_failed);
    return check_take_failures();
}

/* SLUICE_TEST_FILTER: a sandbox that a process enters when it has what it needs, a compiler's
 * process as well. */
static int confine(void)
{
    const char *filter = getenv("SLUICE_TEST_FILTER");
    if (!filter)
        return 0;
    const char *text = "kernel void warm(global int *x) { *x = 1; }";
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, NULL);
    cl_int rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    clReleaseProgram(program);
    if (!rc && filter_install(filter))
        return 0;
    fprintf(stderr, "no filter %s here, or no compiler (%d)\n", filter, rc);
    return rc ? 1 : NO_DEVICE;
}

/* A test that runs no case must not pass. */
static bool any_matches(const struct test_case *cases, size_t count, const char *pattern)
{
    for (size_t i = 0; i < count; i++)
        if (!fnmatch(pattern, cases[i].name, 0))
            return true;
    return false;
}

/* As an exit status. */
static int judge_way(enum through way)
{
    return way == THROUGH_TOO_FEW ? 1 : way == THROUGH_NONE ? NO_DEVICE : 0;
}

int run_suite(const char *suite, const struct test_case *cases, size_t count, int argc, char **argv)
{
    suite_name = suite;
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    if (!tests)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    stuck_prepare();
    signal(SIGALRM, on_alarm);
    int rc = env_open();
    if (!rc)
        rc = confine();
    if (rc)
        goto done;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){cases[i].name, run_case, NULL, NULL, (void *)&cases[i]};
    if (argc > 1 && !any_matches(cases, count, argv[1])) {
        fprintf(stderr, "%s has no case %s\n", suite, argv[1]);
        rc = 1;
        goto done;
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    rc = _cmocka_run_group_tests(suite, tests, count, NULL, close_group) ? 1 : 0;
    enum through way = went_through();
    if (!rc)
        rc = judge_way(way);
done:
    free(tests);
    return rc;
}
