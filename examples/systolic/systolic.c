/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix multiplication by a systolic array: SIDE x SIDE autorun kernels that pass their operands
 * to the right and down, two kernels that feed them and one that collects the sums. The matrices
 * hold small whole numbers, so the result must equal that of three plain loops exactly.
 *
 *     systolic [TILES [PLATFORM]]       the matrices are TILES * 8 square at least
 *
 * Exit status: 0 all equal, 1 a difference or an OpenCL error.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "systolic_cl.h" /* made from systolic.cl: systolic_cl_source */

enum { SIDE = 8, INNER = 128 };

struct matrices {
    size_t rows, columns;
    float *a, *b, *c; /* owned; rows x INNER, INNER x columns, rows x columns */
};

static struct matrices make_matrices(cl_uint tiles)
{
    struct matrices m = {.rows = (size_t)tiles * SIDE, .columns = (size_t)(tiles + 1) * SIDE};
    m.a = must(malloc(m.rows * INNER * sizeof *m.a));
    m.b = must(malloc(m.columns * INNER * sizeof *m.b));
    m.c = must(calloc(m.rows * m.columns, sizeof *m.c));
    for (size_t i = 0; i < m.rows * INNER; i++)
        m.a[i] = (float)(int)(i * 7 % 31) - 15;
    for (size_t i = 0; i < m.columns * INNER; i++)
        m.b[i] = (float)(int)(i * 13 % 29) - 14;
    return m;
}

static void free_matrices(struct matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->c);
}

static size_t compare(const struct matrices *m)
{
    size_t wrong = 0;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->columns; j++) {
            float sum = 0;
            for (size_t k = 0; k < INNER; k++)
                sum += m->a[i * INNER + k] * m->b[k * m->columns + j];
            wrong += m->c[i * m->columns + j] != sum;
        }
    return wrong;
}

static cl_mem new_buffer(const struct machine *machine, size_t floats, float *from)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(machine->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                floats * sizeof *from, from, &rc);
    check(rc, "clCreateBuffer");
    return mem;
}

static double multiply(const struct machine *machine, struct matrices *m)
{
    static const char *const names[] = {"feed_a", "feed_b", "collect"};
    struct stage stages[3];
    cl_uint down = (cl_uint)(m->rows / SIDE), across = (cl_uint)(m->columns / SIDE);
    cl_mem buffers[] = {new_buffer(machine, m->rows * INNER, m->a),
                        new_buffer(machine, m->columns * INNER, m->b),
                        new_buffer(machine, m->rows * m->columns, m->c)};
    for (int i = 0; i < 3; i++) {
        stages[i] = open_stage(machine, names[i]);
        ARGUMENT(&stages[i], 0, buffers[i]);
        ARGUMENT(&stages[i], 1, down);
        ARGUMENT(&stages[i], 2, across);
    }
    double start = seconds();
    for (int i = 0; i < 3; i++)
        start_stage(&stages[i]);
    for (int i = 0; i < 3; i++)
        finish_stage(&stages[i]);
    double time = seconds() - start;
    check(clEnqueueReadBuffer(stages[2].queue, buffers[2], CL_TRUE, 0,
                              m->rows * m->columns * sizeof *m->c, m->c, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < 3; i++) {
        close_stage(&stages[i]);
        clReleaseMemObject(buffers[i]);
    }
    return time;
}

int main(int argc, char **argv)
{
    struct machine machine;
    char options[64];
    struct matrices m = make_matrices(argc > 1 ? (cl_uint)strtoul(argv[1], NULL, 0) : 16);
    snprintf(options, sizeof options, "-DSIDE=%d -DINNER=%d", SIDE, INNER);
    open_machine(&machine, argc > 2 ? argv[2] : "Sluice", systolic_cl_source, options);
    double time = multiply(&machine, &m), work = (double)(m.rows * m.columns * INNER);
    size_t wrong = compare(&m);
    printf("matrices   %zu x %d times %d x %zu on %d x %d elements\n", m.rows, INNER, INNER,
           m.columns, SIDE, SIDE);
    printf("time       %.1f ms: %.1f million multiply-adds/s\n", time * 1e3, work / time * 1e-6);
    printf("elements   %zu, %zu wrong\n", m.rows * m.columns, wrong);
    free_matrices(&m);
    close_machine(&machine);
    return wrong != 0;
}
