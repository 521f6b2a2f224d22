/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of which kernels get their code, or better code, when they are launched (SLUICE_BUILD):
 * nothing of it may show but in the time that things take. Each case has a cache folder of its own.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <dirent.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 96, GROUP = 32, MOST = 100 };

/* ---- the programs ------------------------------------------------------------------------------
 */

static const char head[] = "constant int table[4] = {3, 1, 4, 1};\n"
                           "int help(int x) { return x * 7 + table[x & 3]; }\n"
                           "kernel void shared_work(global int *a, int b)\n"
                           "{ a[get_global_id(0)] += help(b); }\n";

static char *source_of(int kernels, const char *extra)
{
    static const int table_bytes = 400;
    char *text = malloc(sizeof head + strlen(extra) + (size_t)(kernels * table_bytes));
    int used = sprintf(text, "%s%s", head, extra);
    for (int k = 0; k < kernels; k++)
        used += sprintf(text + used,
                        "kernel void k%d(global int *a, local int *t, int b)\n"
                        "{\n"
                        "    size_t i = get_global_id(0), l = get_local_id(0);\n"
                        "    t[l] = a[i] * %d + b;\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "    a[i] = t[get_local_size(0) - 1 - l];\n"
                        "    shared_work(a, %d);\n"
                        "}\n",
                        k, k + 2, k);
    return text;
}

/* As kernels do, which may wrap. */
static int expected(int k, int i, int b)
{
    static const int table[4] = {3, 1, 4, 1};
    int other = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    return (int)((unsigned)(other * 5 - 11) * (unsigned)(k + 2) + (unsigned)b) + k * 7 +
           table[k & 3];
}

static cl_program program_of(int kernels, const char *options)
{
    char *text = source_of(kernels, "");
    cl_program program = built(text, options);
    free(text);
    return program;
}

static cl_int launch_items(cl_command_queue queue, cl_kernel kernel, cl_mem mem, int b,
                           size_t global)
{
    size_t local = GROUP;
    cl_int rc = clSetKernelArg(kernel, 0, sizeof mem, &mem);
    rc = rc ? rc : clSetKernelArg(kernel, 1, GROUP * sizeof(int), NULL);
    rc = rc ? rc : clSetKernelArg(kernel, 2, sizeof b, &b);
    return rc ? rc : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem, int b)
{
    return launch_items(queue, kernel, mem, b, ITEMS);
}

static void write_numbers(cl_command_queue queue, cl_mem mem, size_t items)
{
    int *numbers = malloc(items * sizeof *numbers);
    for (size_t i = 0; i < items; i++)
        numbers[i] = (int)i * 5 - 11;
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, items * sizeof *numbers, numbers, 0, NULL,
                                  NULL));
    free(numbers);
}

static cl_mem many_numbers(size_t items)
{
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, items * sizeof(int), NULL);
    write_numbers(cl.queue, mem, items);
    return mem;
}

static cl_mem fresh_numbers(void)
{
    return many_numbers(ITEMS);
}

static int all_right(cl_command_queue queue, cl_mem mem, int k, int b, size_t items)
{
    int *got = malloc(items * sizeof *got), wrong = 0;
    cl_int rc =
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, items * sizeof *got, got, 0, NULL, NULL);
    for (size_t i = 0; !rc && i < items; i++)
        wrong += got[i] != expected(k, (int)i, b);
    free(got);
    return !rc && !wrong;
}

static int is_right(cl_command_queue queue, cl_mem mem, int k, int b)
{
    return all_right(queue, mem, k, b, ITEMS);
}

