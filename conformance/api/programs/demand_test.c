/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of which kernels get their code when they are launched (SLUICE_BUILD): nothing of it may
 * show but in the time that things take. Each case has a cache folder of its own. */
#include "demand_bed.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void odd_orders(void)
{
    static const int counts[] = {3, 16, MOST};
    for (size_t c = 0; c < LEN(counts); c++) {
        begin_case(counts[c] == MOST ? "auto" : "on-demand");
        cl_program program = program_of(counts[c], NULL);
        for (int n = 0; n < 9; n++)
            run_kernel(program, (counts[c] - 1 + n * 7) % counts[c]);
        RELEASE_PROGRAM(program);
        end_case();
    }
}

struct worker {
    cl_program program;
    int first, wrong;
};

static void *work(void *data)
{
    struct worker *w = data;
    cl_int rc;
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    for (int n = 0; n < 6 && !rc; n++) {
        char name[16];
        int k = (w->first + n * 3) % 16;
        sprintf(name, "k%d", k);
        cl_kernel kernel = clCreateKernel(w->program, name, &rc);
        cl_mem mem = fresh_numbers();
        rc = rc ? rc : launch(queue, kernel, mem, n);
        w->wrong += rc || !is_right(queue, mem, k, n);
        clReleaseMemObject(mem);
        clReleaseKernel(kernel);
    }
    w->wrong += rc != 0;
    clReleaseCommandQueue(queue);
    return NULL;
}

static void ten_threads_with(const char *mode)
{
    pthread_t threads[10];
    struct worker workers[10];
    begin_case(mode);
    cl_program program = program_of(16, NULL);
    for (int t = 0; t < 10; t++) {
        workers[t] = (struct worker){program, t, 0};
        REQUIRE(!pthread_create(&threads[t], NULL, work, &workers[t]));
    }
    for (int t = 0; t < 10; t++) {
        pthread_join(threads[t], NULL);
        CHECK_EQ(workers[t].wrong, 0);
    }
    RELEASE_PROGRAM(program);
    end_case();
}

static void ten_threads(void)
{
    ten_threads_with("on-demand");
    ten_threads_with("auto");
}

static void compiler_killed_between(void)
{
    begin_case("on-demand");
    cl_program program = program_of(5, NULL);
    for (int k = 0; k < 3; k++) {
        CHECK(compilers(SIGKILL) > 0);
        run_kernel(program, k);
    }
    RELEASE_PROGRAM(program);
    end_case();
}

/* A launch says so; the next one, with a compiler, works. */
static void no_compiler_for_a_while(void)
{
    cl_int rc;
    const char *path = getenv("SLUICE_COMPILER");
    char *old = path ? strdup(path) : NULL, *text = source_of(3, "");
    begin_case("on-demand");
    cl_context context = clCreateContext(NULL, 1, &cl.device, notice, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, ERR);
    cl_program program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, ERR);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k2");
    int numbers[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = i * 5 - 11;
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, ERR);
    CHECK(compilers(SIGKILL) > 0);
    setenv("SLUICE_COMPILER", "/nowhere/compiler", 1);
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE, launch(queue, kernel, mem, 1));
    for (int i = 0; i < 500 && !atomic_load(&was_told); i++)
        usleep(10000);
    REQUIRE(atomic_load(&was_told));
    CHECK(strstr(told, "k2") != NULL);
    if (old)
        setenv("SLUICE_COMPILER", old, 1);
    else
        unsetenv("SLUICE_COMPILER");
    CHECK_OK(launch(queue, kernel, mem, 1));
    CHECK(is_right(queue, mem, 2, 1));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    free(old);
    free(text);
    end_case();
}

/* What was launched once is in the cache: the second time nobody starts a compiler. */
static void second_start_compiles_nothing(void)
{
    begin_case("on-demand");
    for (int round = 0; round < 2; round++) {
        cl_program program = program_of(12, NULL);
        for (int k = 0; k < 3; k++)
            run_kernel(program, k * 5);
        RELEASE_PROGRAM(program);
        if (is_sluice() && round)
            CHECK_EQ(compilers(0), 0);
        CHECK_OK(clUnloadPlatformCompiler(cl.platform));
        for (int i = 0; i < 500 && compilers(0); i++)
            usleep(10000);
    }
    end_case();
}

