/* SPDX-License-Identifier: Apache-2.0 */
/* What can be watched from outside: log, trace, timeline and dumps say what they promise, where
 * they are told to, and nothing is said unasked. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two programs, one of them bad, a bad call, and commands of three kinds. */
static void job_watched(void)
{
    cl_int one = 1;
    const size_t global = 64;
    REQUIRE(!env_open());
    cl_program bad = new_program("kernel void k() { this is no C; }");
    CHECK_EQ(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(bad);
    cl_kernel kernel = new_kernel(
        "kernel void seen_kernel(global int *x) { x[get_global_id(0)] = 1; }", "seen_kernel", NULL);
    cl_mem mem = new_buffer(0, 4096, NULL);
    CHECK_EQ(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
             CL_INVALID_KERNEL_ARGS);
    ARG(kernel, 0, mem);
    CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, &one, sizeof one, 0, 4096, 0, NULL, NULL));
    run_1d(kernel, 64, 0);
    read_back(mem, sizeof one, &one);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    env_close(1);
}

static struct child watched(const char *const *env)
{
    struct child child = child_run(&(struct child_plan){.job = "job_watched", .env = env});
    if (child.status)
        check_fail(__FILE__, __LINE__, "end %d\n%.500s", child.status, child.err);
    return child;
}

static void says(const char *what, const char *text, const char *const *words, int wanted)
{
    for (; *words; words++)
        if ((strstr(text, *words) != NULL) != wanted)
            check_fail(__FILE__, __LINE__, "%s: \"%s\" is %s in\n%.700s", what, *words,
                       wanted ? "not" : "also", text);
}

/* ---- files in a folder of our own ------------------------------------------------------------ */

static char folder[64];

static void open_folder(void)
{
    strcpy(folder, "/tmp/sluice-watch-XXXXXX");
    REQUIRE(mkdtemp(folder));
}

static void close_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_EQ(system(command), 0);
}

static const char *in_folder(char *out, size_t room, const char *variable, const char *file)
{
    snprintf(out, room, "%s=%s/%s", variable, folder, file);
    return out;
}

