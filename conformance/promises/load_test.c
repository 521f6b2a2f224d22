/* SPDX-License-Identifier: Apache-2.0 */
/* Loading costs next to nothing, brings no compiler along, and can be undone: opened twice, probed
 * and closed, used, closed and opened again, beside another vendor's library. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROBES = 200, SETTLED = 50, TRIES = 25 };
static const double most_load_seconds = 1e-3;
static const long most_load_kib = 4096;

/* ---- the library without a loader ------------------------------------------------------------ */

struct library {
    void *handle;
    cl_platform_id platform;
    const struct _cl_icd_dispatch *calls;
};

static struct library open_library(void)
{
    struct library library = {.handle = dlopen(driver_library(), RTLD_LAZY | RTLD_LOCAL)};
    REQUIRE(library.handle);
    clIcdGetPlatformIDsKHR_fn platforms;
    *(void **)&platforms = dlsym(library.handle, "clIcdGetPlatformIDsKHR");
    REQUIRE(platforms);
    cl_uint count = 0;
    REQUIRE_OK(platforms(0, NULL, &count));
    REQUIRE_OK(platforms(1, &library.platform, NULL));
    library.calls = *(const struct _cl_icd_dispatch **)(void *)library.platform;
    return library;
}

static cl_device_id first_device(const struct library *library)
{
    cl_device_id device = NULL;
    REQUIRE_OK(
        library->calls->clGetDeviceIDs(library->platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL));
    return device;
}

/* The library's own context and queue, with a command. */
static void use_library(const struct library *library)
{
    cl_int rc, data = 4711, got = 0;
    cl_device_id device = first_device(library);
    const struct _cl_icd_dispatch *c = library->calls;
    cl_context context = c->clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = c->clCreateCommandQueue(context, device, 0, &rc);
    REQUIRE_OK(rc);
    cl_mem mem = c->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, &data, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(c->clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK_EQ(got, data);
    CHECK_OK(c->clReleaseMemObject(mem));
    CHECK_OK(c->clReleaseCommandQueue(queue));
    CHECK_OK(c->clReleaseContext(context));
}

static int mapped(const char *part)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = strstr(line, part) != NULL;
    if (maps)
        fclose(maps);
    return found;
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Prints microseconds and KiB of loading and of asking for the devices. */
static void job_cost(void)
{
    const char *path = driver_library();
    resident_kib();
    long before = resident_kib();
    double start = now_seconds();
    void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    double loaded = now_seconds();
    long after = resident_kib();
    REQUIRE(handle);
    struct library library = open_library();
    first_device(&library);
    printf("%.0f %ld %.0f %ld\n", (loaded - start) * 1e6, after - before,
           (now_seconds() - start) * 1e6, resident_kib() - before);
}

/* The best of some tries: a busy machine only ever makes it slower. */
static void loading_is_cheap(void)
{
    double load = 1e9, all = 1e9;
    long load_kib = 1 << 30, all_kib = 1 << 30;
    for (int i = 0; i < TRIES; i++) {
        struct child child = child_run(&(struct child_plan){.job = "job_cost"});
        double us, all_us;
        long kib, all_now;
        REQUIRE(sscanf(child.out, "%lf %ld %lf %ld", &us, &kib, &all_us, &all_now) == 4);
        child_finish(&child);
        load = us < load ? us : load;
        all = all_us < all ? all_us : all;
        load_kib = kib < load_kib ? kib : load_kib;
        all_kib = all_now < all_kib ? all_now : all_kib;
    }
    printf("load %.0f us %ld KiB, with devices %.0f us %ld KiB\n", load, load_kib, all, all_kib);
    CHECK(load * 1e-6 < most_load_seconds);
    CHECK(load_kib < most_load_kib);
    CHECK(all * 1e-6 < 4 * most_load_seconds);
    CHECK(all_kib < most_load_kib);
}

static void job_no_threads(void)
{
    int before = count_threads(), files = count_entries("/proc/self/fd");
    struct library library = open_library();
    first_device(&library);
    CHECK_EQ(count_threads(), before);
    CHECK_EQ(count_entries("/proc/self/fd"), files);
}

static void questions_start_nothing(void)
{
    child_ends(&(struct child_plan){.job = "job_no_threads"}, 0);
}

static void job_no_compiler(void)
{
    whole_life(1);
    CHECK(!mapped("LLVM"));
    CHECK(!mapped("clang"));
    CHECK(!mapped("stdc++"));
}

static void nothing_of_the_compiler_is_mapped(void)
{
    child_ends(&(struct child_plan){.job = "job_no_compiler"}, 0);
}

/* ---- opened and closed ----------------------------------------------------------------------- */

static void job_probe(void)
{
    long settled = 0;
    for (int i = 0; i < PROBES; i++) {
        struct library library = open_library();
        first_device(&library);
        REQUIRE(!dlclose(library.handle));
        if (i == SETTLED)
            settled = resident_kib();
    }
    CHECK(!mapped("libsluice"));
    CHECK(resident_kib() - settled < 256);
}

static void probed_and_closed_200_times(void)
{
    child_ends(&(struct child_plan){.job = "job_probe"}, 0);
}

static void job_reuse(void)
{
    long settled = 0;
    int threads = count_threads(), files = count_entries("/proc/self/fd");
    for (int i = 0; i < PROBES; i++) {
        struct library library = open_library();
        use_library(&library);
        REQUIRE(!dlclose(library.handle));
        CHECK_EQ(count_threads(), threads);
        if (i == SETTLED)
            settled = resident_kib();
    }
    CHECK_EQ(count_entries("/proc/self/fd"), files);
    CHECK(resident_kib() - settled < 512);
}

static void used_closed_and_opened_200_times(void)
{
    child_ends(&(struct child_plan){.job = "job_reuse"}, 0);
}

/* Loaders open a library to probe it and once more to keep it. */
static void job_twice(void)
{
    struct library one = open_library(), two = open_library();
    CHECK(one.handle == two.handle && one.platform == two.platform);
    REQUIRE(!dlclose(one.handle));
    use_library(&two);
    whole_life(2); /* and the stock loader's own handle on it */
    use_library(&two);
    REQUIRE(!dlclose(two.handle));
    whole_life(3);
}

static void opened_twice(void)
{
    child_ends(&(struct child_plan){.job = "job_twice"}, 0);
}

/* ---- other loaders and vendors --------------------------------------------------------------- */

/* Another loader in place of the stock one: same name, found first. SLUICE_TEST_LOADER names it. */
static void another_loader(void)
{
    const char *loader = getenv("SLUICE_TEST_LOADER");
    if (!loader || !*loader)
        check_skip("SLUICE_TEST_LOADER names no other loader");
    char preload[4096], path[4096];
    const char *slash = strrchr(loader, '/');
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", loader);
    snprintf(path, sizeof path, "LD_LIBRARY_PATH=%.*s", slash ? (int)(slash - loader) : 1,
             slash ? loader : ".");
    const char *env[] = {preload, path, NULL};
    child_ends(&(struct child_plan){.job = "job_twice", .env = env}, 0);
}

static void neighbour_works(cl_platform_id platform)
{
    cl_int rc;
    cl_device_id device;
    const char *text = "kernel void k(global int *x) { x[get_global_id(0)] = 42; }";
    const size_t global = 16;
    cl_int data[16] = {0};
    char name[64] = "";
    REQUIRE_OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    rc = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (rc == CL_DEVICE_NOT_FOUND && strcmp(name, "Sluice") != 0) {
        printf("%s has no device: PoCL wants a cache folder that it can write to\n", name);
        return;
    }
    REQUIRE_OK(rc);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &rc);
    REQUIRE_OK(rc);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    REQUIRE_OK(rc);
    cl_mem mem = clCreateBuffer(context, 0, sizeof data, NULL, &rc);
    REQUIRE_OK(rc);
    ARG(kernel, 0, mem);
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    CHECK_EQ(data[15], 42);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseContext(context));
}

