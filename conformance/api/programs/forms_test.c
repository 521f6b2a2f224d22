/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels whose sub-groups go in step: the build leaves out their code for launches whose
 * sub-groups are no parts of rows, and such a launch has it made (SLUICE_BUILD). Nothing of that
 * may show but in the time that things take. */
#include "demand_bed.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 16, THREADS = 8 };
#define FAR (((size_t)1 << 30) + 5)

/* Each item's number of its sub-group, and a sum and a neighbour of what the sub-group has. */
static const char one_kernel[] =
    "kernel __attribute__((intel_reqd_sub_group_size(16)))\n"
    "void k%d(global int *out, global const int *in, ulong first)\n"
    "{\n"
    "    size_t i = get_global_id(0) - first + get_global_size(0) *\n"
    "               (get_global_id(1) + get_global_size(1) * get_global_id(2));\n"
    "    int x = in[i] * %d;\n"
    "    out[3 * i] = sub_group_reduce_add(x);\n"
    "    out[3 * i + 1] = sub_group_scan_exclusive_max(x);\n"
    "    out[3 * i + 2] = get_sub_group_id() * 100 + get_sub_group_local_id();\n"
    "}\n";

struct shape {
    size_t global[3], local[3]; /* local zeros: the driver's choice */
    size_t first;               /* the offset */
    bool in_step;
};

static const struct shape shapes[] = {
    {{256, 1, 1}, {64, 1, 1}, 0, true},   {{99, 1, 1}, {33, 1, 1}, 7, true},
    {{32, 6, 2}, {16, 3, 2}, 0, true},    {{12, 9, 5}, {6, 3, 5}, 0, false},
    {{7, 5, 1}, {7, 5, 1}, 3, false},     {{64, 3, 1}, {32, 3, 1}, FAR, false},
    {{16, 6, 1}, {8, 6, 1}, 0, false},    {{40, 6, 3}, {0}, 0, true},
    {{64, 1, 1}, {16, 1, 1}, FAR, false}, {{1, 12, 10}, {1, 12, 5}, 0, false},
    {{48, 4, 1}, {48, 1, 1}, 0, true},
};
enum { FIRST_APART = 3 };

static cl_program forms_program(int kernels)
{
    if (!is_sluice())
        check_skip("Sluice's sub-groups are meant");
    char *text = malloc((size_t)kernels * (sizeof one_kernel + 20) + 1), *at = text;
    for (int k = 0; k < kernels; k++)
        at += sprintf(at, one_kernel, k, k + 1);
    cl_program program = built(text, "-cl-std=CL3.0");
    free(text);
    return program;
}

static size_t cells(const struct shape *s)
{
    return s->global[0] * s->global[1] * s->global[2];
}

static int number_at(size_t cell)
{
    return (int)(cell * 37 % 101) - 50;
}

/* ---- what is right --------------------------------------------------------------------------- */

/* The cell of an item of a group, by its number in the group. */
static size_t cell_of(const struct shape *s, const size_t corner[3], const size_t size[3], size_t n)
{
    size_t x = corner[0] + n % size[0], y = corner[1] + n / size[0] % size[1],
           z = corner[2] + n / size[0] / size[1];
    return x + s->global[0] * (y + s->global[1] * z);
}

static int wrong_in_group(const struct shape *s, const size_t corner[3], const size_t size[3],
                          int factor, const int *got)
{
    int wrong = 0;
    size_t items = size[0] * size[1] * size[2];
    for (size_t first = 0; first < items; first += SIZE) {
        size_t end = first + SIZE < items ? first + SIZE : items;
        int sum = 0, most = -2147483647 - 1;
        for (size_t n = first; n < end; n++)
            sum += number_at(cell_of(s, corner, size, n)) * factor;
        for (size_t n = first; n < end; n++) {
            size_t cell = cell_of(s, corner, size, n);
            int x = number_at(cell) * factor;
            wrong += got[3 * cell] != sum || got[3 * cell + 1] != most ||
                     got[3 * cell + 2] != (int)(first / SIZE * 100 + n - first);
            most = x > most ? x : most;
        }
    }
    return wrong;
}

/* With a size of the driver's choice the groups are not known: the sums of all sub-groups are, as
 * each of their items has its own. */
static int wrong_sums(const struct shape *s, int factor, const int *got)
{
    long sum = 0, expected = 0;
    for (size_t cell = 0; cell < cells(s); cell++) {
        if (got[3 * cell + 2] % 100 == 0)
            sum += got[3 * cell];
        expected += (long)number_at(cell) * factor;
    }
    return sum != expected;
}

static int wrong_cells(const struct shape *s, int factor, const int *got)
{
    size_t corner[3];
    int wrong = 0;
    if (!s->local[0])
        return wrong_sums(s, factor, got);
    for (corner[2] = 0; corner[2] < s->global[2]; corner[2] += s->local[2])
        for (corner[1] = 0; corner[1] < s->global[1]; corner[1] += s->local[1])
            for (corner[0] = 0; corner[0] < s->global[0]; corner[0] += s->local[0])
                wrong += wrong_in_group(s, corner, s->local, factor, got);
    return wrong;
}

