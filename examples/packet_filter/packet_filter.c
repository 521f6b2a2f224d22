/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packet filter fed by files: the design's I/O channels "packets_in" and "packets_out" are bound
 * to a capture-like file and to the file of what was accepted, by SLUICE_FPGA_IO. This program
 * writes the capture, binds both, lets the design run and compares the file that came out, and the
 * counters, with a plain C filter.
 *
 *     packet_filter [PACKETS [FOLDER [PLATFORM]]]
 *
 * Exit status: 0 all equal, 1 a difference or an OpenCL error, 77 the platform has no I/O channels.
 */
#include "machine.h"
#include "packet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet_filter_cl.h" /* made from packet_filter.cl: packet_filter_cl_source */
#include "packet_h.h"         /* made from packet.h: packet_h_source */

enum { RULES = 4, COUNTERS = 3 + RULES, SKIP = 77, PATIENCE_S = 60 };

static const struct rule rules[RULES] = {
    {.source = 0x0a000000, .source_mask = 0xff000000, .protocol = 17, .accept = 1},
    {.target = 0xc0a80100,
     .target_mask = 0xffffff00,
     .first_port = 80,
     .last_port = 443,
     .protocol = 6,
     .accept = 1},
    {.first_port = 1, .last_port = 1023, .accept = 0},
    {.protocol = 6, .accept = 1},
};

/* ---- the capture and the plain filter -------------------------------------------------------- */

static void make_capture(struct packet *packets, cl_uint count)
{
    static const packet_u32 nets[] = {0x0a000000, 0xc0a80100, 0xac100000};
    unsigned state = 7;
    for (cl_uint i = 0; i < count; i++) {
        struct packet *p = &packets[i];
        memset(p, 0, sizeof *p);
        if (i == 0) {
            p->kind = 1;
            memcpy(p->payload, "capture", 8);
            continue;
        }
        for (size_t k = 0; k < sizeof p->payload; k++) {
            state = state * 1664525u + 1013904223u;
            p->payload[k] = (packet_u8)(state >> 24);
        }
        p->time_us = i * 13;
        p->source = nets[(state >> 9) % 3] | ((state >> 12) & 0xffff);
        p->target = nets[(state >> 17) % 3] | ((state >> 14) & 0xff);
        p->source_port = (packet_u16)(1024 + (state >> 8) % 60000);
        p->target_port = (packet_u16)((state >> 16) % 3 ? (state >> 6) % 600 : (state >> 5) % 9000);
        p->length = (packet_u16)(40 + (state >> 10) % 1460);
        p->protocol = (state >> 21) % 2 ? 6 : 17;
    }
}

static bool matches(const struct packet *p, const struct rule *r)
{
    if ((p->source ^ r->source) & r->source_mask || (p->target ^ r->target) & r->target_mask)
        return false;
    if (r->protocol && r->protocol != p->protocol)
        return false;
    return !r->last_port || (p->target_port >= r->first_port && p->target_port <= r->last_port);
}

/* Accepted packets move to the front of `to`; their number. */
static cl_uint plain_filter(const struct packet *packets, cl_uint count, struct packet *to,
                            cl_uint *counters)
{
    cl_uint accepted = 0;
    for (cl_uint i = 0; i < count; i++) {
        const struct packet *p = &packets[i];
        int rule = 0;
        while (p->kind != 1 && rule < RULES && !matches(p, &rules[rule]))
            rule++;
        bool known = p->kind != 1 && rule < RULES;
        bool accept = p->kind == 1 || (known && rules[rule].accept);
        if (known)
            counters[3 + rule]++;
        counters[accept ? 0 : 1]++;
        if (accept) {
            counters[2] += p->length;
            to[accepted++] = *p;
        }
    }
    return accepted;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_file(const char *path, const void *from, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(from, 1, bytes, file) != bytes || fclose(file)) {
        perror(path);
        exit(1);
    }
}

/* The device hands packets on when it can: the last ones may arrive after the kernels' end. */
static bool file_equals(const char *path, const void *want, size_t bytes)
{
    char *got = must(malloc(bytes + 1));
    size_t size = 0;
    for (int turn = 0; turn < 1000 && size < bytes; turn++) {
        FILE *file = fopen(path, "rb");
        size = file ? fread(got, 1, bytes + 1, file) : 0;
        if (file)
            fclose(file);
        if (size < bytes)
            usleep(2000);
    }
    bool equal = size == bytes && !memcmp(got, want, bytes);
    free(got);
    return equal;
}

