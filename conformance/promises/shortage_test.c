/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole client programs run short of memory, threads and descriptors: each request fails once, or
 * from one on all do, or a limit falls. They end by themselves, with errors that say so and never
 * with wrong values, give back what they had, and work afterwards. A sample of the requests, drawn
 * from SLUICE_TEST_SEED, for SLUICE_TEST_SECONDS in all, or with SLUICE_TEST_SECONDS=0 each one.
 */
#include "child.h"
#include "cl_help.h"
#include "reference.h"
#include "shortage.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SLUICE_TEST_SHORT_COMPILER
#define SLUICE_TEST_SHORT_COMPILER ""
#endif

enum { LIMIT_SECONDS = 20, MOST_TEXT = 4200, SOME_USER = 61234 };

static const struct program {
    const char *life, *device;
} programs[] = {
    {"buffers", "cpu"},    {"images", "cpu"},    {"pointers", "cpu"}, {"binaries", "cpu"},
    {"recordings", "cpu"}, {"channels", "fpga"}, {"pipes", "fpga"},   {"buffers", "fpga"},
    {"pointers", "fpga"},  {"binaries", "fpga"}, {"parts", "cpu"},
};

/* One way to run short. */
struct way {
    const char *name;
    unsigned kinds;
    bool for_good;
    enum shortage_limit what;
    long steps; /* of a limit that falls: as many as may be interesting */
    const char *cache;
    int (*prepare)(void);
    bool both;     /* devices are there */
    bool compiler; /* its process is what runs short, */
    long step_mb;  /* of a limit of so many megabytes for each step instead */
};
enum { ALL_KINDS = SHORTAGE_MEMORY | SHORTAGE_THREADS | SHORTAGE_DESCRIPTORS };

static struct shortage_page *page;
static char page_path[64], cache_folder[64];