/* ---- a launch -------------------------------------------------------------------------------- */

/* 0 and *wrong, or what refused it. */
static cl_int run_shape(cl_command_queue queue, cl_kernel kernel, const struct shape *s, int factor,
                        int *wrong)
{
    static const int unset = 0x7fffffff;
    cl_int rc, ignored;
    size_t n = cells(s);
    cl_ulong first = s->first;
    size_t offset[3] = {s->first, 0, 0};
    int *numbers = malloc(4 * n * sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = number_at(i);
    cl_mem in = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, n * sizeof(int), numbers, &rc);
    cl_mem out = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, 3 * n * sizeof(int), NULL, &ignored);
    rc = rc ? rc : ignored;
    rc = rc ? rc
            : clEnqueueFillBuffer(queue, out, &unset, sizeof unset, 0, 3 * n * sizeof(int), 0, NULL,
                                  NULL);
    rc = rc ? rc : clSetKernelArg(kernel, 0, sizeof out, &out);
    rc = rc ? rc : clSetKernelArg(kernel, 1, sizeof in, &in);
    rc = rc ? rc : clSetKernelArg(kernel, 2, sizeof first, &first);
    rc = rc ? rc
            : clEnqueueNDRangeKernel(queue, kernel, 3, offset, s->global,
                                     s->local[0] ? s->local : NULL, 0, NULL, NULL);
    rc = rc ? rc
            : clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 3 * n * sizeof(int), numbers, 0, NULL,
                                  NULL);
    *wrong = rc ? 0 : wrong_cells(s, factor, numbers);
    clFinish(queue);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    free(numbers);
    return rc;
}

static void check_shape(cl_program program, int k, const struct shape *s)
{
    char name[16];
    int wrong;
    sprintf(name, "k%d", k);
    cl_kernel kernel = kernel_of(program, name);
    CHECK_OK(run_shape(cl.queue, kernel, s, k + 1, &wrong));
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(kernel);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* In a program that is built at once, and where another code comes first. */
static void every_shape(void)
{
    static const char *const modes[] = {"auto", "on-demand", "whole", "quick"};
    for (size_t m = 0; m < LEN(modes); m++) {
        begin_case(modes[m]);
        cl_program program = forms_program(2);
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < LEN(shapes); i++)
                check_shape(program, k, &shapes[k ? LEN(shapes) - 1 - i : i]);
        RELEASE_PROGRAM(program);
        end_case();
    }
}

/* What is made when: one entry in the cache each. */
static void made_by_need(void)
{
    begin_case("auto");
    cl_program program = forms_program(1);
    CHECK_EQ(cache_entries(), 1);
    end_compilers();
    for (int i = 0; i < 2 * (int)LEN(shapes); i++)
        if (shapes[i % (int)LEN(shapes)].in_step)
            check_shape(program, 0, &shapes[i % (int)LEN(shapes)]);
    CHECK_EQ(cache_entries(), 1);
    CHECK_EQ(compilers(0), 0);
    check_shape(program, 0, &shapes[FIRST_APART]);
    CHECK_EQ(cache_entries(), 2);
    for (size_t i = 0; i < LEN(shapes); i++)
        check_shape(program, 0, &shapes[i]);
    CHECK_EQ(cache_entries(), 2);
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
    await_no_compiler();
    program = forms_program(1); /* all of it is in the cache */
    for (size_t i = 0; i < LEN(shapes); i++)
        check_shape(program, 0, &shapes[i]);
    CHECK_EQ(compilers(0), 0);
    CHECK_EQ(cache_entries(), 2);
    RELEASE_PROGRAM(program);
    end_case();
}

/* Nine kernels have quick code first: odd launches may run that as well, until they are large. */
static void behind_quick_code(void)
{
    static const struct shape large = {{1 << 7, 1 << 7, 1}, {8, 8, 1}, 0, false};
    begin_case("auto");
    cl_program program = forms_program(9);
    for (size_t i = 0; i < LEN(shapes); i++)
        check_shape(program, 3, &shapes[i]);
    check_shape(program, 4, &large);
    check_shape(program, 4, &shapes[0]);
    for (int n = 0; n < 40; n++)
        check_shape(program, 4, n & 1 ? &large : &shapes[n % (int)LEN(shapes)]);
    RELEASE_PROGRAM(program);
    end_case();
}

static int mapped_code(void)
{
    char line[512];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, " r-xp ") != NULL;
    if (maps)
        fclose(maps);
    return count;
}

/* Better code comes before anybody has looked for it in the cache, which an odd launch then does:
 * what it finds goes with the program. */
