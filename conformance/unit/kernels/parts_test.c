/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose code several processes make: what one of them cannot do is reported as if there
 * were no others. __wrap_sl_crash_stage stands at the beginning of each stage, __wrap_fork may
 * end a part where it begins, and __wrap_sched_getaffinity says how many processors there are. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/build.h"
#include "compiler/stage/crash.h"

enum { KERNELS = 40, MOST_KERNELS = 600 };

/* ---- the stage that goes wrong --------------------------------------------------------------- */

static const char *bad_stage; /* in children; NULL: none */
static int bad_signal;
static int bad_part; /* ends at once; 0: none does */
static int forks;    /* in a child: which part it is */
static pid_t first;
static volatile uintptr_t nowhere = 8;

void __real_sl_crash_stage(const char *name);
void __wrap_sl_crash_stage(const char *name);

pid_t __real_fork(void);
pid_t __wrap_fork(void);

pid_t __wrap_fork(void)
{
    forks++;
    pid_t child = __real_fork();
    if (!child && forks == bad_part)
        raise(SIGKILL);
    return child;
}

void __wrap_sl_crash_stage(const char *name)
{
    __real_sl_crash_stage(name);
    if (!bad_stage || getpid() == first || strcmp(name, bad_stage))
        return;
    if (bad_signal == SIGABRT)
        abort();
    if (bad_signal == SIGKILL)
        raise(SIGKILL);
    *(volatile int *)nowhere = 1;
}

/* ---- processors ------------------------------------------------------------------------------ */

static int pretended; /* 0: those that there are */

int __real_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    if (!pretended)
        return __real_sched_getaffinity(pid, bytes, set);
    CPU_ZERO_S(bytes, set);
    for (int p = 0; p < pretended; p++)
        CPU_SET_S((size_t)p, bytes, set);
    return 0;
}

/* ---- building -------------------------------------------------------------------------------- */

static int kernels = KERNELS;

static char *source_of(const char *last)
{
    char *text = malloc(1 << 16);
    int used = 0;
    for (int k = 0; k < kernels; k++)
        used += sprintf(text + used,
                        "kernel void k%d(global int *a) { a[get_global_id(0)] += %d; }\n", k, k);
    strcpy(text + used, last);
    return text;
}

struct outcome {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

static void run_build(void *data)
{
    struct outcome *outcome = data;
    outcome->status = sl_compiler_build(&outcome->request, &outcome->result);
}

static void build(struct outcome *outcome, const char *last)
{
    char *text = source_of(last);
    *outcome =
        (struct outcome){.request = {.kind = SL_BUILD_BUILD, .source = {text, strlen(text)}}};
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
    free(text);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static bool has_one_processor(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) || CPU_COUNT(&allowed) < 2;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void fails_at(const char *stage, int number, const char *text)
{
    struct outcome outcome;
    bad_stage = stage;
    bad_signal = number;
    build(&outcome, "");
    bad_stage = NULL;
    if (has_one_processor()) {
        assert_int_equal(outcome.status, SL_BUILD_OK);
    } else {
        assert_int_equal(outcome.status, SL_BUILD_FAILED);
        if (!outcome.result.log.data || !strstr(outcome.result.log.data, text))
            fail_msg("the log lacks \"%s\": %s", text, outcome.result.log.data);
    }
    sl_build_result_finish(&outcome.result);
}

static void crashes_name_their_place(void **state)
{
    (void)state;
    fails_at("optimize", SIGSEGV, "crashed (signal 11, stage optimize)");
    fails_at("codegen", SIGSEGV, "crashed (signal 11, stage codegen)");
    fails_at("tables", SIGABRT, "gave up or ran out of memory (signal 6, stage tables)");
}

static void killed_parts_are_missed(void **state)
{
    (void)state;
    fails_at("optimize", SIGKILL, "in a part of the program");
}

/* The last kernel is a child's, if there are two processes. */
static void refusals_are_handed_over(void **state)
{
    (void)state;
    struct outcome outcome;
    build(&outcome, "kernel void big(global int *a) { int x[1 << 29]; x[a[0]] = a[1];\n"
                    "    barrier(1); a[2] = x[a[3]]; }\n"
                    "kernel void last(global int *a) { a[0] = 1; }\n");
    assert_int_equal(outcome.status, SL_BUILD_FAILED);
    assert_non_null(strstr(outcome.result.log.data, "big"));
    sl_build_result_finish(&outcome.result);
    build(&outcome, "kernel void last(global int *a) { a[0] = 1; }\n"
                    "kernel void big(global int *a) { int x[1 << 29]; x[a[0]] = a[1];\n"
                    "    barrier(1); a[2] = x[a[3]]; }\n");
    assert_int_equal(outcome.status, SL_BUILD_FAILED);
    assert_non_null(strstr(outcome.result.log.data, "big"));
    sl_build_result_finish(&outcome.result);
}

/* So many kernels that what the third part says of them does not fit into its pipe. */
static void nobody_waits_for_a_reader(void **state)
{
    (void)state;
    forks = 0;
    bad_part = 1;
    pretended = 3;
    kernels = MOST_KERNELS;
    fails_at(NULL, 0, "in a part of the program");
    assert_int_equal(forks, 2);
    pretended = bad_part = 0;
    kernels = KERNELS;
}

/* ---- code on demand (compiler/codegen/on_demand.h) ------------------------------------------- */

static const char *const on_demand[] = {"SLUICE_BUILD=on-demand"};
static const char *const language[] = {"-cl-std=CL3.0"};

static void build_tables(struct outcome *outcome, const char *last)
{
    char *text = source_of(last);
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_BUILD,
                                            .source = {text, strlen(text)},
                                            .options = language,
                                            .option_count = 1,
                                            .settings = on_demand,
                                            .setting_count = 1}};
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
    free(text);
}

