/* SPDX-License-Identifier: Apache-2.0 */
/* Builds that fail: always with a log a human can use, and never taking the application along. What
 * happens to the compiler process is injected with signals and limits. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what the log says ----------------------------------------------------------------------- */

static const struct {
    const char *source, *options;
    const char *said; /* a part of the log; NULL: any text */
} refused[] = {
    {"int there_is_none(int);\nkernel void k(global int *x) { *x = there_is_none(1); }", "",
     "there_is_none"},
    {"kernel void k(global int *x) { *x = undeclared_function(1); }", "", "undeclared_function"},
    {"kernel void k(global int *x)\n{\n    *x = nothing;\n}\n", "", ":3:10:"},
    {"kernel void k(global int *x)\n{\n    *x = 1\n}\n", "", ":3:"},
    {"kernel void k(global int *x) {", "", ":1:"},
    {"#error of my own\n", "", "of my own"},
    {"#include \"no_such_file.h\"\nkernel void k() {}", "", "no_such_file.h"},
    {"kernel int k() { return 1; }", "", "void"},
    {"kernel void k(global int *x) { asm(\"int3\"); goto *x; }", "", NULL},
    {"int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nkernel void k(global int *x) { *x "
     "= f(*x); }",
     "", "f"},
    {"kernel void k(global int *x) { *x = WORD; }", "-DWORD=)", NULL},
    {"kernel void k(global int *x) { *x = 1; }", "-cl-std=CL9.9", "CL9.9"},
    {"kernel void k(global int *x) { *x = 1; }", "-fno-such-option", "-fno-such-option"},
    {"#warning of my own\nkernel void k(global int *x) { *x = 1; }", "-Werror", "of my own"},
    {"kernel void k(global int *x) { *x = printf(x); }", "", "printf"},
};