static void run_items(cl_program program, int k, size_t items)
{
    char name[16];
    sprintf(name, "k%d", k);
    cl_kernel kernel = kernel_of(program, name);
    cl_mem mem = many_numbers(items);
    CHECK_OK(launch_items(cl.queue, kernel, mem, 100 + k, items));
    CHECK(all_right(cl.queue, mem, k, 100 + k, items));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void run_kernel(cl_program program, int k)
{
    run_items(program, k, ITEMS);
}

/* ---- surroundings ------------------------------------------------------------------------------
 */

static char folder[] = "/tmp/sluice-demand-XXXXXX";
static int entries; /* in it */

static void begin(const char *mode)
{
    char own[16];
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    REQUIRE(mkdtemp(folder));
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_BUILD", mode, 1);
    snprintf(own, sizeof own, "%d", (int)getpid());
    setenv("SLUICE_DEMAND_TEST", own, 1);
    clUnloadPlatformCompiler(cl.platform); /* started ahead, without this */
}

#define MARK "SLUICE_DEMAND_TEST="

/* Started by this process: they are nobody's children, but have its environment. */
static int is_ours(const char *pid)
{
    char path[300], mark[48], text[65536];
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    snprintf(mark, sizeof mark, MARK "%d", (int)getpid());
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = 0;
    for (size_t at = 0; at < got; at += strlen(text + at) + 1)
        if (!strcmp(text + at, mark))
            return atoi(pid) != (int)getpid();
    return 0;
}

/* The compiler processes of this one, ended if `signal_number` is not 0. How many there are. */
static int compilers(int signal_number)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    REQUIRE(processes);
    for (struct dirent *row; (row = readdir(processes));)
        if (atoi(row->d_name) > 0 && is_ours(row->d_name)) {
            count++;
            if (signal_number)
                kill((pid_t)atoi(row->d_name), signal_number);
        }
    closedir(processes);
    return count;
}

/* What programs no longer wait for may still be compiled, and be written into the folder then. */
static void end(void)
{
    char command[sizeof folder + 16];
    clUnloadPlatformCompiler(cl.platform);
    for (int t = 0; t < 500 && compilers(0); t++)
        usleep(10000);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
    unsetenv("SLUICE_BUILD");
}

/* ---- cases -------------------------------------------------------------------------------------
 */

static void odd_orders(void)
{
    static const int counts[] = {3, 16, MOST};
    for (size_t c = 0; c < LEN(counts); c++) {
        begin(counts[c] == MOST ? "auto" : "on-demand");
        cl_program program = program_of(counts[c], NULL);
        for (int n = 0; n < 9; n++)
            run_kernel(program, (counts[c] - 1 + n * 7) % counts[c]);
        RELEASE_PROGRAM(program);
        end();
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
    begin(mode);
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
    end();
}

static void ten_threads(void)
{
    ten_threads_with("on-demand");
    ten_threads_with("auto");
}

static void compiler_killed_between(void)
{
    begin("on-demand");
    cl_program program = program_of(5, NULL);
    for (int k = 0; k < 3; k++) {
        CHECK(compilers(SIGKILL) > 0);
        run_kernel(program, k);
    }
    RELEASE_PROGRAM(program);
    end();
}

static char told[256];
static atomic_bool was_told;

static void CL_CALLBACK notice(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info, (void)bytes, (void)data;
    snprintf(told, sizeof told, "%s", text);
    atomic_store(&was_told, true);
}

/* A launch says so; the next one, with a compiler, works. */
static void no_compiler_for_a_while(void)
{
    cl_int rc;
    const char *path = getenv("SLUICE_COMPILER");
    char *old = path ? strdup(path) : NULL, *text = source_of(3, "");
    begin("on-demand");
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
    end();
}

/* A binary is complete, whatever was launched before. */
static void binary_round_trip(void)
{
    size_t bytes = 0;
    cl_int rc, status;
    begin("on-demand");
    cl_program program = program_of(6, NULL);
    run_kernel(program, 4);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    REQUIRE(bytes > 0);
    unsigned char *binary = malloc(bytes);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    run_kernel(program, 4);
    run_kernel(program, 1);
    RELEASE_PROGRAM(program);
    const unsigned char *input = binary;
    cl_program second =
        clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &input, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(second, 0, NULL, "", NULL, NULL));
    for (int k = 0; k < 6; k++)
        run_kernel(second, k);
    RELEASE_PROGRAM(second);
    free(binary);
    end();
}

