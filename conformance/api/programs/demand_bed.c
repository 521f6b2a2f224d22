/* SPDX-License-Identifier: Apache-2.0 */
#include "demand_bed.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the programs ---------------------------------------------------------------------------- */

static const char head[] = "constant int table[4] = {3, 1, 4, 1};\n"
                           "int help(int x) { return x * 7 + table[x & 3]; }\n"
                           "kernel void shared_work(global int *a, int b)\n"
                           "{ a[get_global_id(0)] += help(b); }\n";

char *source_of(int kernels, const char *extra)
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

cl_program program_of(int kernels, const char *options)
{
    char *text = source_of(kernels, "");
    cl_program program = built(text, options);
    free(text);
    return program;
}

cl_int launch_items(cl_command_queue queue, cl_kernel kernel, cl_mem mem, int b, size_t global)
{
    size_t local = GROUP;
    cl_int rc = clSetKernelArg(kernel, 0, sizeof mem, &mem);
    rc = rc ? rc : clSetKernelArg(kernel, 1, GROUP * sizeof(int), NULL);
    rc = rc ? rc : clSetKernelArg(kernel, 2, sizeof b, &b);
    return rc ? rc : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_mem mem, int b)
{
    return launch_items(queue, kernel, mem, b, ITEMS);
}

void write_numbers(cl_command_queue queue, cl_mem mem, size_t items)
{
    int *numbers = malloc(items * sizeof *numbers);
    for (size_t i = 0; i < items; i++)
        numbers[i] = (int)i * 5 - 11;
    CHECK_OK(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, items * sizeof *numbers, numbers, 0, NULL,
                                  NULL));
    free(numbers);
}

cl_mem many_numbers(size_t items)
{
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, items * sizeof(int), NULL);
    write_numbers(cl.queue, mem, items);
    return mem;
}

cl_mem fresh_numbers(void)
{
    return many_numbers(ITEMS);
}

int all_right(cl_command_queue queue, cl_mem mem, int k, int b, size_t items)
{
    int *got = malloc(items * sizeof *got), wrong = 0;
    cl_int rc =
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, items * sizeof *got, got, 0, NULL, NULL);
    for (size_t i = 0; !rc && i < items; i++)
        wrong += got[i] != expected(k, (int)i, b);
    free(got);
    return !rc && !wrong;
}

int is_right(cl_command_queue queue, cl_mem mem, int k, int b)
{
    return all_right(queue, mem, k, b, ITEMS);
}

void run_items(cl_program program, int k, size_t items)
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

void run_kernel(cl_program program, int k)
{
    run_items(program, k, ITEMS);
}

/* ---- surroundings ---------------------------------------------------------------------------- */

static char folder[] = "/tmp/sluice-demand-XXXXXX";
static bool there;

static void remove_folder(void)
{
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
    there = false;
}

/* It was started ahead, without the mark; the build makes sure that it is there by now. */
static void end_first_compiler(void)
{
    cl_program program = built("kernel void first(void) {}", NULL);
    RELEASE_PROGRAM(program);
    CHECK_OK(clUnloadPlatformCompiler(cl.platform));
}

void begin_case(const char *mode)
{
    static bool begun;
    char own[16];
    if (there)
        remove_folder();
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    REQUIRE(mkdtemp(folder));
    there = true;
    setenv("SLUICE_CACHE_DIR", folder, 1);
    setenv("SLUICE_BUILD", mode, 1);
    snprintf(own, sizeof own, "%d", (int)getpid());
    setenv("SLUICE_TEST_DEMAND", own, 1);
    if (!begun)
        end_first_compiler();
    begun = true;
}

#define MARK "SLUICE_TEST_DEMAND="

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

int compilers(int signal_number)
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

void await_no_compiler(void)
{
    for (int t = 0; t < 500 && compilers(0); t++)
        usleep(10000);
}

void end_compilers(void)
{
    CHECK(compilers(SIGKILL) > 0);
    await_no_compiler();
}

char *hide_compiler(void)
{
    const char *path = getenv("SLUICE_COMPILER");
    char *before = path ? strdup(path) : NULL;
    setenv("SLUICE_COMPILER", "/nowhere/compiler", 1);
    return before;
}

void show_compiler(char *before)
{
    if (before)
        setenv("SLUICE_COMPILER", before, 1);
    else
        unsetenv("SLUICE_COMPILER");
    free(before);
}

void end_case(void)
{
    clUnloadPlatformCompiler(cl.platform);
    await_no_compiler();
    remove_folder();
    unsetenv("SLUICE_BUILD");
}

static int entries;

static int count_entry(const char *path, const struct stat *info, int kind)
{
    (void)path;
    (void)info;
    entries += kind == FTW_F;
    return 0;
}

int cache_entries(void)
{
    entries = 0;
    REQUIRE(!ftw(folder, count_entry, 8));
    return entries;
}

/* ---- what the context is told ---------------------------------------------------------------- */

char told[256];
atomic_bool was_told;

void CL_CALLBACK notice(const char *text, const void *info, size_t bytes, void *data)
{
    (void)info, (void)bytes, (void)data;
    snprintf(told, sizeof told, "%s", text);
    atomic_store(&was_told, true);
}
