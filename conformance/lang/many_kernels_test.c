/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of many kernels, whose machine code several processes may make: tables, functions and
 * variables that the kernels share are the same for all of them. */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 61, ITEMS = 77 };

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static int expected(int kernel, int item)
{
    int sum = 0;
    for (int n = 0; n < kernel % 9 + 1; n++)
        sum += (item ^ n) * (kernel + 2) + table[(item + n + kernel) & 7];
    return sum;
}

/* With `counted`, each kernel also adds its number to a variable that all of them share. */
static char *source(int counted)
{
    size_t size = 1 << 16;
    char *text = malloc(size);
    int used = snprintf(text, size,
                        "%sconstant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
                        "int shared(int number, int item, int n)\n"
                        "{ return (item ^ n) * (number + 2) + table[(item + n + number) & 7]; }\n",
                        counted ? "global int total = 1000;\n" : "");
    for (int k = 0; k < KERNELS; k++)
        used += snprintf(text + used, size - (size_t)used,
                         "kernel void k%d(global int *out)\n"
                         "{ int i = get_global_id(0), s = 0;\n"
                         "  for (int n = 0; n < %d; n++) s += shared(%d, i, n);\n"
                         "  %s out[i] = s; }\n",
                         k, k % 9 + 1, k, counted ? "if (i == 0) total += s;" : "");
    if (counted)
        snprintf(text + used, size - (size_t)used,
                 "kernel void sum(global int *out) { out[0] = total; }\n");
    return text;
}

static void run_one(cl_program program, const char *name, cl_mem buffer, cl_int *out)
{
    cl_kernel kernel = kernel_of(program, name);
    memset(out, 0, ITEMS * sizeof *out);
    ARG(kernel, 0, buffer);
    run_1d(kernel, ITEMS, 0);
    read_back(buffer, ITEMS * sizeof *out, out);
    RELEASE_KERNEL(kernel);
}

static void run_all(int counted)
{
    char *text = source(counted);
    cl_program program = built(text, counted ? "-cl-std=CL3.0" : NULL);
    cl_mem buffer = new_buffer(0, ITEMS * sizeof(cl_int), NULL);
    cl_int out[ITEMS], total = 1000;
    for (int k = 0; k < KERNELS; k++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        run_one(program, name, buffer, out);
        for (int i = 0; i < ITEMS; i++)
            CHECK_EQ(out[i], expected(k, i));
        total += expected(k, 0);
    }
    if (counted) {
        run_one(program, "sum", buffer, out);
        CHECK_EQ(out[0], total);
    }
    RELEASE_MEM(buffer);
    RELEASE_PROGRAM(program);
    free(text);
}

static void functions_and_tables(void)
{
    run_all(0);
}

static void a_variable_of_all(void)
{
    if (device_version() < 300 || !device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE))
        check_skip("no program scope variables");
    run_all(1);
}

static const struct test_case cases[] = {
    CASE(functions_and_tables),
    CASE(a_variable_of_all),
};
TEST_MAIN("many_kernels", cases)