/* owned by the caller */
static char *read_file(const char *name)
{
    char path[256];
    size_t room = 4 << 20;
    char *text = calloc(1, room);
    REQUIRE(text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (!CHECK(file != NULL))
        return text;
    CHECK(fread(text, 1, room - 1, file) > 0);
    fclose(file);
    return text;
}

/* ---- silence, log ---------------------------------------------------------------------------- */

static void silent_by_default(void)
{
    static const char *const env[] = {"SLUICE_LOG", "SLUICE_TRACE", NULL};
    struct child child = watched(env);
    CHECK(!*child.out);
    CHECK(!*child.err);
    child_finish(&child);
}

/* There is a profile of dataflow designs only. */
static void unprofiled(void)
{
    static const char word[] = "SLUICE_FPGA_PROFILE: a program that is not built for the emulated";
    struct child child = watched((const char *const[]){
        "SLUICE_LOG", "SLUICE_DEVICES=cpu", "SLUICE_FPGA_PROFILE=/tmp/sluice-none.json", NULL});
    const char *first = strstr(child.err, word);
    CHECK(first && !strstr(first + 1, word));
    CHECK(access("/tmp/sluice-none.json", F_OK));
    child_finish(&child);
}

static void log_by_topic_and_level(void)
{
    struct child child = watched((const char *const[]){"SLUICE_LOG=debug", NULL});
    CHECK(strstr(child.err, ": built\n") && !strstr(child.err, "\n\n"));
    says("debug", child.err,
         (const char *const[]){" build: ", " cache: ", "use of undeclared", "argument 0 is not set",
                               "CL_INVALID_KERNEL_ARGS", NULL},
         1);
    child_finish(&child);
    child = watched((const char *const[]){"SLUICE_LOG=build:info", NULL});
    says("build:info", child.err, (const char *const[]){" build: ", "use of undeclared", NULL}, 1);
    says("build:info", child.err, (const char *const[]){" cache: ", " api: ", " debug ", NULL}, 0);
    child_finish(&child);
    child = watched((const char *const[]){"SLUICE_LOG=error", NULL});
    CHECK(!*child.err);
    child_finish(&child);
}

static void log_to_a_file(void)
{
    char name[128];
    open_folder();
    const char *env[] = {"SLUICE_LOG=debug", in_folder(name, sizeof name, "SLUICE_LOG_FILE", "log"),
                         NULL};
    struct child child = watched(env);
    CHECK(!*child.err);
    child_finish(&child);
    char *text = read_file("log");
    says("file", text, (const char *const[]){" build: ", NULL}, 1);
    free(text);
    close_folder();
}

/* ---- trace ----------------------------------------------------------------------------------- */

/* One word for each bit. */
static const char *const bit_words[] = {"trace: platform Sluice", "clCreateContext(",
                                        "NDRANGE_KERNEL seen_kernel", "compiler: started"};

static void trace_bits(void)
{
    for (int bits = -1; bits <= 15; bits++) {
        char setting[32];
        snprintf(setting, sizeof setting, "SLUICE_TRACE=%d", bits);
        if (bits > 2 && bits != 4 && bits != 8 && bits != 5)
            continue;
        const char *env[] = {setting, NULL};
        struct child child = watched(env);
        for (int bit = 0; bit < 4; bit++)
            says(setting, child.err, (const char *const[]){bit_words[bit], NULL}, bits >> bit & 1);
        child_finish(&child);
    }
}

static void trace_names_arguments_and_results(void)
{
    struct child child = watched((const char *const[]){"SLUICE_TRACE=6", NULL});
    says("trace", child.err,
         (const char *const[]){"clSetKernelArg(kernel=0x", "arg_index=0", "arg_size=8",
                               "CL_INVALID_KERNEL_ARGS", "CL_SUCCESS", " us\n",
                               "FILL_BUFFER in queue 0x", ": queued", ": submitted", ": started",
                               ": ended, complete", NULL},
         1);
    child_finish(&child);
}

static void trace_to_a_file(void)
{
    char name[128];
    open_folder();
    const char *env[] = {"SLUICE_TRACE=-1",
                         in_folder(name, sizeof name, "SLUICE_TRACE_FILE", "trace"), NULL};
    struct child child = watched(env);
    CHECK(!*child.err);
    child_finish(&child);
    char *text = read_file("trace");
    for (size_t i = 0; i < LEN(bit_words); i++)
        says("file", text, (const char *const[]){bit_words[i], NULL}, 1);
    free(text);
    close_folder();
}

/* ---- timeline -------------------------------------------------------------------------------- */

static const char *skip_space(const char *at)
{
    while (*at && isspace((unsigned char)*at))
        at++;
    return at;
}

static const char *json_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at && *at != '"'; at++)
        if ((unsigned char)*at < 0x20 || (*at == '\\' && !*++at))
            return NULL;
    return *at ? at + 1 : NULL;
}