/* What lies behind the first container. */
static struct sl_blob rest_of(const struct outcome *outcome)
{
    struct sl_binary_header header;
    const struct sl_text *all = &outcome->result.binary;
    assert_true(all->bytes > sizeof header);
    memcpy(&header, all->data, sizeof header);
    assert_int_equal(header.kind, SL_BINARY_EXECUTABLE);
    assert_true(header.total_bytes < all->bytes);
    return (struct sl_blob){all->data + header.total_bytes, all->bytes - header.total_bytes};
}

static void finish(struct outcome *outcome, const struct sl_blob *rest, const char *kernel)
{
    *outcome = (struct outcome){
        .request = {.kind = SL_BUILD_FINISH, .inputs = rest, .input_count = 1, .kernel = kernel}};
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void code_is_made_on_demand(void **state)
{
    (void)state;
    struct outcome tables, one, all, missing;
    build_tables(&tables, "");
    assert_int_equal(tables.status, SL_BUILD_OK);
    struct sl_blob rest = rest_of(&tables);
    finish(&one, &rest, "k7");
    assert_int_equal(one.status, SL_BUILD_OK);
    pretended = 3;
    forks = 0;
    finish(&all, &rest, NULL);
    pretended = 0;
    assert_int_equal(all.status, SL_BUILD_OK);
    assert_int_equal(forks, 2);
    assert_true(all.result.binary.bytes > 4 * one.result.binary.bytes);
    finish(&missing, &rest, "k");
    assert_int_equal(missing.status, SL_BUILD_FAILED);
    assert_non_null(strstr(missing.result.log.data, "no kernel k"));
    sl_build_result_finish(&missing.result);
    sl_build_result_finish(&all.result);
    sl_build_result_finish(&one.result);
    sl_build_result_finish(&tables.result);
}

/* What refuses a program does so in the build. */
static void refusals_come_early(void **state)
{
    (void)state;
    struct outcome outcome;
    build_tables(&outcome, "kernel void big(global int *a) { int x[1 << 29]; x[a[0]] = a[1];\n"
                           "    barrier(1); a[2] = x[a[3]]; }\n");
    assert_int_equal(outcome.status, SL_BUILD_FAILED);
    assert_non_null(strstr(outcome.result.log.data, "big"));
    sl_build_result_finish(&outcome.result);
}

/* Kernels that share a variable are made together. */
static void shared_variables_stay(void **state)
{
    (void)state;
    struct outcome outcome;
    struct sl_binary_header header;
    build_tables(&outcome, "kernel void two(global int *a) { local int b; b = a[0]; a[1] = b; }\n");
    assert_int_equal(outcome.status, SL_BUILD_OK);
    rest_of(&outcome);
    sl_build_result_finish(&outcome.result);
    build_tables(&outcome, "global int v = 1;\n"
                           "kernel void add(global int *a) { a[0] = v++; }\n");
    assert_int_equal(outcome.status, SL_BUILD_OK);
    memcpy(&header, outcome.result.binary.data, sizeof header);
    assert_int_equal(header.total_bytes, outcome.result.binary.bytes);
    sl_build_result_finish(&outcome.result);
}

static void damaged_rest_is_refused(void **state)
{
    (void)state;
    struct outcome tables, bad;
    build_tables(&tables, "");
    struct sl_blob rest = rest_of(&tables);
    ((char *)rest.data)[rest.bytes / 2] ^= 1;
    finish(&bad, &rest, "k1");
    assert_int_equal(bad.status, SL_BUILD_FAILED);
    assert_non_null(strstr(bad.result.log.data, "cannot be finished"));
    sl_build_result_finish(&bad.result);
    sl_build_result_finish(&tables.result);
}

static void builds_after_failures(void **state)
{
    (void)state;
    struct outcome outcome;
    build(&outcome, "");
    assert_int_equal(outcome.status, SL_BUILD_OK);
    assert_true(outcome.result.binary.bytes > 0);
    sl_build_result_finish(&outcome.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_name_their_place), cmocka_unit_test(killed_parts_are_missed),
        cmocka_unit_test(refusals_are_handed_over), cmocka_unit_test(nobody_waits_for_a_reader),
        cmocka_unit_test(code_is_made_on_demand),   cmocka_unit_test(refusals_come_early),
        cmocka_unit_test(shared_variables_stay),    cmocka_unit_test(damaged_rest_is_refused),
        cmocka_unit_test(builds_after_failures),
    };
    first = getpid();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