/* What was launched once is in the cache: the second time nobody starts a compiler. */
static void second_start_compiles_nothing(void)
{
    begin("on-demand");
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
    end();
}

static void folder_that_cannot_be_written(void)
{
    begin("on-demand");
    setenv("SLUICE_CACHE_DIR", "/proc/no-such-folder", 1);
    cl_program program = program_of(4, NULL);
    for (int k = 3; k >= 0; k--)
        run_kernel(program, k);
    RELEASE_PROGRAM(program);
    end();
}

static void all_at_once(void)
{
    cl_kernel kernels[MOST + 1];
    cl_uint count = 0;
    begin("auto");
    cl_program program = program_of(20, NULL);
    REQUIRE_OK(clCreateKernelsInProgram(program, MOST, kernels, &count));
    CHECK_EQ(count, 21);
    for (cl_uint i = 0; i < count; i++) {
        char name[32];
        int k;
        CHECK_OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        if (sscanf(name, "k%d", &k) == 1) {
            cl_mem mem = fresh_numbers();
            CHECK_OK(launch(cl.queue, kernels[i], mem, 9));
            CHECK(is_right(cl.queue, mem, k, 9));
            RELEASE_MEM(mem);
        }
        RELEASE_KERNEL(kernels[i]);
    }
    RELEASE_PROGRAM(program);
    end();
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
        begin(p ? "on-demand" : "whole");
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
    end();
}

/* The kernel is all that the application still has, and a copy of it. */
static void program_released_first(void)
{
    begin("on-demand");
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
    end();
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
    if (device_version() < 200)
        check_skip("no program-scope variables");
    begin("on-demand");
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
    end();
}

/* It cannot have the code made, and is told so at once. */
static void child_of_fork(void)
{
    begin("on-demand");
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
    end();
}

/* ---- quick code --------------------------------------------------------------------------------
 */

enum { MANY = 1 << 22 }; /* much work, whatever an item is thought to be */

static bool compiles(void)
{
    return compilers(0) > 0;
}

/* Small launches need no compiler, a large one gets better code, and all get the same results. */
static void small_launches_first(void)
{
    begin("auto");
    cl_program program = program_of(9, NULL);
    CHECK(compilers(SIGKILL) > 0);
    for (int i = 0; i < 500 && compiles(); i++)
        usleep(10000);
    for (int k = 0; k < 9; k++)
        run_kernel(program, k);
    if (is_sluice())
        CHECK(!compiles());
    run_items(program, 5, MANY);
    if (is_sluice())
        CHECK(compiles());
    for (int k = 3; k < 7; k++)
        run_kernel(program, k);
    run_items(program, 5, MANY);
    RELEASE_PROGRAM(program);
    end();
}

/* Together they are much work. */
static void many_small_launches(void)
{
    begin("auto");
    cl_program program = program_of(9, NULL);
    CHECK(compilers(SIGKILL) > 0);
    for (int i = 0; i < 500 && compiles(); i++)
        usleep(10000);
    for (int n = 0; n < 400 && !(is_sluice() && compiles()); n++)
        run_items(program, 2, GROUP * 1000);
    if (is_sluice())
        CHECK(compiles());
    run_kernel(program, 2);
    RELEASE_PROGRAM(program);
    end();
}

/* They are hardly any work, but take another thread as long as they have quick code. */
static void many_tiny_launches(void)
{
    begin("auto");
    cl_program program = program_of(9, NULL);
    CHECK(compilers(SIGKILL) > 0);
    for (int i = 0; i < 500 && compiles(); i++)
        usleep(10000);
    cl_kernel kernel = kernel_of(program, "k2");
    cl_mem mem = fresh_numbers();
    for (int n = 0; n < 3000 && !(n % 100 == 0 && is_sluice() && compiles()); n++)
        CHECK_OK(launch_items(cl.queue, kernel, mem, 2, GROUP));
    CHECK_OK(clFinish(cl.queue));
    if (is_sluice())
        CHECK(compiles());
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end();
}