/* Behind the JSON value at `at`, or NULL. Recursion is as deep as the timeline's nesting. */
static const char *json_value(const char *at)
{
    at = skip_space(at);
    if (*at == '"')
        return json_string(at);
    if (*at != '{' && *at != '[') {
        size_t plain = strspn(at, "-+.0123456789eEtrufalsn");
        return plain ? at + plain : NULL;
    }
    char open = *at, close = open == '{' ? '}' : ']';
    at = skip_space(at + 1);
    if (*at == close)
        return at + 1;
    for (;;) {
        if (open == '{') {
            at = json_string(skip_space(at));
            at = at ? skip_space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(at);
        if (!at)
            return NULL;
        at = skip_space(at);
        if (*at == close)
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
}

static void four_times_in_order(const char *text)
{
    unsigned long long queued, submitted, started, ended;
    const char *at = strstr(text, "NDRANGE_KERNEL seen_kernel");
    at = at ? strstr(at, "\"queued_ns\"") : NULL;
    REQUIRE(at);
    REQUIRE(sscanf(at,
                   "\"queued_ns\":%llu,\"submitted_ns\":%llu,\"started_ns\":%llu,\"ended_ns\":%llu",
                   &queued, &submitted, &started, &ended) == 4);
    CHECK(queued && queued <= submitted && submitted <= started && started <= ended);
}

static void timeline(void)
{
    char name[128];
    open_folder();
    const char *env[] = {in_folder(name, sizeof name, "SLUICE_TIMELINE", "timeline.json"), NULL};
    struct child child = watched(env);
    CHECK(!*child.err);
    child_finish(&child);
    char *text = read_file("timeline.json");
    const char *end = json_value(text);
    CHECK(end && !*skip_space(end));
    CHECK(*text == '[');
    says("timeline", text,
         (const char *const[]){"\"cat\":\"build\"", "\"cat\":\"command\"",
                               "\"name\":\"FILL_BUFFER\"", "\"name\":\"READ_BUFFER\"",
                               "CL_BUILD_PROGRAM_FAILURE", NULL},
         1);
    four_times_in_order(text);
    free(text);
    close_folder();
}

/* ---- dumps ----------------------------------------------------------------------------------- */

static int files_like(const char *pattern)
{
    char path[256];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    int count = glob(path, 0, NULL, &found) ? 0 : (int)found.gl_pathc;
    globfree(&found);
    return count;
}

/* The folder is made when it is not there; the cache must not hide a stage. */
static void dumps_keep_each_stage(void)
{
    static const char *const stages[] = {
        "new/*source.cl",   "new/*frontend.ll", "new/*builtins.ll", "new/*work_group_regions.ll",
        "new/*optimize.ll", "new/*object.o",    "new/*module.so",
    };
    char name[128];
    open_folder();
    const char *env[] = {in_folder(name, sizeof name, "SLUICE_DUMP", "new"), NULL};
    for (int round = 1; round <= 2; round++) {
        struct child child = watched(env);
        child_finish(&child);
        for (size_t i = 0; i < LEN(stages); i++)
            if (files_like(stages[i]) < round)
                check_fail(__FILE__, __LINE__, "no %s in round %d", stages[i], round);
    }
    close_folder();
}

/* Code is loaded from the folder: it must be the user's alone. That is said without being asked. */
static void dumps_of_strangers(void)
{
    char name[128], path[256];
    open_folder();
    snprintf(path, sizeof path, "%s/shared", folder);
    REQUIRE(!mkdir(path, 0755) && !chmod(path, 01777));
    const char *env[] = {in_folder(name, sizeof name, "SLUICE_DUMP", "shared"), NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_watched", .env = env});
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "SLUICE_DUMP=") && strstr(child.err, "others may write to it"));
    CHECK_EQ(files_like("shared/*"), 0);
    child_finish(&child);
    CHECK(!rmdir(path));
    close_folder();
}

/* Where everybody may write, a link that somebody left is not followed, and the line is not lost.
 */
static void logs_behind_links(void)
{
    static const char *const names[] = {"SLUICE_LOG_FILE", "SLUICE_TRACE_FILE", "SLUICE_TIMELINE"};
    char path[256], target[256], link[300], name[3][400];
    open_folder();
    snprintf(path, sizeof path, "%s/shared", folder);
    snprintf(target, sizeof target, "%s/target", folder);
    snprintf(link, sizeof link, "%s/link", path);
    REQUIRE(!mkdir(path, 0755) && !chmod(path, 01777) && !symlink(target, link));
    for (int i = 0; i < 3; i++)
        snprintf(name[i], sizeof name[i], "%s=%s", names[i], link);
    const char *env[] = {name[0], name[1], name[2], "SLUICE_LOG=debug", "SLUICE_TRACE=2", NULL};
    struct child child = child_run(&(struct child_plan){.job = "job_watched", .env = env});
    CHECK_EQ(child.status, 0);
    for (int i = 0; i < 3; i++)
        CHECK(strstr(child.err, name[i]));
    CHECK(strstr(child.err, "clBuildProgram"));
    CHECK(access(target, F_OK));
    child_finish(&child);
    CHECK(!unlink(link) && !rmdir(path));
    close_folder();
}

static const struct test_case jobs[] = {CASE(job_watched)};
static const struct test_case cases[] = {
    CASE(silent_by_default),  CASE(unprofiled),        CASE(log_by_topic_and_level),
    CASE(log_to_a_file),      CASE(trace_bits),        CASE(trace_names_arguments_and_results),
    CASE(trace_to_a_file),    CASE(timeline),          CASE(dumps_keep_each_stage),
    CASE(dumps_of_strangers), CASE(logs_behind_links),
};
JOBS_MAIN("observe", cases, jobs)
