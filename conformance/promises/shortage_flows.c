/* SPDX-License-Identifier: Apache-2.0 */
/* Several kernels that channels join, with the host at both ends: by name, and pipe objects. */
#include "shortage_life.h"

#include <stddef.h>

enum { PACKETS = 40, STAGES = 3 };

static cl_int sent[PACKETS], got[PACKETS];

static void fill_packets(void)
{
    for (int i = 0; i < PACKETS; i++) {
        sent[i] = i * i - 7;
        got[i] = 0;
    }
}

static cl_int passed(int i)
{
    return ((sent[i] + 5) * 3) ^ 0x55;
}

static void drop_kernels(cl_kernel *kernels, int count)
{
    for (int i = 0; i < count; i++) {
        if (kernels[i])
            SURE(clReleaseKernel(kernels[i]));
    }
}

/* ---- channels -------------------------------------------------------------------------------- */

static const char channels_source[] =
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "channel int hin __attribute__((depth(64))) __attribute__((intel_host_accessible));\n"
    "channel int a __attribute__((depth(4)));\n"
    "channel int b __attribute__((depth(2)));\n"
    "channel int hout __attribute__((depth(64))) __attribute__((intel_host_accessible));\n"
    "kernel void k0(int n) { for (int i = 0; i < n; i++)\n"
    "    write_channel_intel(a, read_channel_intel(hin) + 5); }\n"
    "kernel void k1(int n) { for (int i = 0; i < n; i++)\n"
    "    write_channel_intel(b, read_channel_intel(a) * 3); }\n"
    "kernel void k2(int n) { for (int i = 0; i < n; i++)\n"
    "    write_channel_intel(hout, read_channel_intel(b) ^ 0x55); }\n";

/* The packets first: no kernel must wait for them for ever. */
static bool start_stages(const struct client *client, cl_program program, cl_kernel *kernels,
                         cl_event *events)
{
    static const char *const names[] = {"k0", "k1", "k2"};
    const cl_int packets = PACKETS;
    bool all = true;
    for (int i = 0; i < STAGES && all; i++) {
        kernels[i] = life_kernel(program, names[i]);
        all = kernels[i] && TRY(clSetKernelArg(kernels[i], 0, sizeof packets, &packets)) &&
              TRY(clEnqueueTask(client->loose, kernels[i], 0, NULL, &events[i]));
    }
    return all;
}

void life_of_channels(const struct client *client)
{
    clEnqueueReadHostPipeINTEL_fn read_pipe;
    clEnqueueWriteHostPipeINTEL_fn write_pipe;
    cl_kernel kernels[STAGES] = {NULL};
    cl_event events[STAGES + 2 * PACKETS] = {NULL}, *out = events + STAGES + PACKETS;
    fill_packets();
    life_find(client, "clEnqueueReadHostPipeINTEL", &read_pipe);
    life_find(client, "clEnqueueWriteHostPipeINTEL", &write_pipe);
    cl_program program = life_build(client, channels_source, "");
    bool all = program && read_pipe && write_pipe;
    for (int i = 0; i < PACKETS && all; i++)
        all = TRY(write_pipe(client->loose, program, "hin", CL_TRUE, &sent[i], sizeof *sent, 0,
                             NULL, &events[STAGES + i]));
    all = all && start_stages(client, program, kernels, events);
    for (int i = 0; i < PACKETS && all; i++)
        all = TRY(read_pipe(client->loose, program, "hout", CL_TRUE, &got[i], sizeof *got, 0, NULL,
                            &out[i]));
    if (life_ended(events, STAGES + 2 * PACKETS) && all)
        life_compare("channels", got, PACKETS, passed);
    TRY(clFinish(client->loose));
    drop_kernels(kernels, STAGES);
    life_drop(program, NULL, NULL, NULL);
}

/* ---- pipe objects ---------------------------------------------------------------------------- */

static const char pipes_source[] =
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "kernel void k(int n,\n"
    "    read_only pipe int __attribute__((blocking)) __attribute__((intel_host_accessible)) a,\n"
    "    write_only pipe int __attribute__((blocking)) __attribute__((intel_host_accessible)) b)\n"
    "{ for (int i = 0; i < n; i++) {\n"
    "    int v; read_pipe(a, &v); v = ((v + 5) * 3) ^ 0x55; write_pipe(b, &v); } }\n";

static void move_packets(const struct client *client, cl_kernel kernel, cl_mem in, cl_mem out)
{
    clWritePipeIntelFPGA_fn write_packet;
    clMapHostPipeIntelFPGA_fn map;
    clUnmapHostPipeIntelFPGA_fn unmap;
    size_t bytes = 0;
    void *made_of;
    cl_int rc;
    cl_event end[1] = {NULL};
    life_find(client, "clWritePipeIntelFPGA", &write_packet);
    life_find(client, "clMapHostPipeIntelFPGA", &map);
    life_find(client, "clUnmapHostPipeIntelFPGA", &unmap);
    bool all = write_packet && map && unmap;
    for (int i = 0; i < PACKETS && all; i++)
        all = TRY(write_packet(in, &sent[i]));
    all = all && TRY(clEnqueueTask(client->queue, kernel, 0, NULL, end));
    if (!all || !life_ended(end, 1))
        return;
    for (int i = 0; i < PACKETS;) {
        cl_int *at = MAKE(map(out, 0, sizeof *at * (size_t)(PACKETS - i), &bytes, &rc));
        if (!at)
            return;
        int count = (int)(bytes / sizeof *at);
        for (int j = 0; j < count; j++)
            got[i + j] = at[j];
        i += count;
        if (!TRY(unmap(out, at, bytes, &bytes)))
            return;
    }
    life_compare("pipes", got, PACKETS, passed);
}

void life_of_pipes(const struct client *client)
{
    const cl_int packets = PACKETS;
    void *made_of;
    cl_int rc;
    fill_packets();
    cl_program program = life_build(client, pipes_source, "");
    cl_kernel kernel = life_kernel(program, "k");
    cl_mem in =
        MAKE(clCreatePipe(client->context, CL_MEM_HOST_WRITE_ONLY, 4, PACKETS + 3, NULL, &rc));
    cl_mem out =
        MAKE(clCreatePipe(client->context, CL_MEM_HOST_READ_ONLY, 4, PACKETS + 3, NULL, &rc));
    if (kernel && in && out && TRY(clSetKernelArg(kernel, 0, sizeof packets, &packets)) &&
        TRY(clSetKernelArg(kernel, 1, sizeof in, &in)) &&
        TRY(clSetKernelArg(kernel, 2, sizeof out, &out)))
        move_packets(client, kernel, in, out);
    life_drop(program, kernel, in, out);
}