/* Slowly is better than not at all; the context's callback is told why. */
static void large_launch_without_compiler(void)
{
    cl_int rc;
    const char *path = getenv("SLUICE_COMPILER");
    char *old = path ? strdup(path) : NULL, *text = source_of(9, "");
    begin("auto");
    atomic_store(&was_told, false);
    cl_context context = clCreateContext(NULL, 1, &cl.device, notice, NULL, &rc);
    REQUIRE_OK(rc);
    cl_command_queue queue = clCreateCommandQueue(context, cl.device, 0, ERR);
    cl_program program = clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, ERR);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k4");
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, MANY * sizeof(int), NULL, ERR);
    CHECK(compilers(SIGKILL) > 0);
    setenv("SLUICE_COMPILER", "/nowhere/compiler", 1);
    for (int n = 0; n < 2; n++) {
        write_numbers(queue, mem, MANY);
        CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
        CHECK(all_right(queue, mem, 4, 7, MANY));
        if (n)
            break;
        for (int i = 0; i < 500 && is_sluice() && !atomic_load(&was_told); i++)
            usleep(10000);
        if (is_sluice())
            CHECK(atomic_load(&was_told) && strstr(told, "k4"));
        if (old)
            setenv("SLUICE_COMPILER", old, 1);
        else
            unsetenv("SLUICE_COMPILER");
    }
    for (int n = 0; n < 100 && is_sluice() && !compiles(); n++)
        CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
    if (is_sluice())
        CHECK(compiles());
    write_numbers(queue, mem, MANY);
    CHECK_OK(launch_items(queue, kernel, mem, 7, MANY));
    CHECK(all_right(queue, mem, 4, 7, MANY));
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    RELEASE_CONTEXT(context);
    free(old);
    free(text);
    end();
}

/* What one process has made good code of is good in the next at once, and needs no compiler. */
static void better_code_is_kept(void)
{
    begin("auto");
    for (int round = 0; round < 2; round++) {
        cl_program program = program_of(9, NULL);
        run_items(program, 7, round ? ITEMS : MANY);
        run_items(program, 7, MANY);
        if (is_sluice() && round)
            CHECK(!compiles());
        RELEASE_PROGRAM(program);
        CHECK_OK(clUnloadPlatformCompiler(cl.platform));
        for (int i = 0; i < 500 && compiles(); i++)
            usleep(10000);
    }
    end();
}

static int count_entry(const char *path, const struct stat *info, int kind)
{
    (void)path;
    (void)info;
    entries += kind == FTW_F;
    return 0;
}

/* Of four long kernels of seven all at once would make the code again. */
static void long_kernels_one_by_one(void)
{
    enum { KERNELS = 7, LINES = 12 };
    static char text[KERNELS * (LINES * 40 + 200)];
    char *at = text, name[16];
    unsigned got[33];
    for (int k = 0; k < KERNELS; k++) {
        at += sprintf(at,
                      "kernel void k%d(global uint *a)\n"
                      "{ uint i = get_global_id(0), x = a[i];\n",
                      k);
        for (int l = 0; l < LINES; l++)
            at += sprintf(at, "x += x & 64 ? x / %d : x * %d;\n", l + 3, k);
        at += sprintf(at, "a[i] = x; }\n");
    }
    begin("on-demand");
    cl_program program = built(text, NULL);
    for (unsigned k = 0; k < KERNELS; k++) {
        unsigned wrong = 0;
        sprintf(name, "k%u", k);
        for (unsigned i = 0; i < LEN(got); i++)
            got[i] = i * 77;
        cl_kernel kernel = kernel_of(program, name);
        cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
        ARG(kernel, 0, mem);
        run_1d(kernel, LEN(got), 0);
        read_back(mem, sizeof got, got);
        for (unsigned i = 0; i < LEN(got); i++) {
            unsigned x = i * 77;
            for (unsigned l = 0; l < LINES; l++)
                x += x & 64 ? x / (l + 3) : x * k;
            wrong += got[i] != x;
        }
        CHECK_EQ(wrong, 0);
        RELEASE_MEM(mem);
        RELEASE_KERNEL(kernel);
    }
    entries = 0;
    REQUIRE(!ftw(folder, count_entry, 8));
    if (is_sluice())
        CHECK_EQ(entries, 1 + KERNELS);
    RELEASE_PROGRAM(program);
    end();
}

