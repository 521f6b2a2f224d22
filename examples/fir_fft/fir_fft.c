/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A streaming receiver on the emulated FPGA: FIR filter, FFT and power as three kernels joined by
 * channels, fed and read by this program through host pipes, a mapped piece at a time. Every bin is
 * compared with a filter and a transform in double precision.
 *
 *     fir_fft [BLOCKS [PLATFORM]]       blocks of 256 samples; PLATFORM: part of the name
 *
 * Exit status: 0 all bins right, 1 a difference or an OpenCL error.
 */
#include "machine.h"
#include "signal_reference.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fir_fft_cl.h" /* made from fir_fft.cl: fir_fft_cl_source */

enum { PIECE = 4096 };

struct receiver {
    struct machine machine;
    struct stage fir, fft, power;
    cl_mem samples, bins, taps, twiddles;
    clMapHostPipeIntelFPGA_fn map;
    clUnmapHostPipeIntelFPGA_fn unmap;
};

/* ---- the design ------------------------------------------------------------------------------ */

static cl_mem new_table(const struct machine *m, size_t size, void *from)
{
    cl_int rc;
    cl_mem mem =
        clCreateBuffer(m->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, from, &rc);
    check(rc, "clCreateBuffer");
    return mem;
}

static cl_mem new_host_pipe(const struct machine *m, cl_mem_flags flags)
{
    cl_int rc;
    cl_mem mem = clCreatePipe(m->context, flags, sizeof(float), 2 * PIECE, NULL, &rc);
    check(rc, "clCreatePipe");
    return mem;
}

static void open_receiver(struct receiver *r, const char *platform, float *taps, cl_uint blocks)
{
    float twiddles[POINTS];
    cl_uint count = blocks * POINTS;
    char options[64];
    snprintf(options, sizeof options, "-DTAPS=%d -DLOG_POINTS=%d", TAPS, LOG_POINTS);
    open_machine(&r->machine, platform, fir_fft_cl_source, options);
    find_function(&r->machine, "clMapHostPipeIntelFPGA", &r->map);
    find_function(&r->machine, "clUnmapHostPipeIntelFPGA", &r->unmap);
    make_twiddles(twiddles);
    r->taps = new_table(&r->machine, TAPS * sizeof *taps, taps);
    r->twiddles = new_table(&r->machine, sizeof twiddles, twiddles);
    r->samples = new_host_pipe(&r->machine, CL_MEM_HOST_WRITE_ONLY);
    r->bins = new_host_pipe(&r->machine, CL_MEM_HOST_READ_ONLY);
    r->fir = open_stage(&r->machine, "fir");
    r->fft = open_stage(&r->machine, "fft");
    r->power = open_stage(&r->machine, "power");
    ARGUMENT(&r->fir, 0, count);
    ARGUMENT(&r->fir, 1, r->taps);
    ARGUMENT(&r->fir, 2, r->samples);
    ARGUMENT(&r->fft, 0, blocks);
    ARGUMENT(&r->fft, 1, r->twiddles);
    ARGUMENT(&r->power, 0, count);
    ARGUMENT(&r->power, 1, r->bins);
}

static void close_receiver(struct receiver *r)
{
    close_stage(&r->fir);
    close_stage(&r->fft);
    close_stage(&r->power);
    clReleaseMemObject(r->samples);
    clReleaseMemObject(r->bins);
    clReleaseMemObject(r->taps);
    clReleaseMemObject(r->twiddles);
    close_machine(&r->machine);
}

/* Moves up to `count` numbers between memory and the mapped part of a pipe; how many it were. */
static size_t move(const struct receiver *r, cl_mem pipe, float *numbers, size_t count, int send)
{
    size_t bytes = 0, done;
    cl_int rc;
    if (!count)
        return 0;
    float *at = r->map(pipe, 0, (count < PIECE ? count : PIECE) * sizeof *at, &bytes, &rc);
    if (!at)
        return 0; /* full or empty: the kernels are busy */
    memcpy(send ? at : numbers, send ? numbers : at, bytes);
    check(r->unmap(pipe, at, bytes, &done), "clUnmapHostPipeIntelFPGA");
    return bytes / sizeof *at;
}

static double stream(struct receiver *r, float *signal, float *bins, size_t count)
{
    double start = seconds();
    start_stage(&r->fir);
    start_stage(&r->fft);
    start_stage(&r->power);
    for (size_t sent = 0, got = 0; got < count;) {
        sent += move(r, r->samples, signal + sent, count - sent, 1);
        got += move(r, r->bins, bins + got, count - got, 0);
    }
    finish_stage(&r->power);
    finish_stage(&r->fft);
    finish_stage(&r->fir);
    return seconds() - start;
}

int main(int argc, char **argv)
{
    cl_uint blocks = argc > 1 ? (cl_uint)strtoul(argv[1], NULL, 0) : 1000;
    size_t count = (size_t)blocks * POINTS;
    float taps[TAPS], *signal = must(malloc(count * sizeof *signal + 1));
    float *bins = must(calloc(count + 1, sizeof *bins));
    double *filtered = must(malloc(count * sizeof *filtered + 1));
    struct receiver receiver;
    make_signal(signal, count);
    make_taps(taps);
    filter_samples(signal, taps, filtered, count);
    open_receiver(&receiver, argc > 2 ? argv[2] : "Sluice", taps, blocks);
    double time = stream(&receiver, signal, bins, count);
    size_t wrong = wrong_bins(bins, filtered, blocks);
    printf("samples    %zu in %.1f ms: %.1f Msamples/s\n", count, time * 1e3,
           (double)count / time * 1e-6);
    printf("bins       %zu, %zu wrong\n", count, wrong);
    close_receiver(&receiver);
    free(signal);
    free(bins);
    free(filtered);
    return wrong != 0;
}