static void open_page(void)
{
    if (page)
        return;
    snprintf(page_path, sizeof page_path, "/dev/shm/sluice-shortage-%d", (int)getpid());
    snprintf(cache_folder, sizeof cache_folder, "/tmp/sluice-shortage-%d", (int)getpid());
    int fd = open(page_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    REQUIRE(fd >= 0 && !fchmod(fd, 0666) && !ftruncate(fd, sizeof *page));
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    REQUIRE(page != MAP_FAILED);
}

/* ---- one run --------------------------------------------------------------------------------- */

static void set_page(const struct way *way, long n)
{
    memset(page, 0, sizeof *page);
    page->kinds = way->kinds;
    page->what = way->what;
    page->first = way->step_mb ? 0 : n;
    page->last = way->for_good ? 1L << 60 : n;
    page->at_once = page->own = way->compiler;
}

static struct child run_short(const struct program *program, const struct way *way, long n)
{
    char place[MOST_TEXT], cache[MOST_TEXT], device[64], memory[64];
    const char *const wrap[] = {SLUICE_TEST_CLIENT, program->life, program->device, NULL};
    const char *const env[] = {
        place,
        cache,
        device,
        "SLUICE_FPGA_ON_STALL=error",
        "SLUICE_FPGA_STALL_MS=200",
        way->compiler ? "SLUICE_TEST_ONE_LIFE=1" : "LD_PRELOAD=" SLUICE_TEST_SHIM,
        memory,
        way->compiler ? "SLUICE_COMPILER=" SLUICE_TEST_SHORT_COMPILER : way->cache,
        way->cache,
        NULL};
    snprintf(place, sizeof place, SHORTAGE_PAGE "=%s", page_path);
    snprintf(cache, sizeof cache, "SLUICE_CACHE_DIR=%s", cache_folder);
    snprintf(device, sizeof device, "SLUICE_DEVICES=%s", way->both ? "cpu,fpga" : program->device);
    snprintf(memory, sizeof memory, "SLUICE_COMPILE_MEMORY_MB=%ld", n * way->step_mb);
    set_page(way, n);
    return child_run(&(struct child_plan){.job = "none",
                                          .env = env,
                                          .wrap = wrap,
                                          .prepare = way->prepare,
                                          .limit_seconds = LIMIT_SECONDS});
}

/* Whether the program came through. */
static bool came_through(const struct program *program, const struct way *way, long n)
{
    struct child child = run_short(program, way, n);
    bool good = !child.status;
    if (!good)
        check_fail(__FILE__, __LINE__, "%s on %s, %s %ld: %s (status %d after %.1f s)\n%.1500s",
                   program->life, program->device, way->name, n,
                   *page->where ? page->where : "a limit", child.status, child.seconds, child.err);
    child_finish(&child);
    return good;
}

/* ---- the numbers ----------------------------------------------------------------------------- */

static double seconds_for_all(void)
{
    const char *text = getenv("SLUICE_TEST_SECONDS");
    return text ? atof(text) : 8;
}

static void sample(const struct program *program, const struct way *way, long most, double seconds)
{
    for (double end = now_seconds() + seconds; most && now_seconds() < end;)
        came_through(program, way, 1 + (long)random_below((uint64_t)most));
}

static void each(const struct program *program, const struct way *way, long most)
{
    for (long n = 1; n <= most; n++)
        came_through(program, way, n);
}

/* Of each program; `share` of the time. */
static void run_way(const struct way *way, double share)
{
    const char *only = getenv("SLUICE_TEST_LIFE"), *request = getenv("SLUICE_TEST_REQUEST");
    double seconds = seconds_for_all() * share / LEN(programs);
    open_page();
    for (size_t i = 0; i < LEN(programs); i++) {
        if (only && strcmp(only, programs[i].life))
            continue;
        if (!way->steps && !came_through(&programs[i], way, 0))
            continue;
        long most = way->steps ? way->steps : atomic_load(&page->requests);
        if (request)
            came_through(&programs[i], way, atol(request));
        else if (seconds > 0)
            sample(&programs[i], way, most, seconds);
        else
            each(&programs[i], way, most);
        printf("%s on %s: %s: %ld\n", programs[i].life, programs[i].device, way->name, most);
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void each_request(void)
{
    run_way(&(struct way){.name = "request", .kinds = ALL_KINDS}, 0.25);
}

static void both_devices(void)
{
    run_way(&(struct way){.name = "request, two devices,", .kinds = ALL_KINDS, .both = true}, 0.05);
}

static void all_requests(void)
{
    run_way(&(struct way){.name = "all requests from", .kinds = ALL_KINDS, .for_good = true}, 0.1);
}

static void memory(void)
{
    run_way(&(struct way){.name = "memory from", .kinds = SHORTAGE_MEMORY, .for_good = true}, 0.1);
}

static void threads(void)
{
    run_way(&(struct way){.name = "threads from", .kinds = SHORTAGE_THREADS, .for_good = true},
            0.05);
}

static void descriptors(void)
{
    run_way(
        &(struct way){.name = "descriptors from", .kinds = SHORTAGE_DESCRIPTORS, .for_good = true},
        0.1);
}

static void builds(void)
{
    const char *none = "SLUICE_CACHE=0";
    run_way(&(struct way){.name = "request of a build", .kinds = ALL_KINDS, .cache = none}, 0.1);
    run_way(&(struct way){.name = "all requests from, of a build",
                          .kinds = ALL_KINDS,
                          .for_good = true,
                          .cache = none},
            0.1);
}

/* Whatever becomes of its process, the build fails and says why. */
static void compiler(void)
{
    if (!*SLUICE_TEST_SHORT_COMPILER)
        check_skip("this build has no compiler");
    run_way(&(struct way){.name = "request of the compiler",
                          .kinds = ALL_KINDS,
                          .cache = "SLUICE_CACHE=0",
                          .compiler = true},
            0.1);
    run_way(&(struct way){.name = "memory of the compiler",
                          .steps = 100,
                          .cache = "SLUICE_CACHE=0",
                          .compiler = true,
                          .step_mb = 4},
            0.1);
}

/* ---- a program that knows nothing of this ---------------------------------------------------- */

/* It ends with 1 at the first error, or when what it computed is wrong: it says which. */
static bool example_came_through(long n)
{
    char place[MOST_TEXT], cache[MOST_TEXT];
    const char *const wrap[] = {SLUICE_TEST_EXAMPLE, "300", cache_folder, "Sluice", NULL};
    const char *const env[] = {place, cache, "LD_PRELOAD=" SLUICE_TEST_SHIM,
                               "SLUICE_FPGA_ON_STALL=error", NULL};
    snprintf(place, sizeof place, SHORTAGE_PAGE "=%s", page_path);
    snprintf(cache, sizeof cache, "SLUICE_CACHE_DIR=%s", cache_folder);
    set_page(&(struct way){.kinds = ALL_KINDS}, n);
    page->at_once = true;
    struct child child = child_run(&(struct child_plan){
        .job = "none", .env = env, .wrap = wrap, .limit_seconds = LIMIT_SECONDS});
    bool right = strstr(child.out, "the file is right, the counters are right");
    bool said = strstr(child.err, "OpenCL error") || strstr(child.err, "no platform") ||
                strstr(child.err, "packets_in.cap: ");
    bool good =
        child.status ? child.status == 1 && n && said && !strstr(child.out, "WRONG") : right;
    if (!good)
        check_fail(__FILE__, __LINE__, "the example, request %ld: %s (status %d)\n%.500s%.1000s", n,
                   page->where, child.status, child.out, child.err);
    child_finish(&child);
    return good;
}

static void example(void)
{
    if (access(SLUICE_TEST_EXAMPLE, X_OK))
        check_skip("this build has no examples");
    open_page();
    mkdir(cache_folder, 0700);
    if (!example_came_through(0) || !example_came_through(0))
        return;
    long most = atomic_load(&page->requests), n = 0;
    double seconds = seconds_for_all() * 0.1, end = now_seconds() + seconds;
    while (seconds > 0 ? now_seconds() < end : n < most)
        example_came_through(seconds > 0 ? 1 + (long)random_below((uint64_t)most) : ++n);
    printf("the example: request: %ld\n", most);
}

static void space_falls(void)
{
    run_way(&(struct way){.name = "space falls from", .what = SHORTAGE_SPACE, .steps = 100}, 0.1);
}

static void files_fall(void)
{
    run_way(&(struct way){.name = "files fall from", .what = SHORTAGE_FILES, .steps = 40}, 0.05);
}

/* Root has no such limit. */
static int be_somebody(void)
{
    return !setresgid(SOME_USER, SOME_USER, SOME_USER) &&
           !setresuid(SOME_USER, SOME_USER, SOME_USER);
}

static void tasks_fall(void)
{
    if (geteuid())
        check_skip("another user, with no other processes, can only be had by root");
    run_way(&(struct way){.name = "tasks fall from",
                          .what = SHORTAGE_TASKS,
                          .steps = 20,
                          .cache = "SLUICE_CACHE=0",
                          .prepare = be_somebody},
            0.05);
}

static const struct test_case cases[] = {
    CASE(each_request), CASE(both_devices), CASE(all_requests), CASE(memory),
    CASE(threads),      CASE(descriptors),  CASE(builds),       CASE(compiler),
    CASE(example),      CASE(space_falls),  CASE(files_fall),   CASE(tasks_fall),
};

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

int main(int argc, char **argv)
{
    int status = run_suite("shortage", cases, LEN(cases), argc, argv);
    if (page) {
        unlink(page_path);
        nftw(cache_folder, drop_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    return status;
}