/* Of a loop nobody can tell: it has the best code from the beginning. */
static void single_loop_is_built_whole(void)
{
    enum { LINES = 60, TURNS = 7 };
    char text[LINES * 40 + 300], *at = text;
    unsigned got[33], want[33];
    cl_int turns = TURNS;
    at += sprintf(at, "kernel void k(global uint *a, int n)\n{ uint x = a[get_global_id(0)];\n"
                      "for (int i = 0; i < n; i++) {\n");
    for (int l = 0; l < LINES; l++)
        at += sprintf(at, "x = x * 3 + (x >> 5) + i + %d;\n", l);
    sprintf(at, "}\na[get_global_id(0)] = x; }\n");
    for (unsigned i = 0; i < LEN(got); i++) {
        unsigned x = got[i] = i * 77;
        for (unsigned t = 0; t < TURNS; t++)
            for (unsigned l = 0; l < LINES; l++)
                x = x * 3 + (x >> 5) + t + l;
        want[i] = x;
    }
    begin("auto");
    cl_program program = built(text, NULL);
    CHECK(compilers(SIGKILL) > 0);
    for (int i = 0; i < 500 && compiles(); i++)
        usleep(10000);
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, turns);
    run_1d(kernel, LEN(got), 0);
    read_back(mem, sizeof got, got);
    CHECK(!memcmp(got, want, sizeof got));
    if (is_sluice())
        CHECK(!compiles());
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end();
}

/* The size that is suggested is the one that is taken, for either code. */
static void sizes_suit_the_code(void)
{
    static const size_t sizes[] = {96, 1000, MANY, 96};
    static const char more[] = "kernel void size(global int *a)\n"
                               "{ a[get_global_id(0)] = (int)get_local_size(0); }\n";
    char *text = source_of(9, more);
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    begin("auto");
    cl_program program = built(text, NULL);
    cl_kernel kernel = kernel_of(program, "size");
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, MANY * sizeof(int), NULL);
    ARG(kernel, 0, mem);
    for (size_t s = 0; s < LEN(sizes); s++) {
        size_t suggested = 0;
        int got;
        if (suggest)
            CHECK_OK(suggest(cl.queue, kernel, 1, NULL, &sizes[s], &suggested));
        REQUIRE_OK(
            clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &sizes[s], NULL, 0, NULL, NULL));
        read_back(mem, sizeof got, &got);
        CHECK(got > 0 && (size_t)got <= sizes[s]);
        if (suggested)
            CHECK_EQ(got, suggested);
    }
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(text);
    end();
}

static const struct test_case cases[] = {
    CASE(child_of_fork),
    CASE(odd_orders),
    CASE(ten_threads),
    CASE(compiler_killed_between),
    CASE(no_compiler_for_a_while),
    CASE(binary_round_trip),
    CASE(second_start_compiles_nothing),
    CASE(folder_that_cannot_be_written),
    CASE(all_at_once),
    CASE(same_answers),
    CASE(program_released_first),
    CASE(shared_variable),
    CASE(small_launches_first),
    CASE(many_small_launches),
    CASE(many_tiny_launches),
    CASE(large_launch_without_compiler),
    CASE(better_code_is_kept),
    CASE(long_kernels_one_by_one),
    CASE(single_loop_is_built_whole),
    CASE(sizes_suit_the_code),
};
TEST_MAIN("api.demand", cases)
