/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stencil cut over several processes, which may be on several hosts: each rank runs the same
 * design on some rows of the grid, and I/O pipes join it to its neighbours (links.h). Then it runs
 * the design alone on the whole grid and compares its rows with those, bit by bit.
 *
 *     stencil [-n RANKS] [-r RANK] [-t TRANSPORT] [-H HOST,...] [-p PORT] [-k NAME]
 *             [-w WIDTH] [-h ROWS] [-s STEPS] [PLATFORM]
 *
 * Without -r all ranks are started, as processes of this machine. Under mpirun (-t mpi) rank and
 * number come from there. -h is the rows of a rank. Exit status: 0 all cells right, 1 a difference
 * or an OpenCL error, 77 the transport is not there.
 */
#include "links.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stencil_cl.h" /* made from stencil.cl: stencil_cl_source */

struct task {
    struct job job;
    int rank; /* -1: all, to be started */
    cl_uint width, rows, steps;
    const char *platform;
};

/* ---- a part of the grid ---------------------------------------------------------------------- */

/* Of the whole grid, row 0 being the edge above the first. */
static float first_value(const struct task *t, cl_uint row, cl_uint x)
{
    cl_uint at = row * t->width + x;
    return (float)(at * 2654435761u >> 8) * 0x1p-24f;
}

static cl_mem new_part(const struct machine *m, const struct task *t, cl_uint above, cl_uint rows)
{
    size_t cells = (size_t)(rows + 2) * t->width;
    float *values = must(malloc(cells * sizeof *values));
    cl_int rc;
    for (size_t i = 0; i < cells; i++)
        values[i] = first_value(t, above + (cl_uint)(i / t->width), (cl_uint)(i % t->width));
    cl_mem mem =
        clCreateBuffer(m->context, CL_MEM_COPY_HOST_PTR, cells * sizeof *values, values, &rc);
    check(rc, "clCreateBuffer");
    free(values);
    return mem;
}

/* The rows behind `above` of the grid, as they are in the end, without the edges; owned by the
 * caller. The build joins the pipes, so that peers find them. */
static float *run_part(const struct task *t, const char *options, cl_uint above, cl_uint rows,
                       double *time)
{
    struct machine m;
    size_t bytes = (size_t)rows * t->width * sizeof(float);
    float *result = must(malloc(bytes));
    open_machine(&m, t->platform, stencil_cl_source, options);
    cl_mem a = new_part(&m, t, above, rows), b = new_part(&m, t, above, rows);
    struct stage stage = open_stage(&m, "stencil");
    ARGUMENT(&stage, 0, a);
    ARGUMENT(&stage, 1, b);
    ARGUMENT(&stage, 2, t->width);
    ARGUMENT(&stage, 3, rows);
    ARGUMENT(&stage, 4, t->steps);
    double start = seconds();
    start_stage(&stage);
    finish_stage(&stage);
    *time = seconds() - start;
    check(clEnqueueReadBuffer(stage.queue, t->steps % 2 ? b : a, CL_TRUE, t->width * sizeof(float),
                              bytes, result, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    close_stage(&stage);
    close_machine(&m);
    return result;
}

/* ---- a rank ---------------------------------------------------------------------------------- */

static int run_rank(const struct task *t)
{
    char rows[2048], options[64];
    cl_uint rank = (cl_uint)t->rank, above = rank * t->rows;
    size_t cells = (size_t)t->rows * t->width;
    double time, alone;
    if (!make_links(&t->job, rank, rows, sizeof rows)) {
        fprintf(stderr, "no transport %s: there are shm, unix, tcp, ucx and mpi\n",
                t->job.transport);
        return 1;
    }
    if (!getenv("SLUICE_FPGA_IO"))
        setenv("SLUICE_FPGA_IO", rows, 1);
    snprintf(options, sizeof options, "%s%s", rank ? " -DABOVE" : "",
             rank + 1 < t->job.ranks ? " -DBELOW" : "");
    float *part = run_part(t, options, above, t->rows, &time);
    float *whole = run_part(t, "", 0, t->rows * t->job.ranks, &alone);
    size_t wrong = 0;
    for (size_t i = 0; i < cells; i++)
        wrong += memcmp(&part[i], &whole[(size_t)above * t->width + i], sizeof *part) != 0;
    printf("rank %u of %u by %s: %zu of %zu cells differ, %.3g cells/s (one rank: %.3g)\n", rank,
           t->job.ranks, t->job.transport, wrong, cells, (double)cells * t->steps / time,
           (double)cells * t->job.ranks * t->steps / alone);
    free(part);
    free(whole);
    return wrong != 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int start_all(struct task *t)
{
    static char name[64];
    int failed = 0, status;
    snprintf(name, sizeof name, "%s-%d", t->job.name, (int)getpid());
    t->job.name = name; /* others may do the same */
    /* Below those that the system gives to connections of its own choice, from 32768 on. */
    t->job.port += (unsigned)getpid() % 1000 * 12;
    for (unsigned rank = 0; rank < t->job.ranks; rank++) {
        fflush(NULL);
        if (!fork()) {
            t->rank = (int)rank;
            exit(run_rank(t));
        }
    }
    for (unsigned rank = 0; rank < t->job.ranks; rank++)
        failed |= wait(&status) < 0 || status;
    return failed;
}

static void read_arguments(struct task *t, int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "n:r:t:H:p:k:w:h:s:")) != -1;) {
        unsigned number = (unsigned)strtoul(optarg ? optarg : "", NULL, 10);
        switch (option) {
        case 'n':
            t->job.ranks = number;
            break;
        case 'r':
            t->rank = (int)number;
            break;
        case 't':
            t->job.transport = optarg;
            break;
        case 'H':
            t->job.hosts = optarg;
            break;
        case 'p':
            t->job.port = number;
            break;
        case 'k':
            t->job.name = optarg;
            break;
        case 'w':
            t->width = number;
            break;
        case 'h':
            t->rows = number;
            break;
        case 's':
            t->steps = number;
            break;
        default:
            exit(1);
        }
    }
    if (optind < argc)
        t->platform = argv[optind];
}

/* As Open MPI and MPICH tell. */
static void ask_launcher(struct task *t)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    for (int i = 0; i < 2; i++) {
        const char *rank = getenv(names[i][0]), *size = getenv(names[i][1]);
        if (rank && size) {
            t->rank = (int)strtoul(rank, NULL, 10);
            t->job.ranks = (unsigned)strtoul(size, NULL, 10);
        }
    }
}

int main(int argc, char **argv)
{
    struct task t = {.job = {.transport = "shm", .name = "stencil", .port = 20000, .ranks = 4},
                     .rank = -1,
                     .width = 515,
                     .rows = 129,
                     .steps = 101,
                     .platform = "Sluice"};
    read_arguments(&t, argc, argv);
    ask_launcher(&t);
    if (!t.job.ranks || !t.width || !t.rows) {
        fprintf(stderr, "%s: -n, -w and -h want a number above 0\n", argv[0]);
        return 1;
    }
    return t.rank < 0 ? start_all(&t) : run_rank(&t);
}