static void job_neighbours(void)
{
    cl_platform_id list[8];
    cl_uint count = 0;
    REQUIRE_OK(clGetPlatformIDs(8, list, &count));
    CHECK_EQ(count, 2);
    for (int round = 0; round < 2; round++)
        for (cl_uint i = 0; i < count && i < 8; i++)
            neighbour_works(list[round ? count - 1 - i : i]);
    whole_life(4);
}

static void write_line(const char *folder, const char *file, const char *line)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *out = fopen(path, "we");
    REQUIRE(out);
    fprintf(out, "%s\n", line);
    fclose(out);
}

/* A foreign library, and both orders in which a folder may list two. */
static void beside_another_vendor(void)
{
    static const char other[] = "libpocl.so.2";
    char folder[] = "/tmp/sluice-vendors-XXXXXX", env[4096], command[4096];
    void *there = dlopen(other, RTLD_LAZY | RTLD_LOCAL);
    if (!there)
        check_skip("no other vendor's library is installed");
    REQUIRE(mkdtemp(folder));
    write_line(folder, "a.icd", driver_library());
    write_line(folder, "b.icd", other);
    snprintf(env, sizeof env, "OCL_ICD_VENDORS=%s/", folder);
    const char *set[] = {env, "OCL_ICD_PLATFORM_SORT=none", NULL};
    child_ends(&(struct child_plan){.job = "job_neighbours", .env = set, .limit_seconds = 120}, 0);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_EQ(system(command), 0);
}

static const struct test_case jobs[] = {
    CASE(job_cost),  CASE(job_no_threads), CASE(job_no_compiler), CASE(job_probe),
    CASE(job_reuse), CASE(job_twice),      CASE(job_neighbours)};
static const struct test_case cases[] = {
    CASE(loading_is_cheap),
    CASE(questions_start_nothing),
    CASE(nothing_of_the_compiler_is_mapped),
    CASE(probed_and_closed_200_times),
    CASE(used_closed_and_opened_200_times),
    CASE(opened_twice),
    CASE(another_loader),
    CASE(beside_another_vendor),
};
JOBS_MAIN("load", cases, jobs)