static void bind_files(const char *in, const char *out)
{
    char text[8300];
    snprintf(text, sizeof text, "packets_in=file:%s;packets_out=file:%s", in, out);
    setenv("SLUICE_FPGA_IO", text, 1);
}

/* ---- the design ------------------------------------------------------------------------------ */

/* Kernels whose peripherals are not there wait for ever. */
static void finish_or_leave(struct stage *stage)
{
    cl_event event;
    cl_int status = CL_QUEUED;
    check(clEnqueueMarkerWithWaitList(stage->queue, 0, NULL, &event), "marker");
    check(clFlush(stage->queue), "clFlush");
    for (double end = seconds() + PATIENCE_S; status > CL_COMPLETE && seconds() < end;) {
        check(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
            "clGetEventInfo");
        usleep(200);
    }
    if (status > CL_COMPLETE) {
        printf("no packets come: this platform does not bind I/O channels to files\n");
        fflush(stdout);
        _exit(SKIP);
    }
    check(status, "kernel");
    clReleaseEvent(event);
}

static double run(struct machine *m, cl_uint count, cl_uint *counters)
{
    cl_int rc;
    cl_uint rule_count = RULES;
    cl_mem table = clCreateBuffer(m->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof rules,
                                  (void *)(uintptr_t)rules, &rc);
    check(rc, "clCreateBuffer");
    cl_mem numbers = clCreateBuffer(m->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    COUNTERS * sizeof *counters, counters, &rc);
    check(rc, "clCreateBuffer");
    struct stage classify = open_stage(m, "classify"), forward = open_stage(m, "forward");
    ARGUMENT(&classify, 0, count);
    ARGUMENT(&classify, 1, table);
    ARGUMENT(&classify, 2, rule_count);
    ARGUMENT(&forward, 0, count);
    ARGUMENT(&forward, 1, numbers);
    double start = seconds();
    start_stage(&classify);
    start_stage(&forward);
    finish_or_leave(&forward);
    finish_stage(&classify);
    double time = seconds() - start;
    check(clEnqueueReadBuffer(forward.queue, numbers, CL_TRUE, 0, COUNTERS * sizeof *counters,
                              counters, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    close_stage(&classify);
    close_stage(&forward);
    clReleaseMemObject(table);
    clReleaseMemObject(numbers);
    return time;
}

int main(int argc, char **argv)
{
    cl_uint count = argc > 1 ? (cl_uint)strtoul(argv[1], NULL, 0) : 200000;
    cl_uint want[COUNTERS] = {0}, got[COUNTERS] = {0};
    const char *folder = argc > 2 ? argv[2] : ".";
    char in[4096], out[4096], *source;
    struct packet *capture = must(malloc((count + 1) * sizeof *capture));
    struct packet *accepted = must(malloc((count + 1) * sizeof *accepted));
    struct machine machine;
    snprintf(in, sizeof in, "%s/packets_in.cap", folder);
    snprintf(out, sizeof out, "%s/packets_out.cap", folder);
    make_capture(capture, count);
    write_file(in, capture, count * sizeof *capture);
    remove(out);
    bind_files(in, out);
    cl_uint number = plain_filter(capture, count, accepted, want);
    size_t size = sizeof packet_h_source + sizeof packet_filter_cl_source;
    source = must(malloc(size));
    snprintf(source, size, "%s%s", packet_h_source, packet_filter_cl_source);
    open_machine(&machine, argc > 3 ? argv[3] : "Sluice", source, "");
    double time = run(&machine, count, got);
    bool equal = file_equals(out, accepted, number * sizeof *accepted);
    printf("packets    %u in %.1f ms: %.2f million packets/s, %.0f MB/s\n", count, time * 1e3,
           count / time * 1e-6, (double)count * sizeof *capture / time * 1e-6);
    printf("accepted   %u of %u expected; the file is %s, the counters are %s\n", got[0], number,
           equal ? "right" : "WRONG", memcmp(want, got, sizeof want) ? "WRONG" : "right");
    close_machine(&machine);
    free(source);
    free(capture);
    free(accepted);
    return !equal || memcmp(want, got, sizeof want) != 0;
}