static int readable(const char *log)
{
    size_t letters = 0;
    for (const char *at = log; *at; at++)
        letters += (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
    return letters >= 10;
}

static void every_refusal_has_a_log(void)
{
    for (size_t i = 0; i < LEN(refused); i++) {
        cl_program program = new_program(refused[i].source);
        cl_int rc = clBuildProgram(program, 0, NULL, refused[i].options, NULL, NULL);
        char *log = build_log(program);
        const char *said = refused[i].said;
        if (!rc || !readable(log) || (said && !strstr(log, said)))
            check_fail(__FILE__, __LINE__, "%s with \"%s\": %s, log without \"%s\":\n%s",
                       refused[i].source, refused[i].options, code_name(rc), said ? said : "", log);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

/* The same name at a link: the program that comes back carries the log. */
static void link_names_what_is_missing(void)
{
    cl_int rc;
    char *log;
    cl_program part = new_program(refused[0].source);
    REQUIRE_OK(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(cl.context, 0, NULL, NULL, 1, &part, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    REQUIRE(linked);
    log = build_log(linked);
    CHECK(strstr(log, refused[0].said));
    free(log);
    RELEASE_PROGRAM(linked);
    RELEASE_PROGRAM(part);
}

/* ---- what happens to the compiler ------------------------------------------------------------ */

static char trace[] = "/tmp/sluice-trace-XXXXXX";
static atomic_int signal_to_send; /* 0: none */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = calloc(1, 1 << 16);
    size_t got = file && text ? fread(text, 1, (1 << 16) - 1, file) : 0;
    if (file)
        fclose(file);
    if (text)
        text[got] = 0;
    return text;
}

static void *torment(void *unused)
{
    (void)unused;
    for (int number; (number = atomic_load(&signal_to_send)) >= 0; usleep(1000)) {
        pid_t pids[64];
        char *text = read_text(trace);
        int count = text && number ? traced_helpers(text, pids, 64) : 0;
        for (int i = 0; i < count; i++)
            kill(pids[i], number);
        free(text);
    }
    return NULL;
}

static char *big_source(int lines)
{
    size_t room = 64 + (size_t)lines * 64, at = 0;
    char *source = malloc(room);
    REQUIRE(source);
    at = (size_t)snprintf(source, room, "kernel void k(global float *x) {\n");
    for (int i = 0; i < lines; i++)
        at += (size_t)snprintf(source + at, room - at, "x[%d] = sin(x[%d]) / x[%d];\n", i, i + 1,
                               i + 2);
    snprintf(source + at, room - at, "}\n");
    return source;
}

/* When it fails the word is in its log. */
static cl_int build_text(const char *source, const char *word)
{
    cl_program program = new_program(source);
    cl_int rc = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    char *log = build_log(program);
    if (rc && !strstr(log, word))
        check_fail(__FILE__, __LINE__, "%s with a log without \"%s\":\n%s", code_name(rc), word,
                   log);
    printf("%.200s\n", log);
    free(log);
    RELEASE_PROGRAM(program);
    return rc;
}

static cl_int build_big(int lines, const char *word)
{
    char *source = big_source(lines);
    cl_int rc = build_text(source, word);
    free(source);
    return rc;
}

/* A compiler that was started in the place of the stopped one may have got its signal as well,
 * before anything was built with it. */
static void wake_up(void)
{
    pid_t pids[64];
    char *text = read_text(trace);
    int count = text ? traced_helpers(text, pids, 64) : 0;
    for (int i = 0; i < count; i++)
        kill(pids[i], SIGCONT);
    free(text);
}

/* While the big build runs its compiler, and each one started in its place, gets the signal. */
static void job_tormented(void)
{
    pthread_t thread;
    int number = atoi(getenv("SLUICE_TEST_SIGNAL"));
    REQUIRE(mkstemp(trace) >= 0);
    setenv("SLUICE_TRACE", "8", 1);
    setenv("SLUICE_TRACE_FILE", trace, 1);
    REQUIRE(!env_open());
    REQUIRE(!pthread_create(&thread, NULL, torment, NULL));
    atomic_store(&signal_to_send, number);
    CHECK_EQ(build_big(3000, number == SIGSTOP ? "time limit" : "killed"),
             CL_BUILD_PROGRAM_FAILURE);
    atomic_store(&signal_to_send, -1);
    pthread_join(thread, NULL);
    wake_up();
    unlink(trace);
    cl_program program = built("kernel void next(global int *x) { *x = 1; }", NULL);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void tormented(const char *setting)
{
    const char *env[] = {setting, "SLUICE_CACHE=0", "SLUICE_COMPILE_TIMEOUT=2", NULL};
    child_ends(&(struct child_plan){.job = "job_tormented", .env = env}, 0);
}

static void killed_compiler(void)
{
    tormented("SLUICE_TEST_SIGNAL=9");
}

static void crashing_compiler(void)
{
    tormented("SLUICE_TEST_SIGNAL=11");
}

static void hanging_compiler(void)
{
    tormented("SLUICE_TEST_SIGNAL=19");
}

/* A source that takes longer than the limit; the same process then builds another. */
static void job_slow(void)
{
    REQUIRE(!env_open());
    CHECK_EQ(build_big(60000, "time limit"), CL_BUILD_PROGRAM_FAILURE);
    setenv("SLUICE_COMPILE_TIMEOUT", "60", 1);
    cl_program program = built("kernel void next(global int *x) { *x = 2; }", NULL);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void time_limit(void)
{
    static const char *const env[] = {"SLUICE_COMPILE_TIMEOUT=1", "SLUICE_CACHE=0", NULL};
    child_ends(&(struct child_plan){.job = "job_slow", .env = env}, 0);
}

/* The table alone is as large as all that the compiler may have. */
static void job_hungry(void)
{
    REQUIRE(!env_open());
    CHECK_EQ(build_text("constant char table[600 << 20] = {1, 2, 3};\n"
                        "kernel void k(global int *x) { *x = table[*x]; }",
                        "memory"),
             CL_BUILD_PROGRAM_FAILURE);
    cl_program program = built("kernel void next(global int *x) { *x = 3; }", NULL);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void memory_limit(void)
{
    static const char *const env[] = {"SLUICE_COMPILE_MEMORY_MB=600", "SLUICE_CACHE=0", NULL};
    child_ends(&(struct child_plan){.job = "job_hungry", .env = env}, 0);
}

/* Things that are no compiler: the build says so, binaries of before still work. */
static void job_no_compiler(void)
{
    cl_program program;
    REQUIRE(!env_open());
    program = new_program("kernel void k(global int *x) { *x = 4; }");
    cl_int rc = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    CHECK(rc == CL_COMPILER_NOT_AVAILABLE || rc == CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    CHECK(readable(log));
    CHECK(strstr(log, "compiler"));
    free(log);
    RELEASE_PROGRAM(program);
    env_close(1);
}

static void no_compiler_at_all(void)
{
    static const char *const settings[] = {"SLUICE_COMPILER=/nowhere", "SLUICE_COMPILER=/bin/true",
                                           "SLUICE_COMPILER=/bin/cat",
                                           "SLUICE_COMPILER=/etc/passwd", "SLUICE_COMPILER=/tmp"};
    for (size_t i = 0; i < LEN(settings); i++) {
        const char *env[] = {settings[i], "SLUICE_CACHE=0", "SLUICE_COMPILE_TIMEOUT=5", NULL};
        child_ends(&(struct child_plan){.job = "job_no_compiler", .env = env}, 0);
    }
}

static const struct test_case jobs[] = {CASE(job_tormented), CASE(job_slow), CASE(job_hungry),
                                        CASE(job_no_compiler)};
static const struct test_case cases[] = {
    CASE(every_refusal_has_a_log),
    CASE(link_names_what_is_missing),
    CASE(killed_compiler),
    CASE(crashing_compiler),
    CASE(hanging_compiler),
    CASE(time_limit),
    CASE(memory_limit),
    CASE(no_compiler_at_all),
};
JOBS_MAIN("builds", cases, jobs)