static void found_behind_better_code(void)
{
    static const struct shape large = {{1 << 18, 1, 1}, {64, 1, 1}, 0, true};
    begin_case("auto");
    int before = 0;
    for (int round = 0; round < 2; round++) {
        cl_program program = forms_program(9);
        for (int k = 0; k < 3; k++) {
            check_shape(program, k, &large);
            check_shape(program, k, &shapes[FIRST_APART]);
        }
        RELEASE_PROGRAM(program);
        if (!round)
            before = mapped_code();
    }
    CHECK(before > 0);
    CHECK_EQ(mapped_code(), before);
    end_case();
}

struct worker {
    cl_program program;
    pthread_barrier_t *start;
    int number, wrong;
};

static void *work(void *data)
{
    struct worker *w = data;
    cl_int rc, second;
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    cl_kernel kernel = clCreateKernel(w->program, "k0", &second);
    pthread_barrier_wait(w->start);
    for (size_t i = 0; i < LEN(shapes) && !rc && !second; i++) {
        int wrong;
        rc = run_shape(queue, kernel, &shapes[(i + FIRST_APART * (size_t)w->number) % LEN(shapes)],
                       1, &wrong);
        w->wrong += wrong;
    }
    w->wrong += rc || second;
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    return NULL;
}

/* Some want the form that is not there at the same time, others what is. One makes it. */
static void threads_at_once(void)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    pthread_barrier_t start;
    begin_case("auto");
    REQUIRE(!pthread_barrier_init(&start, NULL, THREADS));
    cl_program program = forms_program(1);
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){program, &start, t % 3 ? 1 : 0, 0};
        REQUIRE(!pthread_create(&threads[t], NULL, work, &workers[t]));
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        CHECK_EQ(workers[t].wrong, 0);
    }
    CHECK_EQ(cache_entries(), 2);
    pthread_barrier_destroy(&start);
    RELEASE_PROGRAM(program);
    end_case();
}

/* A binary has all forms, or gets them where they are kept. */
static void from_a_binary_with(bool kept)
{
    size_t bytes = 0;
    cl_int rc, status;
    begin_case("auto");
    setenv("SLUICE_CACHE", kept ? "1" : "0", 1);
    cl_program program = forms_program(1);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    REQUIRE(bytes > 0);
    unsigned char *binary = malloc(bytes);
    const unsigned char *input = binary;
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
    await_no_compiler();
    program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &input, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    for (size_t i = 0; i < LEN(shapes); i++)
        check_shape(program, 0, &shapes[i]);
    CHECK_EQ(compilers(0) > 0, kept);
    RELEASE_PROGRAM(program);
    free(binary);
    unsetenv("SLUICE_CACHE");
    end_case();
}

static void from_a_binary(void)
{
    from_a_binary_with(false);
    from_a_binary_with(true);
}

/* The launch says so, others go on; with a compiler it works. */
static void without_a_compiler(void)
{
    int wrong;
    begin_case("auto");
    cl_program program = forms_program(1);
    cl_kernel kernel = kernel_of(program, "k0");
    end_compilers();
    char *compiler = hide_compiler();
    for (int round = 0; round < 2; round++) {
        CHECK_OK(run_shape(cl.queue, kernel, &shapes[0], 1, &wrong));
        CHECK_EQ(wrong, 0);
        FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
              run_shape(cl.queue, kernel, &shapes[FIRST_APART], 1, &wrong));
    }
    show_compiler(compiler);
    CHECK_OK(run_shape(cl.queue, kernel, &shapes[FIRST_APART], 1, &wrong));
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end_case();
}

static void *kill_compilers(void *data)
{
    for (int *left = data; *left > 0; --*left) {
        compilers(SIGKILL);
        usleep(1000);
    }
    return NULL;
}

/* While the form is made: the launch runs, or is refused; a later one runs. */
static void compiler_killed_meanwhile(void)
{
    pthread_t thread;
    int wrong, rounds = 30;
    begin_case("auto");
    cl_program program = forms_program(1);
    cl_kernel kernel = kernel_of(program, "k0");
    REQUIRE(!pthread_create(&thread, NULL, kill_compilers, &rounds));
    cl_int rc = run_shape(cl.queue, kernel, &shapes[FIRST_APART], 1, &wrong);
    CHECK(!rc || rc == CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(wrong, 0);
    pthread_join(thread, NULL);
    CHECK_OK(run_shape(cl.queue, kernel, &shapes[FIRST_APART], 1, &wrong));
    CHECK_EQ(wrong, 0);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    end_case();
}

static const struct test_case cases[] = {
    CASE(every_shape),        CASE(made_by_need),
    CASE(behind_quick_code),  CASE(found_behind_better_code),
    CASE(threads_at_once),    CASE(from_a_binary),
    CASE(without_a_compiler), CASE(compiler_killed_meanwhile),
};
TEST_MAIN("api.forms", cases)