static void folder_that_cannot_be_written(void)
{
    begin_case("on-demand");
    setenv("SLUICE_CACHE_DIR", "/proc/no-such-folder", 1);
    cl_program program = program_of(4, NULL);
    for (int k = 3; k >= 0; k--)
        run_kernel(program, k);
    RELEASE_PROGRAM(program);
    end_case();
}

/* The first `most` of the program's own kernels, of which one call gives all. */
static void launch_of_all(cl_program program, int most)
{
    cl_kernel kernels[MOST + 1];
    cl_uint count = 0;
    REQUIRE_OK(clCreateKernelsInProgram(program, MOST, kernels, &count));
    CHECK_EQ(count, 21);
    for (cl_uint i = 0; i < count; i++) {
        char name[32];
        int k;
        CHECK_OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        if (sscanf(name, "k%d", &k) == 1 && k < most) {
            cl_mem mem = fresh_numbers();
            CHECK_OK(launch(cl.queue, kernels[i], mem, 9));
            CHECK(is_right(cl.queue, mem, k, 9));
            RELEASE_MEM(mem);
        }
        RELEASE_KERNEL(kernels[i]);
    }
}

static void all_at_once(void)
{
    begin_case("auto");
    cl_program program = program_of(20, NULL);
    launch_of_all(program, 20);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Who has all kernels launches some of them. */
static void some_of_all(void)
{
    begin_case("on-demand");
    cl_program program = program_of(20, NULL);
    launch_of_all(program, 8);
    if (is_sluice())
        CHECK_EQ(cache_entries(), 1 + 8);
    RELEASE_PROGRAM(program);
    end_case();
}

/* What can be asked of a kernel before it was ever launched. */
static void same_answers(void)
{
    static const cl_kernel_work_group_info names[] = {
        CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE};
    static const char extra[] = "#warning said in the build\n"
                                "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
                                "void special(global float *a, float4 b)\n"
                                "{ local float t[100]; float p[300];\n"
                                "  for (int i = 0; i < 300; i++) p[i] = a[i] * b.x;\n"
                                "  t[get_local_id(0)] = p[get_global_id(1)];\n"
                                "  barrier(CLK_LOCAL_MEM_FENCE); a[0] = t[1]; }\n";
    cl_program programs[2];
    char *logs[2], *text = source_of(4, extra);
    for (int p = 0; p < 2; p++) {
        begin_case(p ? "on-demand" : "whole");
        programs[p] = built(text, "-cl-kernel-arg-info");
        logs[p] = build_log(programs[p]);
    }
    CHECK(strstr(logs[1], "said in the build") != NULL);
    CHECK(!strcmp(logs[0], logs[1]));
    for (int n = 0; n < 2; n++) {
        cl_kernel kernels[2];
        unsigned char answers[2][64] = {{0}};
        for (int p = 0; p < 2; p++)
            kernels[p] = kernel_of(programs[p], n ? "special" : "k1");
        for (size_t i = 0; i < LEN(names); i++) {
            for (int p = 0; p < 2; p++)
                CHECK_OK(clGetKernelWorkGroupInfo(kernels[p], cl.device, names[i], 64, answers[p],
                                                  NULL));
            CHECK(!memcmp(answers[0], answers[1], 64));
        }
        for (int p = 0; p < 2; p++)
            CHECK_OK(
                clGetKernelArgInfo(kernels[p], 1, CL_KERNEL_ARG_TYPE_NAME, 64, answers[p], NULL));
        CHECK(!strcmp((char *)answers[0], (char *)answers[1]));
        for (int p = 0; p < 2; p++)
            RELEASE_KERNEL(kernels[p]);
    }
    for (int p = 0; p < 2; p++) {
        RELEASE_PROGRAM(programs[p]);
        free(logs[p]);
    }
    free(text);
    end_case();
}

/* The kernel is all that the application still has, and a copy of it. */
static void program_released_first(void)
{
    begin_case("on-demand");
    cl_program program = program_of(4, NULL);
    cl_kernel kernel = kernel_of(program, "k3");
    RELEASE_PROGRAM(program);
    cl_mem mem = fresh_numbers(), other = fresh_numbers();
    CHECK_OK(launch(cl.queue, kernel, mem, 2));
    cl_kernel copy = device_version() >= 210 ? clCloneKernel(kernel, ERR) : NULL;
    RELEASE_KERNEL(kernel);
    CHECK(is_right(cl.queue, mem, 3, 2));
    if (copy) {
        CHECK_OK(launch(cl.queue, copy, other, 6));
        CHECK(is_right(cl.queue, other, 3, 6));
        RELEASE_KERNEL(copy);
    }
    RELEASE_MEM(mem);
    RELEASE_MEM(other);
    end_case();
}

/* Kernels that leave something for each other have one copy of it. */
static void shared_variable(void)
{
    static const char source[] =
        "global int counter = 5;\n"
        "kernel void add(int n) { if (!get_global_id(0)) counter += n; }\n"
        "kernel void twice(int n) { if (!get_global_id(0)) counter = counter * 2 + n; }\n"
        "kernel void get(global int *a) { a[get_global_id(0)] = counter; }\n";
    int n = 3, got[4];
    if (device_version() < 200 || !device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE))
        check_skip("no program-scope variables");
    begin_case("on-demand");
    cl_program program = built(source, device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    cl_kernel add = kernel_of(program, "add"), twice = kernel_of(program, "twice"),
              get = kernel_of(program, "get");
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    ARG(add, 0, n);
    ARG(twice, 0, n);
    ARG(get, 0, mem);
    run_1d(add, 4, 0);
    run_1d(twice, 4, 0);
    run_1d(add, 4, 0);
    run_1d(get, 4, 0);
    read_back(mem, sizeof got, got);
    CHECK_EQ(got[0], 22);
    CHECK_EQ(got[3], 22);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(add);
    RELEASE_KERNEL(twice);
    RELEASE_KERNEL(get);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Kernels that pipes join are built together: none waits for code that another one is needed for.
 */
static void kernels_of_a_design(void)
{
    static const char source[] =
        "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
        "channel int c __attribute__((depth(2)));\n"
        "kernel void give(int n) { for (int i = 0; i < n; i++) write_channel_intel(c, 3 * i); }\n"
        "kernel void take(global int *a, int n) {\n"
        "    for (int i = 0; i < n; i++) a[i] = read_channel_intel(c) + 1;\n"
        "}\n";
    enum { COUNT = 37 };
    int n = COUNT, got[COUNT];
    if (!has_extension("cl_intel_channels"))
        check_skip("no channels");
    begin_case("on-demand");
    cl_program program = built(source, "");
    cl_kernel give = kernel_of(program, "give"), take = kernel_of(program, "take");
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    cl_command_queue other = new_queue(0);
    const size_t one = 1;
    ARG(give, 0, n);
    ARG(take, 0, mem);
    ARG(take, 1, n);
    CHECK_OK(clEnqueueNDRangeKernel(other, give, 1, NULL, &one, NULL, 0, NULL, NULL));
    end_compilers();
    char *before = hide_compiler();
    run_1d(take, 1, 0);
    read_back(mem, sizeof got, got);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(got[i], 3 * i + 1);
    show_compiler(before);
    clReleaseCommandQueue(other);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(give);
    RELEASE_KERNEL(take);
    RELEASE_PROGRAM(program);
    end_case();
}

/* It cannot have the code made, and is told so at once. */
static void child_of_fork(void)
{
    begin_case("on-demand");
    cl_program program = program_of(4, NULL);
    cl_kernel kernel = kernel_of(program, "k1");
    cl_mem mem = fresh_numbers();
    pid_t child = fork();
    if (!child) {
        alarm(20);
        _exit(launch(cl.queue, kernel, mem, 2) == CL_OUT_OF_RESOURCES ? 0 : 1);
    }
    int status = -1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_OK(launch(cl.queue, kernel, mem, 2));
    CHECK(is_right(cl.queue, mem, 1, 2));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end_case();
}

enum { LONG_LINES = 120, LINES_APART = 40, MOST_LONG = 7 }; /* long on fast machines too */

static unsigned long_value(unsigned x, unsigned k, unsigned lines, unsigned rounds)
{
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned l = 0; l < lines; l++)
            x += x & 64 ? x / (l + 3) : x * k;
    return x;
}

/* Owned. How many rounds an item takes stands in memory, so that no kernel has quick code. */
static char *long_kernels(unsigned kernels, unsigned lines)
{
    char *text = malloc(kernels * (lines * 48 + 200)), *at = text;
    for (unsigned k = 0; k < kernels; k++) {
        at += sprintf(at,
                      "kernel void k%u(global uint *a)\n"
                      "{ uint i = get_global_id(0), x = a[i];\n"
                      "for (uint r = 0; r < a[get_global_size(0)]; r++) {\n",
                      k);
        for (unsigned l = 0; l < lines; l++)
            at += sprintf(at, "x += x & 64 ? x / %u : x * %u;\n", l + 3, k);
        at += sprintf(at, "}\na[i] = x; }\n");
    }
    return text;
}

static void run_long(cl_program program, unsigned k, unsigned lines)
{
    enum { NUMBERS = 33 };
    char name[16];
    unsigned got[NUMBERS + 1], wrong = 0;
    sprintf(name, "k%u", k);
    for (unsigned i = 0; i < NUMBERS; i++)
        got[i] = i * 77;
    got[NUMBERS] = 2;
    cl_kernel kernel = kernel_of(program, name);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, mem);
    run_1d(kernel, NUMBERS, 0);
    read_back(mem, sizeof got, got);
    for (unsigned i = 0; i < NUMBERS; i++)
        wrong += got[i] != long_value(i * 77, k, lines, 2);
    CHECK_EQ(wrong, 0);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* Of four long kernels of seven all at once would make the code again. */
static void long_kernels_one_by_one(void)
{
    char *text = long_kernels(MOST_LONG, LONG_LINES);
    begin_case("on-demand");
    cl_program program = built(text, NULL);
    for (unsigned k = 0; k < MOST_LONG; k++)
        run_long(program, k, LONG_LINES);
    if (is_sluice())
        CHECK_EQ(cache_entries(), 1 + MOST_LONG);
    RELEASE_PROGRAM(program);
    free(text);
    end_case();
}

/* Forms of one kernel, of which this application launches the second. */
static void long_kernel_not_launched(void)
{
    char *text = long_kernels(3, LINES_APART);
    begin_case("auto");
    cl_program program = built(text, NULL);
    end_compilers();
    run_long(program, 1, LINES_APART);
    if (is_sluice()) {
        CHECK(compilers(0));
        CHECK_EQ(cache_entries(), 1 + 1);
    }
    RELEASE_PROGRAM(program);
    free(text);
    end_case();
}

/* One kernel is what the application builds a program for. */
static void long_kernel_alone(void)
{
    char *text = long_kernels(1, LONG_LINES);
    begin_case("auto");
    cl_program program = built(text, NULL);
    end_compilers();
    run_long(program, 0, LONG_LINES);
    if (is_sluice())
        CHECK(!compilers(0));
    RELEASE_PROGRAM(program);
    free(text);
    end_case();
}

static const struct test_case cases[] = {
    CASE(child_of_fork),
    CASE(odd_orders),
    CASE(ten_threads),
    CASE(compiler_killed_between),
    CASE(no_compiler_for_a_while),
    CASE(second_start_compiles_nothing),
    CASE(folder_that_cannot_be_written),
    CASE(all_at_once),
    CASE(some_of_all),
    CASE(same_answers),
    CASE(program_released_first),
    CASE(shared_variable),
    CASE(kernels_of_a_design),
    CASE(long_kernels_one_by_one),
    CASE(long_kernel_not_launched),
    CASE(long_kernel_alone),
};
TEST_MAIN("api.demand", cases)
